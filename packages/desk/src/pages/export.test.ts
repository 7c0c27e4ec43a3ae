import { assert, describe, it } from "@effect/vitest"
import { defaultLocale } from "@svc/design/locale"
import { Result } from "effect"
import { fieldSchema } from "../api/endpoints.ts"
import { views } from "../views/all.ts"
import { viewNamed } from "./addresses.ts"
import { columnsOf, headOf, planOf, rowOf } from "./export.ts"

const payments = viewNamed("payments") ?? assert.fail("there are payments")

const plan = (query: string) => planOf({ pageLocale: defaultLocale }, payments, new URLSearchParams(query))
const planned = (query: string) => Result.getOrThrow(plan(query))

const payment = {
  id: "pi_1",
  amount: 1999,
  currency: "USD",
  captured_amount: 5,
  created_at: "2026-03-29T00:59:59.999Z",
  next_action: { type: "redirect", url: "https://pay.test/3ds" },
  conversion: null
}

describe("what a list is exported as", () => {
  it("has the id and the list's columns unless others are chosen, and a currency beside each amount", () => {
    assert.deepStrictEqual(planned("").columns.map(({ field }) => field), [
      "id",
      "amount",
      "state",
      "customer_id",
      "selected_rail",
      "decline_code",
      "created_at",
      "currency"
    ])
    assert.deepStrictEqual(planned("columns=captured_amount").columns.map(({ field }) => field), ["id", "captured_amount", "currency"])
    assert.deepStrictEqual(planned("columns=state,id&columns=country").columns.map(({ field }) => field), ["id", "state", "country"])
  })

  it.each([
    "format=xlsx",
    "columns=id,secrets",
    "columns=__proto__",
    "time_zone=Mars/Olympus",
    "stat=captured",
    "merchant_id=acct_1"
  ])("is refused for %s", (query) => {
    assert.isTrue(Result.isFailure(plan(query)))
  })

  it.each([
    ["Europe/Berlin", "2026-03-29T00:59:59.999Z", "2026-03-29T01:59:59.999+01:00"],
    ["Europe/Berlin", "2026-03-29T01:00:00.000Z", "2026-03-29T03:00:00.000+02:00"],
    ["Europe/Berlin", "2026-10-25T00:30:00.000Z", "2026-10-25T02:30:00.000+02:00"],
    ["Europe/Berlin", "2026-10-25T01:30:00.000Z", "2026-10-25T02:30:00.000+01:00"],
    ["America/New_York", "2026-03-08T06:59:59.000Z", "2026-03-08T01:59:59.000-05:00"],
    ["America/New_York", "2026-03-08T07:00:00.000Z", "2026-03-08T03:00:00.000-04:00"],
    ["Asia/Kathmandu", "2026-01-01T00:00:00.000Z", "2026-01-01T05:45:00.000+05:45"],
    ["UTC", "2026-01-01T00:00:00.000Z", "2026-01-01T00:00:00.000Z"]
  ])("has times of %s, %s as %s, in both formats", (zone, at, written) => {
    const query = `columns=created_at&time_zone=${encodeURIComponent(zone)}`
    const row = { ...payment, created_at: at }
    assert.strictEqual(rowOf(planned(query), row), `pi_1,${written}\r\n`)
    assert.strictEqual(rowOf(planned(`${query}&format=ndjson`), row), `{"id":"pi_1","created_at":"${written}"}\n`)
  })

  it("has amounts in major units beside their currency in CSV, and as the API has them in NDJSON", () => {
    const columns = "columns=amount,captured_amount,next_action.url,conversion.target_amount"
    assert.strictEqual(
      headOf(planned(columns)),
      "id,amount,captured_amount,next_action.url,conversion.target_amount,currency,conversion.target_currency\r\n"
    )
    assert.strictEqual(rowOf(planned(columns), payment), "pi_1,19.99,0.05,\"https://pay.test/3ds\",,USD,\r\n")
    const yen = { ...payment, currency: "JPY", amount: 1999, captured_amount: 0, next_action: null }
    assert.strictEqual(rowOf(planned(columns), yen), "pi_1,1999,0,,,JPY,\r\n")
    assert.deepStrictEqual(JSON.parse(rowOf(planned(`${columns}&format=ndjson`), payment)), {
      id: "pi_1",
      amount: 1999,
      captured_amount: 5,
      next_action: { url: "https://pay.test/3ds" },
      currency: "USD"
    })
  })

  it("keeps a negative amount a number", () => {
    const ledger = viewNamed("financial_events") ?? assert.fail("there is a ledger")
    const of = Result.getOrThrow(planOf({ pageLocale: defaultLocale }, ledger, new URLSearchParams("columns=delta_available")))
    assert.strictEqual(rowOf(of, { id: "fe_1", delta_available: -1250, currency: "USD" }), "fe_1,-12.50,USD\r\n")
  })

  it("knows the currency of each amount of each list", () => {
    const without = views.flatMap((view) =>
      columnsOf(view).filter(({ as, of }) => as === "money" && fieldSchema(view, of) === undefined).map(({ field }) =>
        `${view.name}.${field}`
      )
    )
    assert.deepStrictEqual(without, [])
  })
})
