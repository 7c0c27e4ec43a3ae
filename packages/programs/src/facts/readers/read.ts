/**
 * For tests of the readers of `configuration.ts`: the facts of one file, a line each,
 * such as `3-5 script test: runner=npm, command=node --test`.
 */
import { loadGrammar } from "../grammars.ts"
import type { AnyFact } from "../model.ts"
import { byPlace } from "../order.ts"
import { grammarsOf } from "../readers.ts"
import { configuration } from "./configuration.ts"

const written = (value: unknown): string =>
  Array.isArray(value)
    ? `[${value.map(written).join("; ")}]`
    : typeof value === "object" && value !== null
    ? Object.values(value).map(written).join(" ")
    : String(value)

/** What a value has where nothing is said; `direct` says something by `false`, too. */
const isUsual = (name: string, value: unknown): boolean =>
  value === null || value === "" || (value === false && name !== "direct") || (Array.isArray(value) && value.length === 0)

const named = (value: object): string =>
  Object.entries(value).flatMap(([name, member]) => name === "colour" || isUsual(name, member) ? [] : [`${name}=${written(member)}`]).join(
    ", "
  )

const shown = ({ evidence: [{ end_line, start_line }], kind, subject, value }: AnyFact): string =>
  `${start_line === end_line ? start_line : `${start_line}-${end_line}`} ${kind} ${subject}: ${named(value)}`.trimEnd()

export const factsIn = async (path: string, text: string): Promise<ReadonlyArray<AnyFact>> => {
  await Promise.all(grammarsOf([path]).map(loadGrammar))
  const found = await Promise.all(configuration.filter((reader) => reader.takes(path)).map((reader) => reader.read(path, text)))
  return found.flat().toSorted(byPlace)
}

/** A case of a table: what the file says, and the facts that it gives; both after an end of line. */
export interface FileCase {
  readonly path: string
  readonly text: string
  readonly facts: string
}

export const shownFacts = async ({ path, text }: FileCase): Promise<string> =>
  `\n${(await factsIn(path, text.slice(1))).map((fact) => `${shown(fact)}\n`).join("")}`
