import { assert, layer } from "@effect/vitest"
import { services } from "@svc/testkit/services"
import { Duration, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { BillingCycleRepository } from "../billing-cycles/repository.ts"
import { SubscriptionRepository } from "../subscriptions/repository.ts"
import { after, invoicesOf, keyed, openAccount, sell, subscribe, told } from "../subscriptions/service/fixture.ts"
import { copied, leavesOf, readPdf } from "./pdf/read-fixture.ts"
import { viewOf } from "./pdf/view.ts"
import { letterOf } from "./provider/letter.ts"
import { Invoices } from "./service/invoices.ts"

/** An account whose subscription could not be charged for its second month: its invoice is open. */
const owing = Effect.gen(function*() {
  const account = yield* openAccount()
  const plan = yield* sell(account)
  const subscription = yield* subscribe(account, plan)
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE subscriptions SET payment_method_id = 'tok_insufficient_funds'
  WHERE account_id = ${account.id} AND id = ${subscription.id}`
  yield* after(account, "31 days")
  const [, open] = yield* invoicesOf(account, subscription.id)
  return { account, subscription, open: open ?? (yield* Effect.die("there is a second invoice")) }
})

layer(services)("invoices", (it) => {
  it.effect("lines sum to the total, and the numbers of many renewals at once have no gap", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const plan = yield* sell(account)
      yield* Effect.all(Array.from({ length: 12 }, () => subscribe(account, plan)), { concurrency: "unbounded" })
      yield* after(account, "62 days")
      const { data } = yield* (yield* Invoices).list(account.id, {}, { page: 1, per_page: 100 })
      assert.strictEqual(data.length, 36)
      for (const { lines, total } of data) assert.strictEqual(lines.reduce((sum, { amount }) => sum + amount, 0), total)
      assert.deepStrictEqual(
        data.map(({ number }) => Number(number?.split("-")[1])).sort((a, b) => a - b),
        Array.from({ length: 36 }, (_, n) => n + 1)
      )
    }), 180_000)

  it.effect("one is sent with its PDF, to the address that is said; without any it is refused", () =>
    Effect.gen(function*() {
      const { account, open } = yield* owing
      const invoices = yield* Invoices
      const refused = yield* Effect.flip(invoices.send(account.id, open.id, {}))
      assert.deepInclude({ ...refused }, { _tag: "ValidationError", code: "to" })
      const sent = yield* invoices.send(account.id, open.id, { to: "jo@example.com" })
      assert.isNotNull(sent.sent_at)
      assert.strictEqual((yield* told(account)).at(-1), "invoice.sent")
    }))

  it.effect("voided, its cycle is not charged any more, and the subscription runs on", () =>
    Effect.gen(function*() {
      const { account, open, subscription } = yield* owing
      const done = yield* (yield* Invoices).voidOne(account.id, open.id)
      assert.deepInclude({ ...done }, { status: "void", amount_due: 0 })
      const cycle = yield* (yield* BillingCycleRepository).find(account.id, open.billing_cycle_id ?? "")
      const after = yield* (yield* SubscriptionRepository).find(account.id, subscription.id)
      assert.deepStrictEqual([cycle?.status, after?.status], ["voided", "active"])
      assert.strictEqual((yield* Effect.flip((yield* Invoices).voidOne(account.id, open.id)))._tag, "InvalidState")
    }))

  it.effect("paid by a request with another method; a decline says why", () =>
    Effect.gen(function*() {
      const { account, open } = yield* owing
      const invoices = yield* Invoices
      const declined = yield* Effect.flip(invoices.pay(account, open.id, {}))
      assert.strictEqual(declined._tag, "CardDeclined")
      const paid = yield* invoices.pay(account, open.id, { payment_method_id: "tok_visa" })
      assert.deepInclude({ ...paid }, { status: "paid", amount_due: 0, amount_paid: 2_000 })
      assert.strictEqual((yield* Effect.flip(invoices.pay(account, open.id, {})))._tag, "InvalidState")
      const second = (invoice: typeof paid) =>
        letterOf(
          invoice,
          viewOf(invoice, { name: "Acme", color: null }, { name: null, email: null, locale: "en", time_zone: "UTC" }),
          "jo@example.com",
          new Uint8Array()
        ).text?.split("\n\n")[1]
      assert.deepStrictEqual(
        [second(open), second(paid)],
        ["Amount due: $20.00", "Paid: $20.00"],
        "an email begins with what is asked for, or with what was paid"
      )
    }))

  it.effect("paid under a key: a decline is answered again and not tried again, and of many at once one charges", () =>
    Effect.gen(function*() {
      const { account, open } = yield* owing
      const invoices = yield* Invoices
      const tries = Effect.map(
        (yield* BillingCycleRepository).find(account.id, open.billing_cycle_id ?? ""),
        (cycle) => cycle?.attempts.length
      )
      const before = yield* tries
      const declining = { account, id: open.id, keyed: keyed("invoice.pay"), payload: {} }
      const declined = yield* invoices.payKeyed(declining)
      assert.deepStrictEqual([declined.status, declined.replayed], [402, false])
      assert.include(declined.body, "\"error\":\"card_declined\"")
      assert.deepInclude(yield* invoices.payKeyed(declining), { status: 402, body: declined.body, replayed: true })
      assert.strictEqual(yield* tries, Number(before) + 1, "one try for one key")
      const paying = { ...declining, keyed: keyed("invoice.pay"), payload: { payment_method_id: "tok_visa" } }
      const all = yield* Effect.all(Array.from({ length: 4 }, () => Effect.result(invoices.payKeyed(paying))), { concurrency: "unbounded" })
      assert.strictEqual(all.filter((one) => one._tag === "Success" && !one.success.replayed).length, 1)
      const again = yield* invoices.payKeyed(paying)
      assert.deepInclude(again, { status: 200, replayed: true })
      assert.include(again.body, "\"status\":\"paid\"")
      assert.strictEqual(yield* tries, Number(before) + 2)
      assert.strictEqual((yield* told(account)).filter((type) => type === "invoice.paid").length, 2, "of both cycles")
    }))

  it.effect("the PDF is the same for the same invoice, and the page is found by its token alone", () =>
    Effect.gen(function*() {
      const { account, open } = yield* owing
      const invoices = yield* Invoices
      const [one, two] = [yield* invoices.pdf(account.id, open.id), yield* invoices.pdf(account.id, open.id)]
      assert.deepStrictEqual(Buffer.compare(one.bytes, two.bytes), 0)
      assert.strictEqual(Buffer.from(one.bytes.subarray(0, 5)).toString(), "%PDF-")
      assert.strictEqual((yield* invoices.hosted(open.hosted_token)).invoice.id, open.id)
      assert.strictEqual((yield* Effect.flip(invoices.hosted("0".repeat(32))))._tag, "NotFound")
      assert.strictEqual((yield* Effect.flip(invoices.update(account.id, open.id, { memo: "x" })))._tag, "InvalidState")
      assert.strictEqual((yield* Effect.flip(invoices.remove(account.id, open.id)))._tag, "InvalidState")
    }))

  it.effect("of a live account a renewal's invoice is a draft for an hour: edited, and finalized by a request", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const { id } = yield* subscribe(account, yield* sell(account))
      const sql = yield* SqlClient.SqlClient
      // The rails of tests take cards of sandboxes only: it is live from its second month on.
      yield* sql`UPDATE accounts SET sandbox = false WHERE id = ${account.id}`
      yield* after(account, Duration.minutes(31 * 24 * 60 + 30))
      const draft = (yield* invoicesOf(account, id)).find(({ status }) => status === "draft") ?? (yield* Effect.die("there is a draft"))
      const invoices = yield* Invoices
      assert.deepInclude({ ...(yield* invoices.update(account.id, draft.id, { memo: "Thank you" }, draft.version)) }, {
        memo: "Thank you",
        number: null
      })
      assert.deepInclude({ ...(yield* invoices.finalize(account.id, draft.id)) }, {
        status: "open",
        memo: "Thank you",
        number: "ACME-000002"
      })
      assert.strictEqual((yield* Effect.flip(invoices.update(account.id, draft.id, { memo: "late" })))._tag, "InvalidState")
    }))

  it.effect("is dated in the zone of its subscription, which is the account's where no other was sent: page, email and PDF", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(Date.UTC(2026, 0, 31, 20))
      const account = yield* openAccount({ time_zone: "Asia/Tokyo" })
      const plan = yield* sell(account)
      const invoices = yield* Invoices
      for (
        const [request, day, end] of [
          [{}, "February 1, 2026", "March 1, 2026"],
          [{ time_zone: "America/New_York" }, "January 31, 2026", "February 28, 2026"]
        ] as const
      ) {
        const { id } = yield* subscribe(account, plan, request)
        const invoice = (yield* invoicesOf(account, id))[0] ?? (yield* Effect.die("there is an invoice"))
        const { view } = yield* invoices.hosted(invoice.hosted_token)
        assert.deepStrictEqual(view.facts.slice(1), [
          ["Issued", day],
          ["Due", day],
          ["Period", `${day} – ${end}`],
          ["Paid on", day]
        ])
        const email = letterOf(invoice, view, "jo@example.com", new Uint8Array())
        assert.include(email.text, `Issued: ${day}`)
        const { root } = readPdf((yield* invoices.pdf(account.id, invoice.id)).bytes)
        const read = leavesOf(root).map((leaf) => leaf.actual ?? copied(leaf)).join(" ")
        assert.include(read, `Issued ${day}`)
        assert.include(read, `Paid on ${day}`)
      }
    }))
})
