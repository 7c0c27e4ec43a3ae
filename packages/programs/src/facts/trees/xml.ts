/** XML: elements by their names; attributes are left out. No entity is read from elsewhere. */
import { Parser } from "htmlparser2"
import { lineAt, spanBetween } from "../positions.ts"
import { checkDepth, type Member, type Tree } from "./tree.ts"

interface Open {
  readonly name: string
  readonly start: number
  readonly members: Array<Member>
  text: string
}

export const xmlTree = (path: string, text: string): Tree => {
  const line = lineAt(text)
  const root: Open = { name: "", start: 0, members: [], text: "" }
  const open = [root]
  const parser = new Parser({
    onopentag: (name) => {
      checkDepth(open.length)
      open.push({ name, start: parser.startIndex, members: [], text: "" })
    },
    ontext: (data) => {
      const at = open.at(-1)
      if (at !== undefined && at.members.length === 0) at.text += data
    },
    onclosetag: () => {
      const closed = open.length > 1 ? open.pop() : undefined
      if (closed === undefined) return
      const { members, name, start } = closed
      const span = spanBetween(path, line, start, parser.endIndex + 1)
      const value: Tree = members.length > 0 ? { type: "table", members, span } : { type: "scalar", text: closed.text.trim(), span }
      open.at(-1)?.members.push({ name, value, span })
    }
  }, { xmlMode: true })
  parser.end(text)
  return { type: "table", members: root.members, span: spanBetween(path, line, 0, text.length) }
}
