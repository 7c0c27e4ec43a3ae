/** For tests: the facts of one kind in a text, each as a line: subject, the fields asked for, and its lines in the file. */
import type { FactKind } from "../model.ts"
import { byPlace } from "../order.ts"
import { readFile } from "../readers.ts"

const shown = (value: unknown): string =>
  Array.isArray(value) && value.length > 0 && value.every((one) => typeof one === "string")
    ? value.join(",")
    : typeof value === "object" && value !== null
    ? JSON.stringify(value)
    : String(value)

export const linesOf = async (
  path: string,
  text: string,
  kind: FactKind,
  ...fields: ReadonlyArray<string>
): Promise<ReadonlyArray<string>> => {
  const facts = await readFile(path, text)
  return facts.filter((fact) => fact.kind === kind)
    .toSorted((one, other) => byPlace(one, other) === 0 ? 0 : one.evidence[0].start_line - other.evidence[0].start_line)
    .map(({ evidence: [{ end_line, start_line }], subject, value }) => {
      const values = new Map(Object.entries(value))
      const lines = start_line === end_line ? `@${start_line}` : `@${start_line}-${end_line}`
      return [subject, ...fields.map((field) => shown(values.get(field))), lines].join(" ")
    })
}
