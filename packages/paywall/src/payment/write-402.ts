/**
 * The answer 402: one that satisfies the contract, the Payment scheme (RFC 9457 included), and x402 in both versions. It is decided in
 * `gate/choose-payer.ts` and sent by `send402` of the doors.
 */
import { beginningOf } from "@svc/kernel/values/text"
import type { Cents } from "@svc/tool-kit/call"
import type { UnpaidAnswer } from "@svc/tool-kit/gate/model"
import { DateTime, Duration, type Redacted } from "effect"
import { preferred } from "./accept.ts"
import { toBase64Json } from "./codec.ts"
import { dollars, type Methods, type Problem, type ProblemName, type Purchase, type Stablecoin } from "./model.ts"
import { authenticateLine, challenges } from "./mpp-challenge.ts"
import * as X402 from "./x402.ts"

/** How long a challenge can be answered. Also how long an authorization has to be good. */
export const LIFETIME = Duration.seconds(X402.TIMEOUT_SECONDS)

/** Why the call has to be paid for: it costs; the caller's plan leaves it out; its credits are used up. */
export type Why = "PAYMENT_REQUIRED" | "TIER_REQUIRED" | "CREDITS_EXHAUSTED"

export interface PaymentDemand {
  readonly purchase: Purchase
  /** What the tool costs in lite mode, where that is less. */
  readonly litePriceCents?: Cents
  readonly why: Why
  readonly methods: Methods
  /** No money moves: the body says how to pay without a wallet. */
  readonly sandbox?: boolean
  readonly callId: string
  /** The absolute address that was called. */
  readonly url: string
  readonly now: DateTime.Utc
  readonly secret: Redacted.Redacted<string>
  /** Pages that a person can open: to pay for this call, and to buy credits or a plan. */
  readonly paymentUrl: string
  readonly checkoutUrl: string
  /** `Accept-Payment` of the request. */
  readonly accept?: string | undefined
  /** Given, the challenges in headers hold for these bytes alone. */
  readonly body?: string
  /** Why the credential that came with the request was not accepted. */
  readonly problem?: Problem
  /** Further keys of the body, such as `counter_offer`. */
  readonly more?: Readonly<Record<string, unknown>>
}

const titles: Readonly<Record<ProblemName, string>> = {
  "payment-required": "Payment Required",
  "payment-insufficient": "Payment Insufficient",
  "payment-expired": "Payment Expired",
  "verification-failed": "Verification Failed",
  "method-unsupported": "Method Unsupported",
  "malformed-credential": "Malformed Credential",
  "invalid-challenge": "Invalid Challenge",
  "invalid-payload": "Invalid Payload"
}

const reasons: Readonly<Record<Why, string>> = {
  PAYMENT_REQUIRED: "The call is paid for when it is made.",
  TIER_REQUIRED: "The account's plan does not include this work.",
  CREDITS_EXHAUSTED: "The account's credits are used up."
}

const ways = ({ card, stablecoin }: Methods): string =>
  [...(card === undefined ? [] : ["card (stripe/charge)"]), ...(stablecoin === undefined ? [] : ["stablecoin (evm/charge, or x402)"])].join(
    " or "
  )

const soldOf = ({ mode, plan, tool }: Purchase): string => plan === undefined ? `${tool}, ${mode} mode` : `The plan ${plan}`

/** For the model that reads the answer. The page takes no money for a call of nobody. */
const advice = ({ checkoutUrl, methods, purchase, why }: PaymentDemand): string =>
  `${reasons[why]} ${soldOf(purchase)} costs ${dollars(purchase.cents)} USD. Pay by ${
    ways(methods)
  } and send the identical request again with the payment, ` +
  `your API key in X-Svc-Key and the same Idempotency-Key if it had one${
    purchase.account === undefined ? "" : `; or let a person open ${checkoutUrl}`
  }. Nothing was charged.`

/** For whoever has no wallet. Any token that begins so is taken in the sandbox. */
const SANDBOX_HINT =
  "No real money moves here. Without a wallet, take the challenge whose method is stripe and send Authorization: Payment base64url({\"challenge\": {its parameters}, " +
  "\"payload\": {\"spt\": \"spt_test_1\"}}), with the key in X-Svc-Key; in MCP, the same object as params._meta[\"org.paymentauth/credential\"]. /for-agents shows the commands."

const MOST_URL_CHARS = 512

/** The address without its query, which may be long and secret. */
const resourceUrl = (url: string): URL => {
  const parsed = URL.parse(url) ?? new URL("http://localhost/")
  const short = new URL(parsed.pathname, parsed.origin)
  return short.href.length > MOST_URL_CHARS ? new URL(parsed.origin) : short
}

/** The contract's keys. */
const documented = (demand: PaymentDemand) => {
  const { checkoutUrl, litePriceCents, methods, more, paymentUrl, purchase, sandbox, why } = demand
  return {
    price: dollars(purchase.cents),
    currency: "USD",
    ...(litePriceCents === undefined ? {} : { lite_price: dollars(litePriceCents) }),
    payment_url: paymentUrl,
    checkout_url: checkoutUrl,
    retry_after_payment: true,
    error_code: why,
    agent_message: advice(demand),
    ...(sandbox === true && methods.card !== undefined ? { sandbox_hint: SANDBOX_HINT } : {}),
    tool: purchase.tool,
    mode: purchase.mode,
    ...(purchase.plan === undefined ? {} : { plan: purchase.plan }),
    ...more
  }
}

const problemDetails = ({ problem, purchase, why }: PaymentDemand, challengeId: string | undefined) => ({
  type: `https://paymentauth.org/problems/${problem?.name ?? "payment-required"}`,
  title: titles[problem?.name ?? "payment-required"],
  status: 402,
  detail: problem?.why ?? `${reasons[why]} ${soldOf(purchase)} costs ${dollars(purchase.cents)} USD.`,
  ...(challengeId === undefined ? {} : { challengeId })
})

/** The error stands in the header `PAYMENT-REQUIRED`, too, where the encoding makes up to eight bytes of a character. */
const MOST_ERROR_CHARS = 300

/** Clients of x402 read what is wrong with their payment from `error`, and so do those of the contract. */
const errorOf = ({ problem }: PaymentDemand): string =>
  problem === undefined ? titles["payment-required"] : beginningOf(`${titles[problem.name]}: ${problem.why}`, MOST_ERROR_CHARS)

const inX402 = (stablecoin: Stablecoin | undefined, { purchase }: PaymentDemand, resource: X402.Resource, error: string) =>
  stablecoin === undefined ? undefined : X402.required(stablecoin, purchase.cents, resource, error)

/** Builds the answer. Pure: the same demand gives the same bytes. */
export const write402 = (demand: PaymentDemand): UnpaidAnswer => {
  const { accept, body, callId, methods, now, purchase, secret } = demand
  const url = resourceUrl(demand.url)
  const resource = { url: url.href, description: `${soldOf(purchase)}: ${dollars(purchase.cents)} USD` }
  const terms = {
    purchase,
    methods,
    callId,
    secret,
    realm: url.hostname,
    expires: DateTime.addDuration(now, LIFETIME),
    description: resource.description
  }
  const inMeta = preferred(challenges(terms), accept)
  const inHeaders = body === undefined ? inMeta : preferred(challenges({ ...terms, body }), accept)
  const error = errorOf(demand)
  const keys = documented(demand)
  const v2 = inX402(methods.stablecoin, demand, resource, error)
  const v1 = methods.stablecoin === undefined
    ? {}
    : { x402Version: 1, accepts: X402.acceptsV1(methods.stablecoin, purchase.cents, resource) }
  return {
    _tag: "PaymentRequired",
    body: { ...problemDetails(demand, inHeaders[0]?.id), error, ...v1, ...keys },
    // `accepts` is of version 2; clients of version 1 that pay in `_meta["x402.payment"]` look for theirs beside it.
    inBand: { ...v2 ?? { error }, ...(v2 === undefined ? {} : { x402_v1: { ...v1, error } }), ...keys },
    challenges: inMeta.map((challenge) => ({ ...challenge })),
    authenticate: inHeaders.map(authenticateLine),
    headers: { "Cache-Control": "no-store", ...(v2 === undefined ? {} : { "PAYMENT-REQUIRED": toBase64Json(v2) }) },
    meta: {}
  }
}
