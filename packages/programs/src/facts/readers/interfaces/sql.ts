/** Tables that SQL files make. */
import { type Fact, fact, type Field } from "../../model.ts"
import { lineAt, spanBetween } from "../../positions.ts"
import { clip } from "../../text.ts"
import { readerOf } from "../reader.ts"
import { masked } from "./masked.ts"

const COMMENTS_AND_STRINGS = /--[^\n]*|\/\*[^]*?(?:\*\/|$)|'[^']*(?:'|$)/gu
const CREATE_TABLE =
  /\bCREATE\s{1,9}(?:(?:GLOBAL|LOCAL|TEMP|TEMPORARY|UNLOGGED|EXTERNAL)\s{1,9})?TABLE\s{1,9}(?:IF NOT EXISTS\s{1,9})?([\w.$"`[\]]+)\s*\(/giu
const CONSTRAINT = /^(?:PRIMARY|UNIQUE|FOREIGN|CONSTRAINT|CHECK|KEY|INDEX|EXCLUDE|LIKE|FULLTEXT|PERIOD)\b/iu
const AFTER_TYPE =
  /\s(?:NOT|NULL|DEFAULT|PRIMARY|REFERENCES|UNIQUE|CHECK|CONSTRAINT|GENERATED|COLLATE|AUTO_INCREMENT|AUTOINCREMENT|COMMENT|ON|ENCODE)\b/iu

const unquoted = (name: string): string => name.replaceAll(/["`[\]]/gu, "")

/** The parts between the commas of a parenthesis that opened before the offset, and where it closes. */
const partsFrom = (text: string, start: number): { readonly parts: ReadonlyArray<string>; readonly end: number } => {
  const parts: Array<string> = []
  let [depth, from, at] = [1, start, start]
  for (; at < text.length && depth > 0; at++) {
    const sign = text[at]
    if (sign === "(") depth++
    else if (sign === ")") depth--
    if (depth === 0 || (depth === 1 && sign === ",")) {
      parts.push(text.slice(from, at).trim())
      from = at + 1
    }
  }
  return { parts, end: at }
}

const fieldOf = (part: string): ReadonlyArray<Field> => {
  const [, name, rest = ""] = /^("[^"]+"|`[^`]+`|\[[^\]]+\]|[\w$]+)\s*([^]*)$/u.exec(part) ?? []
  if (name === undefined || CONSTRAINT.test(part)) return []
  const type = ` ${rest}`.split(AFTER_TYPE)[0] ?? ""
  return [{ name: clip(unquoted(name)), type: clip(type), required: /\b(?:NOT\s+NULL|PRIMARY\s+KEY)\b/iu.test(rest) }]
}

export const sql = readerOf(/\.sql$/iu, (path, text) => {
  const code = masked(text, COMMENTS_AND_STRINGS)
  const line = lineAt(text)
  const facts: Array<Fact<"schema">> = []
  let from = 0
  for (const match of code.matchAll(CREATE_TABLE)) {
    if (match.index < from) continue
    const { end, parts } = partsFrom(code, match.index + match[0].length)
    const fields = parts.flatMap(fieldOf)
    facts.push(fact("schema", clip(unquoted(match[1] ?? "")), { style: "sql", fields }, spanBetween(path, line, match.index, end)))
    from = end
  }
  return facts
})
