/** The way of an account to live: terms, the steps of the work run, the request, and the live account that its approval opens. */
import { assert, layer } from "@effect/vitest"
import { roles } from "@svc/accounts/access/model"
import { runDue } from "@svc/kernel/timers/timers"
import { now } from "@svc/kernel/values/time"
import { TERMS_VERSION } from "@svc/onboarding/terms/model"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { signedIn } from "../desk/people.ts"
import { layerOfPeople, People } from "./people.ts"
import { itemsOf, jsonOf, type Merchant, must, openMerchant, operatorKey, send } from "./service.ts"

type Row = Readonly<Record<string, unknown>>

const post = ({ key }: Pick<Merchant, "key">, path: string, body: object = {}) =>
  send("POST", path, { key, body: { idempotency_key: randomUUID(), ...body } })

const make = ({ key }: Merchant, path: string, body?: object) => must("POST", path, { key, ...body === undefined ? {} : { body } })

const runOf = ({ key }: Pick<Merchant, "key">) => must("GET", "/v1/work_run", { key })

/** The states of the steps, such as `done open waiting`. */
const states = (run: Row) => (Array.isArray(run["steps"]) ? run["steps"] : []).map((step) => Object(step)["state"]).join(" ")

/** What falls due within an hour. */
const later = Effect.flatMap(now, (at) => runDue(DateTime.add(at, { hours: 1 })))

const acts: Readonly<Record<string, (merchant: Merchant) => Effect.Effect<unknown, never, Effect.Services<ReturnType<typeof post>>>>> = {
  terms: (merchant) => post(merchant, "/v1/terms/accept", { version: TERMS_VERSION }),
  business: (merchant) =>
    make(merchant, "/v1/legal_entities", {
      type: "individual",
      legal_name: "Ana",
      country: "DE",
      birth_date: "1990-01-31",
      address: { line1: "Weg 1", postal_code: "10115", city: "Berlin", country: "DE" }
    }),
  bank: Effect.fnUntraced(function*(merchant) {
    const [entity] = itemsOf(yield* must("GET", "/v1/legal_entities", merchant))
    const { id } = yield* make(merchant, "/v1/transfer_instruments", {
      type: "bank_account",
      currency: "USD",
      holder_name: "Acme",
      number: "000123456789",
      routing_number: "110000000",
      legal_entity_id: Object(entity)["id"]
    })
    yield* make(merchant, `/v1/transfer_instruments/${String(id)}/verify`, { method: "instant" })
    yield* make(merchant, `/v1/transfer_instruments/${String(id)}/activate`)
  }),
  endpoint: ({ key }) => must("PUT", "/v1/webhook_endpoint", { key, body: { url: "http://127.0.0.1:8443/webhooks" } }),
  payment: (merchant) =>
    post(merchant, "/v1/payment_intents", { amount: 1_999, currency: "USD", payment_method_id: "tok_visa", capture: true })
}

/** A sandbox whose steps are done, all but the last. */
const ready = Effect.fnUntraced(function*(name: string) {
  const merchant = yield* openMerchant(name)
  yield* Effect.forEach(Object.values(acts), (act) => act(merchant))
  yield* later
  return merchant
})

const ask = (merchant: Merchant) => Effect.map(post(merchant, "/v1/go_live_requests"), (answer) => ({ ...answer, json: jsonOf(answer) }))

const decide = Effect.fnUntraced(function*(verb: "approve" | "reject", request: unknown, body?: object) {
  const answer = yield* send("POST", `/v1/go_live_requests/${String(request)}/${verb}`, {
    key: yield* operatorKey,
    ...body === undefined ? {} : { body }
  })
  return { ...answer, json: jsonOf(answer) }
})

/** The home page of an account, or of the installation, as an owner sees it. */
const homeOf = Effect.fnUntraced(function*(account: string | null) {
  const { cookie } = yield* signedIn(account, "owner")
  return (yield* send("GET", "/desk", { headers: { cookie } })).text
})

/** Accounts of this name: the sandbox, and what was opened beside it. */
const accountsNamed = Effect.fnUntraced(function*(name: string) {
  const listed = yield* must("GET", `/v1/accounts?q=${encodeURIComponent(name)}`, { key: yield* operatorKey })
  return itemsOf(listed).map((account): Row => Object(account))
})

layer(layerOfPeople, { excludeTestServices: true, timeout: "60 seconds" })("the way to live", (it) => {
  it.effect("is computed from rows: each step moves with its own", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("steps")
      const { business = () => Effect.void, terms = () => Effect.void, ...others } = acts
      const first = yield* runOf(merchant)
      assert.deepInclude(first, {
        goal_progress_pct: 0,
        next_step_id: "terms",
        refreshed_at: null,
        id: merchant.id.replace("acct_", "wr_")
      })
      assert.strictEqual(states(first), "open open open open open open")
      yield* terms(merchant)
      yield* business(merchant)
      const reviewed = yield* runOf(merchant)
      assert.deepInclude(reviewed, { goal_progress_pct: 16, next_step_id: "payout_bank" })
      assert.strictEqual(states(reviewed), "done waiting open open open open")
      yield* later
      const seen: Array<string> = []
      for (const act of Object.values(others)) {
        yield* act(merchant)
        seen.push(states(yield* runOf(merchant)))
      }
      assert.deepStrictEqual(seen, ["done done done open open open", "done done done done open open", "done done done done done open"])
      assert.strictEqual((yield* ask(merchant)).status, 201)
      assert.deepInclude(yield* runOf(merchant), { goal_progress_pct: 83, next_step_id: "live" })
      assert.strictEqual(states(yield* runOf(merchant)), "done done done done done waiting")
      yield* must("DELETE", "/v1/webhook_endpoint", { key: merchant.key })
      assert.strictEqual(states(yield* runOf(merchant)), "done done done open done waiting")
    }))

  it.effect("is kept when it is refreshed, with who did", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("refreshed")
      const kept = yield* make(merchant, "/v1/work_run/refresh")
      assert.deepInclude(kept, { version: 1, refreshed_at: kept["computed_at"] })
      yield* acts["terms"]?.(merchant) ?? Effect.void
      assert.deepInclude(yield* make(merchant, "/v1/work_run/refresh"), {
        version: 2,
        goal_progress_pct: 16,
        created_at: kept["created_at"]
      })
      assert.deepInclude(yield* runOf(merchant), { version: 2 })
      const log = itemsOf(yield* must("GET", `/v1/audit_log?resource_id=${String(kept["id"])}`, { key: merchant.key })).map(Object)
      assert.deepStrictEqual(log.map(({ action, actor_type }) => [action, actor_type]), [
        ["work_run.updated", "api_key"],
        ["work_run.created", "api_key"]
      ])
    }))

  it.effect("has terms that are accepted once a version, and only the present one", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("terms")
      assert.deepInclude(yield* must("GET", "/v1/terms", { key: merchant.key }), { version: TERMS_VERSION })
      const accept = (version: string, idempotency_key: string = randomUUID()) =>
        post(merchant, "/v1/terms/accept", { version, idempotency_key })
      const old = yield* accept("2020-01-01")
      assert.strictEqual(old.status, 400)
      assert.deepInclude(jsonOf(old), { error: "validation_error", code: "version", details: { current: TERMS_VERSION } })
      const key = randomUUID()
      const answers = yield* Effect.all([accept(TERMS_VERSION, key), accept(TERMS_VERSION), accept(TERMS_VERSION)], { concurrency: 3 })
      assert.deepStrictEqual(answers.map(({ status }) => status).toSorted(), [200, 200, 201])
      assert.strictEqual(new Set(answers.map((answer) => String(jsonOf(answer)["id"]))).size, 1)
      assert.deepInclude(jsonOf(yield* accept("2020-01-01", key)), { error: "idempotency_key_reused" })
      assert.lengthOf(itemsOf(yield* must("GET", "/v1/terms_acceptances", { key: merchant.key })), 1)
    }))

  it.effect("is refused with what is missing", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("missing")
      yield* acts["terms"]?.(merchant) ?? Effect.void
      const { json, status } = yield* ask(merchant)
      assert.strictEqual(status, 409)
      const missing = ["business_verified", "payout_bank", "webhook_endpoint", "first_payment"]
      assert.deepInclude(json, { error: "onboarding_incomplete", details: { missing } })
      for (const step of missing) assert.include(String(json["message"]), step)
    }))

  it.effect("opens one live account, also when two approve at once, with all but what the sandbox verified", () =>
    Effect.gen(function*() {
      const [name, people] = ["approved", yield* People]
      const merchant = yield* ready(name)
      yield* people.join(merchant, "owner")
      const owner = yield* people.join(merchant, "owner")
      yield* people.join(merchant, "support")
      yield* must("PATCH", "/v1/account", { key: merchant.key, body: { settings: { block_above: 7_777, payouts: { schedule: "daily" } } } })
      yield* must("PATCH", `/v1/accounts/${merchant.id}`, { key: yield* operatorKey, body: { fee_tier_bps: 123 } })
      const { json: request } = yield* people.ask(owner, {
        method: "POST",
        path: "/v1/go_live_requests",
        body: { idempotency_key: randomUUID() }
      })
      const again = yield* ask(merchant)
      assert.deepStrictEqual([again.status, again.json["id"]], [200, request["id"]])
      // What was undone is missing again.
      const endpoint = yield* must("GET", "/v1/webhook_endpoint", { key: merchant.key })
      yield* must("DELETE", "/v1/webhook_endpoint", { key: merchant.key })
      const early = yield* decide("approve", request["id"])
      assert.deepInclude(early.json, { error: "onboarding_incomplete", details: { missing: ["webhook_endpoint"] } })
      yield* must("PUT", "/v1/webhook_endpoint", { key: merchant.key, body: { url: endpoint["url"] } })
      const both = yield* Effect.all([decide("approve", request["id"]), decide("approve", request["id"])], { concurrency: 2 })
      assert.deepStrictEqual(both.map(({ status }) => status).toSorted(), [200, 409])
      const approved = both.find(({ status }) => status === 200)?.json ?? {}
      // Somebody owns it: nobody is handed a key.
      assert.deepInclude(approved, { status: "approved", api_key: null })

      const accounts = yield* accountsNamed(name)
      assert.lengthOf(accounts, 2)
      const live = accounts.find(({ id }) => id === approved["live_account_id"]) ?? {}
      assert.deepInclude(live, { sandbox: false, status: "active", fee_tier_bps: 123, payout_destination: null, api_key_prefix: null })
      assert.deepInclude(live["settings"], { block_above: 7_777, payouts: { schedule: "manual", minimum: 100 } })
      const id = String(live["id"])
      const sql = yield* SqlClient.SqlClient
      const members = yield* sql<{ readonly user_id: string; readonly role: string }>`SELECT user_id, role FROM members
        WHERE account_id = ${id} ORDER BY user_id`
      // Whoever holds the test key may have made themselves an owner: none comes along but the one who asked.
      assert.deepStrictEqual(members.map((row) => ({ ...row })), [{ user_id: owner.id, role: "owner" }])
      // Each side of the pair, as the same person sees it.
      const seen = (account: string) =>
        Effect.map(people.ask({ ...owner, account }, { method: "GET", path: "/v1/work_run" }), ({ json }) => json)
      assert.deepInclude(yield* seen(merchant.id), { goal_progress_pct: 100, next_step_id: null, live_account_id: id })
      const its = yield* seen(id)
      assert.strictEqual(states(its), "done open open open open done")
      assert.deepInclude(its, { next_step_id: "business_verified" })
      const after = yield* ask(merchant)
      assert.deepStrictEqual([after.status, after.json["live_account_id"]], [200, id])
      const anew = yield* people.ask({ ...owner, account: id }, {
        method: "POST",
        path: "/v1/go_live_requests",
        body: { idempotency_key: randomUUID() }
      })
      assert.deepInclude(anew.json, { error: "invalid_state" })
      assert.strictEqual((yield* decide("reject", request["id"], { reason: "too late" })).status, 409)
    }))

  it.effect("gives the first key to whoever approves where nobody owns the account, in the world's time", () =>
    Effect.gen(function*() {
      const merchant = yield* ready("keys alone")
      yield* make(merchant, "/v1/test_clocks")
      const to = DateTime.formatIso(DateTime.add(yield* now, { days: 300 }))
      yield* (yield* SqlClient.SqlClient)`UPDATE account_clocks SET present = ${to}::timestamptz WHERE account_id = ${merchant.id}`
      const { json: request } = yield* ask(merchant)
      assert.isTrue(String(request["created_at"]) >= to)
      const { json: approved } = yield* decide("approve", request["id"])
      assert.isTrue(String(approved["decided_at"]) < to)
      const key = String(Object(approved["api_key"])["secret"])
      assert.match(key, /^sk_live_/u)
      const account = yield* must("GET", "/v1/account", { key })
      assert.deepInclude(account, { id: approved["live_account_id"], sandbox: false })
      assert.isTrue(String(account["created_at"]) < to)
      const [acceptance] = itemsOf(yield* must("GET", "/v1/terms_acceptances", { key }))
      assert.isTrue(String(Object(acceptance)["accepted_at"]) < String(account["created_at"]))
      assert.deepInclude(yield* must("GET", "/v1/account", merchant), { sandbox: true, id: merchant.id })
      assert.deepStrictEqual(itemsOf(yield* must("GET", "/v1/payment_intents", { key })), [])
    }))

  it.effect("opens nothing where the approval is not written", () =>
    Effect.gen(function*() {
      const merchant = yield* ready("broken off")
      const { json: request } = yield* ask(merchant)
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE FUNCTION breaks_off() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'gone'; END $$`
      yield* sql`CREATE TRIGGER breaks_off BEFORE UPDATE ON go_live_requests FOR EACH ROW EXECUTE FUNCTION breaks_off()`
      assert.strictEqual((yield* decide("approve", request["id"])).status, 500)
      assert.lengthOf(yield* accountsNamed("broken off"), 1)
      yield* sql`DROP TRIGGER breaks_off ON go_live_requests`
      assert.strictEqual((yield* decide("approve", request["id"])).status, 200)
      assert.lengthOf(yield* accountsNamed("broken off"), 2)
    }))

  it.effect("tells the sandbox from its live account: on the home page, to the assistant, and among the accounts of a person", () =>
    Effect.gen(function*() {
      const merchant = yield* ready("a pair")
      const { cookie, user_id: id } = yield* signedIn(merchant.id, "owner")
      const asks = { method: "POST", path: "/v1/go_live_requests", body: { idempotency_key: randomUUID() } } as const
      const { json: request } = yield* (yield* People).ask({ id, account: merchant.id }, asks)
      const live = String((yield* decide("approve", request["id"])).json["live_account_id"])
      const look = (path: string) => Effect.map(send("GET", path, { headers: { cookie } }), ({ text }) => text)
      assert.include(yield* look("/desk"), "Your live account is open")
      const question = { question: "what is missing to go live" }
      assert.include(String((yield* must("POST", "/v1/assistant/ask", { key: merchant.key, body: question }))["answer"]), live)
      const places = (yield* look("/desk/you")).split("<h2>Your accounts</h2>")[1]?.split("</section>")[0]?.split("<li") ?? []
      const marked = places.slice(1).map((place) => [place.includes("You are here"), place.includes("Sandbox")])
      assert.sameDeepMembers(marked, [[true, true], [false, false]])
    }))

  it.effect("stands on the home page until all of it is done, and on that of the installation while somebody waits", () =>
    Effect.gen(function*() {
      const [title, steps] = ["On the way to live", /(\d) of 6 steps are done/u]
      const merchant = yield* ready("home")
      const { json: request } = yield* ask(merchant)
      const page = yield* homeOf(merchant.id)
      assert.strictEqual(steps.exec(page)?.[1], "5")
      assert.include(page, "The operator looks at the request.")
      const link = `/desk/operator_go_live_requests/${String(request["id"])}`
      const installation = yield* homeOf(null)
      assert.include(installation, link)
      assert.include(installation, "<bdi>home</bdi> asks to go live")
      const { cookie } = yield* signedIn(null, "owner")
      assert.include((yield* send("GET", link, { headers: { cookie } })).text, "Name of the account")
      const { json: approved } = yield* decide("approve", request["id"])
      assert.notInclude(yield* homeOf(null), link)
      // Asked for once, and then known to be done.
      assert.notInclude(yield* homeOf(merchant.id), title)
      assert.notInclude(yield* homeOf(merchant.id), title)
      assert.strictEqual(steps.exec(yield* homeOf(String(approved["live_account_id"])))?.[1], "2")
    }))

  it.effect("shows the terms before they are accepted, to those who may", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("reader")
      const { id } = merchant
      const look = (role: "owner" | "viewer", path = "/desk/terms") =>
        Effect.flatMap(signedIn(id, role), ({ cookie }) => Effect.map(send("GET", path, { headers: { cookie } }), ({ text }) => text))
      const [owner, viewer] = [yield* look("owner"), yield* look("viewer")]
      for (const page of [owner, viewer]) {
        assert.include(page, "You revoke a key that others may know at once.")
      }
      assert.include(owner, "/desk/terms/do/accept")
      assert.notInclude(viewer, "/desk/terms/do/accept")
      const helped = yield* look("owner", "/desk/assistant?question=what+is+missing+to+go+live")
      assert.include(helped, "for this account. <a href=\"/desk/terms\">Terms</a>")
      const { id: acceptance } = jsonOf(yield* post(merchant, "/v1/terms/accept", { version: TERMS_VERSION }))
      const accepted = yield* look("owner")
      assert.include(accepted, `/desk/terms_acceptances/${String(acceptance)}`)
      assert.notInclude(accepted, "/desk/terms/do/accept")
    }))

  it.effect("ends with a reason where it is rejected, and may be asked for anew", () =>
    Effect.gen(function*() {
      const merchant = yield* ready("rejected")
      const { json: request } = yield* ask(merchant)
      const waiting = yield* must("GET", "/v1/operator/go_live_requests?status=pending", { key: yield* operatorKey })
      const shown: Row = itemsOf(waiting).map(Object).find(({ id }) => id === request["id"]) ?? {}
      assert.deepInclude(shown, { account_name: "rejected", legal_name: "Ana" })
      assert.deepEqual(yield* must("GET", `/v1/operator/go_live_requests/${String(request["id"])}`, { key: yield* operatorKey }), shown)
      assert.strictEqual((yield* decide("reject", request["id"], { reason: "Tell us what you sell" })).status, 200)
      assert.deepInclude(yield* must("GET", `/v1/go_live_requests/${String(request["id"])}`, { key: merchant.key }), {
        status: "rejected",
        rejection_reason: "Tell us what you sell",
        live_account_id: null
      })
      assert.strictEqual((yield* decide("approve", request["id"])).status, 409)
      const next = yield* ask(merchant)
      assert.strictEqual(next.status, 201)
      assert.notStrictEqual(next.json["id"], request["id"])
      yield* must("POST", `/v1/accounts/${merchant.id}/suspend`, { key: yield* operatorKey })
      assert.strictEqual((yield* decide("approve", next.json["id"])).status, 409)
    }))

  it.effect("is gone by owners, seen by all, and computed anew by those who work on it", () =>
    Effect.gen(function*() {
      const [merchant, people] = [yield* ready("roles"), yield* People]
      for (const role of roles) {
        const member = yield* people.join(merchant, role)
        const asked = (method: "GET" | "POST", path: string, body?: Readonly<Record<string, unknown>>) =>
          Effect.map(people.ask(member, { method, path, ...body === undefined ? {} : { body } }), ({ status }) => status < 300)
        const keyed = { idempotency_key: randomUUID() }
        const may = yield* Effect.all([
          asked("GET", "/v1/terms"),
          asked("GET", "/v1/work_run"),
          asked("GET", "/v1/go_live_requests"),
          asked("POST", "/v1/work_run/refresh"),
          asked("POST", "/v1/terms/accept", { version: TERMS_VERSION, ...keyed }),
          asked("POST", "/v1/go_live_requests", { idempotency_key: randomUUID() })
        ])
        const isOwner = role === "owner"
        assert.deepStrictEqual(may, [true, true, true, role !== "viewer", isOwner, isOwner], role)
      }
    }))
})
