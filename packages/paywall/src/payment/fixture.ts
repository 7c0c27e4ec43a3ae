/** What the tests of payments share: an installation, a call, and wallets that answer. */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import { DateTime, Redacted } from "effect"
import * as Eip3009 from "./eip3009.ts"
import { baseSepoliaUsdc, type PermitAuthorization, type Purchase, type TransferAuthorization } from "./model.ts"
import * as Permit2 from "./permit2.ts"

export const secret = Redacted.make("mac-secret")
export const now = DateTime.makeUnsafe("2026-11-21T12:00:00.000Z")
export const seconds = Math.floor(DateTime.toEpochMillis(now) / 1000)

export const stablecoin = {
  ...baseSepoliaUsdc,
  payTo: "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
  facilitator: "0x857b06519E91e3A54538791bDbb0E22373e36b66"
}
export const methods = { card: { networkId: "profile_test", paymentMethodTypes: ["card"] }, stablecoin } as const

export const purchase: Purchase = { tool: "svc_x", mode: "standard", argumentsSha256: "aa".repeat(32), cents: 5, account: "acct_1" }
export const checking = { secret, now, methods, call: purchase }

/** The wallet of the key that is one. */
export const PAYER = "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf"
const key = Buffer.from("1".padStart(64, "0"), "hex")

export const transferOf = (nonce: string, changed: Partial<TransferAuthorization> = {}): TransferAuthorization => ({
  from: PAYER,
  to: stablecoin.payTo,
  value: "50000",
  validAfter: "0",
  validBefore: String(seconds + 300),
  nonce,
  ...changed
})

/** As a wallet signs: the recovery bit last, and 27 added to it. */
const signatureOf = (digest: Uint8Array): string => {
  const [recovery = 0, ...rs] = secp256k1.sign(digest, key, { prehash: false, format: "recovered" })
  return `0x${Buffer.from([...rs, recovery + 27]).toString("hex")}`
}
export const signed = (authorization: TransferAuthorization): string => signatureOf(Eip3009.digestOf(authorization, stablecoin))

export const permitOf = (changed: Partial<PermitAuthorization> = {}): PermitAuthorization => ({
  from: PAYER,
  permitted: { token: stablecoin.asset, amount: "50000" },
  spender: "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002",
  nonce: "1",
  deadline: String(seconds + 300),
  witness: { to: stablecoin.payTo, facilitator: stablecoin.facilitator, validAfter: "0" },
  ...changed
})
export const permitSigned = (authorization: PermitAuthorization): string => signatureOf(Permit2.digestOf(authorization, stablecoin.chainId))

export const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")
export const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64")
