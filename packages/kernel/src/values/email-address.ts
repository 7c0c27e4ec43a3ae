/**
 * The one grammar of e-mail addresses: what RFC 6531 makes of RFC 5321, without what programs read differently. Quoted words, comments,
 * addresses of hosts and lists are refused, and so are domains of one label, which no mail from outside reaches.
 */
import { Schema } from "effect"

/** Octets of UTF-8, as RFC 5321 counts (4.5.3.1). */
const [MOST_OF_LOCAL, MOST] = [64, 254]

// Of other scripts letters, marks and digits: a sign such as `＠` is an ASCII one to programs that normalize.
const ATOM = "[\\p{L}\\p{M}\\p{N}!#$%&'*+/=?^_`{|}~-]+"
const LABEL = "[\\p{L}\\p{N}](?:[\\p{L}\\p{M}\\p{N}-]{0,61}[\\p{L}\\p{M}\\p{N}])?"
const ADDRESS = new RegExp(`^${ATOM}(?:\\.${ATOM})*@${LABEL}(?:\\.${LABEL})+$`, "u")

// For validators without Unicode classes: whatever is not ASCII passes.
const WORD = "[^\\u0000-\\u0020\\u007f-\\u00a0\"(),.:;<>@[\\]\\\\]+"
const PUBLISHED = `^${WORD}(?:\\.${WORD})*@${WORD}(?:\\.${WORD})+$`

/** Whether the text is one address, such as `ada@example.com` or `josé@bücher.example`. */
export const isEmailAddress = (text: string): boolean =>
  text.length <= MOST && ADDRESS.test(text) && Buffer.byteLength(text) <= MOST &&
  Buffer.byteLength(text.slice(0, text.indexOf("@"))) <= MOST_OF_LOCAL

/** What the refusal of anything else says. */
export const EMAIL_ADDRESS_EXPECTED = "must be one email address whose domain has a dot, for example ada@example.com"

/** A pattern of some of them, for tests that make values up. */
export const EMAIL_ADDRESS_EXAMPLES = { source: "^[a-zéß0-9]{1,12}(?:\\.[A-Za-z]{1,9})?@[a-zü]{1,12}\\.example$", flags: "u" }

/** One address: dot-separated words of any script, and a domain of two labels at least. */
export const EmailAddress = Schema.String.check(
  Schema.makeFilter(isEmailAddress, {
    message: EMAIL_ADDRESS_EXPECTED,
    toJsonSchema: () => ({ pattern: PUBLISHED }),
    arbitraryConstraint: { patterns: [EMAIL_ADDRESS_EXAMPLES] }
  }),
  Schema.isMaxLength(MOST)
).annotate({ identifier: "EmailAddress", format: "idn-email" })
export type EmailAddress = typeof EmailAddress.Type

/**
 * The spelling by which addresses are compared, and people are looked for. Domains know no capitals (RFC 5321, 2.4). A host may tell the
 * mailboxes `Ana@` and `ana@` apart; people write theirs one way and the other.
 */
export const comparedAddress = (address: string): string => address.toLowerCase()
