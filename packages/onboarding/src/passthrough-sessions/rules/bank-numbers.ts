/** Finds numbers of bank accounts where none belong: in what an assistant fills in beforehand. Pure. */

/** Names under which numbers of bank accounts go. */
const BANK_FIELD = /account_?n|^account$|number$|iban|bic|swift|routing|sort_?code|bsb|clabe|transit|branch|^bank|^aba$/u

/** Whether a field of this name carries the number of a bank account, or of its bank. */
export const isBankField = (field: string): boolean => field !== "registration_number" && BANK_FIELD.test(field)

/** Digits in a row, whatever but letters stands between them. Shorter ones are house numbers, years and numbers of small registers. */
const DIGITS = /\d(?:[^\p{L}\p{N}]*\d){6}/u

/** The spelling of an IBAN, whatever stands between its signs. */
const IBAN = /(?<![A-Z0-9])[A-Z]{2}\d{2}(?:[^\p{L}\p{N}]*[A-Z0-9]){11,30}(?![A-Z0-9])/u

/** Fields of names, which have few digits or none: there letters between digits do not matter either. */
const names = new Set(["holder_name", "legal_name", "city"])

/** Codes of places and dates, which are as long as numbers of accounts, by the shape that they alone have. */
const shapes: Readonly<Record<string, RegExp>> = {
  postal_code: /^(?:\d{3}-?\d{4}|\d{5}-?\d{3,4})$/u,
  birth_date: /^\d{4}-\d\d-\d\d$/u
}

/** ISO 13616: the country and the check digits go to the end, A counts 10, and the rest by 97 is 1. */
const isIban = (compact: string): boolean => {
  const digits = `${compact.slice(4)}${compact.slice(0, 4)}`.replace(/[A-Z]/gu, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}

/** Whether the text holds what looks like the number of a bank account. Digits of any script count, and what is not seen does not. */
export const holdsBankNumber = (field: string, text: string): boolean => {
  const plain = text.normalize("NFKC").replace(/\p{Cf}/gu, "").replace(/\p{Nd}/gu, digitOf).toUpperCase()
  if (shapes[field]?.test(plain) === true) return false
  const iban = IBAN.exec(plain)
  const counted = names.has(field) ? plain.replace(/\D/gu, "") : plain
  return DIGITS.test(counted) || (iban !== null && isIban(iban[0].replace(/[^A-Z0-9]/gu, "")))
}

/** The digits of a script are ten in a row, and begin at a code that Unicode aligns by what comes before them. */
const digitOf = (digit: string): string => {
  const code = digit.codePointAt(0) ?? 0
  if (code < 128) return digit
  let zero = code
  while (code - zero < 9 && /\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero--
  return String(code - zero)
}
