/** The verbs of a portal session: load, decide, commit. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { PlanChanged } from "@svc/billing/subscriptions/model/changes"
import type { Reply } from "@svc/kernel/http/reply"
import {
  type IdempotencyInProgress,
  type IdempotencyKeyReused,
  type InvalidState,
  type NotFound,
  notFound,
  type ValidationError,
  type VersionConflict
} from "@svc/kernel/resource/errors"
import { Idempotency, internalCause, type Keyed, once } from "@svc/kernel/resource/idempotency"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { atVersion, untilCommitted } from "@svc/kernel/resource/versions"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { Follower } from "@svc/kernel/road/decision"
import { nextId } from "@svc/kernel/values/ids"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { now } from "@svc/kernel/values/time"
import { makeCustomerKeys } from "@svc/payments/customer-keys/service"
import { Context, type DateTime, Effect, Layer, Result, Schema } from "effect"
import { drawingAddresses } from "../addresses/draw.ts"
import { withWholeAddress } from "../addresses/sealed-url.ts"
import {
  type CreatePortalSessionRequest,
  EXPIRES,
  PORTAL_ORIGIN,
  type PortalSession,
  type PortalSessionFilter,
  PortalSessionId,
  portalSessions
} from "./model.ts"
import { PortalSessionRepository } from "./repository.ts"
import { effectsOf, portalSessionRoad } from "./road.ts"
import * as rules from "./rules.ts"
import type { PortalDecision } from "./rules.ts"

const readId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: Schema.String })))

export class PortalSessions extends Context.Service<PortalSessions, {
  /** Answers 201, or 200 with the same body when the key was used for the same request before. */
  readonly create: (
    account: Pick<AccountFacts, "id">,
    request: CreatePortalSessionRequest,
    keyed?: Keyed
  ) => Effect.Effect<Omit<Reply, "key">, ValidationError | IdempotencyKeyReused | IdempotencyInProgress | VersionConflict>
  readonly get: (account: string, id: string) => Effect.Effect<PortalSession, NotFound>
  readonly list: (account: string, filter: PortalSessionFilter, page: PageRequest) => Effect.Effect<Page<PortalSession>>
  /** `version` is that of the session which the caller read, where the caller says so. */
  readonly revoke: (
    account: string,
    id: string,
    version?: number
  ) => Effect.Effect<PortalSession, NotFound | InvalidState | VersionConflict>
  /** The session with this address. What is no session and what has another secret are the same. */
  readonly at: (id: string, secret: string) => Effect.Effect<PortalSession, NotFound>
  /** For changes of plan: their commits tell it of a change that a customer made in the portal. */
  readonly onPlanChanged: Follower<PlanChanged, never>
  /** For the timer: ends a session whose hour is over. */
  readonly expire: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict>
}>()("@svc/checkout/PortalSessions") {
  static readonly layer = Layer.effect(
    PortalSessions,
    Effect.gen(function*() {
      const addressOf = yield* drawingAddresses("portal")
      const customerKeys = yield* makeCustomerKeys
      const idempotency = yield* Idempotency
      const { find, findByAddress, get, list } = yield* PortalSessionRepository
      const road = yield* portalSessionRoad

      const createOne = Effect.fnUntraced(function*(account: Pick<AccountFacts, "id">, request: CreatePortalSessionRequest, keyed?: Keyed) {
        const id = PortalSessionId.make(yield* nextId("cps"))
        const decision = rules.create(yield* customerKeys.resolved(account.id, request), {
          id,
          account,
          ...(yield* addressOf(id)),
          at: yield* now
        })
        return yield* road.answer({ keyed }, decision.session, effectsOf(decision), 201)
      })

      /** Decides on the session as it is, and commits the decision. Gives the session as it then is. */
      const change = <E>(
        account: string,
        id: string,
        cause: string,
        decide: (session: PortalSession, at: DateTime.Utc) => Result.Result<PortalDecision | undefined, E>
      ) =>
        untilCommitted(
          rules.NAME,
          Effect.gen(function*(): Effect.fn.Return<PortalSession, E | NotFound | CommitRefused> {
            const session = yield* get(account, id)
            const decision = yield* Effect.fromResult(decide(session, yield* now))
            if (decision === undefined) return session
            yield* road.commit(decision.session, effectsOf(decision), internalCause(cause, `${id}:${session.version}`))
            return decision.session
          })
        )

      return PortalSessions.of({
        create: Effect.fn("PortalSessions.create")(
          function*(account: Pick<AccountFacts, "id">, request: CreatePortalSessionRequest, keyed?: Keyed) {
            const reply = keyed !== undefined
              ? yield* once(idempotency, account.id, keyed, () => createOne(account, request, keyed))
              // Without a key there is nothing that a fresh row could collide with.
              : { ...(yield* Effect.catchTag(createOne(account, request), "CommitRefused", Effect.die)), replayed: false }
            // The whole address is not stored with the key.
            const { url } = yield* Effect.orDie(get(account.id, readId(reply.body).id))
            return { ...reply, body: withWholeAddress(reply.body, url) }
          }
        ),
        get,
        list,
        revoke: Effect.fn("PortalSessions.revoke")((account: string, id: string, version?: number) =>
          change(
            account,
            id,
            "portal_session.revoke",
            (session, at) => Result.flatMap(atVersion(rules.NAME, session, version), () => rules.revoke(session, at))
          )
        ),
        at: Effect.fn("PortalSessions.at")(function*(id: string, secret: string) {
          return (yield* findByAddress(id, secret)) ?? (yield* notFound(rules.NAME))
        }),
        onPlanChanged: Effect.fnUntraced(function*({ origin, subscription: { account_id, id: subscription_id }, ...change }, { at }) {
          const session = origin.type === PORTAL_ORIGIN ? yield* find(account_id, origin.id) : undefined
          if (session === undefined) return {}
          const decision = rules.planChanged(session, { subscription_id, ...change }, at)
          return { events: effectsOf(decision).events, writes: [portalSessions.write(decision.session)] }
        }),
        expire: Effect.fn("PortalSessions.expire")((account: string, id: string) =>
          Effect.asVoid(change(account, id, EXPIRES, (session, at) => Result.succeed(rules.expire(session, at))))
        )
      })
    })
  )
}
