/** INI as setup.cfg, .editorconfig and .npmrc are written: a table of sections; names before the first stand beside them. */
import { linesWithSpans, through } from "../lines.ts"
import type { Member, Scalar, Tree } from "./tree.ts"

interface Entry {
  readonly name: string
  readonly values: Array<Scalar>
}

/** Indented lines go on with the value before them: such a value is a list. */
const memberOf = ({ name, values }: Entry, first: Scalar): Member => {
  const last = values.at(-1) ?? first
  const span = through(first.span, last.span)
  const filled = values.filter(({ text }) => text !== "")
  return { name, value: values.length > 1 ? { type: "list", items: filled, span } : first, span }
}

export const iniTree = (path: string, text: string): Tree => {
  const lines = linesWithSpans(path, text)
  const root: Array<Member> = []
  let members = root
  let entry: Entry | undefined
  const close = () => {
    const first = entry?.values[0]
    if (entry !== undefined && first !== undefined) members.push(memberOf(entry, first))
    entry = undefined
  }
  for (const { span, text } of lines) {
    const trimmed = text.trim()
    if (trimmed === "" || trimmed.startsWith("#") || trimmed.startsWith(";")) continue
    if (entry !== undefined && /^\s/u.test(text)) {
      entry.values.push({ type: "scalar", text: trimmed, span })
      continue
    }
    close()
    if (trimmed.startsWith("[") && trimmed.endsWith("]")) {
      const section: Array<Member> = []
      root.push({ name: trimmed.slice(1, -1).trim(), value: { type: "table", members: section, span }, span })
      members = section
      continue
    }
    const at = trimmed.search(/[=:]/u)
    const [name, value] = at === -1 ? [trimmed, ""] : [trimmed.slice(0, at).trim(), trimmed.slice(at + 1).trim()]
    entry = { name, values: [{ type: "scalar", text: value, span }] }
  }
  close()
  return { type: "table", members: root, span: { path, start_line: 1, end_line: Math.max(1, lines.length) } }
}
