/**
 * The credentials of the Payment scheme of HTTP (draft-httpauth-payment-00), which answer our challenges, and the receipts for them: in
 * headers and, for MCP, in `_meta`.
 */
import { Timestamp } from "@svc/kernel/values/time"
import { DateTime, Redacted, Result, Schema } from "effect"
import { timingSafeEqual } from "node:crypto"
import { readerOf, toBase64UrlJson, toCanonicalBase64Url } from "./codec.ts"
import { keccakHex } from "./eip712.ts"
import {
  type BoundChallenge,
  type CardPayment,
  malformed,
  type MalformedPayment,
  type Methods,
  type ProblemName,
  type Purchase,
  Signature,
  type StablecoinPayment,
  TransferAuthorization
} from "./model.ts"
import { type Challenge, digestOf, idOf, Opaque } from "./mpp-challenge.ts"

export const META_CREDENTIAL = "org.paymentauth/credential"
export const META_RECEIPT = "org.paymentauth/receipt"

/** In a time that does not tell where they differ. */
const sameText = (one: string, other: string): boolean => {
  const [bytes, others] = [Buffer.from(one, "utf8"), Buffer.from(other, "utf8")]
  return bytes.length === others.length && timingSafeEqual(bytes, others)
}

const Wire = Schema.Struct({
  challenge: Schema.Struct({
    id: Schema.String,
    realm: Schema.String,
    method: Schema.String,
    intent: Schema.String,
    // Text in a header; JSON in `_meta`.
    request: Schema.Union([Schema.String, Schema.JsonObject]),
    expires: Schema.optionalKey(Schema.String),
    digest: Schema.optionalKey(Schema.String),
    // Old clients send the map and not its text.
    opaque: Schema.optionalKey(Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.String)]))
  }),
  payload: Schema.JsonObject
})
type Wire = typeof Wire.Type

const reader = readerOf(Wire)
const readOpaque = readerOf(Opaque)
const readTime = readerOf(Timestamp)
const readToken = readerOf(
  Schema.Struct({
    spt: Schema.String.check(Schema.isPattern(/^spt_\w{1,250}$/u)),
    externalId: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(255)))
  })
)
const readAuthorization = readerOf(
  Schema.Struct({ type: Schema.Literal("authorization"), signature: Signature, ...TransferAuthorization.fields })
)

/** What a credential is checked against. */
export interface CredentialCheck {
  readonly secret: Redacted.Redacted<string>
  readonly now: DateTime.Utc
  /** The call that it came with. */
  readonly call: Pick<Purchase, "tool" | "argumentsSha256" | "mode">
  readonly methods: Methods
  /** The bytes of the body, where the request came with one. */
  readonly body?: string
}

const refused = (name: ProblemName, why: string) => Result.fail(malformed("mpp", name, why))
const refusedAs = (name: ProblemName) => (why: string) => malformed("mpp", name, why)

/** What stands in a slot, for a value that may have come as text or as JSON; JSON without a canonical form was never ours. */
const slotOf = (value: string | object): string =>
  typeof value === "string" ? value : Result.getOrElse(Result.try(() => toCanonicalBase64Url(value)), () => "")

/** The challenge of a credential, once it is known to be ours, in time, and for this call. */
const bound = ({ challenge }: Wire, { body, call, now, secret }: CredentialCheck): Result.Result<BoundChallenge, MalformedPayment> => {
  const { digest, expires, id, realm } = challenge
  const opaque = slotOf(challenge.opaque ?? "")
  const slots = { ...challenge, request: slotOf(challenge.request), opaque }
  if (!sameText(id, idOf(secret, slots))) {
    return refused("invalid-challenge", "The challenge is not one of ours, or was changed. Answer a challenge of this answer, unchanged.")
  }
  return Result.flatMap(
    Result.mapError(Result.all([readTime.value(expires), readOpaque.base64(opaque)]), refusedAs("invalid-challenge")),
    ([until, { account, args_sha256, call: callId, mode, plan, price, tool }]) => {
      if (DateTime.isLessThanOrEqualTo(until, now)) {
        return refused("payment-expired", `The challenge expired at ${expires}. Answer a challenge of this answer.`)
      }
      if (digest !== undefined && digest !== digestOf(body ?? "")) {
        return refused("invalid-challenge", "The body is not that of the request that was challenged. Send the identical bytes.")
      }
      if (tool !== call.tool || args_sha256 !== call.argumentsSha256 || mode !== call.mode) {
        return refused(
          "invalid-challenge",
          `The challenge was made for a call of ${tool} with other arguments or in another mode. Send the identical request.`
        )
      }
      const purchase = {
        tool,
        mode,
        argumentsSha256: args_sha256,
        cents: Number(price),
        ...(account === undefined ? {} : { account }),
        ...(plan === undefined ? {} : { plan })
      }
      return Result.succeed({ id, realm, callId, expires: until, ...purchase })
    }
  )
}

/** What `evm/charge` has in the place of a random nonce: so one challenge is paid by one transfer. */
export const nonceOf = ({ id, realm }: Pick<BoundChallenge, "id" | "realm">): string => keccakHex(`${id}${realm}`)

const paid = (
  { challenge: { intent, method }, payload }: Wire,
  challenge: BoundChallenge,
  { card, stablecoin }: Methods
): Result.Result<CardPayment | StablecoinPayment, MalformedPayment> => {
  const name = `${method}/${intent}`
  if (name === "stripe/charge" && card !== undefined) {
    return Result.map(Result.mapError(readToken.value(payload), refusedAs("invalid-payload")), ({ externalId, spt }): CardPayment => ({
      _tag: "Card",
      protocol: "mpp",
      token: Redacted.make(spt, { label: "shared payment token" }),
      ...(externalId === undefined ? {} : { externalId }),
      challenge
    }))
  }
  if (name === "evm/charge" && stablecoin !== undefined) {
    return Result.flatMap(
      Result.mapError(readAuthorization.value(payload), refusedAs("invalid-payload")),
      ({ signature, type: _, ...authorization }) =>
        authorization.nonce.toLowerCase() === nonceOf(challenge)
          ? Result.succeed<StablecoinPayment>({
            _tag: "Stablecoin",
            protocol: "mpp",
            signed: { scheme: "exact", authorization },
            signature,
            challenge
          })
          : refused("verification-failed", "The nonce is not the Keccak-256 of the challenge's id and realm.")
    )
  }
  return refused("method-unsupported", `The method ${name} is not offered.`)
}

const checked = (wire: Result.Result<Wire, string>, checking: CredentialCheck): CardPayment | StablecoinPayment | MalformedPayment =>
  Result.merge(Result.flatMap(
    Result.mapError(wire, refusedAs("malformed-credential")),
    (credential) => Result.flatMap(bound(credential, checking), (challenge) => paid(credential, challenge, checking.methods))
  ))

/** A credential in the token of an `Authorization: Payment` header. */
export const fromHeader = (token: string, checking: CredentialCheck) => checked(reader.base64(token), checking)

/** A credential in `_meta`. */
export const fromMeta = (value: unknown, checking: CredentialCheck) => checked(reader.value(value), checking)

/** What a receipt says besides who was paid how. */
export interface MppReceipt {
  readonly challengeId: string
  readonly method: Challenge["method"]
  readonly timestamp: DateTime.Utc
  /** What the payment is known by: a payment intent, a transaction. */
  readonly reference: string
  readonly externalId?: string
  /** Says that no money moved. */
  readonly settlement?: "simulated"
}

const encodedReceipt = ({ timestamp, ...rest }: MppReceipt) => ({ status: "success", timestamp: DateTime.formatIso(timestamp), ...rest })

/** The receipt for `Payment-Receipt`, and for `_meta`. */
export const receipt = (of: MppReceipt) => ({ header: toBase64UrlJson(encodedReceipt(of)), meta: encodedReceipt(of) })
