/** What is said of a payment, whichever protocol says it: what is sold, how it can be paid, and what a request pays with. */
import type { Cents, Mode } from "@svc/tool-kit/call"
import { type DateTime, Redacted, Schema } from "effect"

const hex = (bytes: number, identifier: string) =>
  Schema.String.check(Schema.isPattern(new RegExp(`^0x[0-9a-fA-F]{${bytes * 2}}$`, "u"))).annotate({ identifier })

/** 20 bytes in hexadecimal. Case does not count: it is a checksum that nobody here relies on. */
export const Address = hex(20, "Address")
export const Bytes32 = hex(32, "Bytes32")
export const Signature = Schema.String.check(Schema.isPattern(/^0x(?:[0-9a-fA-F]{2}){1,2048}$/u)).annotate({ identifier: "Signature" })

const MOST = 2n ** 256n
/** An unsigned integer of 256 bits in decimal, as it stands in JSON. */
export const Uint256 = Schema.String.check(Schema.makeFilter((text) => /^(?:0|[1-9]\d{0,77})$/u.test(text) && BigInt(text) < MOST))
  .annotate({ identifier: "Uint256" })

/** What the payer of EIP-3009 signs. Moments are Unix seconds, the value is in the token's smallest unit. */
export const TransferAuthorization = Schema.Struct({
  from: Address,
  to: Address,
  value: Uint256,
  validAfter: Uint256,
  validBefore: Uint256,
  nonce: Bytes32
})
export type TransferAuthorization = typeof TransferAuthorization.Type

/** What the payer of x402's `upto` signs: a Permit2 transfer of at most `permitted.amount`, that only the facilitator may carry out. */
export const PermitAuthorization = Schema.Struct({
  from: Address,
  permitted: Schema.Struct({ token: Address, amount: Uint256 }),
  spender: Address,
  nonce: Uint256,
  deadline: Uint256,
  witness: Schema.Struct({ to: Address, facilitator: Address, validAfter: Uint256 })
})
export type PermitAuthorization = typeof PermitAuthorization.Type

/** A token that is taken, where, and for whom. */
export interface Stablecoin {
  readonly chainId: number
  /** The chain's name in x402 v1, such as `base-sepolia`; v2 says `eip155:` and its number. */
  readonly chainName: string
  readonly asset: string
  /** As the token's EIP-712 domain has them. */
  readonly name: string
  readonly version: string
  /** Of the smallest unit: 6 for USDC. At least 2. */
  readonly decimals: number
  readonly payTo: string
  /** The address that may carry out a Permit2 transfer. Without it `upto` is not offered. */
  readonly facilitator?: string
}

/** Test money: USDC of Base Sepolia. */
export const baseSepoliaUsdc = {
  chainId: 84532,
  chainName: "base-sepolia",
  asset: "0x036CbD53842c5426634e7929541eC2318f3dCF7e",
  name: "USDC",
  version: "2",
  decimals: 6
} as const satisfies Omit<Stablecoin, "payTo">

export const baseUsdc = {
  chainId: 8453,
  chainName: "base",
  asset: "0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913",
  name: "USD Coin",
  version: "2",
  decimals: 6
} as const satisfies Omit<Stablecoin, "payTo">

/** The card rail, by tokens that a wallet shares for one payment. */
export interface Card {
  /** The profile that may use the token: the wallet names it when it mints one. */
  readonly networkId: string
  readonly paymentMethodTypes: readonly [string, ...ReadonlyArray<string>]
}

/** How this installation can be paid. What is not set up is not offered. */
export interface Methods {
  readonly card?: Card
  readonly stablecoin?: Stablecoin
}

/** The call that is paid for. A challenge is bound to all of it. */
export interface Purchase {
  readonly tool: string
  readonly mode: Mode
  /** SHA-256 of the canonical arguments, hexadecimal. */
  readonly argumentsSha256: string
  /** Whose call it is, when that is known: the paid retry of a client that gave up its key's header is known by it. */
  readonly account?: string
  /** The price of the call, or of the plan. */
  readonly cents: Cents
  /** Set when the money buys this plan and not the call. */
  readonly plan?: string
}

/** A challenge of ours that came back unchanged, and in time. */
export interface BoundChallenge extends Purchase {
  readonly id: string
  readonly realm: string
  /** The call that the challenge answered; no two challenges have the same. */
  readonly callId: string
  readonly expires: DateTime.Utc
}

export type Protocol = "mpp" | "x402-v1" | "x402-v2"

/** Names of the problem types of the Payment scheme that a request to pay can end in. */
export type ProblemName =
  | "payment-required"
  | "payment-insufficient"
  | "payment-expired"
  | "verification-failed"
  | "method-unsupported"
  | "malformed-credential"
  | "invalid-challenge"
  | "invalid-payload"

/** Why a credential is not accepted. `why` is a sentence for whoever made it. */
export interface Problem {
  readonly name: ProblemName
  readonly why: string
}

export interface CardPayment {
  readonly _tag: "Card"
  readonly protocol: "mpp"
  /** `spt_…`, a token shared for this payment. */
  readonly token: Redacted.Redacted<string>
  readonly externalId?: string
  readonly challenge: BoundChallenge
}

export interface StablecoinPayment {
  readonly _tag: "Stablecoin"
  readonly protocol: Protocol
  readonly signed:
    | { readonly scheme: "exact"; readonly authorization: TransferAuthorization }
    | { readonly scheme: "upto"; readonly authorization: PermitAuthorization }
  readonly signature: string
  /** Only the Payment scheme has challenges; x402 is bound to the price and the payee alone. */
  readonly challenge?: BoundChallenge
  /** The client's own key for the payment (`payment-identifier`), to be taken as an idempotency key. */
  readonly identifier?: string
}

export type Payment = CardPayment | StablecoinPayment

const ChallengeId = Schema.Struct({ id: Schema.String })

/**
 * What of a payment is needed after the run, and is kept until its outcome is known: to carry it out, to ask again, to write the receipt.
 */
export const PaidWith = Schema.Union([
  Schema.Struct({
    _tag: Schema.Literal("Card"),
    protocol: Schema.Literal("mpp"),
    externalId: Schema.optionalKey(Schema.String),
    challenge: ChallengeId
  }),
  Schema.Struct({
    _tag: Schema.Literal("Stablecoin"),
    protocol: Schema.Literals(["mpp", "x402-v1", "x402-v2"]),
    signed: Schema.Union([
      Schema.Struct({ scheme: Schema.Literal("exact"), authorization: TransferAuthorization }),
      Schema.Struct({ scheme: Schema.Literal("upto"), authorization: PermitAuthorization })
    ]),
    signature: Signature,
    challenge: Schema.optionalKey(ChallengeId)
  })
])
export type PaidWith = typeof PaidWith.Type

/** Unix seconds after which nobody can carry the transfer out any more. */
export const validUntil = ({ signed }: Pick<StablecoinPayment, "signed">): number =>
  Number(signed.scheme === "exact" ? signed.authorization.validBefore : signed.authorization.deadline)

/** Something meant to pay that cannot be read, or is not ours. */
export interface MalformedPayment {
  readonly _tag: "Malformed"
  readonly protocol: Protocol
  readonly problem: Problem
}

export type Credential = { readonly _tag: "None" } | MalformedPayment | Payment

export const malformed = (protocol: Protocol, name: ProblemName, why: string): MalformedPayment => ({
  _tag: "Malformed",
  protocol,
  problem: { name, why }
})

/** The price in the token's smallest unit. */
export const atomic = (cents: Cents, { decimals }: Stablecoin): string => String(BigInt(cents) * 10n ** BigInt(decimals - 2))

/** `3.00` for 300. */
export const dollars = (cents: Cents): string => `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, "0")}`

/** What a facilitator says of a transfer that it was to carry out. */
export type Settlement =
  | { readonly _tag: "Settled"; readonly transaction: string; readonly simulated: boolean }
  /** Nothing has moved, and nothing will. */
  | { readonly _tag: "Refused"; readonly reason: string }
  /** Its nonce was used: it was carried out before, or the payer called it off. Which of the two, only the chain tells. */
  | { readonly _tag: "Used"; readonly reason: string }
  /** The facilitator may have carried out the transfer. Ask again with the same transfer: its nonce lets it happen once. */
  | { readonly _tag: "Unknown"; readonly reason: string }
