/** The verbs of a mismatch: whoever knows who is right says so, once. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Reply } from "@svc/kernel/http/reply"
import {
  type Forbidden,
  type IdempotencyInProgress,
  type IdempotencyKeyReused,
  type InvalidState,
  type NotFound,
  notFound,
  type ValidationError,
  type VersionConflict
} from "@svc/kernel/resource/errors"
import { Idempotency, internalCause, keyDone, type Keyed, once } from "@svc/kernel/resource/idempotency"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { untilCommitted } from "@svc/kernel/resource/versions"
import { type CommitRefused, Committer } from "@svc/kernel/road/committer"
import type { StoredReply } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Layer, Schema } from "effect"
import { type Mismatch, mismatches, type MismatchFilter, MismatchId, type ResolveMismatchRequest } from "./model.ts"
import { MismatchRepository } from "./repository.ts"
import { resolve, reverse } from "./rules.ts"

/** A request to resolve a mismatch. */
export interface ResolveCommand {
  readonly account: AccountFacts
  readonly id: string
  readonly payload: ResolveMismatchRequest
  /** The id of the key. */
  readonly by: string
  readonly keyed: Keyed | undefined
}

type Refused = NotFound | InvalidState | ValidationError | Forbidden | VersionConflict

const isMismatchId = Schema.is(MismatchId)

export class Mismatches extends Context.Service<Mismatches, {
  readonly get: (account: string, id: string) => Effect.Effect<Mismatch, NotFound>
  /** The mismatches of a report, newest first: of one type or status, or all. */
  readonly ofReport: (account: string, report: string, filter: MismatchFilter, page: PageRequest) => Effect.Effect<Page<Mismatch>>
  /** The answer, which is a stored one when the request came with a key. The same resolution again changes nothing. */
  readonly resolve: (
    resolving: ResolveCommand
  ) => Effect.Effect<StoredReply & Partial<Reply>, Refused | IdempotencyKeyReused | IdempotencyInProgress>
  /**
   * Takes the correction of a mismatch back, or of whichever has taken its place, because the statement of `report` disproves it. Happens
   * once a report.
   */
  readonly reverse: (account: string, id: string, report: string) => Effect.Effect<void, VersionConflict>
}>()("@svc/reconciliation/Mismatches") {
  static readonly layer = Layer.effect(
    Mismatches,
    Effect.gen(function*() {
      const committer = yield* Committer
      const idempotency = yield* Idempotency
      const repository = yield* MismatchRepository

      const get = Effect.fn("Mismatches.get")(function*(account: string, id: string) {
        return (isMismatchId(id) ? yield* repository.find(account, id) : undefined) ?? (yield* notFound("reconciliation mismatch"))
      })

      /** The mismatch whose correction stands, which began with that of `id`; undefined when a report took it back. */
      const latest = Effect.fnUntraced(function*(account: string, id: string) {
        let found = yield* repository.find(account, id)
        while (found !== undefined && found.superseded_by !== null) {
          found = isMismatchId(found.superseded_by) ? yield* repository.find(account, found.superseded_by) : undefined
        }
        return found
      })

      const standingOf = ({ corrects, merchant_id, sequence_id }: Mismatch): Effect.Effect<Mismatch | undefined> =>
        sequence_id !== null
          ? repository.standing(merchant_id, sequence_id)
          : corrects === null
          ? Effect.undefined
          : latest(merchant_id, corrects)

      const resolveOne = Effect.fnUntraced(
        function*({ account, by, id, keyed, payload }: ResolveCommand): Effect.fn.Return<StoredReply, Refused | CommitRefused> {
          const mismatch = yield* get(account.id, id)
          const at = yield* now
          const decision = yield* Effect.fromResult(
            resolve(
              mismatch,
              { resolution: payload.resolution, note: payload.note ?? null, by, sandbox: account.sandbox, at },
              yield* standingOf(mismatch)
            )
          )
          const { row, wire } = mismatches.encode(decision?.mismatch ?? mismatch)
          const reply = { status: 200, body: wire }
          if (decision === undefined && keyed === undefined) return reply
          yield* committer.commit({
            account_id: account.id,
            at,
            cause: keyed?.key ?? internalCause("reconciliation_mismatch.resolve", id),
            writes: decision === undefined
              ? []
              : [
                { table: mismatches, row },
                ...(decision.superseded === undefined ? [] : [mismatches.write(decision.superseded)])
              ],
            entries: decision?.entries ?? [],
            events: [],
            set: [],
            clear: [],
            ...(keyed === undefined ? {} : { key: keyDone(keyed, { type: "reconciliation_mismatch", id }, reply) })
          })
          return reply
        }
      )

      const reverseOne = Effect.fnUntraced(function*(account: string, id: string, report: string): Effect.fn.Return<void, CommitRefused> {
        const standing = yield* latest(account, id)
        if (standing === undefined) return
        const at = yield* now
        const { entries, mismatch } = reverse(standing, report, at)
        yield* committer.commit({
          account_id: account,
          at,
          cause: internalCause("reconciliation_mismatch.reverse", `${mismatch.id}:${report}`),
          writes: [mismatches.write(mismatch)],
          entries,
          events: [],
          set: [],
          clear: []
        })
      })

      return Mismatches.of({
        get,
        ofReport: Effect.fn("Mismatches.ofReport")(repository.ofReport),
        resolve: Effect.fn("Mismatches.resolve")(function*(resolving: ResolveCommand) {
          const { account, keyed } = resolving
          return keyed === undefined
            ? yield* untilCommitted("reconciliation mismatch", resolveOne(resolving))
            : yield* once(idempotency, account.id, keyed, () => resolveOne(resolving))
        }),
        reverse: Effect.fn("Mismatches.reverse")((account: string, id: string, report: string) =>
          untilCommitted<void, never, never>("reconciliation mismatch", reverseOne(account, id, report))
        )
      })
    })
  )
}
