/**
 * The kernel knows how a service of this kind is built, and nothing of what it is for: no file name, name or text of its code holds
 * a noun of the business. Comments may give an example; tests and what they share may use what they like.
 */

/** The nouns, in the singular; a word that ends in `s` counts as its singular. Types of ledger entries are made of them. */
const NOUNS: ReadonlySet<string> = new Set([
  "capture",
  "captured",
  "card",
  "chargeback",
  "checkout",
  "coupon",
  "decline",
  "declined",
  "dispute",
  "intent",
  "invoice",
  "mandate",
  "merchant",
  "payment",
  "payout",
  "plan",
  "rail",
  "refund",
  "refunded",
  "settlement",
  "subscription",
  "wallet"
])

/** Ids of the business, written out: a prefix, and what follows it. `in_` is too much like English to be told apart. */
const ID = /(?<![A-Za-z0-9])(?:ba|dp|fe|pi|pm|po|rf|se|sub)_[0-9A-Za-z]/u

/** What Postgres and the platform call so. */
const FOREIGN: ReadonlySet<string> = new Set(["captureStackTrace", "plan_cache_mode", "force_generic_plan"])

/** Columns and fields that every resource of the service has under this name. */
const SHARED: ReadonlySet<string> = new Set(["merchant_id"])

/** Files that may say a noun, which, and why. */
const ALLOWED: Readonly<Record<string, readonly [nouns: ReadonlyArray<string>, why: string]>> = {
  "values/card-numbers.ts": [["card"], "the guard that keeps card numbers out of every part, so that no part can forget it"],
  "http/card-number-guard.ts": [["card"], "the same guard, where requests come in"],
  "http/keyed.ts": [["card"], "the same guard, for a key in a header"],
  "http/shown-path.ts": [["card"], "the same guard, for names of fields that a refusal repeats"],
  "resource/errors.ts": [["card", "captured", "refund"], "what the guard refuses with, and the documented example of `invalid_state`"]
}

const wordsOf = (text: string): ReadonlyArray<string> => text.replace(/([a-z0-9])([A-Z])/gu, "$1 $2").toLowerCase().split(/[^a-z]+/u)

const nounsIn = (text: string): ReadonlyArray<string> =>
  FOREIGN.has(text) || SHARED.has(text)
    ? []
    : [
      ...wordsOf(text).map((word) => NOUNS.has(word) ? word : word.replace(/s$/u, "")).filter((word) => NOUNS.has(word)),
      ...ID.exec(text) ?? []
    ]

/** The nouns that a text of the kernel's file may not hold: its own name, a name in its code, or a string. `path` is below `src/`. */
export const unwelcome = (path: string, text: string): ReadonlyArray<string> => {
  if (/(?:\.test|[.-]fixture|(?:^|\/)fixture)\.ts$/u.test(path)) return []
  const allowed = ALLOWED[path]?.[0] ?? []
  return nounsIn(text).filter((noun) => !allowed.includes(noun))
}

/** Files that the list allows and that need it no more. */
export const unneeded = (path: string, texts: ReadonlyArray<string>): ReadonlyArray<string> => {
  const said = new Set([path, ...texts].flatMap(nounsIn))
  return (ALLOWED[path]?.[0] ?? []).filter((noun) => !said.has(noun))
}
