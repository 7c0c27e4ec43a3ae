/**
 * Idempotency keys: one namespace for the whole platform. The key is written in the transaction of
 * its effect, or before a provider call where there is one, and its answer is replayed byte for byte.
 */
import { Context, Effect, Fiber, Layer, Predicate, Result } from "effect"
import type { DateTime } from "effect"
import { KeyReader } from "../database/client.ts"
import type { Reply } from "../http/reply.ts"
import { CommitRefused, Committer } from "../road/committer.ts"
import type { KeyWrite, StoredReply } from "../road/decision.ts"
import { leaseSeconds } from "../values/leases.ts"
import { now, realNow } from "../values/time.ts"
import { calledOutside, IdempotencyInProgress, IdempotencyKeyReused } from "./errors.ts"
import type { VersionConflict } from "./errors.ts"
import { isLostRace, keptChanging, MAX_RACES } from "./versions.ts"

/**
 * What a ledger entry says of its cause when no request is: a timer, a customer's step. It begins with
 * a space, which no key may, so that no merchant's key can stand in its way.
 */
export const internalCause = (what: string, id: string): string => ` ${what}:${id}`

/** How long an unfinished request owns its key before a retry may take it up. */
export const LEASE_SECONDS = leaseSeconds(60)

/** A request as the idempotency rules see it. */
export interface Keyed {
  readonly key: string
  /** For example `payment_intent.capture`. */
  readonly operation: string
  /** SHA-256 of method, path and body without the key. */
  readonly fingerprint: string
}

/** How a request with this key may go on. */
export type Begun =
  | { readonly _tag: "First" }
  | { readonly _tag: "Replay"; readonly reply: StoredReply; readonly resource_id: string }
  /** The first request stopped half way, after it announced a provider call. */
  | { readonly _tag: "Resume"; readonly resource_id: string }

interface KeyRow {
  readonly account_id: string
  readonly operation: string
  readonly fingerprint: string
  readonly resource_type: string
  readonly resource_id: string
  readonly status: "in_progress" | "done"
  readonly response_status: number | null
  readonly response_body: string | null
  readonly lease_until: string | null
  readonly first_seen_at: string
}

/** The refusal of a key that was used for something else. */
export const reused = () =>
  new IdempotencyKeyReused({
    code: "idempotency_key",
    message: "This idempotency key was already used for a different request. Use a fresh random key for each operation."
  })

const inProgress = (seconds: number) =>
  new IdempotencyInProgress({
    message: `The first request with this idempotency key has not finished. Repeat the identical request in ${seconds} s.`,
    details: { retry_after: seconds }
  })

const BY_KEY = `SELECT account_id, operation, fingerprint, resource_type, resource_id, status, response_status,
  response_body, lease_until, first_seen_at FROM idempotency_keys WHERE key = $1`

/** Keys of a generation. A forgotten key costs a refused commit when it comes again, nothing more. */
const REMEMBERED_KEYS = 10_000

const first: Begun = { _tag: "First" }

export class Idempotency extends Context.Service<Idempotency, {
  /** Looks the key up. Fails when it belongs to another request or account, or is still running. */
  readonly begin: (account: string, request: Keyed) => Effect.Effect<Begun, IdempotencyKeyReused | IdempotencyInProgress>
  /** Whether a request with this key came by in this process not long ago; notes that one came. */
  readonly seen: (key: string) => boolean
  /** The owner's view of a key, or nothing: another account's key looks like an unknown one. */
  readonly find: (account: string, key: string) => Effect.Effect<KeyRow | undefined>
  /**
   * Runs a request to its end, also when whoever waits for it goes away: a client that hangs up during
   * a provider call must not leave its key locked and the answer unread.
   */
  readonly toTheEnd: <A, E, R>(request: Effect.Effect<A, E, R>) => Effect.Effect<A, E, R>
  /** Writes to the account's log that the request was refused, and why. Its key stays free. */
  readonly refused: (account: string, request: Keyed, error: object) => Effect.Effect<void>
}>()("@svc/kernel/Idempotency") {
  static readonly layer = Layer.effect(
    Idempotency,
    Effect.gen(function*() {
      const sql = yield* KeyReader
      const committer = yield* Committer
      const scope = yield* Effect.scope
      // The text never changes and every request sends it: no template is compiled for it.
      const load = (key: string) => Effect.orDie(Effect.map(sql.unsafe<KeyRow>(BY_KEY, [key]), (rows) => rows[0]))

      const begin = Effect.fnUntraced(
        function*(account: string, request: Keyed): Effect.fn.Return<Begun, IdempotencyKeyReused | IdempotencyInProgress> {
          const row = yield* load(request.key)
          if (row === undefined) return first
          if (row.account_id !== account || row.operation !== request.operation || row.fingerprint !== request.fingerprint) {
            return yield* reused()
          }
          if (row.response_body !== null && row.response_status !== null) {
            const status = row.response_status === 201 ? 200 : row.response_status
            return { _tag: "Replay", reply: { status, body: row.response_body }, resource_id: row.resource_id }
          }
          const at = yield* realNow
          if (row.lease_until !== null && Date.parse(row.lease_until) > at.epochMilliseconds) return yield* inProgress(1)
          return { _tag: "Resume", resource_id: row.resource_id }
        }
      )

      // Two generations, so that the oldest keys go without anything being sorted.
      let young = new Set<string>()
      let old = new Set<string>()
      const seen = (key: string): boolean => {
        const known = young.has(key) || old.has(key)
        young.add(key)
        if (young.size >= REMEMBERED_KEYS) {
          old = young
          young = new Set()
        }
        return known
      }

      const text = (error: object, field: string): string | undefined =>
        Predicate.hasProperty(error, field) && typeof error[field] === "string" ? error[field] : undefined

      const refused = Effect.fnUntraced(function*(account_id: string, { key, operation }: Keyed, error: object) {
        const [name, code, message] = ["_tag", "code", "message"].map((field) => text(error, field))
        const at = yield* now
        yield* committer.commit({
          account_id,
          at,
          cause: key,
          writes: [],
          entries: [],
          events: [],
          set: [],
          clear: [],
          refused: { key, operation, error: name ?? "", code, message: message ?? "" }
        })
      }, Effect.orDie)

      return Idempotency.of({
        begin,
        refused,
        seen,
        find: (account, key) => Effect.map(load(key), (row) => row?.account_id === account ? row : undefined),
        toTheEnd: (request) => Effect.flatMap(Effect.forkIn(request, scope, { startImmediately: true }), Fiber.join)
      })
    })
  )
}

/**
 * Runs a keyed request. `act` loads, decides and commits; when its commit loses a race it runs again.
 *
 * Most keys are new, so a key this process has not seen is not looked up first: the commit that writes
 * it is refused when it exists. Only then, or when the request is refused for another reason, it is
 * looked up; a finished one is replayed. A refusal holds only while the key stands as it did before: the
 * resource may be as it is because somebody else who sent the same request was faster.
 */
export const once = Effect.fnUntraced(function*<E, R>(
  idempotency: Idempotency["Service"],
  account: string,
  request: Keyed,
  act: (begun: Exclude<Begun, { readonly _tag: "Replay" }>) => Effect.Effect<StoredReply, E, R>
): Effect.fn.Return<Reply, Exclude<E, CommitRefused> | IdempotencyKeyReused | IdempotencyInProgress | VersionConflict, R> {
  let begun: Begun = idempotency.seen(request.key) ? yield* idempotency.begin(account, request) : first
  for (let race = 0; race < MAX_RACES; race++) {
    if (begun._tag === "Replay") return { ...begun.reply, replayed: true, key: request.key }
    const result = yield* Effect.result(act(begun))
    if (Result.isSuccess(result)) return { ...result.success, replayed: false, key: request.key }
    const failure = result.failure
    // No race was lost: deciding again would come to the same.
    if (failure instanceof CommitRefused && failure.reason === "below_zero") return yield* Effect.die(failure)
    // Only who called the outside is told this, and the key was its own meanwhile.
    if (isFinal(failure) && hasCalled(failure)) return yield* Effect.fail(failure)
    const after: Begun = yield* idempotency.begin(account, request)
    if (isFinal(failure) && after._tag === begun._tag) return yield* Effect.fail(failure)
    begun = after
  }
  return yield* keptChanging("resource")
})

const isFinal = <E>(error: E): error is Exclude<E, CommitRefused> => !isLostRace(error)

/** Whether the outside was called before the request was refused: see `calledOutside`. */
export const hasCalled = (error: unknown): boolean => typeof error === "object" && error !== null && calledOutside in error

/** What a key is kept for. */
export interface KeyedResource {
  readonly type: string
  readonly id: string
}

/** The key row of a finished request. */
export const keyDone = (request: Keyed, resource: KeyedResource, reply: StoredReply, mode: KeyWrite["mode"] = "first"): KeyWrite => ({
  ...request,
  resource_type: resource.type,
  resource_id: resource.id,
  mode,
  reply
})

/** The key row of a request that goes on; after `lease_until` a retry may take it up. */
export const keyHeld = (
  request: Keyed,
  resource: KeyedResource,
  lease_until: DateTime.Utc,
  mode: KeyWrite["mode"] = "first"
): KeyWrite => ({ ...request, resource_type: resource.type, resource_id: resource.id, mode, lease_until })
