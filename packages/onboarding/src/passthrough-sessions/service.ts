/** The verbs of a passthrough session: load, decide, commit. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { drawSecret, hashSecret } from "@svc/accounts/api-keys/secret"
import { LegalEntities } from "@svc/accounts/legal-entities/service"
import { PublicUrl } from "@svc/kernel/http/public-url"
import { Actor } from "@svc/kernel/parts/actor"
import { change as nextVersion } from "@svc/kernel/resource/change"
import { notFound } from "@svc/kernel/resource/errors"
import { Idempotency, type Keyed, once } from "@svc/kernel/resource/idempotency"
import { verbsOf } from "@svc/kernel/resource/verbs"
import { untilCommitted } from "@svc/kernel/resource/versions"
import type { StoredReply } from "@svc/kernel/road/decision"
import { nextId } from "@svc/kernel/values/ids"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { now, realNow } from "@svc/kernel/values/time"
import { Keyring } from "@svc/platform/encryption/keyring"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { SecureRandom } from "effect/crypto"
import {
  type CreatePassthroughSessionRequest,
  isMaker,
  passthroughFilters,
  type PassthroughSession,
  PassthroughSessionId,
  passthroughSessions,
  wireOf,
  withPath
} from "./model.ts"
import { passthroughRows } from "./repository.ts"
import type { OwnFacts } from "./rules/fields.ts"
import * as rules from "./rules/session.ts"

const readId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: Schema.String })))

/** What a prefill is given, and which of the account's own rows its caller may read. */
export interface Prefill {
  readonly fields: Readonly<Record<string, string>>
  readonly mayRead: (scope: "account:read" | "legal_entities:read") => boolean
}

export class PassthroughSessions extends Context.Service<PassthroughSessions>()("@svc/onboarding/PassthroughSessions", {
  make: Effect.gen(function*() {
    const accounts = yield* Accounts
    const entities = yield* LegalEntities
    const idempotency = yield* Idempotency
    const keyring = yield* Keyring
    const { findBySecret, findOpen } = yield* passthroughRows
    const { act, answer, change, get, list } = yield* verbsOf(passthroughSessions, {
      name: rules.NAME,
      prefix: "pts",
      filters: passthroughFilters,
      wire: wireOf
    })
    const publicUrl = yield* PublicUrl
    const root = URL.canParse(publicUrl) ? new URL(publicUrl).pathname.replace(/\/$/u, "") : ""
    // Randomness belongs to the layer: no handler asks for it.
    const draw = Effect.provideService(drawSecret(""), SecureRandom.SecureRandom, yield* SecureRandom.SecureRandom)

    /** The path of the session's page; null where the session is over, somebody else made it, or the key of its secret is missing. */
    const pathOf = Effect.fnUntraced(function*(session: PassthroughSession) {
      if (!rules.isOpen(session, yield* realNow) || !isMaker(session, yield* Actor)) return null
      return yield* keyring.open(session.secret, session.id).pipe(
        Effect.map((secret) => `${root}/pass/${secret}`),
        Effect.catch((error) => Effect.as(Effect.logWarning(`the address of ${session.id} is not known: ${error.message}`), null))
      )
    })

    const createOne = Effect.fnUntraced(
      function*(account: Pick<AccountFacts, "id">, { flow_kind, reuse }: CreatePassthroughSessionRequest, keyed?: Keyed) {
        const [at, made_by, real] = [yield* now, yield* Actor, yield* realNow]
        const open = reuse === true ? yield* findOpen(account.id, flow_kind, made_by) : undefined
        if (open !== undefined && rules.isOpen(open, real)) return yield* answer({ keyed }, nextVersion(open, at, {}), {})
        const id = PassthroughSessionId.make(yield* nextId("pts"))
        const drawn = yield* draw
        const secret = keyring.seal(Redacted.value(drawn.secret), id)
        const decision = rules.create(flow_kind, { id, account, made_by, secret, secret_hash: drawn.hash, at, real })
        return yield* answer({ keyed }, decision.resource, decision, 201)
      }
    )

    const ownFacts = Effect.fnUntraced(function*(account: string, { mayRead }: Prefill): Effect.fn.Return<OwnFacts> {
      const { name } = yield* Effect.orDie(accounts.get(AccountId.make(account)))
      const { data: [entity] } = yield* entities.list(account, {}, { per_page: 1 })
      return {
        account_name: mayRead("account:read") ? name : undefined,
        entity: mayRead("legal_entities:read") ? entity : undefined
      }
    })

    return {
      get,
      list,
      pathOf,
      /** Answers 201, or 200 for the open session of the flow, and with the same body when the key was used for the same request before. */
      create: Effect.fn("PassthroughSessions.create")(
        function*(account: Pick<AccountFacts, "id">, request: CreatePassthroughSessionRequest, keyed?: Keyed) {
          const reply = keyed !== undefined
            ? yield* once(idempotency, account.id, keyed, () => createOne(account, request, keyed))
            : { ...(yield* untilCommitted<StoredReply, never, never>(rules.NAME, createOne(account, request))), replayed: false }
          // The address is not stored with the key.
          const path = yield* pathOf(yield* Effect.orDie(get(account.id, readId(reply.body).id)))
          return { ...reply, body: withPath(reply.body, path) }
        }
      ),
      /** Fills fields of the page from what is given, and from the account's own rows. */
      prefill: act(
        "PassthroughSessions.prefill",
        Effect.fnUntraced(
          function*(session, { account, at, payload }: { account: AccountFacts; at: PassthroughSession["created_at"]; payload: Prefill }) {
            const times = { at, real: yield* realNow }
            return yield* Effect.fromResult(rules.prefill(session, payload.fields, yield* ownFacts(account.id, payload), times))
          }
        )
      ),
      /** The session whose page has this secret. What is no session and what has another secret are the same. */
      at: Effect.fn("PassthroughSessions.at")(function*(secret: string) {
        return (yield* findBySecret(hashSecret(secret))) ?? (yield* notFound(rules.NAME))
      }),
      /** The form was sent, and this came of it. */
      complete: Effect.fn("PassthroughSessions.complete")(({ account_id, id }: PassthroughSession, result_id: string) =>
        change(account_id, id, (session, at) => Effect.succeed(rules.complete(session, result_id, at)))
      ),
      /** For the timer: ends a session whose hour is over. */
      expire: Effect.fn("PassthroughSessions.expire")((account: string, id: string) =>
        Effect.asVoid(change(account, id, (session, at) => Effect.succeed(rules.expire(session, at))))
      )
    }
  })
}) {
  static readonly layer = Layer.effect(PassthroughSessions, PassthroughSessions.make)
}
