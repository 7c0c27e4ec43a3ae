import { findCardNumber } from "@svc/kernel/values/card-numbers"
import { describe, expect, it } from "vitest"
import { describeToken, isSimulatorToken, testInstruments, tokenOfTestNumber } from "./instruments.ts"

/** As published: number, token, brand. */
const cards = [
  ["4242424242424242", "tok_visa", "visa"],
  ["5555555555554444", "tok_mastercard", "mastercard"],
  ["378282246310005", "tok_amex", "amex"],
  ["4000000000000002", "tok_generic_decline", "visa"],
  ["4000000000009995", "tok_insufficient_funds", "visa"],
  ["4000000000009987", "tok_lost_card", "visa"],
  ["4000000000009979", "tok_stolen_card", "visa"],
  ["4000000000000069", "tok_expired_card", "visa"],
  ["4000000000000127", "tok_incorrect_cvc", "visa"],
  ["4000000000000119", "tok_processing_error", "visa"],
  ["4000003800000446", "tok_requires_action", "visa"],
  ["4000000000000259", "tok_dispute", "visa"],
  ["4100000000000019", "tok_fraudulent", "visa"]
] as const

describe("the published test instruments", () => {
  it.each(cards)("%s stands for %s", (number, token, brand) => {
    expect(tokenOfTestNumber(number)).toBe(token)
    expect(describeToken(token)).toMatchObject({ type: "card", brand, last4: number.slice(-4) })
    expect(findCardNumber(number), "the API itself must refuse the number").toBeDefined()
  })

  it("hold no other card", () => {
    expect(testInstruments.filter(({ type }) => type === "card").map(({ token }) => token)).toEqual(cards.map(([, token]) => token))
  })

  it.each([["tok_usdc", "usdc_wallet"], ["tok_bank_account", "bank_account"]])("%s is a %s without card facts", (token, type) => {
    expect(describeToken(token)).toMatchObject({ type, brand: null, last4: null, exp_month: null, exp_year: null })
  })

  it("have a fingerprint each, and show no number", () => {
    const shown = testInstruments.map(({ token }) => describeToken(token))
    expect(new Set(shown.map((facts) => facts?.fingerprint)).size).toBe(testInstruments.length)
    const text = JSON.stringify(shown)
    for (const [number] of cards) expect(text).not.toContain(number)
  })

  it.each(["", "tok_", "TOK_VISA", "tok_visa ", "4242424242424242", "constructor"])("%j is not a token", (token) => {
    expect(isSimulatorToken(token)).toBe(false)
    expect(describeToken(token)).toBeUndefined()
  })

  it.each(["4242424242424241", "4111111111111111", ""])("the card fields do not take %j", (number) => {
    expect(tokenOfTestNumber(number)).toBeUndefined()
  })
})
