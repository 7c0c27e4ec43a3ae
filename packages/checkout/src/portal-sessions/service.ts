/** The verbs of a portal session: load, decide, commit. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { drawSecret } from "@svc/accounts/api-keys/secret"
import type { PlanChanged } from "@svc/billing/subscriptions/model/changes"
import { type IdempotencyInProgress, type IdempotencyKeyReused, type InvalidState, type NotFound, notFound, type VersionConflict } from "@svc/kernel/errors"
import { Keyring } from "@svc/kernel/encryption/keyring"
import { PublicUrl } from "@svc/kernel/http/public-url"
import { Idempotency, internalCause, keyDone, type Keyed, once } from "@svc/kernel/idempotency"
import { nextId } from "@svc/kernel/ids"
import { fromJsonText } from "@svc/kernel/json"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer, type CommitRefused } from "@svc/kernel/road/committer"
import type { Follower, StoredReply } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/time"
import { atVersion, untilCommitted } from "@svc/kernel/versions"
import { Context, type DateTime, Effect, Layer, Redacted, Result, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import { concealed, opens, revealed } from "../addresses.ts"
import { type CreatePortalSessionRequest, EXPIRES, PORTAL_ORIGIN, type PortalSession, type PortalSessionFilter, PortalSessionId, wireOf } from "./model.ts"
import { PortalSessionRepository } from "./repository.ts"
import { commitOf } from "./road.ts"
import * as rules from "./rules.ts"
import type { PortalDecision } from "./rules.ts"

/** A fresh answer, or the stored one of a repeated request. */
export interface Opened extends StoredReply {
  readonly replayed: boolean
}

const readId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: Schema.String })))
const isSessionId = Schema.is(PortalSessionId)

export class PortalSessions extends Context.Service<PortalSessions, {
  /** Answers 201, or 200 with the same body when the key was used for the same request before. */
  readonly create: (account: Pick<AccountFacts, "id">, request: CreatePortalSessionRequest, keyed?: Keyed) =>
    Effect.Effect<Opened, IdempotencyKeyReused | IdempotencyInProgress | VersionConflict>
  readonly get: (account: string, id: string) => Effect.Effect<PortalSession, NotFound>
  readonly list: (account: string, filter: PortalSessionFilter, page: PageRequest) => Effect.Effect<Page<PortalSession>>
  /** `version` is the one the caller read, when it says so. */
  readonly revoke: (account: string, id: string, version?: number) => Effect.Effect<PortalSession, NotFound | InvalidState | VersionConflict>
  /** The session with this address. What is no session and what has another secret are the same. */
  readonly at: (id: string, secret: string) => Effect.Effect<PortalSession, NotFound>
  /** For changes of plan that a customer made in the portal: their commits tell of it. */
  readonly onPlanChanged: Follower<PlanChanged, never>
  /** For the timer: ends one whose hour is over. */
  readonly expire: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict>
}>()("@svc/checkout/PortalSessions") {
  static readonly layer = Layer.effect(PortalSessions, Effect.gen(function*() {
    const committer = yield* Committer
    const idempotency = yield* Idempotency
    const keyring = yield* Keyring
    const publicUrl = yield* PublicUrl
    const repository = yield* PortalSessionRepository
    const random = yield* SecureRandom.SecureRandom
    const secret = drawSecret("").pipe(Effect.map((drawn) => Redacted.value(drawn.secret)), Effect.provideService(SecureRandom.SecureRandom, random))

    const get = Effect.fn("PortalSessions.get")(function*(account: string, id: string) {
      return (isSessionId(id) ? yield* repository.find(account, id) : undefined) ?? (yield* notFound(rules.NAME))
    })

    const make = Effect.fnUntraced(function*(account: Pick<AccountFacts, "id">, request: CreatePortalSessionRequest, keyed?: Keyed) {
      const id = PortalSessionId.make(yield* nextId("cps"))
      const drawn = yield* secret
      const url = `${publicUrl}/portal/${id}/${drawn}`
      const decided = rules.create(request, { id, account, url, secret: keyring.seal(drawn, id), at: yield* now })
      const reply: StoredReply = { status: 201, body: concealed(wireOf(decided.session), url) }
      const key = keyed === undefined ? undefined : keyDone(keyed, { type: "portal_session", id }, reply)
      yield* committer.commit(commitOf(decided, keyed?.key ?? internalCause("portal_session.create", id), key))
      return reply
    })

    /** Decides on the session as it is, and writes it; gives it as it then is. */
    const change = <E>(account: string, id: string, cause: string, decide: (session: PortalSession, at: DateTime.Utc) => Result.Result<PortalDecision | undefined, E>) =>
      untilCommitted(rules.NAME, Effect.gen(function*(): Effect.fn.Return<PortalSession, E | NotFound | CommitRefused> {
        const session = yield* get(account, id)
        const decided = yield* Effect.fromResult(decide(session, yield* now))
        if (decided === undefined) return session
        yield* committer.commit(commitOf(decided, internalCause(cause, `${id}:${session.version}`)))
        return decided.session
      }))

    return PortalSessions.of({
      create: Effect.fn("PortalSessions.create")(function*(account: Pick<AccountFacts, "id">, request: CreatePortalSessionRequest, keyed?: Keyed) {
        const opened = keyed !== undefined
          ? yield* once(idempotency, account.id, keyed, () => make(account, request, keyed))
          // Without a key there is nothing a fresh row could collide with.
          : { ...(yield* Effect.catchTag(make(account, request), "CommitRefused", Effect.die)), replayed: false }
        // The whole address is not kept with the key.
        const { url } = yield* Effect.orDie(get(account.id, readId(opened.body).id))
        return { ...opened, body: revealed(opened.body, url) }
      }),
      get,
      list: Effect.fn("PortalSessions.list")(repository.list),
      revoke: Effect.fn("PortalSessions.revoke")((account: string, id: string, version?: number) =>
        change(account, id, "portal_session.revoke", (session, at) => Result.flatMap(atVersion(rules.NAME, session, version), () => rules.revoke(session, at)))),
      at: Effect.fn("PortalSessions.at")(function*(id: string, given: string) {
        const session = isSessionId(id) ? yield* repository.findAnyones(id) : undefined
        return session !== undefined && opens(session.url, given) ? session : yield* notFound(rules.NAME)
      }),
      onPlanChanged: Effect.fnUntraced(function*({ origin, subscription: { account_id, id: subscription_id }, ...change }, { at }) {
        const session = origin.type === PORTAL_ORIGIN ? yield* repository.find(account_id, origin.id) : undefined
        if (session === undefined) return {}
        const { events, writes } = commitOf(rules.planChanged(session, { subscription_id, ...change }, at), "")
        return { events, writes }
      }),
      expire: Effect.fn("PortalSessions.expire")((account: string, id: string) =>
        Effect.asVoid(change(account, id, EXPIRES, (session, at) => Result.succeed(rules.expire(session, at)))))
    })
  }))
}
