/** Schemas that are written in braces: protobuf and GraphQL. */
import { type AnyFact, fact, type Field, type Span } from "../../model.ts"
import { lineAt, spanBetween } from "../../positions.ts"
import { clip } from "../../text.ts"
import { readerOf } from "../reader.ts"
import { masked } from "./masked.ts"

interface Block {
  /** What stands before its brace, such as `message Order`. */
  readonly head: string
  readonly start: number
  /** What stands directly in it, up to each semicolon or brace. */
  readonly statements: Array<{ readonly text: string; readonly start: number }>
}

/** Blocks of a masked text in the order in which they close. */
const blocksOf = (code: string): ReadonlyArray<Block & { readonly end: number }> => {
  const closed: Array<Block & { readonly end: number }> = []
  const open: Array<Block> = []
  let from = 0
  for (const { 0: sign, index } of code.matchAll(/[{};]/gu)) {
    const before = code.slice(from, index)
    const [text, start] = [before.trim(), from + before.length - before.trimStart().length]
    from = index + 1
    if (text !== "") open.at(-1)?.statements.push({ text, start })
    if (sign === "{") open.push({ head: text, start, statements: [] })
    if (sign !== "}") continue
    const block = open.pop()
    if (block !== undefined) closed.push({ ...block, end: index + 1 })
  }
  return closed
}

const protobufFields = (statements: Block["statements"]): ReadonlyArray<Field> =>
  statements.flatMap(({ text }) => {
    const [, label, type, name] = /^(?:(repeated|optional|required)\s+)?(map\s*<[^>]*>|[\w.]+)\s+(\w+)\s*=\s*\d/u.exec(text) ?? []
    if (type === undefined || name === undefined) return []
    return [{ name: clip(name), type: clip(label === "repeated" ? `${type}[]` : type), required: label === "required" }]
  })

const protobuf = readerOf(/\.proto$/u, (path, text) => {
  const code = masked(text, /\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)|"[^"\n]*(?:"|$)/gmu)
  const line = lineAt(text)
  const at = (start: number, end: number): Span => spanBetween(path, line, start, end)
  return blocksOf(code).flatMap(({ end, head, start, statements }): ReadonlyArray<AnyFact> => {
    const [, kind, name] = /^(message|service)\s+(\w+)$/u.exec(head) ?? []
    if (name === undefined) return []
    if (kind === "message") return [fact("schema", clip(name), { style: "protobuf", fields: protobufFields(statements) }, at(start, end))]
    return statements.flatMap(({ start, text }) => {
      const call = /^rpc\s+(\w+)/u.exec(text)?.[1]
      if (call === undefined) return []
      const route = { method: "RPC", path: clip(`/${name}/${call}`), handler: call, framework: "grpc" }
      return [fact("route", `RPC ${route.path}`, route, at(start, start + text.length))]
    })
  })
})

/** `name(arguments): Type!`, of which an exclamation mark says that there is always one. */
const GRAPHQL_FIELD = /^[ \t]*(\w+)[ \t]*(?:\([^()]*\)[ \t]*)?:[ \t]*([\w![\]]+)/gmu

const graphql = readerOf(/\.(?:graphql|graphqls|gql)$/u, (path, text) => {
  const code = masked(text, /#[^\n]*|"""[^]*?(?:"""|$)|"[^"\n]*(?:"|$)/gu)
  const line = lineAt(text)
  return blocksOf(code).flatMap(({ end, head, start, statements }) => {
    const name = /^(?:extend\s+)?(?:type|input|interface)\s+(\w+)/u.exec(head)?.[1]
    if (name === undefined) return []
    const fields = Array.from(statements.map(({ text }) => text).join("\n").matchAll(GRAPHQL_FIELD), ([, field = "", type = ""]) => ({
      name: clip(field),
      type: clip(type),
      required: type.endsWith("!")
    }))
    return [fact("schema", clip(name), { style: "graphql", fields }, spanBetween(path, line, start, end))]
  })
})

export const braces = [protobuf, graphql]
