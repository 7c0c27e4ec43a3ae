/** Reads amounts as people write them: `12.50`, `$12.50`, `1,250.00 EUR`, `1.250,00`, `JPY 1200`. */
import { currencies, exponentOf } from "@svc/kernel/values/currency"
import type { AmountReading } from "../model.ts"

/** The currencies that are written with a sign. */
const signs: Readonly<Record<string, ReadonlyArray<string>>> = {
  $: ["USD", "CAD", "AUD", "NZD", "SGD", "HKD", "MXN", "TWD", "CLP", "COP", "ARS"],
  "€": ["EUR"],
  "£": ["GBP"],
  "¥": ["JPY", "CNY"],
  "₹": ["INR"],
  "₩": ["KRW"],
  "₪": ["ILS"],
  "₺": ["TRY"],
  "₫": ["VND"],
  "₱": ["PHP"],
  "฿": ["THB"],
  "₴": ["UAH"],
  "₦": ["NGN"]
}

const AMOUNT = /^(\p{Sc}|[a-z]{3})? ?(\d(?:[\d.,'’ ]*\d)?) ?(\p{Sc}|[a-z]{3})?$/iu

/** Whole and decimals. `1,250` is in two of them: it may have three decimals. */
const forms: ReadonlyArray<RegExp> = [
  /^(\d+)(?:[.,](\d{1,4}))?$/u,
  /^(\d{1,3}(?:,\d{3})+)(?:\.(\d{1,4}))?$/u,
  /^(\d{1,3}(?:\.\d{3})+)(?:,(\d{1,4}))?$/u,
  /^(\d{1,3}(?:['’ ]\d{3})+)(?:[.,](\d{1,4}))?$/u
]

/** The currencies that a sign or a code stands for; none for other words. */
const named = (name: string): ReadonlyArray<string> =>
  Object.hasOwn(signs, name) ? signs[name] ?? [] : currencies.filter((code) => code === name.toUpperCase())

/** Minor units; undefined where the currency has fewer decimals, or no amount is so large. */
const inMinorUnits = (whole: string, written: string, exponent: number): number | undefined => {
  // Of a currency without any, `.00` says nothing.
  const decimals = /^0+$/u.test(written) ? "" : written
  const amount = Number(BigInt(whole.replaceAll(/\D/gu, "") + decimals.padEnd(exponent, "0")))
  return decimals.length > exponent || amount === 0 || !Number.isSafeInteger(amount) ? undefined : amount
}

/** All amounts that a text may be: without a currency, one for each number of decimals that currencies have. */
export const amountsIn = (text: string): ReadonlyArray<AmountReading> => {
  const [, before, number = "", after] = AMOUNT.exec(text) ?? []
  const names = [before, after].filter((name) => name !== undefined).map(named)
  const possible = currencies.filter((code) => names.every((some) => some.includes(code)))
  const pairs = forms.flatMap((form) => {
    const [, whole, decimals = ""] = form.exec(number) ?? []
    if (whole === undefined) return []
    return possible.flatMap((currency) => {
      const amount = inMinorUnits(whole, decimals, exponentOf(currency))
      return amount === undefined ? [] : [{ amount, currency }]
    })
  })
  return Array.from(
    Map.groupBy(pairs, ({ amount }) => amount),
    ([amount, of]) => ({ amount, currencies: Array.from(new Set(of.map(({ currency }) => currency))) })
  )
}
