/** Manifests of Cargo. */
import { type Fact, fact, type FactValues } from "../../model.ts"
import { clip } from "../../text.ts"
import { tomlTree } from "../../trees/toml.ts"
import { find, itemsOf, type Member, memberOf, membersOf, textOf, textsOf, type Tree } from "../../trees/tree.ts"
import { dependencyFact, entryFact, licenseFact, manifestFact, treeReader } from "../reader.ts"
import { settingFacts } from "../settings/setting.ts"

const SCOPES: ReadonlyArray<readonly [field: string, scope: FactValues["dependency"]["scope"]]> = [
  ["dependencies", "runtime"],
  ["dev-dependencies", "development"],
  ["build-dependencies", "build"]
]

const rangeOf = (value: Tree): string =>
  textOf(value) ?? textOf(value, "version") ?? textOf(value, "git") ?? textOf(value, "path") ??
    (textOf(value, "workspace") === "true" ? "workspace" : "")

const dependency = ({ name, span, value }: Member, scope: FactValues["dependency"]["scope"]): Fact<"dependency"> =>
  dependencyFact(name, span, {
    ecosystem: "cargo",
    range: rangeOf(value),
    scope: textOf(value, "optional") === "true" ? "optional" : scope
  })

const dependenciesOf = (tree: Tree): ReadonlyArray<Fact<"dependency">> =>
  SCOPES.flatMap(([field, scope]) => membersOf(tree, field).map((member) => dependency(member, scope)))

const entriesOf = (root: Tree, of: string | null): ReadonlyArray<Fact<"entry">> =>
  [...itemsOf(root, "lib").map((tree) => ({ kind: "lib", tree })), ...itemsOf(root, "bin").map((tree) => ({ kind: "bin", tree }))]
    .flatMap(({ kind, tree }) => {
      const [path, name] = [memberOf(tree, "path"), textOf(tree, "name")]
      const target = textOf(path?.value)
      return path === undefined || target === null
        ? []
        : [entryFact(name === null ? kind : `${kind}.${name}`, target, path.span, { ecosystem: "cargo", package: of })]
    })

/** `version.workspace = true` says that the workspace's own is meant. */
const inheritable = (tree: Tree | undefined, name: string): string | null =>
  textOf(tree, name) ?? (textOf(tree, name, "workspace") === "true" ? "workspace" : null)

export const cargo = treeReader(/(?:^|\/)Cargo\.toml$/u, tomlTree, (root) => {
  const project = find(root, "package")
  const named = memberOf(project, "name")
  const name = textOf(named?.value)
  const [license, workspace, required] = [memberOf(project, "license"), memberOf(root, "workspace"), memberOf(project, "rust-version")]
  const rust = textOf(required?.value)
  const written = textOf(license?.value)
  const licenses = license === undefined || written === null ? [] : [licenseFact(written, "manifest", license.span)]
  const entries = entriesOf(root, name)
  const span = (named ?? workspace)?.span
  const manifest = span === undefined ? [] : [manifestFact(name ?? "(workspace)", span, {
    ecosystem: "cargo",
    version: inheritable(project, "version"),
    description: textOf(project, "description"),
    license: licenses[0]?.subject ?? inheritable(project, "license"),
    private: textOf(project, "publish") === "false",
    entries: entries.map(({ subject, value: { target } }) => ({ name: subject, target })),
    workspaces: textsOf(root, "workspace", "members"),
    requires: rust === null ? [] : [`rust ${rust}`]
  })]
  return [
    ...manifest,
    ...licenses,
    ...entries,
    ...required === undefined || rust === null ? [] : [fact("setting", "rust", { name: "rust-version", value: clip(rust) }, required.span)],
    ...dependenciesOf(root),
    ...membersOf(root, "target").flatMap(({ value }) => dependenciesOf(value)),
    ...membersOf(root, "workspace", "dependencies").map((member) => dependency(member, "runtime")),
    ...membersOf(root, "features").map(({ name, span, value }) =>
      fact("setting", "cargo", { name: clip(`features.${name}`), value: clip(textsOf(value).join(", ")) }, span)
    ),
    ...["profile", "lints"].flatMap((section) =>
      membersOf(root, section).flatMap((member) => settingFacts("cargo", { ...member, name: clip(`${section}.${member.name}`) }))
    )
  ]
})
