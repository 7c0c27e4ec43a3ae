/** TOML. */
import { type AST, parseTOML } from "toml-eslint-parser"
import type { Span } from "../model.ts"
import { checkDepth, type Member, type Table, type Tree } from "./tree.ts"

/** A table that is still read: later lines may add to it. */
interface OpenTable extends Table {
  readonly members: Array<Member>
  readonly tables: Map<string, OpenTable>
  readonly lists: Map<string, Array<OpenTable>>
}

type Keyed = AST.TOMLKeyValue

const openTable = (span: Span): OpenTable => ({ type: "table", members: [], span, tables: new Map(), lists: new Map() })

/** The table of a name within another; made where there is none yet. */
const tableIn = (table: OpenTable, name: string, span: Span): OpenTable => {
  const known = table.tables.get(name) ?? table.lists.get(name)?.at(-1)
  if (known !== undefined) return known
  const made = openTable(span)
  table.tables.set(name, made)
  table.members.push({ name, value: made, span })
  return made
}

/** One more table in the list of a name, as of `[[name]]`. */
const itemIn = (table: OpenTable, name: string, span: Span): OpenTable => {
  const item = openTable(span)
  const known = table.lists.get(name)
  if (known !== undefined) known.push(item)
  else {
    const items = [item]
    table.lists.set(name, items)
    table.members.push({ name, value: { type: "list", items, span }, span })
  }
  return item
}

const namesOf = ({ keys }: AST.TOMLKey): ReadonlyArray<string> => keys.map((key) => key.type === "TOMLBare" ? key.name : key.value)

const textOf = (value: AST.TOMLValue): string =>
  value.kind === "integer" || value.kind === "float"
    ? value.number
    : value.kind === "string" || value.kind === "boolean"
    ? String(value.value)
    : value.datetime

/** Throws where the text is no TOML. */
export const tomlTree = (path: string, text: string): Tree => {
  const spanOf = ({ loc }: AST.TOMLNode): Span => ({ path, start_line: loc.start.line, end_line: loc.end.line })
  const valueOf = (node: AST.TOMLContentNode, depth: number): Tree => {
    checkDepth(depth)
    if (node.type === "TOMLValue") return { type: "scalar", text: textOf(node), span: spanOf(node) }
    if (node.type === "TOMLArray") return { type: "list", items: node.elements.map((item) => valueOf(item, depth + 1)), span: spanOf(node) }
    const table = openTable(spanOf(node))
    for (const keyed of node.body) add(table, keyed, depth)
    return table
  }
  const add = (table: OpenTable, keyed: Keyed, depth: number) => {
    const names = namesOf(keyed.key)
    checkDepth(depth + names.length)
    const span = spanOf(keyed)
    const holder = names.slice(0, -1).reduce((at, name) => tableIn(at, name, span), table)
    holder.members.push({ name: names.at(-1) ?? "", value: valueOf(keyed.value, depth + names.length), span })
  }
  const [{ body, ...top }] = parseTOML(text).body
  const root = openTable({ path, start_line: top.loc.start.line, end_line: top.loc.end.line })
  for (const node of body) {
    if (node.type === "TOMLKeyValue") {
      add(root, node, 1)
      continue
    }
    const names = namesOf(node.key)
    checkDepth(names.length)
    const span = spanOf(node)
    const holder = names.slice(0, -1).reduce((at, name) => tableIn(at, name, span), root)
    const table = (node.kind === "array" ? itemIn : tableIn)(holder, names.at(-1) ?? "", span)
    for (const keyed of node.body) add(table, keyed, names.length)
  }
  return root
}
