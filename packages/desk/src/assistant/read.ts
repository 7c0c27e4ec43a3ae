/** How the assistant reads: routes of the API within this process, by the key or the person who asks. */
import { Data, Effect, type Scope } from "effect"
import type { HttpServerRequest } from "effect/http"
import type { AskRoute, Row } from "./route.ts"

export type { Row }

/** The asker may not read what the answer would be from, or too often. */
export class Unreadable extends Data.TaggedError("Unreadable")<{ readonly status: number; readonly message: string }> {}

/** Nothing has this id, for this account. */
export class NoRow extends Data.TaggedError("NoRow")<{ readonly path: string }> {}

export type Read = (path: string) => Effect.Effect<Row, Unreadable | NoRow, HttpServerRequest.HttpServerRequest | Scope.Scope>

/** Reads by GET alone. */
export const reading = (ask: AskRoute): Read =>
  Effect.fnUntraced(function*(path) {
    const { row, status } = yield* ask({ method: "GET", path })
    if (status === 404) return yield* new NoRow({ path })
    if (status !== 200) return yield* new Unreadable({ status, message: String(row["message"] ?? "") })
    return row
  })

/** The rows of a list. */
export const rowsIn = (list: Row): ReadonlyArray<Row> => {
  const data = list["data"]
  return Array.isArray(data) ? data : []
}

export const textIn = (row: Row, field: string): string => {
  const value = row[field]
  return typeof value === "string" ? value : ""
}

export const numberIn = (row: Row, field: string): number => {
  const value = row[field]
  return typeof value === "number" ? value : 0
}
