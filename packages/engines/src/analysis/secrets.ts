/**
 * Hides keys and passwords that somebody left in files: what is read here is quoted in artifacts, kept, and given to others. It knows the
 * forms that services give their keys, by their own documents; what has no form is known by the name before it (`named-secrets.ts`).
 */
import { redactNamed } from "./named-secrets.ts"

/** One class of characters each, which ends the key: the time grows with the text's length only. */
const KEYS: ReadonlyArray<readonly [prefix: string, rest: string]> = [
  // https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_identifiers.html
  ["(?:AKIA|ASIA|ABIA|ACCA)", "[A-Z0-9]{16}(?!\\w)"],
  // https://github.blog/engineering/platform-security/behind-githubs-new-authentication-token-formats/
  ["gh[pousr]_", "[A-Za-z0-9]{36,255}"],
  ["github_pat_", "\\w{22,255}"],
  ["glpat-", "[\\w-]{20,255}"],
  ["npm_", "[A-Za-z0-9]{36}(?!\\w)"],
  ["pypi-", "[\\w-]{60,255}"],
  ["xox[abeoprs]-", "[\\w-]{20,255}"],
  ["[sr]k_(?:live|test)_", "[A-Za-z0-9]{16,255}"],
  ["whsec_", "[\\w+/=]{24,255}"],
  ["sk-(?:proj|svcacct|admin|ant)-", "[\\w-]{20,255}"],
  ["sk-", "[A-Za-z0-9]{32,255}"],
  ["AIza", "[\\w-]{35}(?![\\w-])"],
  ["SG\\.", "[\\w-]{16,32}\\.[\\w-]{32,64}"],
  // This service's own: keys, the operator's, sessions of people and their invitations.
  ["(?:svc[kp]|agk)_(?:live|test)_", "\\w{16,255}"],
  ["(?:ok|[sr]k|agk|svck|ses|join)_", "[A-Za-z0-9]{32}(?!\\w)"]
]

const keys = new RegExp(`(?<!\\w)(${KEYS.map(([prefix]) => prefix).join("|")})`, "u")
const patterns = KEYS.map(([prefix, rest]) => new RegExp(`(?<!\\w)(${prefix})(${rest})`, "gu"))

/** `https://name:password@host`, but not where a run fills the password in. */
const passwords = /(:\/\/[^\s/:@"'`<>$]{0,100}:)([^\s/@"'`<>${}[\]()]{3,200})(?=@[\w[])/gu

/** RFC 7468. Its lines, or what stands for them in a text of code. */
const privateKeys = /(-----BEGIN (?:[A-Z]{1,20} ){0,2}PRIVATE KEY-----)([\w+/=\s\\]{16,8000})/gu

/** A user and a password, as `curl` takes them. Of `node:node` the second says nothing. */
const users = /((?:^|[\s"'])(?:-u|--user)(?:[\s=]|["'],\s?["'])["']?([\w.@-]{1,64}):)(?!\2(?![\w-]))([^\s"'`$<{\\][^\s"'`\\]{2,200})/gu
/** Flags of one letter, of the programs whose flag is a password. */
const programs = "redis-cli\\b[^\\n]{0,80}?[\\s\"']-a|sshpass[\\s\"',]{1,4}-p|mysql(?:dump|admin)?\\b[^\\n]{0,80}?\\s-p(?=\\S)"
const letters = new RegExp(`(\\b(?:${programs})(?:["'],)?[ ]?["']?)([^\\s"'\`$<{\\\\,-][^\\s"'\`\\\\]{2,200})`, "gu")
/** RFC 6750, section 2.1, and RFC 7617, section 2. With a figure, since a word of a text has none. */
const bearers = /(\b(?:Bearer|Basic) )((?=[A-Za-z._~+/=-]{0,60}\d)[\w.~+/=-]{8,2000})/gu

const stars = (text: string): string => text.replaceAll(/[^\s\\]/gu, "*")

const masked = (_: string, shown: string, secret: string): string => shown + stars(secret)

const maskedUser = (whole: string, shown: string, _: string, password: string): string =>
  /^\d{1,5}$/u.test(password) ? whole : shown + stars(password)

/** The same text with stars for what has the form of a secret: every line and column stays where it was. */
const redactForms = (text: string): string => {
  const plain = text.replaceAll(passwords, masked).replaceAll(privateKeys, masked)
  return keys.test(plain) ? patterns.reduce((left, pattern) => left.replaceAll(pattern, masked), plain) : plain
}

const redactCommands = (text: string): string => text.replaceAll(users, maskedUser).replaceAll(letters, masked).replaceAll(bearers, masked)

/** The same text without what is secret in it: every line and column stays where it was. The path says how its values are written. */
export const redactSecrets = (text: string, path?: string): string => {
  const plain = redactForms(text)
  return path === undefined ? plain : redactNamed(redactCommands(plain), path)
}
