/**
 * The simulated provider. It keeps nothing: what it answers follows from the key and the token it is given.
 *
 * | public token | the exchange |
 * |---|---|
 * | `public_sandbox_ok_…` | links a USD account in the US and a EUR account in Germany |
 * | `public_sandbox_no_accounts_…` | fails the link: the person has no account at the bank |
 * | `public_sandbox_expired_…`, `public_sandbox_already_used_…` | is refused, and the link waits for another token |
 *
 * Each ends as its link token does, `link_sandbox_…`.
 */
import { Effect, Layer } from "effect"
import { hash } from "node:crypto"
import { type SimulatedOutcome, simulatedOutcomes } from "../model.ts"
import { type BankAccount, BankLinkProvider, type BegunLink, type Exchange } from "./provider.ts"

const MINUTES = 30
const LINK = "link_sandbox_"
const ENDING = /^[0-9a-f]{16}$/u

const digest = (text: string): string => hash("sha256", text, "hex")

/** Six decimal digits that follow from the text. */
const digitsOf = (text: string): string => String(Number.parseInt(digest(text).slice(0, 8), 16) % 1_000_000).padStart(6, "0")

/** A German IBAN with its check digits: ISO 13616. */
const iban = (bban: string): string => `DE${String(98n - BigInt(`${bban}131400`) % 97n).padStart(2, "0")}${bban}`

export const beginLink = (key: string): BegunLink => ({ link_token: `${LINK}${digest(key).slice(0, 16)}`, expires_in: MINUTES * 60 })

export const publicTokenOf = (link_token: string, outcome: SimulatedOutcome): string =>
  `public_sandbox_${outcome}_${link_token.slice(LINK.length)}`

const read = (public_token: string) => {
  const ending = public_token.slice(-16)
  const link_token = `${LINK}${ending}`
  const outcome = simulatedOutcomes.find((one) => public_token === publicTokenOf(link_token, one))
  return outcome === undefined || !ENDING.test(ending) ? undefined : { ending, link_token, outcome }
}

/** Which link a public token is of. */
export const linkTokenOf = (public_token: string): string | null => read(public_token)?.link_token ?? null

// No number ends as one does that the simulated banks refuse.
const accountsOf = (ending: string): ReadonlyArray<BankAccount> => [
  {
    id: `ba_sandbox_${ending}_usd`,
    name: "Business checking",
    holder_name: "Sandbox Business",
    currency: "USD",
    country: "US",
    number: `000${digitsOf(`${ending} USD`)}6789`,
    routing_number: "110000000"
  },
  {
    id: `ba_sandbox_${ending}_eur`,
    name: "Geschäftskonto",
    holder_name: "Sandbox Business",
    currency: "EUR",
    country: "DE",
    number: iban(`37040044${digitsOf(`${ending} EUR`)}3000`),
    routing_number: null
  }
]

export const exchangeToken = (public_token: string): Exchange => {
  const found = read(public_token)
  if (found === undefined) return { _tag: "Refused", reason: "expired" }
  return found.outcome === "ok"
    ? { _tag: "Linked", item_id: `item_sandbox_${found.ending}`, accounts: accountsOf(found.ending) }
    : { _tag: "Refused", reason: found.outcome }
}

export const processorTokenOf = (key: string, bank_account_id: string): string =>
  `processor_sandbox_${digest(`${key} ${bank_account_id}`).slice(0, 40)}`

/** The simulator within this process. */
export const simulatedBankLinks = Layer.succeed(BankLinkProvider, {
  begin: ({ key }) => Effect.succeed(beginLink(key)),
  linkTokenOf: (public_token) => Effect.succeed(linkTokenOf(public_token)),
  exchange: ({ public_token }) => Effect.succeed(exchangeToken(public_token)),
  processorToken: ({ bank_account_id, key }) => Effect.succeed(processorTokenOf(key, bank_account_id)),
  simulate: publicTokenOf
})
