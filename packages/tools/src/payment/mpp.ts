/**
 * The Payment scheme of HTTP (draft-httpauth-payment-00), in headers and, for MCP, in `_meta`: challenges that only we can have made,
 * credentials that answer them, and receipts. Methods `stripe/charge` (a token shared by a card wallet) and `evm/charge` (EIP-3009).
 */
import { Timestamp } from "@svc/kernel/time"
import { DateTime, Redacted, Result, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { createHmac, hash, timingSafeEqual } from "node:crypto"
import { modes } from "../call.ts"
import { readerOf, toBase64UrlJson, toCanonicalBase64Url } from "./codec.ts"
import { keccakHex } from "./eip712.ts"
import { atomic, type Bound, type CardPayment, type Malformed, malformed, type Methods, type ProblemName, type Purchase, Signature, type StablecoinPayment, TransferAuthorization } from "./model.ts"

export const META_CREDENTIAL = "org.paymentauth/credential"
export const META_RECEIPT = "org.paymentauth/receipt"

export const methodNames = ["stripe/charge", "evm/charge"] as const
export type MethodName = typeof methodNames[number]

/** A challenge as it stands in `_meta`: there `request` is JSON, in a header base64url of its canonical text. */
export interface Challenge {
  readonly id: string
  readonly realm: string
  readonly method: "stripe" | "evm"
  readonly intent: "charge"
  readonly request: Readonly<Record<string, unknown>>
  readonly expires: string
  readonly digest?: string
  readonly description: string
  /** Base64url of a flat map of texts. The client sends it back as it is. */
  readonly opaque: string
}

/** The seven slots that an id is the HMAC of, as they are sent. */
interface Slots {
  readonly realm: string
  readonly method: string
  readonly intent: string
  readonly request: string
  readonly expires?: string
  readonly digest?: string
  readonly opaque?: string
}

/** An empty secret, with which anybody could make challenges, is a defect. */
const idOf = (secret: Redacted.Redacted<string>, { digest, expires, intent, method, opaque, realm, request }: Slots): string => {
  if (Redacted.value(secret) === "") throw new RangeError("The secret of payment challenges must not be empty")
  const slots = [realm, method, intent, request, expires ?? "", digest ?? "", opaque ?? ""]
  return Base64Url.encode(createHmac("sha256", Redacted.value(secret)).update(slots.join("|")).digest())
}

/** In a time that does not tell where they differ. */
const sameText = (one: string, other: string): boolean => {
  const [bytes, others] = [Buffer.from(one, "utf8"), Buffer.from(other, "utf8")]
  return bytes.length === others.length && timingSafeEqual(bytes, others)
}

/** RFC 9530, in the spelling of the draft's clients. */
export const digestOf = (body: string): string => `sha-256=:${hash("sha256", body, "base64")}:`

const Opaque = Schema.Struct({
  account: Schema.optionalKey(Schema.String),
  args_sha256: Schema.String,
  call: Schema.String,
  mode: Schema.Literals(modes),
  plan: Schema.optionalKey(Schema.String),
  price: Schema.String.check(Schema.isPattern(/^\d{1,15}$/u)),
  tool: Schema.String
})

const opaqueOf = ({ account, argumentsSha256, cents, mode, plan, tool }: Purchase, callId: string): typeof Opaque.Type => ({
  ...(account === undefined ? {} : { account }),
  args_sha256: argumentsSha256,
  call: callId,
  mode,
  ...(plan === undefined ? {} : { plan }),
  price: String(cents),
  tool
})

/** What is asked for by each method that is set up. */
const requestsFor = ({ card, stablecoin }: Methods, { cents }: Purchase): Partial<Record<MethodName, Challenge["request"]>> => ({
  ...(card === undefined ? {} : {
    "stripe/charge": { amount: String(cents), currency: "usd", methodDetails: { networkId: card.networkId, paymentMethodTypes: card.paymentMethodTypes } }
  }),
  ...(stablecoin === undefined ? {} : {
    "evm/charge": {
      amount: atomic(cents, stablecoin),
      currency: stablecoin.asset,
      recipient: stablecoin.payTo,
      methodDetails: { chainId: stablecoin.chainId, credentialTypes: ["authorization"], decimals: stablecoin.decimals }
    }
  })
})

export interface Terms {
  readonly purchase: Purchase
  readonly methods: Methods
  readonly realm: string
  /** Of the call that is answered: makes each challenge the only one of its kind. */
  readonly callId: string
  readonly expires: DateTime.Utc
  /** For whoever is asked to approve: ASCII, without quotes. */
  readonly description: string
  readonly secret: Redacted.Redacted<string>
  /** Binds the challenge to these bytes of the body. Not for challenges in `_meta`: the paid body holds the credential, and is another one. */
  readonly body?: string
}

/** One challenge for each method, in our order. */
export const challenges = ({ body, callId, description, expires, methods, purchase, realm, secret }: Terms): ReadonlyArray<Challenge> => {
  const opaque = toCanonicalBase64Url(opaqueOf(purchase, callId))
  const requests = requestsFor(methods, purchase)
  return methodNames.flatMap((name) => {
    const request = requests[name]
    if (request === undefined) return []
    const shared = {
      realm,
      method: name === "stripe/charge" ? "stripe" : "evm",
      intent: "charge",
      expires: DateTime.formatIso(expires),
      ...(body === undefined ? {} : { digest: digestOf(body) }),
      opaque
    } as const
    return [{ id: idOf(secret, { ...shared, request: toCanonicalBase64Url(request) }), ...shared, request, description }]
  })
}

const parameter = (name: string, value: string): string => `${name}="${value.replace(/[\\"]/gu, "\\$&")}"`

/** The value of a `WWW-Authenticate` line. */
export const authenticateLine = ({ description, digest, expires, id, intent, method, opaque, realm, request }: Challenge): string => {
  const parameters = { id, realm, method, intent, request: toCanonicalBase64Url(request), expires, description, opaque, ...(digest === undefined ? {} : { digest }) }
  return `Payment ${Object.entries(parameters).map(([name, value]) => parameter(name, value)).join(", ")}`
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
const readToken = readerOf(Schema.Struct({ spt: Schema.String.check(Schema.isPattern(/^spt_\w{1,250}$/u)), externalId: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(255))) }))
const readAuthorization = readerOf(Schema.Struct({ type: Schema.Literal("authorization"), signature: Signature, ...TransferAuthorization.fields }))

/** What a credential is checked against. */
export interface Checking {
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
const slotOf = (value: string | object): string => typeof value === "string" ? value : Result.getOrElse(Result.try(() => toCanonicalBase64Url(value)), () => "")

/** The challenge of a credential, once it is known to be ours, in time, and for this call. */
const bound = ({ challenge }: Wire, { body, call, now, secret }: Checking): Result.Result<Bound, Malformed> => {
  const { digest, expires, id, realm } = challenge
  const opaque = slotOf(challenge.opaque ?? "")
  const slots = { ...challenge, request: slotOf(challenge.request), opaque }
  if (!sameText(id, idOf(secret, slots))) return refused("invalid-challenge", "The challenge is not one of ours, or was changed. Answer a challenge of this answer, unchanged.")
  return Result.flatMap(
    Result.mapError(Result.all([readTime.value(expires), readOpaque.base64(opaque)]), refusedAs("invalid-challenge")),
    ([until, { account, args_sha256, call: callId, mode, plan, price, tool }]) => {
      if (DateTime.isLessThanOrEqualTo(until, now)) return refused("payment-expired", `The challenge expired at ${expires}. Answer a challenge of this answer.`)
      if (digest !== undefined && digest !== digestOf(body ?? "")) return refused("invalid-challenge", "The body is not that of the request that was challenged. Send the identical bytes.")
      if (tool !== call.tool || args_sha256 !== call.argumentsSha256 || mode !== call.mode) {
        return refused("invalid-challenge", `The challenge was made for a call of ${tool} with other arguments or in another mode. Send the identical request.`)
      }
      const purchase = { tool, mode, argumentsSha256: args_sha256, cents: Number(price), ...(account === undefined ? {} : { account }), ...(plan === undefined ? {} : { plan }) }
      return Result.succeed({ id, realm, callId, expires: until, ...purchase })
    }
  )
}

/** What `evm/charge` has in the place of a random nonce: so one challenge is paid by one transfer. */
export const nonceOf = ({ id, realm }: Pick<Bound, "id" | "realm">): string => keccakHex(`${id}${realm}`)

const paid = ({ challenge: { intent, method }, payload }: Wire, challenge: Bound, { card, stablecoin }: Methods): Result.Result<CardPayment | StablecoinPayment, Malformed> => {
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
    return Result.flatMap(Result.mapError(readAuthorization.value(payload), refusedAs("invalid-payload")), ({ signature, type: _, ...authorization }) =>
      authorization.nonce.toLowerCase() === nonceOf(challenge)
        ? Result.succeed<StablecoinPayment>({ _tag: "Stablecoin", protocol: "mpp", signed: { scheme: "exact", authorization }, signature, challenge })
        : refused("verification-failed", "The nonce is not the Keccak-256 of the challenge's id and realm."))
  }
  return refused("method-unsupported", `The method ${name} is not offered.`)
}

const checked = (wire: Result.Result<Wire, string>, checking: Checking): CardPayment | StablecoinPayment | Malformed =>
  Result.merge(Result.flatMap(
    Result.mapError(wire, refusedAs("malformed-credential")),
    (credential) => Result.flatMap(bound(credential, checking), (challenge) => paid(credential, challenge, checking.methods))
  ))

/** A credential in the token of an `Authorization: Payment` header. */
export const fromHeader = (token: string, checking: Checking) => checked(reader.base64(token), checking)

/** A credential in `_meta`. */
export const fromMeta = (value: unknown, checking: Checking) => checked(reader.value(value), checking)

/** What a receipt says besides who was paid how. */
export interface Receipt {
  readonly challengeId: string
  readonly method: Challenge["method"]
  readonly timestamp: DateTime.Utc
  /** What the payment is known by: a payment intent, a transaction. */
  readonly reference: string
  readonly externalId?: string
  /** Says that no money moved. */
  readonly settlement?: "simulated"
}

const encodedReceipt = ({ timestamp, ...rest }: Receipt) => ({ status: "success", timestamp: DateTime.formatIso(timestamp), ...rest })

/** The receipt for `Payment-Receipt`, and for `_meta`. */
export const receipt = (of: Receipt) => ({ header: toBase64UrlJson(encodedReceipt(of)), meta: encodedReceipt(of) })
