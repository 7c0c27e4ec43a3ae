/** Lists of the desk as files: whole, with their filters, for the people who may read them; and what a spreadsheet makes of them. */
import { assert, layer } from "@effect/vitest"
import { roles } from "@svc/accounts/access/model"
import { scopesOf } from "@svc/accounts/access/roles"
import { Sessions } from "@svc/accounts/sessions/service"
import { endpointOf, keyOf } from "@svc/desk/api/endpoints"
import { columnsOf } from "@svc/desk/pages/export"
import { views } from "@svc/desk/views/all"
import type { View } from "@svc/kernel/resource/view"
import { catalog } from "@svc/server/catalog"
import { parse } from "csv-parse/sync"
import { Effect, Schedule } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { get, type IncomingMessage } from "node:http"
import { text } from "node:stream/consumers"
import { makeResources } from "../contract/resources.ts"
import { itemsOf, layer as service, must, openMerchant, operatorKey, send, ServerLog } from "../contract/service.ts"
import { openWithPayouts } from "./payouts.ts"
import { type SignedIn, signedIn } from "./people.ts"

type Row = Readonly<Record<string, unknown>>

const lists = views.filter(({ single }) => single !== true)

/** The page in the menu shows the one that there is. */
const withoutList: ReadonlySet<string> = new Set(["test_clocks"])

const exportOf = ({ cookie }: Pick<SignedIn, "cookie">, view: string, query = "") =>
  send("GET", `/desk/exports/${view}?${query}`, { headers: { cookie } })

const rowsOf = (csv: string): ReadonlyArray<Readonly<Record<string, string>>> => parse(csv, { columns: true })
const linesOf = (ndjson: string): ReadonlyArray<Row> => ndjson.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line))

const everyColumn = (view: View): string => columnsOf(view).map(({ field }) => `columns=${field}`).join("&")

/** Captured payments, a second apart: the first of the list was made last. */
const fill = Effect.fnUntraced(function*(account: string, from: number, count: number, filler = "") {
  const sql = yield* SqlClient.SqlClient
  yield* Effect.orDie(sql`INSERT INTO payment_intents (merchant_id, id, amount, currency, state, idempotency_key, metadata, customer_id,
      payment_method_id, country, provider_reference, selected_rail, authorized_amount, captured_amount, refunded_amount, disputed_amount,
      fee_amount, unsettled_amount, capture_on_authorize, risk_cleared, failure_reason, routing, attempts, refunds, created_at,
      updated_at, version)
    SELECT ${account}, 'pi_01' || lpad(n::text, 24, '0'), 100 + n, 'USD', 'captured', 'key-' || ${account}::text || n, '{}',
      'cus_' || n % 7, 'tok_visa', 'DE',
      'sim_' || ${account}::text || n, 'card_a', 100 + n, 100 + n, 0, 0, 30, 70 + n, false, false, NULLIF(${filler}::text, ''),
      '{"rules":[],"candidates":[]}', '[]', '[]', '2026-01-01'::timestamptz + n * interval '1 second', '2026-01-01', 3
    FROM generate_series(${from}::int, ${from + count - 1}::int) n`)
})

/** An export whose reader takes nothing until it is told to. */
const slowly = Effect.fnUntraced(function*({ cookie }: Pick<SignedIn, "cookie">, target: string) {
  const { address } = yield* HttpServer.HttpServer
  const url = `${HttpServer.formatAddress(address)}${target}`
  const [answer] = yield* Effect.promise(async (): Promise<ReadonlyArray<IncomingMessage>> =>
    await once(get(url, { headers: { cookie }, agent: false }), "response")
  )
  if (answer === undefined) return yield* Effect.die("there is an answer")
  yield* Effect.addFinalizer(() => Effect.sync(() => answer.destroy()))
  return answer
})

/** What came, and whether the transfer ended as one that is whole. */
const rest = (answer: IncomingMessage) => {
  let taken = ""
  answer.setEncoding("utf8").on("data", (piece: string) => {
    taken += piece
  })
  return Effect.map(Effect.promise(() => text(answer).then(() => true, () => false)), (isWhole) => ({ isWhole, taken }))
}

/** All rows of a list of the API, oldest pages last. */
const everyRow = Effect.fnUntraced(function*(path: string, key: string) {
  const rows: Array<Row> = []
  for (;;) {
    const after = rows.length === 0 ? "" : `&after=${String(rows.at(-1)?.["id"])}`
    const page = yield* must("GET", `${path}?per_page=100${after}`, { key })
    rows.push(...itemsOf(page).map((row): Row => typeof row === "object" ? { ...row } : {}))
    if (page["has_more"] !== true) return rows
  }
})

/** Minor units of a decimal text with two digits. */
const minorOf = (decimal: string | undefined): number => Number(decimal?.replace(".", ""))

const total = (numbers: ReadonlyArray<number>): number => numbers.reduce((sum, one) => sum + one, 0)

/** The months in which the rows were made, as filters. */
const monthsOf = (rows: ReadonlyArray<Row>): string => {
  const times = rows.map((row) => String(row["created_at"])).toSorted()
  const [from = "", last = ""] = [times.at(0)?.slice(0, 7), times.at(-1)?.slice(0, 7)]
  const [year = 0, month = 0] = last.split("-").map(Number)
  const next = month === 12 ? `${year + 1}-01` : `${year}-${String(month + 1).padStart(2, "0")}`
  return `created_at%5Bgte%5D=${from}-01&created_at%5Blt%5D=${next}-01`
}

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("an export", (it) => {
  it.effect("of each list is the list, in both formats, to the roles that may read it and to no other", () =>
    Effect.gen(function*() {
      const { merchant: { id, key } } = yield* makeResources("Seekiste")
      const [owner, operator, operators] = [yield* signedIn(id, "owner"), yield* signedIn(null, "owner"), yield* operatorKey]
      let compared = 0
      for (const view of lists) {
        const { path, realm, scope } = endpointOf(view, view.list)
        const person = realm === "account" ? owner : operator
        const listed = itemsOf(yield* must("GET", `${path}?per_page=100`, { key: realm === "account" ? key : operators }))
        const keys = listed.map((row) => String(typeof row === "object" && row !== null && Reflect.get(row, keyOf(view))))
        const csv = yield* exportOf(person, view.name, everyColumn(view))
        assert.deepStrictEqual([csv.status, csv.headers["content-type"]], [200, "text/csv; charset=utf-8"], view.name)
        assert.strictEqual(csv.headers["content-disposition"], `attachment; filename="${view.name}.csv"`)
        assert.deepStrictEqual(csv.text.split("\r\n")[0]?.split(","), columnsOf(view).map(({ field }) => field))
        assert.deepStrictEqual(rowsOf(csv.text).map((row) => row[keyOf(view)]), keys, view.name)
        const ndjson = yield* exportOf(person, view.name, `format=ndjson&${everyColumn(view)}`)
        assert.deepStrictEqual(linesOf(ndjson.text).map((row) => row[keyOf(view)]), keys, view.name)
        compared += keys.length
        if (!withoutList.has(view.name)) {
          assert.include(
            (yield* send("GET", `/desk/${view.name}`, { headers: { cookie: person.cookie } })).text,
            `action="/desk/exports/${view.name}"`
          )
        }
        if (realm === "account" && scope !== undefined) {
          const unable = roles.find((role) => !scopesOf(role, catalog.scopes).has(scope))
          if (unable !== undefined) assert.strictEqual((yield* exportOf(yield* signedIn(id, unable), view.name)).status, 403, view.name)
        }
      }
      assert.isAbove(compared, lists.length)
      assert.strictEqual(
        (yield* send("GET", "/desk/exports/payments")).headers["location"],
        "/desk/sign-in?to=%2Fdesk%2Fexports%2Fpayments"
      )
      assert.strictEqual((yield* exportOf(owner, "account")).status, 404)
    }), 180_000)

  it.effect("has the rows of its filters, and amounts and hostile texts as a spreadsheet may open them", () =>
    Effect.gen(function*() {
      const { id, key } = yield* openMerchant("Filters")
      const person = yield* signedIn(id, "finance")
      yield* fill(id, 1, 140)
      const all = rowsOf((yield* exportOf(person, "payments", "columns=amount&columns=captured_amount")).text)
      assert.strictEqual(all.length, 140)
      assert.deepStrictEqual(all[0], { id: `pi_01${"140".padStart(24, "0")}`, amount: "2.40", captured_amount: "2.40", currency: "USD" })
      assert.strictEqual(new Set(all.map((row) => row["id"])).size, 140)
      const some = rowsOf(
        (yield* exportOf(person, "payments", "customer_id=cus_3&currency=usd&amount%5Bgte%5D=1.50&format=csv&time_zone=UTC&state=")).text
      )
      assert.deepStrictEqual(new Set(some.map((row) => row["customer_id"])), new Set(["cus_3"]))
      assert.strictEqual(some.length, 13)
      const wrong = yield* exportOf(person, "payments", "stat=captured")
      assert.strictEqual(wrong.status, 400)
      assert.include(wrong.text, "no filter stat")
      assert.strictEqual((yield* exportOf(person, "payments", "state=none")).status, 400)
      assert.strictEqual((yield* exportOf(person, "payments", "amount%5Bgte%5D=150")).status, 400)
      const listed = (query: string) => send("GET", `/desk/payments?${query}`, { headers: { cookie: person.cookie } })
      for (
        const [query, says] of [
          ["amount%5Bgte%5D=1.50", "Choose a currency as well"],
          ["amount%5Bgte%5D=1.505&currency=USD", "Write an amount in USD, such as 12.50."]
        ] as const
      ) {
        const { status, text } = yield* listed(query)
        assert.strictEqual(status, 400, query)
        assert.include(text, says)
      }
      const { status, text } = yield* listed("amount%5Bgte%5D=2.40&currency=usd")
      assert.strictEqual(status, 200)
      assert.deepStrictEqual(text.match(/\$2\.\d\d/gu), ["$2.40"])

      const name = "=HYPERLINK(\"https://evil.test\",\"Ada\")"
      yield* must("POST", "/v1/customers", { key, body: { customer_id: "mallory", name, idempotency_key: "mallory" } })
      const customers = yield* exportOf(person, "customers", "columns=name&columns=customer_id")
      assert.deepStrictEqual(rowsOf(customers.text).map((row) => row["name"]), [`'${name}`])
      assert.strictEqual(linesOf((yield* exportOf(person, "customers", "format=ndjson&columns=name")).text)[0]?.["name"], name)
    }))

  it.effect("goes on behind its last row without a gap and without a row twice, while rows are added", () =>
    Effect.gen(function*() {
      const { id } = yield* openMerchant("Broken off")
      const person = yield* signedIn(id, "owner")
      yield* fill(id, 1, 120)
      const whole = (yield* exportOf(person, "payments", "state=captured")).text
      // In the middle of a line, as a connection breaks.
      const cut = whole.slice(0, Math.floor(whole.length / 3))
      const kept = cut.slice(0, cut.lastIndexOf("\r\n") + 2)
      yield* fill(id, 121, 60)
      const place = rowsOf(kept).at(-1)?.["id"] ?? ""
      const more = yield* exportOf(person, "payments", `state=captured&after=${place}`)
      assert.strictEqual(kept + more.text, whole)
      assert.strictEqual((yield* exportOf(person, "payments", "after=po_1")).status, 400)
    }))

  it.effect(
    "is cut off, and looks like no whole file, when its person is signed in no more; it takes a place until then",
    () =>
      Effect.gen(function*() {
        const { id } = yield* openMerchant("Removed")
        const person = yield* signedIn(id, "owner")
        // More than what the two ends of a connection hold.
        yield* fill(id, 1, 2_500, "x".repeat(4_000))
        const target = "/desk/exports/payments?columns=failure_reason"
        yield* Effect.scoped(Effect.gen(function*() {
          const [first, second] = [yield* slowly(person, target), yield* slowly(person, target)]
          assert.deepStrictEqual([first.statusCode, second.statusCode], [200, 200])
          assert.strictEqual((yield* exportOf(person, "payments")).status, 429)
          const sessions = yield* Sessions
          const session = (yield* sessions.find(person.secret)) ?? (yield* Effect.die("there is a session"))
          yield* sessions.signOut(session)
          // After a second at the latest the session is looked for again.
          yield* Effect.sleep("1100 millis")
          const { isWhole, taken } = yield* rest(first)
          assert.isFalse(isWhole)
          assert.isBelow(taken.split("\r\n").length, 2_500)
        }))
        const again = yield* signedIn(id, "owner")
        // The server notices a moment later that a client went away.
        const whole = yield* Effect.repeat(slowly(again, target), {
          until: ({ statusCode }) => statusCode !== 429,
          schedule: Schedule.spaced("50 millis")
        })
        const { isWhole, taken } = yield* rest(whole)
        assert.isTrue(isWhole)
        assert.strictEqual(rowsOf(taken).length, 2_500)
        assert.deepStrictEqual((yield* ServerLog).lines, [])
      }),
    120_000
  )

  it.effect("and the sums under its list are what the ledger of the month says", () =>
    Effect.gen(function*() {
      const { id, key } = yield* openWithPayouts(3)
      const person = yield* signedIn(id, "finance")
      const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
      for (const [amount, currency] of [[1_999, "USD"], [501, "EUR"], [700, "JPY"]] as const) {
        const intent = yield* post("/v1/payment_intents", { amount, currency, payment_method_id: "tok_visa", capture: true })
        yield* post(`/v1/payment_intents/${String(intent["id"])}/refund`, { amount: 10 })
      }
      const ledger = yield* everyRow("/v1/financial_events", key)
      const booked = (type: string, currency: string) =>
        total(ledger.filter((row) => row["event_type"] === type && row["currency"] === currency).map((row) => Number(row["amount"])))
      const month = monthsOf(ledger)
      const sumsOf = Effect.fnUntraced(function*(list: string, filter = month) {
        const sums = itemsOf(yield* must("GET", `/v1/${list}/sums?${filter}`, { key }))
        return (currency: string, field: string) =>
          total(sums.map((row) => Reflect.get(Object(row), "currency") === currency ? Number(Reflect.get(Object(row), field)) : 0))
      })
      const [payments, payouts, settled] = [
        yield* sumsOf("payment_intents"),
        yield* sumsOf("payouts"),
        yield* sumsOf("settlements", `${month}&status=completed`)
      ]
      const entries = yield* sumsOf("financial_events", "event_type=payment_captured")
      for (const currency of ["USD", "EUR", "JPY"]) {
        assert.isAbove(booked("payment_captured", currency), 0)
        assert.strictEqual(payments(currency, "captured_amount"), booked("payment_captured", currency), currency)
        assert.strictEqual(payments(currency, "refunded_amount"), booked("payment_refunded", currency), currency)
        assert.strictEqual(payments(currency, "fee_amount") + payouts(currency, "fee_amount"), booked("fee_charged", currency), currency)
        assert.strictEqual(payouts(currency, "amount"), booked("payout_initiated", currency), currency)
        assert.strictEqual(settled(currency, "amount"), booked("settlement_completed", currency), currency)
        assert.strictEqual(entries(currency, "amount"), booked("payment_captured", currency), currency)
      }
      // The file says the same, and so does the page.
      const rows = rowsOf((yield* exportOf(person, "payments", `${month}&columns=captured_amount`)).text)
      const dollars = rows.filter((row) => row["currency"] === "USD")
      assert.strictEqual(total(dollars.map((row) => minorOf(row["captured_amount"]))), booked("payment_captured", "USD"))
      const page = (query: string) =>
        Effect.map(send("GET", `/desk/payments?${month}${query}`, { headers: { cookie: person.cookie } }), ({ text }) => text)
      const shown = new Intl.NumberFormat("en", { style: "currency", currency: "USD" }).format(booked("payment_captured", "USD") / 100)
      assert.include(yield* page("&sums=all"), shown)
      assert.include(yield* page(""), "sums=all")
      assert.notInclude(yield* page(""), shown)
      // Of another account there is nothing to add up.
      const other = yield* openMerchant("Other")
      assert.deepStrictEqual(yield* must("GET", `/v1/payment_intents/sums?merchant_id=${id}`, { key: other.key }), { data: [] })
      assert.strictEqual((yield* send("GET", "/v1/payouts/sums?per_page=1", { key })).status, 400)
    }))
})
