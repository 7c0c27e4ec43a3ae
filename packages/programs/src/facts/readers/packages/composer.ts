/** composer.json and composer.lock. */
import { type AnyFact, fact } from "../../model.ts"
import { clip } from "../../text.ts"
import { jsonTree } from "../../trees/json.ts"
import { itemsOf, memberOf, membersOf, textOf, textsOf, type Tree } from "../../trees/tree.ts"
import { dependencyFact, entryFact, licenseFact, listingFacts, manifestFact, treeReader } from "../reader.ts"
import { LISTED } from "./listed.ts"

/** What the language itself must be or have. */
const isPlatform = (name: string): boolean => name === "php" || name.startsWith("ext-")

const dependencies = (root: Tree, field: string, scope: "runtime" | "development"): ReadonlyArray<AnyFact> =>
  membersOf(root, field).filter(({ name }) => !isPlatform(name)).map(({ name, span, value }) =>
    dependencyFact(name, span, { ecosystem: "packagist", range: textOf(value) ?? "", scope })
  )

const manifest = treeReader(/(?:^|\/)composer\.json$/u, jsonTree, (root) => {
  const [named, license, bin] = [memberOf(root, "name"), memberOf(root, "license"), itemsOf(root, "bin")]
  const name = textOf(named?.value)
  const licenses = license === undefined ? [] : textsOf(license.value).map((text) => licenseFact(text, "manifest", license.span))
  const entries = bin.flatMap((item) => entryFact("bin", textOf(item) ?? "", item.span, { ecosystem: "packagist", package: name }))
  const own = named === undefined || name === null ? [] : [manifestFact(name, named.span, {
    ecosystem: "packagist",
    version: textOf(root, "version"),
    description: textOf(root, "description"),
    license: licenses[0]?.subject ?? null,
    entries: entries.map(({ subject, value: { target } }) => ({ name: subject, target })),
    requires: membersOf(root, "require").filter((one) => isPlatform(one.name)).map((one) => clip(`${one.name} ${textOf(one.value) ?? ""}`))
  })]
  const scripts = membersOf(root, "scripts").map(({ name, span, value }) =>
    fact("script", clip(name), { runner: "composer", command: clip(textsOf(value).join(" && "), 500) }, span)
  )
  return [
    ...own,
    ...listingFacts(membersOf(root), (name) => LISTED.has(name)),
    ...licenses,
    ...entries,
    ...scripts,
    ...dependencies(root, "require", "runtime"),
    ...dependencies(root, "require-dev", "development")
  ]
})

const lock = treeReader(
  /(?:^|\/)composer\.lock$/u,
  jsonTree,
  (root) =>
    ["packages", "packages-dev"].flatMap((field) =>
      itemsOf(root, field).flatMap((item) => {
        const [name, version] = [memberOf(item, "name"), memberOf(item, "version")]
        const [nameText, versionText] = [textOf(name?.value), textOf(version?.value)]
        if (name === undefined || version === undefined || nameText === null || versionText === null) return []
        const span = { ...name.span, end_line: Math.max(name.span.end_line, version.span.end_line) }
        return [fact("locked", nameText, { ecosystem: "packagist", version: versionText, direct: null }, span)]
      })
    )
)

export const composer = [manifest, lock]
