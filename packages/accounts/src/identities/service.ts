/**
 * People by what their identity provider says of them. They are linked while they join by a link or while they are signed in, and never by
 * an e-mail address alone.
 */
import { PublicUrl } from "@svc/kernel/http/public-url"
import { withActor } from "@svc/kernel/parts/actor"
import { realNow } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { hashSecret } from "../api-keys/secret.ts"
import { type Errand, ERRAND_MINUTES, IdentityRefused, type ProvenIdentity } from "./model.ts"
import { makeOpenId } from "./provider/open-id.ts"
import { IdentityRepository } from "./repository.ts"
import { ProviderSettings } from "./settings.ts"

/** Where the provider sends browsers back to. */
export const CALLBACK = "/desk/provider/callback"

/** Who confirms has to prove anew who they are: that the provider still knows them is not enough. */
const isFresh = ({ purpose }: Errand): boolean => purpose === "confirm"

const refused = (reason: IdentityRefused["reason"], message: string) => new IdentityRefused({ reason, message })
const unset = refused("unavailable", "This installation has no identity provider.")
const stale = refused("stale", "This answer of the identity provider is over, or belongs to another browser. Begin again.")

export class Identities extends Context.Service<Identities, {
  /** Whether this installation has an identity provider. */
  readonly isConfigured: boolean
  /** Where the person proves who they are. `state` is what their browser keeps until they come back. */
  readonly begin: (errand: Errand) => Effect.Effect<{ readonly url: string; readonly state: string }, IdentityRefused>
  /** What the provider says when the browser comes back to this path. `state` is what the browser kept. */
  readonly finish: (
    state: string,
    path: string
  ) => Effect.Effect<{ readonly errand: Errand; readonly identity: ProvenIdentity }, IdentityRefused>
  /** The user who is linked to the identity. */
  readonly userOf: (identity: ProvenIdentity) => Effect.Effect<string, IdentityRefused>
  /** Links the user whom `owner` gives, in one transaction with what that does. */
  readonly link: <E>(identity: ProvenIdentity, owner: Effect.Effect<string, E>) => Effect.Effect<string, IdentityRefused | E>
  readonly isLinked: (user_id: string) => Effect.Effect<boolean>
}>()("@svc/accounts/Identities") {
  static readonly layer = Layer.effect(
    Identities,
    Effect.gen(function*() {
      const within = withActor(yield* SqlClient.SqlClient)
      const [repository, publicUrl] = [yield* IdentityRepository, yield* PublicUrl]
      const settings = yield* ProviderSettings
      const openId = settings === undefined ? undefined : yield* makeOpenId(settings)
      const provider = Effect.suspend(() => openId === undefined ? Effect.fail(unset) : Effect.succeed(openId))

      return Identities.of({
        isConfigured: openId !== undefined,

        begin: Effect.fn("Identities.begin")(function*(errand: Errand) {
          const { checks: { nonce, state, verifier }, url } = yield* (yield* provider).addressFor(
            `${publicUrl}${CALLBACK}`,
            isFresh(errand)
          )
          const at = yield* realNow
          yield* repository.keep(hashSecret(state), { errand, nonce, verifier }, at, DateTime.add(at, { minutes: ERRAND_MINUTES }))
          return { url, state }
        }),

        finish: Effect.fn("Identities.finish")(function*(state: string, path: string) {
          const callback = new URL(path, publicUrl)
          if (callback.searchParams.get("state") !== state) return yield* stale
          const kept = yield* repository.take(hashSecret(state), yield* realNow)
          if (kept === undefined) return yield* stale
          const { errand, nonce, verifier } = kept
          return { errand, identity: yield* (yield* provider).prove(callback, { state, nonce, verifier }, isFresh(errand)) }
        }),

        userOf: Effect.fn("Identities.userOf")(function*(identity: ProvenIdentity) {
          return (yield* repository.userOf(identity)) ??
            (yield* refused("unknown", "Nobody here is linked to this account of your provider."))
        }),

        link: Effect.fn("Identities.link")(function*<E>(identity: ProvenIdentity, owner: Effect.Effect<string, E>) {
          const linked = within(Effect.gen(function*() {
            const user_id = yield* owner
            const of = yield* repository.link(identity, user_id, yield* realNow)
            return of === user_id ? user_id : yield* refused("taken", "Somebody else here is linked to this account of your provider.")
          }))
          return yield* Effect.catchIf(linked, SqlError.isSqlError, Effect.die)
        }),

        isLinked: (user_id) => settings === undefined ? Effect.succeed(false) : repository.isLinked(user_id, settings.issuer)
      })
    })
  ).pipe(Layer.provide(IdentityRepository.layer))
}
