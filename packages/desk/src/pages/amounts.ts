/** Amounts as people write them in forms. Pure. */
import { exponentOf } from "@svc/kernel/values/currency"

/** How many digits an amount has after its point. */
export const digitsOf = (currency: string): number => currency === "each" ? 2 : exponentOf(currency)

/** Minor units of a decimal such as 12.50; undefined for text that is none in this currency. */
export const minorOf = (text: string, currency: string): number | undefined => {
  const digits = digitsOf(currency)
  const [, whole, part = ""] = /^(\d{1,12})(?:[.,](\d{1,4}))?$/u.exec(text.trim()) ?? []
  return whole === undefined || part.length > digits ? undefined : Number(`${whole}${part.padEnd(digits, "0")}`)
}
