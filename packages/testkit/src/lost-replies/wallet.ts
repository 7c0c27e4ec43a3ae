/** Wallets that answer a 402 in each way there is. */
import { secp256k1 } from "@noble/curves/secp256k1.js"
import * as Eip3009 from "@svc/paywall/payment/eip3009"
import { signerOf } from "@svc/paywall/payment/eip712"
import { atomic, type Stablecoin, type TransferAuthorization } from "@svc/paywall/payment/model"
import { nonceOf } from "@svc/paywall/payment/mpp"
import * as Permit2 from "@svc/paywall/payment/permit2"
import { requirementsOf } from "@svc/paywall/payment/x402"
import type { ToolRequest, UnpaidAnswer } from "@svc/tool-kit/gate/model"
import { createHash } from "node:crypto"
import { PRICE } from "./world.ts"

export const kinds = ["card", "evm", "x402 v1", "x402 v2", "upto", "in-band card", "in-band evm", "in-band x402"] as const
export type Kind = typeof kinds[number]

export const isCard = (kind: Kind): boolean => kind === "card" || kind === "in-band card"

/** What a request brings to pay with, and what it is known by in the books of whoever moves the money. */
export interface Credential {
  readonly carried: Pick<ToolRequest, "headers" | "meta">
  /** Of a transfer. */
  readonly nonce: string | undefined
  /** Of a challenge of the Payment scheme. */
  readonly challenge: string | undefined
}

export interface Wallet {
  readonly address: string
  readonly sign: (digest: Uint8Array) => string
}

const sha = (text: string): string => createHash("sha256").update(text).digest("hex")

/** The wallet that follows from a text. */
export const walletOf = (seed: string): Wallet => {
  const key = Buffer.from(sha(`wallet ${seed}`), "hex")
  const sign = (digest: Uint8Array): string => {
    const [recovery = 0, ...rs] = secp256k1.sign(digest, key, { prehash: false, format: "recovered" })
    return `0x${Buffer.from([...rs, recovery + 27]).toString("hex")}`
  }
  const any = Buffer.alloc(32, 1)
  return { address: signerOf(any, sign(any)) ?? "", sign }
}

const base64url = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64url")
const base64 = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString("base64")

export interface Signing {
  readonly kind: Kind
  readonly wallet: Wallet
  readonly stablecoin: Stablecoin
  /** Unix seconds. */
  readonly now: number
  /** Makes each signature another one. */
  readonly salt: string
  /** The payment's own name, for wallets that give one. */
  readonly identifier: string | undefined
}

const transferOf = ({ now, stablecoin, wallet }: Signing, nonce: string): TransferAuthorization => ({
  from: wallet.address,
  to: stablecoin.payTo,
  value: atomic(PRICE, stablecoin),
  validAfter: String(now - 600),
  validBefore: String(now + 300),
  nonce
})

const challengeOf = ({ challenges }: UnpaidAnswer, method: string) => {
  const found = challenges.find((one) => one["method"] === method)
  if (found === undefined) throw new Error(`no challenge for ${method}`)
  return { found, id: String(found["id"]), realm: String(found["realm"]) }
}

const none = { headers: {}, meta: {} }

const inScheme = (signing: Signing, demand: UnpaidAnswer): Credential => {
  const card = isCard(signing.kind)
  const { found, id, realm } = challengeOf(demand, card ? "stripe" : "evm")
  const authorization = transferOf(signing, nonceOf({ id, realm }))
  const signature = card ? "" : signing.wallet.sign(Eip3009.digestOf(authorization, signing.stablecoin))
  const credential = {
    challenge: found,
    payload: card ? { spt: `spt_test_${sha(signing.salt).slice(0, 24)}` } : { type: "authorization", signature, ...authorization }
  }
  const carried = signing.kind.startsWith("in-band")
    ? { headers: {}, meta: { "org.paymentauth/credential": credential } }
    : { headers: { authorization: `Payment ${base64url(credential)}` }, meta: {} }
  return { carried, challenge: id, nonce: card ? undefined : authorization.nonce }
}

const inX402 = (signing: Signing): Credential => {
  const { identifier, kind, now, salt, stablecoin, wallet } = signing
  const extensions = identifier === undefined ? {} : { extensions: { "payment-identifier": { info: { required: false, id: identifier } } } }
  if (kind === "upto") {
    const nonce = String(BigInt(`0x${sha(`nonce ${salt}`)}`))
    const permit = {
      from: wallet.address,
      permitted: { token: stablecoin.asset, amount: atomic(PRICE, stablecoin) },
      spender: "0x4020A4f3b7b90ccA423B9fabCc0CE57C6C240002",
      nonce,
      deadline: String(now + 300),
      witness: { to: stablecoin.payTo, facilitator: stablecoin.facilitator ?? "", validAfter: "0" }
    }
    const payload = { signature: wallet.sign(Permit2.digestOf(permit, stablecoin.chainId)), permit2Authorization: permit }
    return {
      carried: {
        ...none,
        headers: {
          "payment-signature": base64({ x402Version: 2, accepted: requirementsOf(stablecoin, PRICE, "upto"), payload, ...extensions })
        }
      },
      nonce,
      challenge: undefined
    }
  }
  const authorization = transferOf(signing, `0x${sha(`nonce ${salt}`)}`)
  const payload = { signature: wallet.sign(Eip3009.digestOf(authorization, stablecoin)), authorization }
  const v2 = { x402Version: 2, accepted: requirementsOf(stablecoin, PRICE, "exact"), payload, ...extensions }
  const carried = kind === "x402 v1"
    ? { headers: { "x-payment": base64({ x402Version: 1, scheme: "exact", network: stablecoin.chainName, payload }) }, meta: {} }
    : kind === "x402 v2"
    ? { headers: { "payment-signature": base64(v2) }, meta: {} }
    : { headers: {}, meta: { "x402/payment": v2 } }
  return { carried, nonce: authorization.nonce, challenge: undefined }
}

/** Answers a demand. */
export const pay = (signing: Signing, demand: UnpaidAnswer): Credential =>
  isCard(signing.kind) || signing.kind.endsWith("evm") ? inScheme(signing, demand) : inX402(signing)
