/**
 * The challenges of the Payment scheme of HTTP (draft-httpauth-payment-00), in headers and, for MCP, in `_meta`. Nobody else can make them.
 * Methods `stripe/charge` (a token shared by a card wallet) and `evm/charge` (EIP-3009).
 */
import { modes } from "@svc/tool-kit/call"
import { DateTime, Redacted, Schema } from "effect"
import * as Base64Url from "effect/encoding/Base64Url"
import { createHmac, hash } from "node:crypto"
import { toCanonicalBase64Url } from "./codec.ts"
import { atomic, type Methods, type Purchase } from "./model.ts"

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
export const idOf = (secret: Redacted.Redacted<string>, { digest, expires, intent, method, opaque, realm, request }: Slots): string => {
  if (Redacted.value(secret) === "") throw new RangeError("The secret of payment challenges must not be empty")
  const slots = [realm, method, intent, request, expires ?? "", digest ?? "", opaque ?? ""]
  return Base64Url.encode(createHmac("sha256", Redacted.value(secret)).update(slots.join("|")).digest())
}

/** RFC 9530, in the spelling of the draft's clients. */
export const digestOf = (body: string): string => `sha-256=:${hash("sha256", body, "base64")}:`

export const Opaque = Schema.Struct({
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
    "stripe/charge": {
      amount: String(cents),
      currency: "usd",
      methodDetails: { networkId: card.networkId, paymentMethodTypes: card.paymentMethodTypes }
    }
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

export interface ChallengeTerms {
  readonly purchase: Purchase
  readonly methods: Methods
  readonly realm: string
  /** Of the call that is answered: makes each challenge the only one of its kind. */
  readonly callId: string
  readonly expires: DateTime.Utc
  /** For whoever is asked to approve: ASCII, without quotes. */
  readonly description: string
  readonly secret: Redacted.Redacted<string>
  /**
   * Binds the challenge to these bytes of the body. Not for challenges in `_meta`: the paid body holds the credential, and is another one.
   */
  readonly body?: string
}

/** One challenge for each method, in our order. */
export const challenges = (
  { body, callId, description, expires, methods, purchase, realm, secret }: ChallengeTerms
): ReadonlyArray<Challenge> => {
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
  const parameters = {
    id,
    realm,
    method,
    intent,
    request: toCanonicalBase64Url(request),
    expires,
    description,
    opaque,
    ...(digest === undefined ? {} : { digest })
  }
  return `Payment ${Object.entries(parameters).map(([name, value]) => parameter(name, value)).join(", ")}`
}
