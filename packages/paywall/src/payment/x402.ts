/**
 * x402, versions 1 and 2, for EVM chains: what is asked for, what a client answers, and what it is told in return. Scheme `exact` is an
 * EIP-3009 transfer of the price; `upto` (version 2 alone) a Permit2 permission of at most the price, of which what the call came to is
 * taken.
 */
import type { Cents } from "@svc/tool-kit/call"
import { Result, Schema } from "effect"
import { readerOf } from "./codec.ts"
import { sameAddress } from "./eip712.ts"
import {
  atomic,
  malformed,
  type MalformedPayment,
  PermitAuthorization,
  type Protocol,
  Signature,
  type Stablecoin,
  type StablecoinPayment,
  TransferAuthorization
} from "./model.ts"

export const META_PAYMENT = "x402/payment"
export const META_RESPONSE = "x402/payment-response"
/** Names of the package `x402-mcp`, whose payment is the text of `X-PAYMENT`. */
export const META_PAYMENT_V1 = "x402.payment"
export const META_RESPONSE_V1 = "x402.payment-response"

export type Scheme = StablecoinPayment["signed"]["scheme"]

/** Version 2's name of a chain (CAIP-2). */
export const networkOf = ({ chainId }: Pick<Stablecoin, "chainId">): string => `eip155:${chainId}`

/** What one way to pay asks for, in version 2. */
export interface Requirements {
  readonly scheme: Scheme
  readonly network: string
  readonly amount: string
  readonly asset: string
  readonly payTo: string
  readonly maxTimeoutSeconds: number
  readonly extra: Readonly<Record<string, string>>
}

/** Seconds for which a client's authorization has to be good. */
export const TIMEOUT_SECONDS = 300

export const requirementsOf = (stablecoin: Stablecoin, cents: Cents, scheme: Scheme): Requirements => {
  const { asset, facilitator, name, payTo, version } = stablecoin
  const permit = scheme === "upto" && facilitator !== undefined ? { assetTransferMethod: "permit2", facilitatorAddress: facilitator } : {}
  return {
    scheme,
    network: networkOf(stablecoin),
    amount: atomic(cents, stablecoin),
    asset,
    payTo,
    maxTimeoutSeconds: TIMEOUT_SECONDS,
    extra: { name, version, ...permit }
  }
}

/** `exact` first: clients that can do both take the first. */
export const accepts = (stablecoin: Stablecoin, cents: Cents): ReadonlyArray<Requirements> =>
  (stablecoin.facilitator === undefined ? ["exact"] as const : ["exact", "upto"] as const).map((scheme) =>
    requirementsOf(stablecoin, cents, scheme)
  )

export interface Resource {
  readonly url: string
  readonly description: string
}

const MIME_TYPE = "application/json"

/** Version 1 knows `exact` alone. */
export const acceptsV1 = (stablecoin: Stablecoin, cents: Cents, { description, url }: Resource) => {
  const { asset, chainName, name, payTo, version } = stablecoin
  const shared = { scheme: "exact", network: chainName, asset, payTo, maxTimeoutSeconds: TIMEOUT_SECONDS, mimeType: MIME_TYPE }
  return [{ ...shared, maxAmountRequired: atomic(cents, stablecoin), resource: url, description, extra: { name, version } }]
}

/** A client may name its payment, and send the name again when it tries again. */
const IDENTIFIER = "payment-identifier"
const identifierForm = { type: "string", minLength: 16, maxLength: 128, pattern: "^[a-zA-Z0-9_-]+$" }
const extensions = {
  [IDENTIFIER]: {
    info: { required: false },
    schema: {
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { required: { type: "boolean" }, id: identifierForm }
    }
  }
}

/** `PaymentRequired` of version 2. */
export const required = (stablecoin: Stablecoin, cents: Cents, resource: Resource, error: string) => ({
  x402Version: 2,
  error,
  resource: { url: resource.url, description: resource.description, mimeType: MIME_TYPE },
  accepts: accepts(stablecoin, cents),
  extensions
})

const Exact = Schema.Struct({ signature: Signature, authorization: TransferAuthorization })
const Upto = Schema.Struct({ signature: Signature, permit2Authorization: PermitAuthorization })

const PayloadV1 = Schema.Struct({ x402Version: Schema.Literal(1), scheme: Schema.Literal("exact"), network: Schema.String, payload: Exact })

const PayloadV2 = Schema.Struct({
  x402Version: Schema.Literal(2),
  accepted: Schema.Struct({ scheme: Schema.String, network: Schema.String, asset: Schema.String, payTo: Schema.String }),
  payload: Schema.Union([Exact, Upto]),
  extensions: Schema.optionalKey(Schema.Struct({
    [IDENTIFIER]: Schema.optionalKey(Schema.Struct({
      // Echoed without an id by clients that do not use it.
      info: Schema.Struct({ id: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[a-zA-Z0-9_-]{16,128}$/u))) })
    }))
  }))
})

const readerV1 = readerOf(PayloadV1)
const readerV2 = readerOf(PayloadV2)

type Read = StablecoinPayment | MalformedPayment

const other = (protocol: Protocol, what: string, said: string, offered: string) =>
  Result.fail(malformed(protocol, "verification-failed", `The payment is for the ${what} ${said}; what is offered is ${offered}.`))

const paidV1 = (
  { network, payload }: typeof PayloadV1.Type,
  { chainName }: Stablecoin
): Result.Result<StablecoinPayment, MalformedPayment> =>
  network === chainName
    ? Result.succeed({
      _tag: "Stablecoin",
      protocol: "x402-v1",
      signed: { scheme: "exact", authorization: payload.authorization },
      signature: payload.signature
    })
    : other("x402-v1", "network", network, chainName)

const paidV2 = (
  { accepted, extensions, payload }: typeof PayloadV2.Type,
  stablecoin: Stablecoin
): Result.Result<StablecoinPayment, MalformedPayment> => {
  const { asset, network, payTo, scheme } = accepted
  const signed = "authorization" in payload
    ? { scheme: "exact", authorization: payload.authorization } as const
    : { scheme: "upto", authorization: payload.permit2Authorization } as const
  if (scheme !== signed.scheme) return other("x402-v2", "scheme", scheme, `a payload of the scheme ${signed.scheme}`)
  if (network !== networkOf(stablecoin)) return other("x402-v2", "network", network, networkOf(stablecoin))
  if (!sameAddress(asset, stablecoin.asset)) return other("x402-v2", "token", asset, stablecoin.asset)
  if (!sameAddress(payTo, stablecoin.payTo)) return other("x402-v2", "payee", payTo, stablecoin.payTo)
  const identifier = extensions?.[IDENTIFIER]?.info.id
  return Result.succeed({
    _tag: "Stablecoin",
    protocol: "x402-v2",
    signed,
    signature: payload.signature,
    ...(identifier === undefined ? {} : { identifier })
  })
}

const read = <A>(
  protocol: Protocol,
  text: Result.Result<A, string>,
  stablecoin: Stablecoin | undefined,
  paid: (payload: A, stablecoin: Stablecoin) => Result.Result<StablecoinPayment, MalformedPayment>
): Read => {
  if (stablecoin === undefined) return malformed(protocol, "method-unsupported", "Stablecoins are not taken here.")
  const payload = Result.mapError(text, (why) => malformed(protocol, "malformed-credential", why))
  return Result.merge(Result.flatMap(payload, (one) => paid(one, stablecoin)))
}

/** The value of `X-PAYMENT`. */
export const fromHeaderV1 = (value: string, stablecoin: Stablecoin | undefined): Read =>
  read("x402-v1", readerV1.base64(value), stablecoin, paidV1)

/** The value of `PAYMENT-SIGNATURE`. */
export const fromHeaderV2 = (value: string, stablecoin: Stablecoin | undefined): Read =>
  read("x402-v2", readerV2.base64(value), stablecoin, paidV2)

/** `_meta["x402.payment"]`. */
export const fromMetaV1 = (value: unknown, stablecoin: Stablecoin | undefined): Read =>
  typeof value === "string" ? fromHeaderV1(value, stablecoin) : read("x402-v1", readerV1.value(value), stablecoin, paidV1)

/** `_meta["x402/payment"]`, which either version may stand in. */
export const fromMeta = (value: unknown, stablecoin: Stablecoin | undefined): Read =>
  typeof value === "object" && value !== null && "x402Version" in value && value.x402Version === 1
    ? read("x402-v1", readerV1.value(value), stablecoin, paidV1)
    : read("x402-v2", readerV2.value(value), stablecoin, paidV2)

/** A payment as version 2 has it, for a facilitator: whichever protocol it came in, what is signed is the same. */
export const payloadOf = ({ signature, signed }: Pick<StablecoinPayment, "signature" | "signed">, requirements: Requirements) => ({
  x402Version: 2,
  accepted: requirements,
  payload: signed.scheme === "exact"
    ? { signature, authorization: signed.authorization }
    : { signature, permit2Authorization: signed.authorization }
})

/** What became of a payment, as a client of x402 is told. */
export interface Response {
  readonly success: boolean
  /** Empty when nothing was carried out. */
  readonly transaction: string
  readonly network: string
  readonly payer?: string
  readonly amount?: string
  readonly errorReason?: string
  readonly extra?: Readonly<Record<string, string>>
}

export const responseHeader = (protocol: Protocol): "X-PAYMENT-RESPONSE" | "PAYMENT-RESPONSE" =>
  protocol === "x402-v1" ? "X-PAYMENT-RESPONSE" : "PAYMENT-RESPONSE"
