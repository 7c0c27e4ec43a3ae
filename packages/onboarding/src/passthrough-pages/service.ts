/** What the forms of passthrough pages do. It is done in the name of whoever made the session, once for each session. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { scopesOf } from "@svc/accounts/access/roles"
import { AccountId } from "@svc/accounts/accounts/model"
import { ApiKeyId } from "@svc/accounts/api-keys/model"
import { ApiKeys } from "@svc/accounts/api-keys/service"
import type { LegalEntity } from "@svc/accounts/legal-entities/model"
import { LegalEntities } from "@svc/accounts/legal-entities/service"
import { People } from "@svc/accounts/people/service"
import { Actor } from "@svc/kernel/parts/actor"
import { Idempotency, internalCause, type Keyed } from "@svc/kernel/resource/idempotency"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import type { CreateTransferInstrumentRequest } from "@svc/treasury/transfer-instruments/model"
import { TransferInstruments } from "@svc/treasury/transfer-instruments/service"
import { Effect, Schema } from "effect"
import { flowScopes, type PassthroughSession } from "../passthrough-sessions/model.ts"
import { PassthroughSessions } from "../passthrough-sessions/service.ts"
import { type BusinessForm, businessPatch, businessRequest } from "./business-form.ts"

const readId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: Schema.String })))

/** A session makes one thing, so that its form sent twice is one act, whatever the second says. No number is in the fingerprint. */
const keyOf = ({ flow_kind, id }: PassthroughSession): Keyed => ({
  key: internalCause(`passthrough_session.${flow_kind}`, id),
  operation: `passthrough_session.${flow_kind}`,
  fingerprint: id
})

const isAsked = ({ verification_status }: LegalEntity): boolean =>
  verification_status === "requires_info" || verification_status === "failed"

export const makePassthroughActs = Effect.gen(function*() {
  const [entities, idempotency, instruments, keys, people, sessions] = [
    yield* LegalEntities,
    yield* Idempotency,
    yield* TransferInstruments,
    yield* ApiKeys,
    yield* People,
    yield* PassthroughSessions
  ]

  /** Completes the session with what `make` makes, or with what an earlier sending made that stopped before the session was completed. */
  const completing = Effect.fnUntraced(function*<E>(session: PassthroughSession, make: Effect.Effect<string, E>) {
    const row = yield* idempotency.find(session.account_id, keyOf(session).key)
    const result_id = row === undefined ? yield* make : row.resource_id
    return yield* sessions.complete(session, result_id)
  })

  const inNameOf = ({ made_by }: PassthroughSession) => Effect.provideService(Actor, made_by)

  return {
    /** Whether the key or person that made the session could still make by hand what comes of it. */
    makerMay: Effect.fnUntraced(function*({ account_id, flow_kind, made_by: { id, type } }: PassthroughSession) {
      const scope = flowScopes[flow_kind]
      if (id === null) return false
      if (type === "person") {
        const { role } = yield* people.get(account_id, id)
        return scopesOf(role, new Set([scope])).has(scope)
      }
      const { kind, scopes, status } = yield* keys.get(AccountId.make(account_id), ApiKeyId.make(id))
      return status === "active" && (kind === "secret" || scopes.includes(scope))
    }, Effect.catchTag("NotFound", () => Effect.succeed(false))),

    /** The entity that the page changes: the newest, where a review asks for more. Undefined where the page makes another. */
    askedEntity: Effect.fnUntraced(function*({ account_id }: PassthroughSession) {
      const { data: [newest] } = yield* entities.list(account_id, {}, { per_page: 1 })
      return newest !== undefined && isAsked(newest) ? newest : undefined
    }),

    saveBank: (session: PassthroughSession, account: AccountFacts, request: CreateTransferInstrumentRequest) =>
      completing(session, Effect.map(instruments.create(account, request, keyOf(session)), ({ body }) => readId(body).id)).pipe(
        inNameOf(session)
      ),

    makeBusiness: (session: PassthroughSession, account: AccountFacts, form: BusinessForm) =>
      completing(session, Effect.map(entities.create(account, businessRequest(form), keyOf(session)), ({ body }) => readId(body).id)).pipe(
        inNameOf(session)
      ),

    /** `version` is that which the page showed. */
    changeBusiness: (session: PassthroughSession, entity: LegalEntity, form: BusinessForm, version: number) =>
      Effect.gen(function*() {
        yield* entities.update(session.account_id, entity.id, businessPatch(form, entity.country), version)
        yield* entities.submit(session.account_id, entity.id)
        return yield* sessions.complete(session, entity.id)
      }).pipe(inNameOf(session)),

    /** Completes the session where an earlier sending of its form submitted this entity and stopped then. */
    wasSubmitted: Effect.fnUntraced(function*(session: PassthroughSession, id: string) {
      const [entity] = yield* entities.findByIds(session.account_id, [id])
      if (entity?.verification_status !== "pending") return false
      yield* sessions.complete(session, id)
      return true
    }),

    /** What came of a completed session. */
    instrumentOf: ({ account_id, result_id }: PassthroughSession) => instruments.get(account_id, result_id ?? ""),
    entityOf: ({ account_id, result_id }: PassthroughSession) => entities.get(account_id, result_id ?? "")
  }
})
