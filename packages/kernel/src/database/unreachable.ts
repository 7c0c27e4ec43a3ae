/** Tells a database that is away, or cannot write, from one that refused a statement. */
import { Clock, Effect } from "effect"
import * as SqlError from "effect/sql/SqlError"
import { Reference } from "../values/reference.ts"

/**
 * What Postgres says when it stops, starts or has no connection to spare; the driver knows these as
 * unclassified. https://www.postgresql.org/docs/18/errcodes-appendix.html
 */
const AWAY: ReadonlySet<unknown> = new Set([
  "57P01", // admin_shutdown
  "57P02", // crash_shutdown
  "57P03", // cannot_connect_now
  "53300" // too_many_connections
])

/** Seconds after which asking again makes sense: a restart of Postgres takes two or so. */
export const UNREACHABLE_RETRY_AFTER = 2

const DISK_FULL = "53100"

/** Seconds after which asking again makes sense: somebody has to free space first. */
export const DISK_FULL_RETRY_AFTER = 30

const codeOf = ({ reason: { cause } }: SqlError.SqlError): unknown =>
  typeof cause === "object" && cause !== null && "code" in cause ? cause.code : undefined

/** Whether the database could not be reached, or went away before it answered: what was asked may or may not have happened. */
export const isUnreachable = (error: unknown): boolean => {
  return SqlError.isSqlError(error) && (error.reason._tag === "ConnectionError" || AWAY.has(codeOf(error)))
}

/** Whether the database could not write because its disk is full. The statement did nothing. */
export const isDiskFull = (error: unknown): boolean => SqlError.isSqlError(error) && codeOf(error) === DISK_FULL

/** Milliseconds for which a full disk is spoken of after it was last met: nobody tells when it has space again. */
const REMEMBERED = 60_000

/** What this process has met of the database's disk. */
export class Disk extends Reference<{ fullAt: number }>("@svc/kernel/database/Disk", { defaultValue: () => ({ fullAt: -Infinity }) }) {
  /** Remembers that the disk is full. */
  static readonly noteFull = Effect.gen(function*() {
    const disk = yield* Disk
    disk.fullAt = yield* Clock.currentTimeMillis
  })

  /** Whether it was full just now. */
  static readonly isFull = Effect.gen(function*() {
    const { fullAt } = yield* Disk
    return (yield* Clock.currentTimeMillis) - fullAt < REMEMBERED
  })
}
