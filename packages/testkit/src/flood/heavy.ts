/** The requests that take long or answer much, each as several merchants send it at one time. */
import { Accounts } from "@svc/accounts/accounts/service"
import { Effect, Redacted } from "effect"
import { randomUUID } from "node:crypto"
import { fillLedger } from "../books.ts"
import type { HeavyRequest } from "./neighbour.ts"

/** Merchants that ask for much, and payments in the ledger of each: four events a payment, some 0.6 KiB an event. */
const MERCHANTS = 6
const PAYMENTS = 2_500

export interface Crowd {
  readonly url: string
  readonly merchants: ReadonlyArray<{ readonly key: string; readonly invoice: string }>
}

const post = async (url: string, key: string, path: string, body: object): Promise<Readonly<Record<string, unknown>>> => {
  const answer = await fetch(`${url}${path}`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
    body: JSON.stringify(body)
  })
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`)
  return Object(await answer.json())
}

/** The invoice of a new subscription. */
const invoiced = async (url: string, key: string): Promise<string> => {
  const plan = await post(url, key, "/v1/plans", { name: "Pro", amount: 1999, currency: "USD", billing_period: "monthly" })
  await post(url, key, `/v1/plans/${String(plan["id"])}/activate`, {})
  await post(url, key, "/v1/subscriptions", {
    plan_id: plan["id"],
    customer_id: "customer-1",
    payment_method_id: "tok_visa",
    idempotency_key: randomUUID()
  })
  const { data: [invoice] } = Object(await (await fetch(`${url}/v1/invoices`, { headers: { authorization: `Bearer ${key}` } })).json())
  return String(Object(invoice).id)
}

/** Merchants with a long ledger and an invoice. */
export const openCrowd = (url: string) =>
  Effect.forEach(Array.from({ length: MERCHANTS }), () =>
    Effect.gen(function*() {
      const { account, key } = yield* Effect.orDie((yield* Accounts).create({ name: "Crowd", sandbox: true }))
      // Before anything else is in its ledger.
      yield* fillLedger(account.id, PAYMENTS)
      const secret = Redacted.value(key.secret)
      const invoice = yield* Effect.promise(() => invoiced(url, secret))
      return { key: secret, invoice }
    })).pipe(Effect.map((merchants): Crowd => ({ url, merchants })))

const day = (n: number) => new Date(Date.UTC(2026, 0, 1) + n * 86_400_000).toISOString()

/** A provider's file of so many lines that the ledger knows nothing of. */
const file = Buffer.from(
  ["type,provider_reference,amount,currency,occurred_at", ...Array.from({ length: 500 }, (_, n) => `capture,ref_${n},1999,USD,${day(1)}`)]
    .join("\n")
)

/** A picture as far as its first and last bytes say so. */
const picture = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.alloc(3 * 1024 * 1024, 1), Buffer.from("IEND")])

const reports = `/v1/reconciliation/reports?${new URLSearchParams({ source: "card_a", from: day(0), to: day(2) }).toString()}`

/** What is asked for by `times` clients at one time, the merchants in turn. */
const by = ({ merchants, url }: Crowd, times: number, of: (invoice: string) => Omit<HeavyRequest, "asking">): ReadonlyArray<HeavyRequest> =>
  Array.from({ length: times }, (_, n) => {
    const { invoice = "", key = "" } = merchants[n % merchants.length] ?? {}
    return { ...of(invoice), asking: { url, key } }
  })

/** By what is asked. */
export const heavy: ReadonlyArray<readonly [what: string, of: (crowd: Crowd) => ReadonlyArray<HeavyRequest>]> = [
  ["60 exports of ledgers that nobody reads", (crowd) => by(crowd, 60, () => ({ line: "GET /v1/ledger/export", unread: true }))],
  ["20 exports of ledgers that are read at once", (crowd) => by(crowd, 20, () => ({ line: "GET /v1/ledger/export" }))],
  ["20 verifications of ledgers", (crowd) => by(crowd, 20, () => ({ line: "GET /v1/ledger/verify" }))],
  ["20 PDFs", (crowd) => by(crowd, 20, (invoice) => ({ line: `GET /v1/invoices/${invoice}/pdf` }))],
  [
    "20 figures of a whole ledger",
    (crowd) => by(crowd, 20, () => ({ line: `GET /v1/metrics?${new URLSearchParams({ from: day(0), to: day(300) }).toString()}` }))
  ],
  ["30 of the largest lists", (crowd) => by(crowd, 30, () => ({ line: "GET /v1/financial_events?per_page=100" }))],
  ["6 files of a provider", (crowd) => by(crowd, 6, () => ({ line: `POST ${reports}`, headers: ["Content-Type: text/csv"], body: file }))],
  [
    "20 uploads of 3 MiB",
    (crowd) =>
      by(crowd, 20, () => ({ line: "POST /v1/files?purpose=dispute_evidence", headers: ["Content-Type: image/png"], body: picture }))
  ]
]
