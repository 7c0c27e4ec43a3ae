/**
 * The deliveries table as a queue. Any number of workers in any number of processes take from it, and
 * each delivery is in one pair of hands at a time: a claim leases rows under a token, and only the token
 * completes them. A lane is one resource of one account; its deliveries go out one after the other in
 * the order of their events, while lanes do not wait for each other.
 */
import { failPoint, failPointsAround } from "@svc/kernel/parts/fail-points"
import { VersionChanges } from "@svc/kernel/resource/version-change"
import { nextId } from "@svc/kernel/values/ids"
import { leaseSeconds } from "@svc/kernel/values/leases"
import { iso, realNow } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer } from "effect"
import type { SqlError } from "effect/sql"
import type { PreviousSecret, ScheduleName } from "../endpoints/model.ts"
import { type EventRow, rendering, type StoredEvent } from "../events/model.ts"
import { WorkerClient } from "./connection.ts"
import type { DeliveryStatus } from "./model.ts"
import { CLAIM, COMPLETE, DUE_ACCOUNTS, NEXT_DUE, RELEASE } from "./queue-sql.ts"

/** How long a claim keeps a delivery from other workers. A worker that dies costs its deliveries this long. */
export const LEASE_MILLIS = leaseSeconds(30) * 1000

const claiming = failPoint("webhook_claim.after")
const completing = failPointsAround("webhook_complete")

/** How many deliveries of an account to claim at most. */
export interface ClaimRequest {
  readonly account: string
  readonly slots: number
}

/** A delivery in our hands until the lease ends. */
export interface ClaimedDelivery {
  readonly account_id: string
  readonly id: string
  readonly token: string
  readonly resource_id: string
  /** Attempts that have ended. */
  readonly attempts: number
  /** Where the account stands, when it has a clock of its own: ISO 8601, else null. */
  readonly present: string | null
  readonly event: EventRow
  /** Null when the account has no endpoint any more. */
  readonly endpoint: {
    readonly url: string
    readonly schedule: ScheduleName
    readonly secret: string
    readonly previous_secrets: ReadonlyArray<typeof PreviousSecret.Encoded>
  } | null
}

export interface DeliveryClaim {
  readonly deliveries: ReadonlyArray<ClaimedDelivery>
  /** Accounts whose claim did not look at everything that is due. */
  readonly more: ReadonlyArray<string>
}

/** What became of a claimed delivery. Times are ISO 8601 text. */
export interface Completion {
  readonly account_id: string
  readonly id: string
  readonly token: string
  readonly status: DeliveryStatus
  /** When the next attempt is due; for finished deliveries the moment they finished. */
  readonly due_at: string
  readonly outcome: string
  readonly at: string
  /** The attempt to log; null when none was made. */
  readonly attempt: {
    readonly id: string
    readonly started_at: string
    readonly duration_ms: number
    readonly response_status: number | null
    readonly error: string | null
  } | null
}

export interface CompletedDelivery {
  readonly account_id: string
  readonly id: string
  /** Whether a delivery of the same lane was waiting for this one to finish. */
  readonly followed: boolean
}

interface ClaimRow extends Omit<ClaimedDelivery, "token" | "event" | "endpoint"> {
  readonly event_seq: number
  readonly event_id: string
  readonly type: string
  readonly resource_version: number
  readonly api_version: string
  readonly rendered_as: string | null
  readonly data: string
  readonly metadata: string | null
  readonly event_created_at: string
  readonly parked: boolean
  readonly url: string | null
  readonly schedule: ScheduleName
  readonly secret: string
  readonly previous_secrets: ReadonlyArray<typeof PreviousSecret.Encoded>
}

const claimed = (row: ClaimRow, token: string, render: (event: StoredEvent) => EventRow): ClaimedDelivery => ({
  account_id: row.account_id,
  id: row.id,
  token,
  resource_id: row.resource_id,
  attempts: row.attempts,
  present: row.present,
  event: render({
    account_id: row.account_id,
    seq: row.event_seq,
    id: row.event_id,
    type: row.type,
    resource_version: row.resource_version,
    api_version: row.api_version,
    rendered_as: row.rendered_as,
    data: row.data,
    metadata: row.metadata,
    actor: null,
    created_at: row.event_created_at
  }),
  endpoint: row.url === null ? null : {
    url: row.url,
    schedule: row.schedule,
    secret: row.secret,
    previous_secrets: row.previous_secrets
  }
})

/** Accounts that gave as many rows as were asked for, or had rows moved out of the way, may have more. */
const unfinished = (wanted: ReadonlyArray<ClaimRequest>, rows: ReadonlyArray<ClaimRow>): ReadonlyArray<string> => {
  const claimedCounts = new Map<string, number>()
  const parked = new Set<string>()
  for (const row of rows) {
    if (row.parked) parked.add(row.account_id)
    else claimedCounts.set(row.account_id, (claimedCounts.get(row.account_id) ?? 0) + 1)
  }
  return wanted.filter(({ account, slots }) => parked.has(account) || claimedCounts.get(account) === slots).map(({ account }) => account)
}

const textArray = (values: ReadonlyArray<string | number>): string => `{${values.join(",")}}`

export class DeliveryQueue extends Context.Service<DeliveryQueue, {
  /** Accounts with a delivery that is due and in nobody's hands. */
  readonly dueAccounts: Effect.Effect<ReadonlyArray<string>, SqlError.SqlError>
  /**
   * Leases what is due and first in its lane. Of an account whose clock somebody moves only to them: `clock` is the lease of the clock of
   * the one account that is wanted.
   */
  readonly claim: (wanted: ReadonlyArray<ClaimRequest>, clock?: string) => Effect.Effect<DeliveryClaim, SqlError.SqlError>
  /** When the next delivery of an account is due, if that is no later than `until`. Unix milliseconds of the account's time. */
  readonly nextDue: (account: string, until: number) => Effect.Effect<number | undefined, SqlError.SqlError>
  /**
   * Records what became of claimed deliveries and logs their attempts, in one statement. Says for which
   * that worked: a delivery whose lease ran out, and that somebody else took, is left as it is.
   */
  readonly complete: (completions: ReadonlyArray<Completion>) => Effect.Effect<ReadonlyArray<CompletedDelivery>, SqlError.SqlError>
  /** Gives deliveries back untried. */
  readonly release: (deliveries: ReadonlyArray<ClaimedDelivery>) => Effect.Effect<void, SqlError.SqlError>
}>()("@svc/webhooks/DeliveryQueue") {
  static readonly layer = Layer.effect(
    DeliveryQueue,
    Effect.gen(function*() {
      const sql = yield* WorkerClient
      const render = rendering(yield* VersionChanges)

      const dueAccounts = Effect.gen(function*() {
        const at = yield* realNow
        const rows = yield* sql.unsafe<{ readonly account_id: string }>(DUE_ACCOUNTS, [iso(at)])
        return rows.map((row) => row.account_id)
      })

      const claim = Effect.fnUntraced(function*(wanted: ReadonlyArray<ClaimRequest>, clock = "") {
        const at = yield* realNow
        const token = yield* nextId("wha")
        const rows = yield* sql.unsafe<ClaimRow>(CLAIM, [
          iso(at),
          LEASE_MILLIS,
          token,
          textArray(wanted.map(({ account }) => account)),
          textArray(wanted.map(({ slots }) => slots)),
          clock
        ])
        if (rows.length > 0) claiming()
        return {
          deliveries: rows.filter((row) => !row.parked).map((row) => claimed(row, token, render)),
          more: unfinished(wanted, rows)
        }
      })

      return DeliveryQueue.of({
        dueAccounts,
        claim,
        nextDue: (account, until) =>
          Effect.map(
            sql.unsafe<{ readonly due_at: string }>(NEXT_DUE, [account, iso(DateTime.makeUnsafe(until))]),
            ([row]) => row === undefined ? undefined : Date.parse(row.due_at)
          ),
        complete: Effect.fnUntraced(function*(completions) {
          const at = yield* realNow
          completing.before()
          const completed = yield* sql.unsafe<CompletedDelivery>(COMPLETE, [JSON.stringify(completions), iso(at)])
          completing.after()
          return completed
        }),
        release: (deliveries) =>
          Effect.asVoid(sql.unsafe(RELEASE, [JSON.stringify(deliveries.map(({ account_id, id, token }) => ({ account_id, id, token })))]))
      })
    })
  )
}
