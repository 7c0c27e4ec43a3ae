/** What JSON, YAML, TOML, INI and XML have in common: named values, and the lines that they stand on. */
import type { Span } from "../model.ts"
import { clip } from "../text.ts"

/** Names are kept in lists and never as those of objects: `__proto__` is a name like others. */
export type Tree = Scalar | List | Table

export interface Scalar {
  readonly type: "scalar"
  /** Without quotes. */
  readonly text: string
  /** A number, a boolean or null of JSON. */
  readonly isLiteral?: boolean
  readonly span: Span
}
export interface List {
  readonly type: "list"
  readonly items: ReadonlyArray<Tree>
  readonly span: Span
}
export interface Table {
  readonly type: "table"
  readonly members: ReadonlyArray<Member>
  readonly span: Span
}

export interface Member {
  readonly name: string
  readonly value: Tree
  /** Of name and value. */
  readonly span: Span
}

/** Recursion over a deeper file would exhaust the stack, which V8 does not always survive. */
const MOST_LEVELS = 100

export const checkDepth = (levels: number): void => {
  if (levels > MOST_LEVELS) throw new Error(`it nests more than ${MOST_LEVELS} levels`)
}

/** What a path of names leads to. */
export const find = (tree: Tree | undefined, ...names: ReadonlyArray<string>): Tree | undefined =>
  names.reduce<Tree | undefined>((at, name) => membersOf(at).find((member) => member.name === name)?.value, tree)

export const membersOf = (tree: Tree | undefined, ...names: ReadonlyArray<string>): ReadonlyArray<Member> => {
  const at = names.length === 0 ? tree : find(tree, ...names)
  return at?.type === "table" ? at.members : []
}

export const memberOf = (tree: Tree | undefined, name: string): Member | undefined => membersOf(tree).find((member) => member.name === name)

/** Items of a list; a value that stands alone is a list of one. */
export const itemsOf = (tree: Tree | undefined, ...names: ReadonlyArray<string>): ReadonlyArray<Tree> => {
  const at = find(tree, ...names)
  return at === undefined ? [] : at.type === "list" ? at.items : [at]
}

/** The text of a scalar, on one line and clipped; null of anything else and of an empty text. */
export const textOf = (tree: Tree | undefined, ...names: ReadonlyArray<string>): string | null => {
  const at = find(tree, ...names)
  return at?.type !== "scalar" || at.text === "" ? null : clip(at.text)
}

/** Texts of a list's scalars. */
export const textsOf = (tree: Tree | undefined, ...names: ReadonlyArray<string>): ReadonlyArray<string> =>
  itemsOf(tree, ...names).flatMap((item) => textOf(item) ?? [])
