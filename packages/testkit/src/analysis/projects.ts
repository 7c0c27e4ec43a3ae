/** The six planted projects: files by path. */
import { readFileSync } from "node:fs"
import { keys } from "./key.ts"

export type Files = Readonly<Record<string, string>>

const MARK = /^==> (.+) <==\n/mu

/** `==> path <==` begins a file. */
const parseFiles = (text: string): Files => {
  const [, ...parts] = text.split(MARK)
  return Object.fromEntries(parts.flatMap((path, at) => at % 2 === 0 ? [[path, parts[at + 1] ?? ""] as const] : []))
}

export const projects: Readonly<Record<string, Files>> = Object.fromEntries(
  Object.keys(keys).map((name) => [name, parseFiles(readFileSync(`${import.meta.dirname}/projects/${name}.txt`, "utf8"))])
)

/** The line of the only place where the text stands in the file, the first of all lines being 1. */
export const lineOf = (files: Files, path: string, snippet: string): number => {
  const lines = (files[path] ?? "").split("\n").flatMap((line, at) => line.includes(snippet) ? [at + 1] : [])
  const [line] = lines
  if (line === undefined) throw new Error(`${path} holds no ${JSON.stringify(snippet)}`)
  return line
}
