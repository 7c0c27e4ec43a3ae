/** Files and mismatches as a merchant sends and sees them. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { jsonOf, layer as service, type Merchant, must, openMerchant, restrictedKey, send, Service } from "@svc/testkit/contract/service"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"

const HEADER = "type,provider_reference,amount,currency,occurred_at"
const REPORTS = "/v1/reconciliation/reports"

/** A captured payment of 19.99 dollars. */
const pay = Effect.fnUntraced(function*(key: string, metadata: Readonly<Record<string, string>> = {}, token = "tok_visa") {
  const post = (target: string, body: object) => must("POST", target, { key, body: { ...body, idempotency_key: randomUUID() } })
  const { id } = yield* post("/v1/payment_intents", { amount: 1999, currency: "USD", metadata })
  return yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: token, capture: true })
})

/** From yesterday to tomorrow. */
const around = (payment: Readonly<Record<string, unknown>>) => {
  const at = Date.parse(String(payment["updated_at"]))
  return { from: new Date(at - 86_400_000).toISOString(), to: new Date(at + 86_400_000).toISOString() }
}

const query = (payment: Readonly<Record<string, unknown>>, source = "card_a") =>
  new URLSearchParams({ source, ...around(payment) }).toString()

const upload = Effect.fnUntraced(function*(key: string, asked: string, body: string | Buffer, contentType = "text/csv") {
  const wire = yield* Service
  return yield* Effect.orDie(
    wire.send({
      method: "POST",
      target: `${REPORTS}?${asked}`,
      headers: [["Authorization", `Bearer ${key}`], ["Content-Type", contentType]],
      body: Buffer.from(body)
    })
  )
})

const lineOf = (payment: Readonly<Record<string, unknown>>, amount: number | string = 1999) =>
  `capture,${String(payment["provider_reference"])},${amount},USD,${String(payment["updated_at"])}`

const detail = (key: string, id: unknown, more = "") => must("GET", `${REPORTS}/${String(id)}${more}`, { key })

const rows = (value: unknown): ReadonlyArray<Readonly<Record<string, unknown>>> => Array.isArray(value) ? value : []

const laid = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => Effect.map(sql<{ readonly n: number }>`SELECT count(*) AS n FROM reconciliation_lines`, ([row]) => row?.n)
)

const reportsOf = (key: string) => Effect.map(must("GET", REPORTS, { key }), ({ total }) => total)

/** A mismatch of a payment whose provider has it twice. */
const duplicate = Effect.fnUntraced(function*(merchant: Merchant) {
  const payment = yield* pay(merchant.key, { "sim.statement": "twice" })
  const { id } = yield* must("POST", REPORTS, { key: merchant.key, body: { source: "card_a", ...around(payment) } })
  const [mismatch] = rows((yield* detail(merchant.key, id))["mismatches"])
  return String(mismatch?.["id"])
})

const resolve = (key: string, id: string, body: object) => send("POST", `/v1/reconciliation/mismatches/${id}/resolve`, { key, body })

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("a provider's file", (it) => {
  it.effect("with one error is a report with one mismatch, which is resolved; the next report has none", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("planted")
      const [right, wrong] = [yield* pay(key), yield* pay(key)]
      const file = [HEADER, lineOf(right), lineOf(wrong, 1990)].join("\r\n")
      const answer = yield* upload(key, query(right), file, "text/csv; charset=utf-8")
      assert.strictEqual(answer.status, 201, answer.text)
      const report = jsonOf(answer)
      assert.deepInclude(report, {
        source: "card_a",
        origin: "file",
        status: "completed",
        line_count: 2,
        counts: { matched: 1, mismatched: 1, unreconciled: 0 }
      })
      const [mismatch, ...others] = rows((yield* detail(key, report["id"]))["mismatches"])
      assert.strictEqual(others.length, 0)
      assert.deepInclude(mismatch, {
        type: "amount",
        line_type: "capture",
        provider_reference: wrong["provider_reference"],
        status: "open"
      })
      assert.deepInclude(mismatch?.["expected"], { amount: 1999, currency: "USD" })
      assert.deepInclude(mismatch?.["actual"], { amount: 1990, currency: "USD" })
      const event = yield* must("GET", `/v1/financial_events/${String(mismatch?.["financial_event_id"])}`, { key })
      assert.deepInclude(event, { event_type: "payment_captured", reconciliation_status: "mismatched" })
      const resolved = yield* resolve(key, String(mismatch?.["id"]), {
        resolution: "accept_external",
        note: "Nine cents were kept by the bank."
      })
      assert.strictEqual(resolved.status, 200, resolved.text)
      assert.deepInclude(jsonOf(resolved), { status: "resolved", resolution: "accept_external", note: "Nine cents were kept by the bank." })
      const correction = rows((yield* must("GET", `/v1/financial_events?resource_id=${String(mismatch?.["id"])}`, { key }))["data"])
      assert.deepStrictEqual(
        correction.map(({ amount, delta_available, event_type, reconciliation_status, resource_type }) => ({
          amount,
          delta_available,
          event_type,
          reconciliation_status,
          resource_type
        })),
        [{
          amount: 9,
          delta_available: -9,
          event_type: "payment_refunded",
          reconciliation_status: "matched",
          resource_type: "reconciliation_mismatch"
        }]
      )
      assert.deepInclude(yield* must("GET", `/v1/financial_events/${String(mismatch?.["financial_event_id"])}`, { key }), {
        reconciliation_status: "matched"
      })
      assert.deepInclude(yield* must("GET", "/v1/ledger/verify", { key }), { ok: true })
      assert.deepInclude(jsonOf(yield* upload(key, query(right), file)), { counts: { matched: 2, mismatched: 0, unreconciled: 0 } })
    }))

  it.effect("with something that only the provider knows books it once, on whatever day a later file puts it", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("other day")
      const payment = yield* pay(key)
      const file = (moment: string) =>
        upload(key, query(payment), [HEADER, lineOf(payment), `capture,elsewhere,500,USD,${moment}`].join("\n"))
      const moment = String(payment["updated_at"])
      const [mismatch] = rows((yield* detail(key, jsonOf(yield* file(moment))["id"]))["mismatches"])
      assert.strictEqual(mismatch?.["type"], "missing_internal")
      yield* must("POST", `/v1/reconciliation/mismatches/${String(mismatch?.["id"])}/resolve`, {
        key,
        body: { resolution: "accept_external" }
      })
      assert.deepStrictEqual(jsonOf(yield* file(moment.slice(0, 10)))["counts"], { matched: 2, mismatched: 0, unreconciled: 0 })
    }))

  it.effect("may name its columns in any order and have more of them, in quotes, behind a byte order mark, with blank lines", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("spellings")
      const payment = yield* pay(key)
      const file = `\uFEFF"Currency",note,AMOUNT,type,provider_reference,"occurred_at"\n\nUSD,"a, ""b""",1999,capture,${
        String(payment["provider_reference"])
      },${String(payment["updated_at"]).slice(0, 10)}\n\n`
      assert.deepInclude(jsonOf(yield* upload(key, query(payment), file)), {
        line_count: 1,
        counts: { matched: 1, mismatched: 0, unreconciled: 0 }
      })
    }))

  const good = "capture,ref_1,100,USD,2026-01-01"
  it.effect.each(
    [
      ["an amount with a point", [good, "capture,ref_2,12.50,USD,2026-01-01"], "amount", 3, "12.50"],
      ["no amount", [good, good, "capture,ref_2,,USD,2026-01-01"], "amount", 4, "whole number"],
      ["an amount of nothing", ["capture,ref_2,0,USD,2026-01-01"], "amount", 2, "whole number"],
      ["an amount below nothing", ["refund,ref_2,-5,USD,2026-01-01"], "amount", 2, "which way"],
      ["a type that is unknown", ["payout,ref_2,100,USD,2026-01-01"], "type", 2, "payout"],
      ["a currency in small letters", ["capture,ref_2,100,usd,2026-01-01"], "currency", 2, "usd"],
      ["a day that no month has", ["capture,ref_2,100,USD,2026-02-30"], "occurred_at", 2, "2026-02-30"],
      ["a time without a zone", ["capture,ref_2,100,USD,2026-02-03T10:00:00"], "occurred_at", 2, "no moment"],
      ["a reference with spaces", ["capture,ref 2,100,USD,2026-01-01"], "provider_reference", 2, "no reference"],
      ["too few cells", ["capture,ref_2,100"], "currency", 2, "3 cells"],
      [
        "an amount with a point behind quoted line breaks",
        [`${good},"two\nlines"`, `${good},"three\r\n\rlines"`, "capture,ref_2,12.50,USD,2026-01-01"],
        "amount",
        7,
        "12.50"
      ],
      ["a quote that does not end", [good, "capture,\"ref_2,100,USD,2026-01-01"], "body", 3, "quoted"]
    ] as const
  )("with %s is refused whole, and the refusal names line and column", ([_what, lines, column, number, part]) =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("refused")
      const answer = yield* upload(key, "source=card_a&from=2026-01-01&to=2026-01-02", [HEADER, ...lines].join("\n"))
      const body = jsonOf(answer)
      assert.strictEqual(answer.status, 400, answer.text)
      assert.deepInclude(body, { error: "validation_error", code: column })
      assert.include(String(body["message"]), `line ${number}`)
      assert.include(String(body["message"]), part)
      assert.strictEqual(yield* reportsOf(key), 0)
      assert.strictEqual(yield* laid, 0)
    }))

  it.effect("with a card number in it is refused, and the number does not come back", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("cards")
      for (const line of ["capture,4242424242424242,100,USD,2026-01-01", "4242424242424242,a,100,USD,2026-01-01"]) {
        const answer = yield* upload(key, "source=card_a&from=2026-01-01&to=2026-01-02", [HEADER, line].join("\n"))
        assert.strictEqual(answer.status, 400)
        assert.notInclude(answer.text, "4242424242424242")
        assert.include(answer.text, "card number")
      }
    }))

  it.effect("that breaks off in its last of 5,000 lines leaves nothing behind", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("last")
      const lines = Array.from({ length: 5_000 }, (_, n) => `capture,ref_${n},100,USD,2026-01-01`)
      const answer = yield* upload(
        key,
        "source=card_a&from=2026-01-01&to=2026-01-02",
        [HEADER, ...lines, "capture,x,1,USD,soon"].join("\n")
      )
      assert.strictEqual(answer.status, 400)
      assert.include(answer.text, "line 5002, column occurred_at")
      assert.strictEqual(yield* reportsOf(key), 0)
      assert.strictEqual(yield* laid, 0)
    }))

  it.effect.each(
    [
      ["", "body"],
      ["type,amount\ncapture,100", "provider_reference"],
      [`${HEADER},amount\n`, "amount"]
    ] as const
  )("%j is refused for its header", ([file, code]) =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("headers")
      const answer = yield* upload(key, "source=card_a&from=2026-01-01&to=2026-01-02", file)
      assert.deepInclude(jsonOf(answer), { error: "validation_error", code }, answer.text)
    }))

  it.effect.each(
    [
      ["from=2026-01-01&to=2026-01-02", "source"],
      ["source=card_a&to=2026-01-02", "from"],
      ["source=card_a&from=2026-01-01", "to"],
      ["source=nobody&from=2026-01-01&to=2026-01-02", "source"],
      ["source=card_a&from=2026-01-02&to=2026-01-02", "to"],
      ["source=card_a&from=2024-01-02&to=2026-01-02", "to"],
      ["source=card_a&from=2026-01-01&to=2026-01-02&since=1", "since"]
    ] as const
  )("of %s is refused for %s", ([asked, code]) =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("queries")
      const answer = yield* upload(key, asked, HEADER)
      assert.strictEqual(answer.status, 400, answer.text)
      assert.deepInclude(jsonOf(answer), { error: "validation_error", code }, answer.text)
    }))

  it.effect("of a quarter of a megabyte is read; a JSON body of a size that no body has is still too large, and so is any file elsewhere", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("large")
      const lines = Array.from({ length: 5_000 }, (_, n) => `capture,reference_${n},${n + 1},USD,2026-01-01T12:00:00.000Z`)
      const answer = yield* upload(key, "source=card_a&from=2026-01-01&to=2026-01-02", [HEADER, ...lines].join("\n"))
      assert.strictEqual(answer.status, 201, answer.text)
      const report = jsonOf(answer)
      assert.deepInclude(report, { status: "completed", line_count: 5_000, counts: { matched: 0, mismatched: 5_000, unreconciled: 0 } })
      const first = yield* detail(key, report["id"], "?per_page=100")
      const second = yield* detail(key, report["id"], `?per_page=100&after=${String(rows(first["mismatches"]).at(-1)?.["id"])}`)
      assert.strictEqual(first["has_more"], true)
      assert.strictEqual(new Set([...rows(first["mismatches"]), ...rows(second["mismatches"])].map(({ id }) => id)).size, 200)
      const large = JSON.stringify({ source: "card_a", from: "2026-01-01", to: "2026-01-02", more: "a".repeat(1_000_000) })
      assert.strictEqual((yield* upload(key, "", large, "application/json")).status, 413)
      const wire = yield* Service
      const elsewhere = yield* Effect.orDie(
        wire.send({
          method: "POST",
          target: "/v1/payment_intents",
          headers: [["Authorization", `Bearer ${key}`], ["Content-Type", "text/csv"]],
          body: Buffer.alloc(1_000_000, "a")
        })
      )
      assert.include([413, 415], elsewhere.status)
    }))

  it.effect("is read with a key that may write, and shown to one that may read", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("scopes")
      const reading = yield* restrictedKey(merchant, ["reconciliation:read"])
      assert.strictEqual((yield* upload(reading, "source=card_a&from=2026-01-01&to=2026-01-02", HEADER)).status, 403)
      assert.strictEqual((yield* upload("sk_test_nobody", "source=card_a&from=2026-01-01&to=2026-01-02", HEADER)).status, 401)
      const { id } = jsonOf(yield* upload(merchant.key, "source=card_a&from=2026-01-01&to=2026-01-02", HEADER))
      assert.strictEqual((yield* send("GET", `${REPORTS}/${String(id)}`, { key: reading })).status, 200)
      const other = yield* openMerchant("other")
      assert.strictEqual((yield* send("GET", `${REPORTS}/${String(id)}`, { key: other.key })).status, 404)
    }))
})

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("a mismatch", (it) => {
  it.effect("is resolved once: the same again answers the same, another way is 409", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("once")
      const id = yield* duplicate(merchant)
      const idempotency_key = randomUUID()
      const first = yield* resolve(merchant.key, id, { resolution: "accept_internal", idempotency_key })
      const replayed = yield* resolve(merchant.key, id, { resolution: "accept_internal", idempotency_key })
      const again = yield* resolve(merchant.key, id, { resolution: "accept_internal" })
      assert.deepStrictEqual([first.status, replayed.status, again.status], [200, 200, 200])
      assert.deepStrictEqual([replayed.text, again.text], [first.text, first.text])
      assert.strictEqual(replayed.headers["idempotent-replayed"], "true")
      const other = yield* resolve(merchant.key, id, { resolution: "write_off" })
      assert.strictEqual(other.status, 409)
      assert.deepInclude(jsonOf(other), { error: "invalid_state" })
      assert.strictEqual((yield* resolve(merchant.key, id, { resolution: "write_off", idempotency_key })).status, 400)
      assert.strictEqual((yield* resolve((yield* openMerchant("stranger")).key, id, { resolution: "manual" })).status, 404)
    }))

  it.effect("of a live account does not move money to it on the word of its own file", () =>
    Effect.gen(function*() {
      const { key: live } = yield* Effect.orDie((yield* Accounts).create({ name: "Live", sandbox: false }))
      const key = Redacted.value(live.secret)
      const report = jsonOf(
        yield* upload(
          key,
          "source=card_a&from=2026-01-01&to=2026-01-02",
          [HEADER, "capture,made_up,500000,USD,2026-01-01", "refund,less,5,USD,2026-01-01"].join("\n")
        )
      )
      const found = rows((yield* detail(key, report["id"]))["mismatches"])
      const idOf = (type: string) => String(found.find(({ line_type }) => line_type === type)?.["id"])
      assert.strictEqual((yield* resolve(key, idOf("capture"), { resolution: "accept_external" })).status, 403)
      assert.strictEqual((yield* resolve(key, idOf("refund"), { resolution: "write_off" })).status, 403)
      assert.strictEqual((yield* resolve(key, idOf("capture"), { resolution: "accept_internal" })).status, 200)
      // What takes from its own balance is its own affair.
      assert.strictEqual((yield* resolve(key, idOf("refund"), { resolution: "accept_external" })).status, 200)
    }))

  it.effect("of a dispute is left to the dispute where the ledger has it", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("disputed")
      const payment = yield* pay(merchant.key)
      yield* must("POST", "/v1/disputes/simulate", {
        key: merchant.key,
        body: { payment_intent_id: payment["id"], idempotency_key: randomUUID() }
      })
      const report = jsonOf(yield* upload(merchant.key, query(payment), [HEADER, lineOf(payment)].join("\n")))
      const [mismatch] = rows((yield* detail(merchant.key, report["id"]))["mismatches"])
      assert.deepInclude(mismatch, { type: "missing_external", line_type: "dispute" })
      const refused = yield* resolve(merchant.key, String(mismatch?.["id"]), { resolution: "accept_external" })
      assert.deepStrictEqual([refused.status, jsonOf(refused)["code"]], [400, "resolution"])
      assert.strictEqual((yield* resolve(merchant.key, String(mismatch?.["id"]), { resolution: "manual" })).status, 200)
    }))
})
