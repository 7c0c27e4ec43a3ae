/** What readers of manifests share. */
import spdxCorrect from "spdx-correct"
import { type AnyFact, type Fact, fact, type FactValues, type Reader, type Span } from "../model.ts"
import { clip } from "../text.ts"
import { type Member, type Tree } from "../trees/tree.ts"

/** A reader of the files whose paths match. */
export const readerOf = (paths: Pick<RegExp, "test">, read: Reader["read"]): Reader => ({ takes: (path) => paths.test(path), read })

/** A reader of the files whose paths match, by their tree. */
export const treeReader = (
  paths: RegExp,
  parse: (path: string, text: string) => Tree | undefined,
  read: (tree: Tree, path: string) => ReadonlyArray<AnyFact>
): Reader =>
  readerOf(paths, (path, text) => {
    const tree = parse(path, text)
    return tree === undefined ? [] : read(tree, path)
  })

type Manifest = FactValues["manifest"]

const unknownManifest = { version: null, description: null, license: null, private: false, entries: [], workspaces: [], requires: [] }

/** The fact of a manifest; what it does not say is empty. */
export const manifestFact = (name: string, span: Span, said: Partial<Manifest> & Pick<Manifest, "ecosystem">): Fact<"manifest"> =>
  fact("manifest", name, { ...unknownManifest, ...said }, span)

/** Facts of the entries, each on its line, and their names and targets for the manifest. */
export const entryFact = (
  name: string,
  target: string,
  span: Span,
  of: Pick<FactValues["entry"], "ecosystem" | "package">
): Fact<"entry"> => fact("entry", clip(name), { ...of, target: clip(target) }, span)

export const licenseFact = (text: string, source: FactValues["license"]["source"], span: Span): Fact<"license"> => {
  const written = clip(text)
  const expression = spdxCorrect(written, { upgrade: false })
  return fact("license", expression ?? written, { source, spdx: expression !== null }, span)
}

export const dependencyFact = (name: string, span: Span, value: FactValues["dependency"]): Fact<"dependency"> =>
  fact("dependency", clip(name), { ...value, range: clip(value.range) }, span)

/** Characters of a member's JSON. What an editor's extension contributes is long. */
const MOST_LISTED = 16 * 1024
const MOST_OF_TEXT = 500

const LITERALS: ReadonlyMap<string, unknown> = new Map<string, unknown>([["true", true], ["false", false], ["null", null]])

const plainOf = (tree: Tree): unknown => {
  if (tree.type === "list") return tree.items.map(plainOf)
  if (tree.type === "table") return Object.fromEntries(tree.members.map(({ name, value }) => [clip(name), plainOf(value)]))
  if (tree.isLiteral !== true) return clip(tree.text, MOST_OF_TEXT)
  return LITERALS.has(tree.text) ? LITERALS.get(tree.text) : Number(tree.text)
}

/** Facts of the members that a registry or a marketplace shows. */
export const listingFacts = (members: ReadonlyArray<Member>, isListed: (name: string) => boolean): ReadonlyArray<Fact<"listing">> =>
  members.filter(({ name }) => isListed(name)).flatMap(({ name, span, value }) => {
    const json = JSON.stringify(plainOf(value))
    return json.length > MOST_LISTED ? [] : [fact("listing", clip(name), { json }, span)]
  })

/** Members by their names, of which the first counts. */
export const byName = (members: ReadonlyArray<Member>): ReadonlyMap<string, Member> =>
  new Map(members.toReversed().map((member) => [member.name, member]))
