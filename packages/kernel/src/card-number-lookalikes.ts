/** What consists of digit groups, may add up to a card number, and is none: UUIDs, dates and IBANs. */

const uuid = /(?<![0-9a-z])[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?![0-9a-z])/gi
const date = /(?<![0-9a-z])(?:19|20)\d\d-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])(?![0-9a-z])/gi
/** In groups of four, as it is printed; without spaces its letters touch the digits. */
const iban = /(?<![0-9a-z])[A-Z]{2}\d{2}(?: [0-9A-Z]{4}){2,7}(?: [0-9A-Z]{1,3})?(?![0-9a-z])/gi

/** The check digits of ISO 13616: the country and they themselves go to the end, A counts 10, and the rest by 97 is 1. */
const isIban = (text: string): boolean => {
  const compact = text.replaceAll(" ", "")
  const digits = `${compact.slice(4)}${compact.slice(0, 4)}`.replace(/[a-z]/gi, (letter) => String(Number.parseInt(letter, 36)))
  return BigInt(digits) % 97n === 1n
}

// A letter keeps the groups apart and the length the same.
const blank = (text: string): string => "x".repeat(text.length)

/** The text with letters in the place of all of these. */
export const withoutLookalikes = (text: string): string =>
  text.replace(uuid, blank).replace(date, blank).replace(iban, (found) => isIban(found) ? blank(found) : found)
