/** What an error of the commit statement means. */
import { Schema } from "effect"
import type { SqlError } from "effect/sql"
import type { Batch } from "./batch.ts"
import type { Sink } from "./sink.ts"
import { heldOf } from "./tally-clause.ts"
import type { Tally, TallyNumbers } from "./tally.ts"

/** Why a commit did not happen. Nothing of it was written. */
export class CommitRefused extends Schema.TaggedError<CommitRefused>()("CommitRefused", {
  /**
   * `version`: the row changed since it was loaded. `key`: the idempotency key exists already, or
   * is no longer in progress. Both are lost races: load and decide again. `below_zero`: a number that is never
   * negative would be, which no condition of the commit foresaw: what was decided does not fit the books.
   */
  reason: Schema.Literals(["version", "key", "below_zero"])
}) {}

/** What became of an attempt that wrote nothing. `error` is what went wrong, for whoever can do nothing about it. */
export type CommitFailure =
  & { readonly error: unknown }
  & (
    /** Refused for one of the commits; which one is not known. */
    | { readonly _tag: "Refused"; readonly reason: "version" | "key" }
    /** Refused for what rows of numbers hold. */
    | { readonly _tag: "Held"; readonly tally: Tally; readonly held: ReadonlyMap<string, TallyNumbers> }
    /** Rows of numbers that were believed to be there are not. */
    | { readonly _tag: "Missing" }
    /** Another process was faster, or in the way. */
    | { readonly _tag: "Again" }
    | { readonly _tag: "Broken" }
  )

export const broken = (error: unknown) => ({ _tag: "Broken", error }) as const satisfies CommitFailure

const fieldOf = (error: SqlError.SqlError, name: "code" | "message" | "detail" | "constraint"): string => {
  const cause = error.reason.cause
  return typeof cause === "object" && cause !== null && name in cause ? String(Reflect.get(cause, name)) : ""
}

/** A constraint of the road's own tables, or of a sink's. The rest are rows that exist already: somebody else was faster. */
const violated = (constraint: string, sinks: ReadonlyArray<Sink>): "head" | "version" | "key" => {
  if (constraint.startsWith("idempotency_keys")) return "key"
  if (constraint.startsWith("counters")) return "head"
  for (const sink of sinks) {
    const meaning = sink.violated(constraint)
    if (meaning !== undefined) return meaning
  }
  return "version"
}

/** `batch` is what the statement was to write. */
export const classify = (error: SqlError.SqlError, batch: Batch | undefined, sinks: ReadonlyArray<Sink>): CommitFailure => {
  if (fieldOf(error, "code") === "SV001") {
    const reason = fieldOf(error, "message")
    if (reason === "head") return { _tag: "Again", error }
    if (reason === "version" || reason === "key") return { _tag: "Refused", reason, error }
    for (const [tally, moves] of batch?.tallies ?? []) {
      if (tally.table === reason && moves.hasFloors) {
        return { _tag: "Held", tally, held: heldOf(tally, moves, fieldOf(error, "detail")), error }
      }
    }
    return { _tag: "Missing", error }
  }
  // An exclusion constraint is a unique one that is checked at the end: somebody else was faster.
  if (fieldOf(error, "code") === "23P01") return { _tag: "Refused", reason: "version", error }
  if (error.reason._tag === "UniqueViolation") {
    const reason = violated(error.reason.constraint, sinks)
    return reason === "head" ? { _tag: "Again", error } : { _tag: "Refused", reason, error }
  }
  const inTheWay = error.reason._tag === "DeadlockError" || error.reason._tag === "SerializationError" ||
    error.reason._tag === "LockTimeoutError"
  return { _tag: inTheWay ? "Again" : "Broken", error }
}
