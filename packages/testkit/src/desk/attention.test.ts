/** What needs a person: each kind appears when it happens and is gone when it is seen to, and those who can see to it are mailed once. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { assert, layer } from "@effect/vitest"
import type { Role } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { AttentionNotices } from "@svc/accounts/attention-notices/service"
import { AttentionSources } from "@svc/accounts/attention/repository"
import { People } from "@svc/accounts/people/service"
import { AttentionMails } from "@svc/desk/attention/service"
import { attentionKinds } from "@svc/desk/i18n/shapes/home"
import { runDue } from "@svc/kernel/timers/timers"
import { now } from "@svc/kernel/values/time"
import { listOutbox, outboxIn } from "@svc/platform/email/outbox"
import { mailServer } from "@svc/platform/email/receiver.fixture"
import { layerSmtp } from "@svc/platform/email/service"
import { DateTime, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { itemsOf, layerWith, type Merchant, must, openMerchant, restrictedKey, send } from "../contract/service.ts"
import { processWith } from "../process.ts"

const DATA_DIR = mkdtempSync(join(tmpdir(), "svc-attention-"))

const SENDER = { name: "svc", address: "svc@example.com" }

const GOOD = "DE89370400440532013000"
const REFUSES = "DE13370400440532010003"

const post = ({ key }: Merchant, path: string, body: object = {}) =>
  must("POST", path, { key, body: { idempotency_key: randomUUID(), ...body } })
const pass = (minutes: number) => Effect.flatMap(now, (at) => runDue(DateTime.add(at, { minutes })))

/** What is open: its kind and how many. */
const openOf = Effect.fnUntraced(function*(key: string) {
  const items = itemsOf(yield* must("GET", "/v1/attention", { key }))
  return items.map((item) => {
    const { count, kind } = Object(item)
    return `${kind} ${count}`
  })
})

/** A captured payment of 100.00 euros, settled. */
const pay = Effect.fnUntraced(function*(merchant: Merchant, metadata: Readonly<Record<string, string>> = {}) {
  const { id } = yield* post(merchant, "/v1/payment_intents", { amount: 10_000, currency: "EUR", metadata })
  return yield* post(merchant, `/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
})

const bank = Effect.fnUntraced(function*(merchant: Merchant, number: string) {
  const { id } = yield* post(merchant, "/v1/transfer_instruments", { type: "bank_account", currency: "EUR", holder_name: "Acme", number })
  yield* must("POST", `/v1/transfer_instruments/${String(id)}/verify`, { key: merchant.key, body: { method: "instant" } })
  yield* must("POST", `/v1/transfer_instruments/${String(id)}/activate`, { key: merchant.key })
  return String(id)
})

const open = Effect.fnUntraced(function*(name: string) {
  const merchant = yield* openMerchant(name)
  yield* must("PATCH", "/v1/account", { key: merchant.key, body: { settings: { settlement_delay_days: 0 } } })
  return merchant
})

const failPayout = Effect.fnUntraced(function*(merchant: Merchant) {
  yield* pay(merchant)
  yield* pass(0)
  const destination_id = yield* bank(merchant, REFUSES)
  yield* post(merchant, "/v1/payouts", { amount: 5_000, currency: "EUR", destination_id })
  yield* pass(3 * 1_440)
  // Its timer ran days ahead of the clock by which requests are answered.
  yield* (yield* SqlClient.SqlClient)`UPDATE payouts SET updated_at = created_at WHERE merchant_id = ${merchant.id}`
})

const failDeliveries = Effect.fnUntraced(function*(merchant: Merchant, payments: number) {
  const sql = yield* SqlClient.SqlClient
  yield* must("PUT", "/v1/webhook_endpoint", { key: merchant.key, body: { url: "https://example.com/" } })
  yield* Effect.forEach(Array.from({ length: payments }), () => pay(merchant))
  // As a worker leaves them.
  yield* sql`UPDATE webhook_deliveries SET status = 'failed', last_outcome = 'http_404', attempts = 1 WHERE account_id = ${merchant.id}`
})

/** Somebody of the account, with an address. */
const joined = Effect.fnUntraced(function*(merchant: Merchant, role: Role, email: string) {
  const people = yield* People
  const { secret } = yield* people.invite({ account_id: merchant.id, role, email })
  return yield* Effect.orDie(people.join(Redacted.value(secret), { name: role, email: null }))
})

/** Who has which mails, the newest first. */
const mails = (name: string) =>
  listOutbox(outboxIn(DATA_DIR)).pipe(
    Effect.provide(Layer.merge(NodeFileSystem.layer, NodePath.layer)),
    Effect.map((letters) =>
      letters.filter(({ text }) => text.includes(name)).map(({ headers, text }) => ({
        to: String(headers.get("to")),
        subject: String(headers.get("subject")),
        text
      }))
    )
  )

/** What a worker does in a round, about this account. */
const work = Effect.fnUntraced(function*({ id }: Merchant) {
  yield* (yield* AttentionNotices).notice(id)
  yield* (yield* AttentionMails).sendDue
})

/** The time between two mails passes. */
const later = ({ id }: Merchant) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) => sql`UPDATE attention_mails SET created_at = created_at - interval '1 hour' WHERE account_id = ${id}`
  )

layer(layerWith({ DATA_DIR }), { excludeTestServices: true, timeout: "60 seconds" })("what needs a person", (it) => {
  it.effect("has words for each kind", () =>
    Effect.gen(function*() {
      const sources = (yield* AttentionSources).all()
      assert.sameMembers(sources.map(({ kind }) => kind), Array.from(attentionKinds))
    }))

  it.effect("is an endpoint that fails, until its deliveries are replayed", () =>
    Effect.gen(function*() {
      const merchant = yield* open("endpoint")
      assert.deepStrictEqual(yield* openOf(merchant.key), [])
      yield* failDeliveries(merchant, 1)
      const [failing] = yield* openOf(merchant.key)
      assert.match(String(failing), /^webhook_endpoint_failing [1-9]/)
      yield* must("POST", "/v1/webhook_events/replay", { key: merchant.key, body: {} })
      assert.deepStrictEqual(yield* openOf(merchant.key), [])
    }))

  it.effect("is a payout that failed, until another one is made", () =>
    Effect.gen(function*() {
      const merchant = yield* open("payout")
      yield* failPayout(merchant)
      assert.deepStrictEqual(yield* openOf(merchant.key), ["payout_failed 1"])
      const destination_id = yield* bank(merchant, GOOD)
      yield* post(merchant, "/v1/payouts", { amount: 5_000, currency: "EUR", destination_id })
      assert.deepStrictEqual(yield* openOf(merchant.key), [])
    }))

  it.effect("is a dispute as soon as it opens, mailed once, until its evidence is submitted", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const merchant = yield* open("Disputed Ltd")
      yield* joined(merchant, "owner", "owner@disputed.example")
      const { id: payment_intent_id } = yield* pay(merchant)
      const { id } = yield* post(merchant, "/v1/disputes/simulate", { payment_intent_id })
      assert.deepStrictEqual(yield* openOf(merchant.key), ["dispute_due 1"])
      yield* work(merchant)
      yield* sql`UPDATE disputes SET evidence_due_by = now() + interval '6 days' WHERE merchant_id = ${merchant.id}`
      assert.deepStrictEqual(yield* openOf(merchant.key), ["dispute_due 1"])
      yield* later(merchant)
      yield* work(merchant)
      assert.strictEqual((yield* mails("Disputed Ltd")).length, 1)
      yield* post(merchant, `/v1/disputes/${String(id)}/submit`, { other: "It was delivered." })
      assert.deepStrictEqual(yield* openOf(merchant.key), [])
    }))

  it.effect("is an approval that waits, until somebody decides", () =>
    Effect.gen(function*() {
      const merchant = yield* open("approval")
      yield* must("PATCH", "/v1/account", {
        key: merchant.key,
        body: { settings: { require_approval_above: 5_000 } }
      })
      yield* pay(merchant)
      assert.deepStrictEqual(yield* openOf(merchant.key), ["approval_waiting 1"])
      const [approval] = itemsOf(yield* must("GET", "/v1/approvals", { key: merchant.key }))
      yield* post(merchant, `/v1/approvals/${String(Object(approval).id)}/reject`)
      assert.deepStrictEqual(yield* openOf(merchant.key), [])
    }))

  it.effect("is a mismatch of a statement, until it is resolved", () =>
    Effect.gen(function*() {
      const merchant = yield* open("mismatch")
      const payment = yield* pay(merchant, { "sim.statement": "twice" })
      const at = Date.parse(String(payment["updated_at"]))
      const period = { from: new Date(at - 86_400_000).toISOString(), to: new Date(at + 86_400_000).toISOString() }
      const { id } = yield* must("POST", "/v1/reconciliation/reports", { key: merchant.key, body: { source: "card_a", ...period } })
      assert.deepStrictEqual(yield* openOf(merchant.key), ["reconciliation_mismatch 1"])
      const { mismatches } = yield* must("GET", `/v1/reconciliation/reports/${String(id)}`, { key: merchant.key })
      const [mismatch] = Array.isArray(mismatches) ? mismatches : []
      const resolve = `/v1/reconciliation/mismatches/${String(Object(mismatch).id)}/resolve`
      yield* must("POST", resolve, { key: merchant.key, body: { resolution: "accept_internal", note: "The provider has it twice." } })
      assert.deepStrictEqual(yield* openOf(merchant.key), [])
    }))

  it.effect("is a ledger that did not verify, until it does", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const merchant = yield* open("ledger")
      yield* pay(merchant)
      const verify = must("GET", "/v1/ledger/verify", { key: merchant.key })
      yield* verify
      assert.deepStrictEqual(yield* openOf(merchant.key), [])
      yield* sql`UPDATE balance_accounts SET pending = pending + 1 WHERE account_id = ${merchant.id}`
      yield* verify
      assert.deepStrictEqual(yield* openOf(merchant.key), ["ledger_broken 1"])
      yield* sql`UPDATE balance_accounts SET pending = pending - 1 WHERE account_id = ${merchant.id}`
      yield* verify
      assert.deepStrictEqual(yield* openOf(merchant.key), [])
    }))

  it.effect("is shown to keys that may read what it is about", () =>
    Effect.gen(function*() {
      const [merchant, other] = [yield* open("scopes"), yield* open("other")]
      yield* failPayout(merchant)
      yield* failDeliveries(merchant, 1)
      const kindsFor = (scopes: ReadonlyArray<`${string}:read`>) =>
        Effect.map(Effect.flatMap(restrictedKey(merchant, scopes), openOf), (open) => open.map((line) => line.split(" ")[0]))
      assert.deepStrictEqual(yield* kindsFor(["attention:read"]), [])
      assert.deepStrictEqual(yield* kindsFor(["attention:read", "payouts:read"]), ["payout_failed"])
      assert.deepStrictEqual(yield* kindsFor(["attention:read", "webhooks:read"]), ["webhook_endpoint_failing"])
      assert.strictEqual((yield* send("GET", "/v1/attention", { key: yield* restrictedKey(merchant, ["payouts:read"]) })).status, 403)
      assert.deepStrictEqual(yield* openOf(other.key), [])
    }))

  it.effect("is mailed once to each who can see to it, however many workers there are", () =>
    Effect.gen(function*() {
      const merchant = yield* open("Once and Sons")
      yield* joined(merchant, "finance", "fin@once.example")
      yield* joined(merchant, "developer", "dev@once.example")
      yield* joined(merchant, "viewer", "view@once.example")
      yield* failPayout(merchant)
      yield* failDeliveries(merchant, 3)
      const elsewhere = processWith({ environment: { DATA_DIR } })
      const workers = [work(merchant), work(merchant), Effect.provide(work(merchant), elsewhere), Effect.provide(work(merchant), elsewhere)]
      yield* Effect.all(workers, { concurrency: "unbounded" })
      yield* work(merchant)
      const sent = yield* mails("Once and Sons")
      assert.deepStrictEqual(sent.map(({ to }) => to).toSorted(), ["dev@once.example", "fin@once.example"])
      const [of = "", to = ""] = ["fin@once.example", "dev@once.example"].map((address) => sent.find((mail) => mail.to === address)?.text)
      assert.include(of, "A payout failed")
      assert.include(of, "http://svc.test/desk/payouts/po_")
      assert.notInclude(of, "endpoint")
      // Many deliveries are one line.
      assert.strictEqual(to.split("The webhook endpoint").length, 2)
      assert.notInclude(to, "payout")
    }))

  it.effect("is mailed anew when it comes back, and what comes soon after waits for the next mail", () =>
    Effect.gen(function*() {
      const merchant = yield* open("Again Ltd")
      yield* joined(merchant, "owner", "owner@again.example")
      yield* failDeliveries(merchant, 1)
      yield* work(merchant)
      yield* failPayout(merchant)
      yield* work(merchant)
      assert.strictEqual((yield* mails("Again Ltd")).length, 1)
      yield* later(merchant)
      yield* work(merchant)
      yield* work(merchant)
      const [second, ...first] = yield* mails("Again Ltd")
      assert.strictEqual(first.length, 1)
      assert.include(second?.text ?? "", "A payout failed")
      assert.notInclude(second?.text ?? "", "endpoint")
      yield* must("POST", "/v1/webhook_events/replay", { key: merchant.key, body: {} })
      yield* later(merchant)
      yield* work(merchant)
      assert.strictEqual((yield* mails("Again Ltd")).length, 2)
      yield* failDeliveries(merchant, 0)
      yield* later(merchant)
      yield* work(merchant)
      assert.strictEqual((yield* mails("Again Ltd")).length, 3)
    }))

  it.effect("is mailed once somebody is there who can see to it", () =>
    Effect.gen(function*() {
      const merchant = yield* open("Late GmbH")
      yield* joined(merchant, "viewer", "view@late.example")
      yield* failPayout(merchant)
      yield* work(merchant)
      assert.deepStrictEqual(yield* mails("Late GmbH"), [])
      yield* joined(merchant, "finance", "fin@late.example")
      yield* work(merchant)
      assert.deepStrictEqual((yield* mails("Late GmbH")).map(({ to }) => to), ["fin@late.example"])
    }))

  it.effect("is mailed later where the mail server does not take it, and after five times no more", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const [taking, busy] = [yield* mailServer(), yield* mailServer({ "MAIL FROM": "451 4.3.2 busy" })]
      const sendBy = (url: string) =>
        Effect.provide(
          Effect.flatMap(AttentionMails, ({ sendDue }) => sendDue),
          Layer.fresh(AttentionMails.layer).pipe(Layer.provide(layerSmtp({ url: Redacted.make(url), from: SENDER }, outboxIn(DATA_DIR))))
        )
      const live = Effect.fnUntraced(function*(name: string) {
        const { account, key } = yield* Effect.orDie((yield* Accounts).create({ name, sandbox: false }))
        const merchant = { id: account.id, key: Redacted.value(key.secret) }
        yield* joined(merchant, "finance", `${account.id.toLowerCase()}@live.example`)
        yield* sql`INSERT INTO ledger_breaks VALUES (${account.id}, 1, 'gap', now())`
        yield* (yield* AttentionNotices).notice(account.id)
        return merchant
      })
      const mailOf = ({ id }: Merchant) =>
        Effect.map(
          sql<{ readonly status: string; readonly attempts: number; readonly wait: number }>`SELECT status, attempts::int,
            extract(epoch FROM due_at - now())::float AS wait FROM attention_mails WHERE account_id = ${id}`,
          ([row]) => row
        )
      const hasten = ({ id }: Merchant) => sql`UPDATE attention_mails SET due_at = now() - interval '1 minute' WHERE account_id = ${id}`

      const late = yield* live("Late Mail")
      yield* sendBy(busy.url)
      const waiting = yield* mailOf(late)
      assert.deepInclude(waiting, { status: "pending", attempts: 1 })
      assert.isAbove(waiting?.wait ?? 0, 30)
      assert.isBelow(waiting?.wait ?? 0, 90)
      yield* sendBy(taking.url)
      assert.strictEqual(taking.taken.length, 0)
      yield* hasten(late)
      yield* Effect.all([sendBy(taking.url), sendBy(taking.url)], { concurrency: "unbounded" })
      assert.deepStrictEqual(taking.taken.map(({ to }) => to), [[`${late.id.toLowerCase()}@live.example`]])
      assert.deepInclude(yield* mailOf(late), { status: "sent", attempts: 2 })

      const never = yield* live("Never Mail")
      for (let n = 0; n < 7; n++) {
        yield* hasten(never)
        yield* sendBy(busy.url)
      }
      assert.deepInclude(yield* mailOf(never), { status: "failed", attempts: 5 })
    }))

  it.effect("is never mailed again where a process died while it sent", () =>
    Effect.gen(function*() {
      const merchant = yield* open("Crash AG")
      yield* joined(merchant, "finance", "fin@crash.example")
      yield* failPayout(merchant)
      const { notice, take } = yield* AttentionNotices
      yield* notice(AccountId.make(merchant.id))
      // The process that took the mail is gone.
      assert.strictEqual((yield* take)?.email, "fin@crash.example")
      yield* work(merchant)
      yield* later(merchant)
      yield* work(merchant)
      assert.deepStrictEqual(yield* mails("Crash AG"), [])
    }))
})
