/**
 * The simulator's published test instruments. In a sandbox they take the place of a provider's tokens: the token alone decides the rail's
 * answer, so that a merchant can test every outcome.
 */
import { createHash } from "node:crypto"
import type { DeclineCode, RailName } from "./model.ts"

export type MethodType = "card" | "bank_account" | "usdc_wallet"

/** The rail's answer to a token: one of these, or the code of a decline. */
export type TestAnswer = "approve" | "accept" | "require_action" | "block" | DeclineCode

export interface TestInstrument {
  readonly token: string
  readonly type: MethodType
  /** The card number that the simulator's card fields exchange for this token; null if the instrument is no card. */
  readonly number: string | null
  readonly brand: string | null
  readonly exp_month: number | null
  readonly exp_year: number | null
  /** The answer of each rail. A rail that is absent does not accept the instrument. */
  readonly answers: Readonly<Partial<Record<RailName, TestAnswer>>>
}

const card = (
  token: string,
  number: string,
  answer: TestAnswer,
  options: { readonly brand?: string; readonly exp_year?: number; readonly card_b?: TestAnswer } = {}
): TestInstrument => ({
  token,
  type: "card",
  number,
  brand: options.brand ?? "visa",
  exp_month: 12,
  exp_year: options.exp_year ?? 2034,
  answers: { card_a: answer, card_b: options.card_b ?? answer }
})

const account = (token: string, type: MethodType, rail: RailName): TestInstrument => ({
  token,
  type,
  number: null,
  brand: null,
  exp_month: null,
  exp_year: null,
  answers: { [rail]: "accept" }
})

export const testInstruments: ReadonlyArray<TestInstrument> = [
  card("tok_visa", "4242424242424242", "approve"),
  card("tok_mastercard", "5555555555554444", "approve", { brand: "mastercard" }),
  card("tok_amex", "378282246310005", "approve", { brand: "amex" }),
  card("tok_generic_decline", "4000000000000002", "generic_decline"),
  card("tok_insufficient_funds", "4000000000009995", "insufficient_funds"),
  card("tok_lost_card", "4000000000009987", "lost_card"),
  card("tok_stolen_card", "4000000000009979", "stolen_card"),
  card("tok_expired_card", "4000000000000069", "expired_card", { exp_year: 2020 }),
  card("tok_incorrect_cvc", "4000000000000127", "incorrect_cvc"),
  card("tok_processing_error", "4000000000000119", "processing_error", { card_b: "approve" }),
  card("tok_requires_action", "4000003800000446", "require_action"),
  // The payment is approved; the dispute opens after the capture.
  card("tok_dispute", "4000000000000259", "approve"),
  card("tok_fraudulent", "4100000000000019", "block"),
  account("tok_usdc", "usdc_wallet", "usdc"),
  account("tok_bank_account", "bank_account", "bank_transfer")
]

const byToken: ReadonlyMap<string, TestInstrument> = new Map(testInstruments.map((instrument) => [instrument.token, instrument]))
const byNumber: ReadonlyMap<string, TestInstrument> = new Map(
  testInstruments.flatMap((instrument) => instrument.number === null ? [] : [[instrument.number, instrument] as const])
)

export const findInstrument = (token: string): TestInstrument | undefined => byToken.get(token)

export const isSimulatorToken = (token: string): boolean => byToken.has(token)

/** The token for a published test number, as the simulator's card fields return it; undefined for any other number. */
export const tokenOfTestNumber = (number: string): string | undefined => byNumber.get(number)?.token

/** The facts of an instrument that may be stored and shown. */
export interface InstrumentFacts {
  readonly type: MethodType
  readonly brand: string | null
  readonly last4: string | null
  readonly exp_month: number | null
  readonly exp_year: number | null
  /** The same for every token of one card or account. Nobody can charge the card with it. */
  readonly fingerprint: string
}

export const fingerprintOf = (text: string): string => `fp_${createHash("sha256").update(text, "utf8").digest("hex").slice(0, 24)}`

/** The facts of a token of the simulator; undefined for any other token. */
export const describeToken = (token: string): InstrumentFacts | undefined => {
  const knownInstrument = byToken.get(token)
  if (knownInstrument === undefined) return undefined
  const { brand, exp_month, exp_year, number, type } = knownInstrument
  return { type, brand, last4: number?.slice(-4) ?? null, exp_month, exp_year, fingerprint: fingerprintOf(`simulator ${number ?? token}`) }
}
