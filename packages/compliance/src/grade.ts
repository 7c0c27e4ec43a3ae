/** A grade of how far source code is from selling to agents: eight checks by signs in the code. It sees what is written, not what runs. */
import type { File } from "@svc/tool-kit/fields"
import { Schema } from "effect"
import { type CodeLine, codeLines } from "./code-lines.ts"
import { type Check, checks, rawCardStorage, type Sign } from "./grade-signals.ts"

const Found = Schema.Struct({ check: Schema.String, signal: Schema.String, path: Schema.String, line: Schema.Int })
type Found = typeof Found.Type

const CheckResult = Schema.Struct({
  id: Schema.String,
  title: Schema.String,
  weight: Schema.Int,
  status: Schema.Literals(["pass", "warn", "fail"]),
  points: Schema.Finite,
  signals: Schema.Array(Schema.String),
  /** What to do; absent when it passes. */
  fix: Schema.optionalKey(Schema.String)
})
type CheckResult = typeof CheckResult.Type

export const RULESET = "grade-compliance-1"

export const Grade = Schema.Struct({
  grade: Schema.Literals(["A", "B", "C", "D"]),
  /** 0 to 100. */
  score: Schema.Finite,
  checks_passed: Schema.Int,
  checks_total: Schema.Int,
  checks: Schema.Array(CheckResult),
  /** Where each signal was first seen. */
  detected_signals: Schema.Array(Found),
  /** Places that keep card numbers or security codes: one is enough to fail tokenization. */
  raw_card_storage: Schema.Array(Found),
  ruleset: Schema.Literal(RULESET),
  caveat: Schema.String
})
export type Grade = typeof Grade.Type

/** Two signals that speak for each other pass; one alone may be an accident. */
const ENOUGH = 2
const MOST_PLACES = 20

const first = (check: string, lines: ReadonlyArray<CodeLine>) => ({ id, pattern }: Sign): ReadonlyArray<Found> => {
  const firstLine = lines.find(({ text }) => pattern.test(text))
  return firstLine === undefined ? [] : [{ check, signal: id, path: firstLine.path, line: firstLine.line }]
}

const TOKENIZATION = "tokenization_posture"

const storage = (lines: ReadonlyArray<CodeLine>): ReadonlyArray<Found> =>
  lines.flatMap(({ line, path, text }) =>
    rawCardStorage.filter(({ pattern }) => pattern.test(text)).slice(0, 1).map(({ id }) => ({
      check: TOKENIZATION,
      signal: id,
      path,
      line
    }))
  )

const judge = ({ fix, id, signs, title, weight }: Check, found: ReadonlyArray<Found>, storesCards: boolean): CheckResult => {
  const signals = signs.map((one) => one.id).filter((signal) => found.some((one) => one.check === id && one.signal === signal))
  const failed = id === TOKENIZATION && storesCards
  const status = failed || signals.length === 0 ? "fail" : signals.length < ENOUGH ? "warn" : "pass"
  const points = { pass: weight, warn: weight / 2, fail: 0 }[status]
  const advice = failed ? "Stop keeping card numbers and security codes: drop the columns, and keep the provider's tokens." : fix
  return { id, title, weight, status, points, signals, ...(status === "pass" ? {} : { fix: advice }) }
}

const letter = (score: number): Grade["grade"] => score >= 85 ? "A" : score >= 65 ? "B" : score >= 40 ? "C" : "D"

export const grade = (files: ReadonlyArray<File>): Grade => {
  const lines = codeLines(files)
  const detected_signals = checks.flatMap(({ id, signs }) => signs.flatMap(first(id, lines)))
  const raw_card_storage = storage(lines)
  const results = checks.map((check) => judge(check, detected_signals, raw_card_storage.length > 0))
  const score = results.reduce((sum, { points }) => sum + points, 0)
  return {
    grade: letter(score),
    score,
    checks_passed: results.filter(({ status }) => status === "pass").length,
    checks_total: results.length,
    checks: results,
    detected_signals,
    raw_card_storage: raw_card_storage.slice(0, MOST_PLACES),
    ruleset: RULESET,
    caveat: "By signs in the code that was sent: comments and prose do not count, and a sign is no proof that it works. No certification."
  }
}
