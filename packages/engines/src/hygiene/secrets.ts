/** Secrets in files: where they stand. Their values stay in this child, which keeps them out of all that it answers. */
import { lintSource } from "@secretlint/core"
import { creator } from "@secretlint/secretlint-rule-preset-recommend"
import { redactCardNumbers } from "@svc/kernel/values/card-numbers"
import { lineAt } from "@svc/programs/facts/positions"
import type { HygieneFile } from "./files.ts"
import type { Finding } from "./rule-table.ts"

const config = { rules: [{ id: "preset", rule: creator }] }

export interface FoundSecrets {
  readonly findings: ReadonlyArray<Finding>
  /** Whether a text holds a secret that was found in any file. */
  readonly holds: (text: string) => boolean
  /** Whether no line of a file may be shown. */
  readonly isSecretive: (file: HygieneFile) => boolean
}

/** Shorter pieces, such as a quote or the end of a key, tell nothing. */
const SHORTEST = 8

/** What a rule tells of a place: the secret, and beside it how its kind is called. */
const valuesOf = (data: object = {}): ReadonlyArray<string> =>
  Object.entries(data).flatMap(([name, value]) => name === "typeName" || typeof value !== "string" ? [] : value.split(/\s+/u))
    .filter(({ length }) => length >= SHORTEST)

/** Such as `AWS` of `@secretlint/secretlint-rule-aws`. */
const kindOf = (ruleId: string): string => ruleId.replace(/^.*secretlint-rule-/u, "").replaceAll(/[^\w-]/gu, "")

const cardLine = (text: string): number | undefined => {
  const masked = redactCardNumbers(text)
  if (masked === text) return undefined
  const lines = masked.split("\n")
  return text.split("\n").findIndex((line, at) => line !== lines[at]) + 1
}

export const findSecrets = async (files: ReadonlyArray<HygieneFile>): Promise<FoundSecrets> => {
  const findings: Array<Finding> = []
  const values = new Set<string>()
  for (const { extension, path, text } of files) {
    const { messages } = await lintSource({
      source: { filePath: path, content: text, ext: extension, contentType: "text" },
      options: { config, noPhysicFilePath: true }
    })
    const line = lineAt(text)
    for (const { data, range: [start], ruleId } of messages) {
      findings.push({ rule: "secret", path, line: line(start), detail: `Its form is that of ${kindOf(ruleId)}.` })
      for (const value of valuesOf(data)) values.add(value)
    }
    const card = cardLine(text)
    if (card !== undefined) findings.push({ rule: "card-number", path, line: card })
  }
  const known = Array.from(values)
  const holds = (text: string) => redactCardNumbers(text) !== text || known.some((value) => text.includes(value))
  const named = new Set(findings.map(({ path }) => path))
  return { findings, holds, isSecretive: ({ path, text }) => named.has(path) || holds(path) || holds(text) }
}
