/** Manifests of npm: package.json. */
import { type AnyFact, type Fact, fact, type FactValues } from "../../model.ts"
import { clip } from "../../text.ts"
import { jsonTree } from "../../trees/json.ts"
import { find, itemsOf, type Member, memberOf, membersOf, textOf, textsOf, type Tree } from "../../trees/tree.ts"
import { dependencyFact, entryFact, licenseFact, listingFacts, manifestFact, treeReader } from "../reader.ts"
import { settingFacts } from "../settings/setting.ts"

type DependencyScope = FactValues["dependency"]["scope"]

const SCOPES: ReadonlyArray<readonly [field: string, scope: DependencyScope]> = [
  ["dependencies", "runtime"],
  ["devDependencies", "development"],
  ["peerDependencies", "peer"],
  ["optionalDependencies", "optional"]
]

/** Sections in which tools keep their settings, and what the tools are called. */
const TOOLS: Readonly<Record<string, string>> = {
  ava: "ava",
  babel: "babel",
  browserslist: "browserslist",
  c8: "c8",
  commitlint: "commitlint",
  engines: "npm",
  eslintConfig: "eslint",
  husky: "husky",
  jest: "jest",
  "lint-staged": "lint-staged",
  mocha: "mocha",
  nyc: "nyc",
  overrides: "npm overrides",
  packageManager: "npm",
  pnpm: "pnpm",
  prettier: "prettier",
  publishConfig: "npm",
  release: "semantic-release",
  renovate: "renovate",
  resolutions: "yarn resolutions",
  "simple-git-hooks": "simple-git-hooks",
  stylelint: "stylelint",
  type: "npm",
  vitest: "vitest",
  xo: "xo"
}

/** What npm, or the marketplace of an editor's extensions, reads of a package that is published. */
const LISTED: ReadonlySet<string> = new Set([
  ..."name displayName version private description keywords homepage bugs repository funding license author contributors publisher".split(
    " "
  ),
  ..."categories icon galleryBanner preview type main module types typings browser bin man exports files sideEffects".split(" "),
  ..."engines os cpu activationEvents contributes extensionKind publishConfig peerDependenciesMeta".split(" ")
])

/** Such as `exports../x` of `"exports": { "./x": … }`, and `exports../x (import)` of a condition within. */
const exportsOf = (name: string, { span, value }: Pick<Member, "span" | "value">, conditions: ReadonlyArray<string> = []) => {
  const found: Array<{ readonly name: string; readonly target: string; readonly span: Member["span"] }> = []
  const called = conditions.length === 0 ? name : `${name} (${conditions.join(" ")})`
  const target = textOf(value)
  if (target !== null && target !== "null") found.push({ name: called, target, span })
  for (const item of value.type === "list" ? value.items : []) found.push(...exportsOf(name, { span: item.span, value: item }, conditions))
  for (const member of membersOf(value)) {
    const isPath = member.name.startsWith(".") || member.name.startsWith("#")
    found.push(...exportsOf(isPath ? `${name}.${member.name}` : name, member, isPath ? conditions : [...conditions, member.name]))
  }
  return found
}

const entriesOf = (root: Tree, of: Pick<FactValues["entry"], "ecosystem" | "package">): ReadonlyArray<Fact<"entry">> => {
  const plain = ["main", "module", "types", "typings", "browser", "bin", "man"].flatMap((name) => {
    const member = memberOf(root, name)
    const target = textOf(member?.value)
    return member === undefined || target === null ? [] : [{ name, target, span: member.span }]
  })
  const bins = membersOf(root, "bin").map(({ name, span, value }) => ({ name: `bin.${name}`, target: textOf(value) ?? "", span }))
  const exported = memberOf(root, "exports")
  return [...plain, ...bins, ...exported === undefined ? [] : exportsOf("exports", exported)]
    .map(({ name, span, target }) => entryFact(name, target, span, of))
}

const workspacesOf = (root: Tree): ReadonlyArray<string> =>
  itemsOf(root, "workspaces").flatMap((item) => item.type === "table" ? textsOf(item, "packages") : textOf(item) ?? [])

const licensesOf = (root: Tree): ReadonlyArray<Fact<"license">> => {
  const member = memberOf(root, "license") ?? memberOf(root, "licenses")
  if (member === undefined) return []
  const texts = itemsOf(member.value).flatMap((item) => textOf(item) ?? textOf(item, "type") ?? [])
  return texts.map((text) => licenseFact(text, "manifest", member.span))
}

const toolFacts = (root: Tree): ReadonlyArray<AnyFact> =>
  membersOf(root).flatMap((member) => {
    const tool = Object.hasOwn(TOOLS, member.name) ? TOOLS[member.name] : undefined
    return tool === undefined ? [] : settingFacts(tool, { ...member, name: tool === "npm" ? member.name : "" })
  })

export const packageJson = treeReader(/(?:^|\/)package\.json$/u, jsonTree, (root) => {
  const name = textOf(root, "name")
  const entries = entriesOf(root, { ecosystem: "npm", package: name })
  const licenses = licensesOf(root)
  const named = memberOf(root, "name") ?? memberOf(root, "workspaces")
  const manifest = named === undefined ? [] : [manifestFact(name ?? "(unnamed)", named.span, {
    ecosystem: "npm",
    version: textOf(root, "version"),
    description: textOf(root, "description"),
    license: licenses[0]?.subject ?? null,
    private: textOf(root, "private") === "true",
    entries: entries.map(({ subject, value: { target } }) => ({ name: subject, target })),
    workspaces: workspacesOf(root),
    requires: membersOf(root, "engines").map(({ name, value }) => clip(`${name} ${textOf(value) ?? ""}`))
  })]
  const scripts = membersOf(root, "scripts").flatMap(({ name, span, value }) =>
    value.type !== "scalar" ? [] : [fact("script", clip(name), { runner: "npm", command: clip(value.text, 500) }, span)]
  )
  const optional = new Set(
    membersOf(root, "peerDependenciesMeta").flatMap(({ name, value }) => textOf(value, "optional") === "true" ? [name] : [])
  )
  const dependencies = SCOPES.flatMap(([field, scope]) =>
    membersOf(find(root, field)).map(({ name, span, value }) =>
      dependencyFact(name, span, {
        ecosystem: "npm",
        range: textOf(value) ?? "",
        scope: scope === "peer" && optional.has(name) ? "optional" : scope
      })
    )
  )
  return [
    ...manifest,
    ...entries,
    ...licenses,
    ...scripts,
    ...dependencies,
    ...toolFacts(root),
    ...listingFacts(membersOf(root), (name) => LISTED.has(name))
  ]
})
