/** Prices as AP2 and the payments API take them. */
import type { Fact } from "../facts/model.ts"

const MOST = 99_999_999_999

/** The price in minor units, where its name says so and its currency is known. */
export const minorUnits = ({ value: { currency, price } }: Fact<"catalog-item">) => {
  const amount = Number(price.value)
  return currency !== null && /^[A-Z]{3}$/u.test(currency) && /cents|minor|unit_?amount/iu.test(price.name) &&
      Number.isSafeInteger(amount) &&
      amount <= MOST
    ? { currency, amount }
    : undefined
}
