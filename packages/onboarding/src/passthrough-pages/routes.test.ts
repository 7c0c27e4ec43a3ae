import { assert, layer } from "@effect/vitest"
import type { Role } from "@svc/accounts/access/model"
import { runDue } from "@svc/kernel/timers/timers"
import { now, realNow } from "@svc/kernel/values/time"
import { layerOfPeople, People } from "@svc/testkit/contract/people"
import { jsonOf, type Merchant, must, openMerchant, restrictedKey, send, ServerLog, Service } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"

const IBAN = "DE89370400440532013000"
const HOSTILE = "<script>alert(1)</script>\"'&"

const due = Effect.flatMap(now, (at) => runDue(at))

const open = Effect.fnUntraced(function*(flow_kind: string, merchant?: Merchant) {
  const owner = merchant ?? (yield* openMerchant(`Acme ${HOSTILE}`))
  const { id, path } = yield* must("POST", "/v1/passthrough_sessions", { key: owner.key, body: { flow_kind } })
  return { merchant: owner, id: String(id), path: String(path) }
})

type Form = Readonly<Record<string, string>>

const visit = (method: "GET" | "POST", target: string, form?: Form, headers: ReadonlyArray<readonly [string, string]> = []) =>
  Effect.flatMap(Service, (wire) =>
    Effect.orDie(wire.send({
      method,
      target,
      headers: [...headers, ...(form === undefined ? [] : [["Content-Type", "application/x-www-form-urlencoded"] as const])],
      ...(form === undefined ? {} : { body: Buffer.from(new URLSearchParams(form).toString()) })
    })))

const hiddenIn = (text: string, name: string): string => new RegExp(`name="${name}" value="([^"]*)"`, "u").exec(text)?.[1] ?? ""

/** Fills in the form of the page, with what the page hides in it. */
const fill = Effect.fnUntraced(function*(path: string, fields: Form) {
  const { text } = yield* visit("GET", path)
  return { form: hiddenIn(text, "form"), entity: hiddenIn(text, "entity"), version: hiddenIn(text, "version"), ...fields }
})

const bank = { holder_name: "Nordlicht Keramik GmbH", country: "DE", currency: "EUR", number: IBAN, routing_number: "" }
const business = { type: "organization", legal_name: "Nordlicht Keramik GmbH", country: "DE", registration_number: "HRB 12345" }

const session = ({ key }: Merchant, id: string) => must("GET", `/v1/passthrough_sessions/${id}`, { key })
const rowsOf = ({ key }: Merchant, resource: string) =>
  Effect.map(must("GET", `/v1/${resource}`, { key }), ({ data }) => Array.isArray(data) ? data : [])

layer(layerOfPeople, { excludeTestServices: true, timeout: 120_000 })("the passthrough pages", (it) => {
  it.effect("take a bank account once, sent twice at once and again later, and show its end alone", () =>
    Effect.gen(function*() {
      const { id, merchant, path } = yield* open("payout_bank")
      const page = yield* visit("GET", path)
      assert.strictEqual(page.status, 200, page.text)
      assert.deepInclude(page.headers, { "cache-control": "no-store", "referrer-policy": "no-referrer" })
      assert.match(page.headers["content-security-policy"] ?? "", /^default-src 'none'; style-src 'sha256-/u)
      assert.notInclude(page.text, "<script>")
      const arabic = yield* visit("GET", path, undefined, [["Accept-Language", "ar-EG"]])
      for (const text of ["lang=\"ar-EG\" dir=\"rtl\"", "الحساب المصرفي للتحويلات", "ألمانيا"]) assert.include(arabic.text, text)
      const form = yield* fill(path, bank)
      const answers = yield* Effect.all([visit("POST", path, form), visit("POST", path, form)], { concurrency: "unbounded" })
      for (const answer of [...answers, yield* visit("POST", path, { ...form, number: "FR1420041010050500013M02606" })]) {
        assert.deepStrictEqual([answer.status, answer.headers["location"]], [303, path.slice("/pass/".length)])
      }
      const [instrument, ...others] = yield* rowsOf(merchant, "transfer_instruments")
      assert.deepStrictEqual(others, [])
      assert.deepInclude(instrument, { last4: "3000", currency: "EUR", status: "pending" })
      assert.deepInclude(yield* session(merchant, id), { status: "completed", result_id: instrument["id"], path: null })
      const done = yield* visit("GET", path)
      assert.strictEqual(done.status, 200)
      assert.include(done.text, "Bank account saved")
      assert.include(done.text, "3000")
      assert.notInclude(done.text, IBAN)
    }))

  it.effect("say beside each field what is wrong with it, repeat hostile text as text, and never a number", () =>
    Effect.gen(function*() {
      const { merchant, path } = yield* open("payout_bank")
      const wrong = { ...bank, holder_name: HOSTILE, country: "XX", currency: "", number: "DE00370400440532013000" }
      const answer = yield* visit("POST", path, yield* fill(path, wrong))
      assert.strictEqual(answer.status, 400)
      for (const text of ["Choose the country of the bank", "Choose the currency", "aria-invalid=\"true\"", "&lt;script&gt;"]) {
        assert.include(answer.text, text)
      }
      assert.notInclude(answer.text, "<script>")
      assert.notInclude(answer.text, wrong.number)
      const cases: ReadonlyArray<readonly [object, string]> = [
        [{ number: "DE00370400440532013000" }, "Enter the IBAN or the account number"],
        [{ country: "FR" }, "belongs to another country"],
        [{ number: "000123456789", country: "US", currency: "USD" }, "needs the code of its bank"],
        [{ number: "4242 4242 4242 4242" }, "looks like a card number"],
        [{ routing_number: "1" }, "Enter 6 to 12 letters"]
      ]
      for (const [change, text] of cases) {
        const refused = yield* visit("POST", path, yield* fill(path, { ...bank, ...change }))
        assert.strictEqual(refused.status, 400, text)
        assert.include(refused.text, text)
      }
      assert.deepStrictEqual(yield* rowsOf(merchant, "transfer_instruments"), [])
    }))

  it.effect("make a legal entity and have it reviewed; what a review asks for is given on another page", () =>
    Effect.gen(function*() {
      const { id, merchant, path } = yield* open("business_verify")
      const filled = yield* send("POST", `/v1/passthrough_sessions/${id}/prefill`, {
        key: merchant.key,
        body: { fields: { city: "Hamburg" }, idempotency_key: randomUUID() }
      })
      assert.strictEqual(filled.status, 200, filled.text)
      assert.include((yield* visit("GET", path)).text, "value=\"Hamburg\"")
      const half = yield* visit("POST", path, yield* fill(path, { ...business, legal_name: "", city: "Hamburg" }))
      assert.strictEqual(half.status, 400)
      for (const text of ["Enter the name", "Enter the street"]) assert.include(half.text, text)
      const form = yield* fill(path, { ...business, legal_name: "DOCUMENT Keramik", line1: "Hafenstraße 1", city: "Hamburg" })
      for (const _ of [1, 2]) assert.strictEqual((yield* visit("POST", path, form)).status, 303)
      const [entity, ...others] = yield* rowsOf(merchant, "legal_entities")
      assert.deepStrictEqual(others, [])
      assert.deepInclude(entity, { legal_name: "DOCUMENT Keramik", address: { line1: "Hafenstraße 1", city: "Hamburg", country: "DE" } })
      assert.deepInclude(yield* session(merchant, id), { status: "completed", result_id: entity["id"] })
      const waiting = yield* visit("GET", path)
      for (const text of ["Under review", "<meta http-equiv=\"refresh\" content=\"3\">"]) assert.include(waiting.text, text)
      yield* due
      const reviewed = yield* visit("GET", path)
      assert.include(reviewed.text, "More is needed")
      assert.notInclude(reviewed.text, "http-equiv=\"refresh\"")

      const second = yield* open("business_verify", merchant)
      const asked = yield* visit("GET", second.path)
      assert.include(asked.text, "This is still needed")
      assert.notInclude(asked.text, "DOCUMENT Keramik")
      const change = yield* fill(second.path, { legal_name: "Nordlicht Keramik GmbH" })
      for (const _ of [1, 2]) assert.strictEqual((yield* visit("POST", second.path, change)).status, 303)
      yield* due
      assert.include((yield* visit("GET", second.path)).text, "Your business is verified")
      assert.deepInclude(yield* session(merchant, second.id), { status: "completed", result_id: entity["id"] })
      assert.strictEqual((yield* rowsOf(merchant, "legal_entities")).length, 1)
    }))

  it.effect("have pages of their own for what is expired or unknown, and take no form of another page", () =>
    Effect.gen(function*() {
      const { id, merchant, path } = yield* open("payout_bank")
      const form = yield* fill(path, bank)
      const foreign = yield* open("payout_bank")
      for (const sent of [{ ...form, form: "" }, { ...form, form: (yield* fill(foreign.path, {})).form }]) {
        const refused = yield* visit("POST", path, sent)
        assert.strictEqual(refused.status, 403)
        assert.include(refused.text, "This form is out of date")
      }
      assert.strictEqual((yield* visit("POST", path, form, [["Sec-Fetch-Site", "cross-site"]])).status, 403)
      for (const address of ["/pass/unknown", `/pass/${"0".repeat(32)}`, "/pass/%3Cscript%3E"]) {
        const unknown = yield* visit("GET", address)
        assert.strictEqual(unknown.status, 404)
        assert.include(unknown.text, "This page does not exist")
      }
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE passthrough_sessions SET expires_at = now() - interval '1 second' WHERE id = ${id}`
      for (const over of [yield* visit("GET", path), yield* visit("POST", path, form)]) {
        assert.strictEqual(over.status, 410)
        assert.include(over.text, "This page has expired")
      }
      assert.deepInclude(yield* session(merchant, id), { path: null })
      yield* sql`UPDATE timers SET due_at = now() - interval '1 second' WHERE resource_id = ${id}`
      yield* due
      assert.deepInclude(yield* session(merchant, id), { status: "expired", result_id: null })
      assert.strictEqual((yield* visit("GET", path)).status, 410)
      assert.deepStrictEqual(yield* rowsOf(merchant, "transfer_instruments"), [])
    }))

  it.effect("end with the power of whoever made the session: a revoked key, a lowered role, a person who was removed", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("Acme")
      const people = yield* People
      const sql = yield* SqlClient.SqlClient
      const openAs = Effect.fnUntraced(function*(role: Role) {
        const member = yield* people.join(merchant, role)
        const asked = { method: "POST", path: "/v1/passthrough_sessions", body: { flow_kind: "payout_bank" } } as const
        return { member, path: String((yield* people.ask(member, asked)).json["path"]) }
      })
      const [removed, lowered, stays] = [yield* openAs("owner"), yield* openAs("finance"), yield* openAs("finance")]
      const scopes = ["passthrough_sessions:write", "transfer_instruments:write"]
      const key = yield* restrictedKey(merchant, scopes)
      const byKey = yield* open("payout_bank", { ...merchant, key })
      const paths = [removed.path, lowered.path, byKey.path]
      const forms = yield* Effect.forEach(paths, (path) => fill(path, bank))
      yield* people.become(removed.member, undefined)
      yield* people.become(lowered.member, "support")
      yield* sql`UPDATE api_keys SET status = 'revoked', revoked_at = now() WHERE account_id = ${merchant.id} AND kind = 'restricted'`
      for (const [at, path] of paths.entries()) {
        for (const answer of [yield* visit("GET", path), yield* visit("POST", path, forms[at])]) {
          assert.strictEqual(answer.status, 404)
          assert.include(answer.text, "This page does not exist")
        }
      }
      assert.deepStrictEqual(yield* rowsOf(merchant, "transfer_instruments"), [])
      assert.strictEqual((yield* visit("POST", stays.path, yield* fill(stays.path, bank))).status, 303)
      assert.strictEqual((yield* rowsOf(merchant, "transfer_instruments")).length, 1)
    }))

  it.effect("end after an hour of the world where a sandbox's clock stands still", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("Acme")
      yield* must("POST", "/v1/test_clocks", { key: merchant.key, headers: { "Idempotency-Key": randomUUID() } })
      const sql = yield* SqlClient.SqlClient
      yield* sql`UPDATE account_clocks SET present = now() - interval '2 hours' WHERE account_id = ${merchant.id}`
      const { id, path } = yield* open("payout_bank", merchant)
      const form = yield* fill(path, bank)
      const left = Date.parse(String((yield* session(merchant, id))["expires_at"])) - (yield* realNow).epochMilliseconds
      assert.isTrue(left > 3_500_000 && left <= 3_600_000, String(left))
      yield* sql`UPDATE passthrough_sessions SET expires_at = now() - interval '1 second' WHERE id = ${id}`
      for (const over of [yield* visit("GET", path), yield* visit("POST", path, form)]) assert.strictEqual(over.status, 410)
      assert.deepInclude(yield* session(merchant, id), { path: null })
    }))

  it.effect("act in the name of whoever made the session, and leave nothing that was typed in logs, tables or the audit log", () =>
    Effect.gen(function*() {
      const { merchant, path } = yield* open("payout_bank")
      const number = "GB29NWBK60161331926819"
      assert.strictEqual((yield* visit("POST", path, yield* fill(path, { ...bank, country: "GB", currency: "GBP", number }))).status, 303)
      const [instrument] = yield* rowsOf(merchant, "transfer_instruments")
      const made = jsonOf(yield* send("GET", `/v1/audit_log?resource_id=${String(instrument["id"])}`, merchant))
      const [entry]: ReadonlyArray<unknown> = Array.isArray(made["data"]) ? made["data"] : []
      assert.deepInclude(entry, { action: "transfer_instrument.created", actor_type: "api_key", operation: "POST /pass/:secret" })
      const sql = yield* SqlClient.SqlClient
      const tables = yield* sql<{ readonly name: string }>`SELECT table_name AS name FROM information_schema.tables
        WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'`
      const logged = (yield* ServerLog).lines.join("\n")
      for (const text of [number, path.slice("/pass/".length)]) {
        const holding = yield* Effect.filter(
          tables,
          ({ name }) =>
            Effect.map(sql`SELECT 1 FROM ${sql(name)} AS r WHERE r::text LIKE ${`%${text}%`} LIMIT 1`, (rows) => rows.length > 0)
        )
        assert.deepStrictEqual(holding, [])
        assert.notInclude(logged, text)
      }
    }))
})
