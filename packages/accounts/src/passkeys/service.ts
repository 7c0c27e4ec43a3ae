/** Passkeys by WebAuthn: what a browser is asked, and what its answers prove. */
import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON
} from "@simplewebauthn/server"
import { PublicUrl } from "@svc/kernel/http/public-url"
import { withActor } from "@svc/kernel/parts/actor"
import { type NotFound, notFound } from "@svc/kernel/resource/errors"
import { nextId } from "@svc/kernel/values/ids"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { realNow } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlError } from "effect/sql"
import { ProviderSettings } from "../identities/settings.ts"
import { CHALLENGE_MINUTES, LastWayIn, type Passkey, PasskeyId, PasskeyRefused } from "./model.ts"
import { PasskeyRepository, type StoredPasskey } from "./repository.ts"
import { relyingPartyOf } from "./rules.ts"

/** Loaded with the first passkey: it takes half a second, and a service whose people are signed in never needs it. */
const library = Effect.promise(() => import("@simplewebauthn/server"))

/** The part of an answer that says what was asked. */
const decodeAnswer = Schema.decodeEffect(fromJsonText(Schema.Struct({
  id: Schema.String,
  response: Schema.Struct({ clientDataJSON: Schema.String })
})))
const decodeClientData = Schema.decodeEffect(fromJsonText(Schema.Struct({ challenge: Schema.String })))
const decodeWhole = Schema.decodeEffect(fromJsonText(Schema.Unknown))

const bytesOf = (text: string) => new Uint8Array(Buffer.from(text, "base64url"))
const textOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url")

const stale = new PasskeyRefused({ reason: "stale", message: "This proof is over, or was used before. Try again." })
const unknown = new PasskeyRefused({ reason: "unknown", message: "Nobody signs in here with this passkey." })
const invalid = new PasskeyRefused({ reason: "invalid", message: "The passkey did not prove who you are." })

export interface AskForPasskey {
  /** What the answer will be good for, such as `join ivt_…`; it is good for nothing else. */
  readonly purpose: string
  /** Whom the browser makes it for, as it shows them. */
  readonly name: string
  /** Null while somebody joins. */
  readonly user_id: string | null
}

export interface NewPasskey<E> {
  /** What the browser answered, as JSON. */
  readonly answer: string
  readonly purpose: string
  /** What its owner will call it. */
  readonly name: string
  /** Gives the owner, in the transaction that keeps the passkey: who joins is there with a passkey, or not at all. */
  readonly owner: Effect.Effect<string, E>
}

export class Passkeys extends Context.Service<Passkeys, {
  /** What a browser is asked so that it makes a passkey. */
  readonly askForNew: (asked: AskForPasskey) => Effect.Effect<PublicKeyCredentialCreationOptionsJSON, PasskeyRefused>
  /** Keeps the passkey that a browser made; gives its owner. */
  readonly add: <E>(made: NewPasskey<E>) => Effect.Effect<string, PasskeyRefused | E>
  /** What a browser is asked so that it proves who is there: one of a user's passkeys, or without a user any that it has for this site. */
  readonly askForProof: (
    asked: { readonly purpose: string; readonly user_id: string | null }
  ) => Effect.Effect<PublicKeyCredentialRequestOptionsJSON, PasskeyRefused>
  /** Whose passkey the answer proves. */
  readonly prove: (answer: string, purpose: string) => Effect.Effect<string, PasskeyRefused>
  readonly list: (user_id: string) => Effect.Effect<ReadonlyArray<Passkey>>
  readonly rename: (user_id: string, id: string, name: string) => Effect.Effect<void, NotFound>
  /** Never the last way in. */
  readonly remove: (user_id: string, id: string) => Effect.Effect<void, NotFound | LastWayIn>
}>()("@svc/accounts/Passkeys") {
  static readonly layer = Layer.effect(
    Passkeys,
    Effect.gen(function*() {
      const within = withActor(yield* SqlClient.SqlClient)
      const repository = yield* PasskeyRepository
      const [publicUrl, provider] = [yield* PublicUrl, yield* ProviderSettings]
      const relyingParty = Effect.suspend(() => Effect.fromResult(relyingPartyOf(publicUrl)))

      const keep = Effect.fnUntraced(function*(challenge: string, purpose: string, user_handle: string | null) {
        const at = yield* realNow
        yield* repository.ask({ challenge, purpose, user_handle }, at, DateTime.add(at, { minutes: CHALLENGE_MINUTES }))
      })

      /** The challenge that is answered; from then on it is gone. */
      const answered = Effect.fnUntraced(function*(answer: string, purpose: string) {
        const { id, response } = yield* decodeAnswer(answer)
        const { challenge } = yield* decodeClientData(Buffer.from(response.clientDataJSON, "base64url").toString("utf8"))
        const asked = yield* repository.take(challenge, purpose, yield* realNow)
        return asked === undefined ? yield* stale : { ...asked, credential_id: id, whole: yield* decodeWhole(answer) }
      }, Effect.catchTag("SchemaError", () => Effect.fail(invalid)))

      const verified = Effect.fnUntraced(function*(stored: StoredPasskey, whole: unknown, challenge: string) {
        const { id, origin } = yield* relyingParty
        const { verifyAuthenticationResponse } = yield* library
        const { counter, credential_id, public_key } = stored
        return yield* Effect.tryPromise({
          try: () =>
            verifyAuthenticationResponse({
              // The library checks each of its fields.
              response: whole as AuthenticationResponseJSON,
              expectedChallenge: challenge,
              expectedOrigin: origin,
              expectedRPID: id,
              requireUserVerification: true,
              credential: { id: credential_id, publicKey: bytesOf(public_key), counter }
            }),
          catch: () => invalid
        })
      })

      return Passkeys.of({
        askForNew: Effect.fn("Passkeys.askForNew")(function*({ name, purpose, user_id }: AskForPasskey) {
          const { id } = yield* relyingParty
          const known = user_id === null ? [] : yield* repository.ofUser(user_id)
          const { generateRegistrationOptions } = yield* library
          const options = yield* Effect.promise(() =>
            generateRegistrationOptions({
              rpID: id,
              rpName: id,
              userName: name,
              userDisplayName: name,
              ...(known[0] === undefined ? {} : { userID: bytesOf(known[0].user_handle) }),
              attestationType: "none",
              excludeCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports: [...transports] })),
              authenticatorSelection: { residentKey: "required", userVerification: "required" }
            })
          )
          yield* keep(options.challenge, purpose, options.user.id)
          return options
        }),

        add: Effect.fn("Passkeys.add")(function*<E>({ answer, name, owner, purpose }: NewPasskey<E>) {
          const { challenge, user_handle, whole } = yield* answered(answer, purpose)
          const { id: expectedRPID, origin: expectedOrigin } = yield* relyingParty
          const { verifyRegistrationResponse } = yield* library
          const { registrationInfo } = yield* Effect.tryPromise({
            try: () =>
              verifyRegistrationResponse({
                // The library checks each of its fields.
                response: whole as RegistrationResponseJSON,
                expectedChallenge: challenge,
                expectedOrigin,
                expectedRPID,
                requireUserVerification: true
              }),
            catch: () => invalid
          })
          if (registrationInfo === undefined || user_handle === null) return yield* invalid
          const { counter, id: credential_id, publicKey, transports = [] } = registrationInfo.credential
          const id = PasskeyId.make(yield* nextId("pky"))
          const at = yield* realNow
          const kept = within(Effect.gen(function*() {
            const user_id = yield* owner
            const passkey = { id, user_id, credential_id, user_handle, public_key: textOf(publicKey), counter, transports, name, at }
            return (yield* repository.insert(passkey)) ? user_id : yield* unknown
          }))
          return yield* Effect.catchIf(kept, SqlError.isSqlError, Effect.die)
        }),

        askForProof: Effect.fn("Passkeys.askForProof")(
          function*({ purpose, user_id }: { readonly purpose: string; readonly user_id: string | null }) {
            const { id } = yield* relyingParty
            const known = user_id === null ? [] : yield* repository.ofUser(user_id)
            const { generateAuthenticationOptions } = yield* library
            const options = yield* Effect.promise(() =>
              generateAuthenticationOptions({
                rpID: id,
                userVerification: "required",
                allowCredentials: known.map(({ credential_id, transports }) => ({ id: credential_id, transports: [...transports] }))
              })
            )
            yield* keep(options.challenge, purpose, null)
            return options
          }
        ),

        prove: Effect.fn("Passkeys.prove")(function*(answer: string, purpose: string) {
          const { challenge, credential_id, whole } = yield* answered(answer, purpose)
          const stored = yield* repository.byCredential(credential_id)
          if (stored === undefined) return yield* unknown
          const { authenticationInfo, verified: isProven } = yield* verified(stored, whole, challenge)
          const counter = { before: stored.counter, after: authenticationInfo.newCounter }
          // Two answers of one counter are one too many: one of the two was copied.
          const isFirst = isProven && (yield* repository.used(stored.id, counter, yield* realNow))
          return isFirst ? stored.user_id : yield* invalid
        }),

        list: repository.list,

        rename: Effect.fn("Passkeys.rename")(function*(user_id: string, id: string, name: string) {
          if (!(yield* repository.rename(user_id, id, name))) return yield* notFound("passkey")
        }),

        remove: Effect.fn("Passkeys.remove")(function*(user_id: string, id: string) {
          const removed = within(Effect.gen(function*() {
            if ((yield* repository.otherWaysIn(user_id, id, provider?.issuer ?? null)) === 0) {
              return yield* new LastWayIn({ message: "You could not sign in any more. Add another passkey first." })
            }
            if (!(yield* repository.remove(user_id, id))) return yield* notFound("passkey")
          }))
          return yield* Effect.catchTag(removed, "SqlError", Effect.die)
        })
      })
    })
  ).pipe(Layer.provide(PasskeyRepository.layer))
}
