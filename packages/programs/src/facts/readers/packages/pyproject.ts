/** pyproject.toml, as PEP 621, PEP 735, Poetry, uv, PDM, Hatch and Poe write it. */
import { type AnyFact, type Fact, fact } from "../../model.ts"
import { clip } from "../../text.ts"
import { tomlTree } from "../../trees/toml.ts"
import { find, itemsOf, type Member, memberOf, membersOf, textOf, textsOf, type Tree } from "../../trees/tree.ts"
import { dependencyFact, entryFact, licenseFact, manifestFact, treeReader } from "../reader.ts"
import { settingFacts } from "../settings/setting.ts"
import { type DependencyScope, isForDevelopment, requirements } from "./requirement.ts"

const LONGEST_COMMAND = 500

/** Fields of Poetry that are no settings. */
const POETRY_PROJECT = ["authors", "dependencies", "description", "dev-dependencies", "group", "license", "name", "scripts", "version"]

const poetryDependencies = (tree: Tree | undefined, scope: DependencyScope): ReadonlyArray<Fact<"dependency">> =>
  membersOf(tree).filter(({ name }) => name !== "python").map(({ name, span, value }) => {
    const range = textOf(value) ?? textOf(value, "version") ?? textOf(value, "git") ?? textOf(value, "path") ?? ""
    return dependencyFact(name, span, { ecosystem: "pypi", range, scope: textOf(value, "optional") === "true" ? "optional" : scope })
  })

const dependenciesOf = (root: Tree, poetry: Tree | undefined): ReadonlyArray<AnyFact> => [
  ...requirements(itemsOf(root, "project", "dependencies"), "runtime"),
  ...membersOf(root, "project", "optional-dependencies").flatMap(({ value }) => requirements(itemsOf(value), "optional")),
  ...membersOf(root, "dependency-groups").flatMap(({ value }) => requirements(itemsOf(value), "development")),
  ...requirements(itemsOf(root, "tool", "uv", "dev-dependencies"), "development"),
  ...requirements(itemsOf(root, "build-system", "requires"), "build"),
  ...poetryDependencies(find(poetry, "dependencies"), "runtime"),
  ...poetryDependencies(find(poetry, "dev-dependencies"), "development"),
  ...membersOf(poetry, "group").flatMap(({ name, value }) =>
    poetryDependencies(find(value, "dependencies"), isForDevelopment(name) ? "development" : "optional")
  )
]

/** A task as text, as a list of words, or as a table with `cmd`. */
const tasks = (runner: string, members: ReadonlyArray<Member>): ReadonlyArray<Fact<"script">> =>
  members.flatMap(({ name, span, value }) => {
    const called = ["cmd", "shell", "call", "script"].map((key) => textOf(value, key)).find((text) => text !== null)
    const command = value.type === "scalar" ? value.text : called ?? textsOf(value).join(" && ")
    return command === "" ? [] : [fact("script", clip(name), { runner, command: clip(command, LONGEST_COMMAND) }, span)]
  })

const entriesOf = (root: Tree, poetry: Tree | undefined, of: string): ReadonlyArray<Fact<"entry">> =>
  [find(root, "project", "scripts"), find(root, "project", "gui-scripts"), find(poetry, "scripts")].flatMap((tree) => membersOf(tree)).map(
    ({ name, span, value }) =>
      entryFact(`scripts.${name}`, textOf(value) ?? textOf(value, "reference") ?? "", span, { ecosystem: "pypi", package: of })
  )

const licenseOf = (project: Tree): ReadonlyArray<Fact<"license">> => {
  const member = memberOf(project, "license")
  const text = textOf(member?.value) ?? textOf(member?.value, "text")
  return member === undefined || text === null ? [] : [licenseFact(text, "manifest", member.span)]
}

const manifestOf = (root: Tree, project: Tree, entries: ReadonlyArray<Fact<"entry">>): ReadonlyArray<AnyFact> => {
  const named = memberOf(project, "name")
  if (named === undefined) return []
  const licenses = licenseOf(project)
  const required = memberOf(project, "requires-python") ?? memberOf(find(project, "dependencies"), "python")
  const python = textOf(required?.value)
  return [
    manifestFact(textOf(named.value) ?? "(unnamed)", named.span, {
      ecosystem: "pypi",
      version: textOf(project, "version"),
      description: textOf(project, "description"),
      license: licenses[0]?.subject ?? null,
      entries: entries.map(({ subject, value: { target } }) => ({ name: subject, target })),
      workspaces: textsOf(root, "tool", "uv", "workspace", "members"),
      requires: python === null ? [] : [`python ${python}`]
    }),
    ...required === undefined || python === null
      ? []
      : [fact("setting", "python", { name: "requires-python", value: clip(python) }, required.span)],
    ...licenses
  ]
}

export const pyproject = treeReader(/(?:^|\/)pyproject\.toml$/u, tomlTree, (root) => {
  const poetry = find(root, "tool", "poetry")
  const project = find(root, "project") ?? poetry
  const entries = entriesOf(root, poetry, textOf(project, "name") ?? "(unnamed)")
  return [
    ...project === undefined ? [] : manifestOf(root, project, entries),
    ...entries,
    ...dependenciesOf(root, poetry),
    ...tasks("poe", membersOf(root, "tool", "poe", "tasks")),
    ...tasks("pdm", membersOf(root, "tool", "pdm", "scripts")),
    ...membersOf(root, "tool", "hatch", "envs").flatMap(({ value }) => tasks("hatch", membersOf(value, "scripts"))),
    ...membersOf(root, "tool").flatMap(({ name, value }) =>
      membersOf(value).filter((member) => name !== "poetry" || !POETRY_PROJECT.includes(member.name))
        .filter((member) => !["poe.tasks", "pdm.scripts", "uv.dev-dependencies"].includes(`${name}.${member.name}`))
        .flatMap((member) => settingFacts(clip(name), member))
    )
  ]
})
