/** The verbs of a legal entity: load, decide, commit. */
import { type IdempotencyInProgress, type IdempotencyKeyReused, type InvalidState, type NotFound, notFound, type VersionConflict } from "@svc/kernel/errors"
import { Idempotency, internalCause, keyDone, type Keyed, once } from "@svc/kernel/idempotency"
import { nextId } from "@svc/kernel/ids"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer, type CommitRefused } from "@svc/kernel/road/committer"
import type { Commit, KeyWrite, StoredReply } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/time"
import { untilCommitted } from "@svc/kernel/versions"
import { Context, type DateTime, Effect, Layer, Result, Schema } from "effect"
import { AccountId } from "../accounts/model.ts"
import { Accounts } from "../accounts/service.ts"
import { type CreateLegalEntityRequest, encode, legalEntities, type LegalEntity, type LegalEntityFilter, LegalEntityId, type LegalEntityPatch, type Verdict } from "./model.ts"
import { review } from "./provider/review.ts"
import { LegalEntityRepository } from "./repository.ts"
import * as rules from "./rules.ts"
import type { LegalEntityDecision } from "./rules.ts"

/** A fresh answer, or the stored one of a repeated request. */
export interface Created extends StoredReply {
  readonly replayed: boolean
}

const isLegalEntityId = Schema.is(LegalEntityId)

const commitOf = ({ clear, entity, set }: LegalEntityDecision, cause: string, key?: KeyWrite): Commit => ({
  account_id: entity.account_id,
  at: entity.updated_at,
  cause,
  writes: [{ table: legalEntities, row: encode(entity).row }],
  entries: [],
  events: [],
  set,
  clear,
  ...(key === undefined ? {} : { key })
})

type ChangeFailure = NotFound | InvalidState | VersionConflict

export class LegalEntities extends Context.Service<LegalEntities, {
  /** Answers 201, or 200 with the same body when the key was used for the same request before. */
  readonly create: (account: string, request: CreateLegalEntityRequest, keyed?: Keyed) =>
    Effect.Effect<Created, IdempotencyKeyReused | IdempotencyInProgress | VersionConflict>
  readonly get: (account: string, id: string) => Effect.Effect<LegalEntity, NotFound>
  readonly list: (account: string, filter: LegalEntityFilter, page: PageRequest) => Effect.Effect<Page<LegalEntity>>
  /** `version` is the one the caller read, when it says so. */
  readonly update: (account: string, id: string, patch: LegalEntityPatch, version?: number) => Effect.Effect<LegalEntity, ChangeFailure>
  /** Has it reviewed again. */
  readonly submit: (account: string, id: string, version?: number) => Effect.Effect<LegalEntity, ChangeFailure>
  /** What the operator's review of a live account's entity came to. Fails where none is under way. */
  readonly decide: (account: string, id: string, verdict: Verdict) => Effect.Effect<LegalEntity, ChangeFailure>
  /** For the timer: the review of a sandbox. That of a live account waits for the operator. */
  readonly review: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict>
}>()("@svc/accounts/LegalEntities") {
  static readonly layer = Layer.effect(LegalEntities, Effect.gen(function*() {
    const accounts = yield* Accounts
    const committer = yield* Committer
    const idempotency = yield* Idempotency
    const repository = yield* LegalEntityRepository

    // What is not an id is not asked for: text from outside may hold what Postgres does not take.
    const get = Effect.fn("LegalEntities.get")(function*(account: string, id: string) {
      return (isLegalEntityId(id) ? yield* repository.find(account, id) : undefined) ?? (yield* notFound(rules.NAME))
    })

    const insert = Effect.fnUntraced(function*(account: string, request: CreateLegalEntityRequest, keyed?: Keyed) {
      const id = LegalEntityId.make(yield* nextId("le"))
      const decided = rules.create(id, AccountId.make(account), request, yield* now)
      const reply: StoredReply = { status: 201, body: encode(decided.entity).wire }
      const key = keyed === undefined ? undefined : keyDone(keyed, { type: "legal_entity", id }, reply)
      yield* committer.commit(commitOf(decided, keyed?.key ?? internalCause("legal_entity.create", id), key))
      return reply
    })

    const change = Effect.fnUntraced(function*<E>(
      account: string,
      id: string,
      decide: (entity: LegalEntity, at: DateTime.Utc) => Result.Result<LegalEntityDecision | undefined, E>
    ): Effect.fn.Return<LegalEntity, E | NotFound | CommitRefused> {
      const entity = yield* get(account, id)
      const decided = yield* Effect.fromResult(decide(entity, yield* now))
      if (decided === undefined) return entity
      yield* committer.commit(commitOf(decided, internalCause("legal_entity.change", `${id}:${entity.version}`)))
      return decided.entity
    })

    return LegalEntities.of({
      create: Effect.fn("LegalEntities.create")(function*(account: string, request: CreateLegalEntityRequest, keyed?: Keyed) {
        if (keyed !== undefined) return yield* once(idempotency, account, keyed, () => insert(account, request, keyed))
        // Without a key there is nothing a fresh row could collide with.
        return { ...(yield* Effect.catchTag(insert(account, request), "CommitRefused", Effect.die)), replayed: false }
      }),
      get,
      list: Effect.fn("LegalEntities.list")(repository.list),
      update: Effect.fn("LegalEntities.update")((account: string, id: string, patch: LegalEntityPatch, version?: number) =>
        untilCommitted(rules.NAME, change(account, id, (entity, at) => rules.update(entity, patch, at, version)))),
      submit: Effect.fn("LegalEntities.submit")((account: string, id: string, version?: number) =>
        untilCommitted(rules.NAME, change(account, id, (entity, at) => rules.submit(entity, at, version)))),
      decide: Effect.fn("LegalEntities.decide")((account: string, id: string, verdict: Verdict) =>
        untilCommitted(rules.NAME, change(account, id, (entity, at) => rules.decided(entity, verdict, at)))),
      review: Effect.fn("LegalEntities.review")(function*(account: string, id: string) {
        const { sandbox } = yield* accounts.get(AccountId.make(account))
        if (!sandbox) return
        yield* untilCommitted(rules.NAME, change(account, id, (entity, at) => Result.succeed(rules.decide(entity, review(entity), at))))
      })
    })
  }))
}
