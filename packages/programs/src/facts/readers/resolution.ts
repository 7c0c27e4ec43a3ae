/** What a resolver of modules asks package.json and tsconfig.json for. */
import { parse } from "jsonc-parser"
import { fact, type Reader } from "../model.ts"
import { checkText } from "../trees/json.ts"

const OF_PACKAGE = ["name", "main", "module", "types", "exports", "imports"] as const
const OF_COMPILER = ["baseUrl", "paths", "rootDirs"] as const

/** Characters that a resolver is given. More is no configuration that somebody wrote. */
const MOST = 64 * 1024

const membersOf = (value: unknown): ReadonlyMap<string, unknown> =>
  typeof value === "object" && value !== null ? new Map(Object.entries(value)) : new Map()

const only = (value: unknown, names: ReadonlyArray<string>): Readonly<Record<string, unknown>> => {
  const members = membersOf(value)
  return Object.fromEntries(names.flatMap((name) => members.has(name) ? [[name, members.get(name)]] : []))
}

const configuration = (path: string, text: string): Readonly<Record<string, unknown>> => {
  checkText(text)
  const json: unknown = parse(text, [], { allowTrailingComma: true })
  if (path.endsWith("package.json")) return only(json, OF_PACKAGE)
  return { ...only(json, ["extends", "references"]), compilerOptions: only(membersOf(json).get("compilerOptions"), OF_COMPILER) }
}

export const resolution: Reader = {
  takes: (path) => /(?:^|\/)(?:package|[tj]sconfig[^/]*)\.json$/u.test(path),
  read: (path, text) => {
    const json = JSON.stringify(configuration(path, text))
    const end_line = Math.max(1, text.trimEnd().split("\n").length)
    return json.length > MOST ? [] : [fact("resolution", path, { json }, { path, start_line: 1, end_line })]
  }
}
