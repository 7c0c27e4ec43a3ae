/** Acts of the assistant over the whole service, by keys and by people: each kind end to end, its refusals, and the page of the desk. */
import { assert, layer } from "@effect/vitest"
import { CONFIRMED_MINUTES } from "@svc/accounts/sessions/model"
import { type ActKind, actKinds } from "@svc/desk/assistant/model"
import { runDue } from "@svc/kernel/timers/timers"
import { isRecord } from "@svc/kernel/values/record"
import { iso, now } from "@svc/kernel/values/time"
import { DateTime, Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { itemsOf, jsonOf, layerWith, must, openMerchant, operatorKey, restrictedKey, send } from "../contract/service.ts"
import { formHeaders, sendForm, signedIn } from "../desk/people.ts"
import { until } from "../until.ts"
import { tryOrders } from "./orders.ts"

/** What came of an act. */
const acting = (key: string, headers: Readonly<Record<string, string>> = {}) =>
  Effect.fnUntraced(function*(action: ActKind, params: Readonly<Record<string, string>> = {}) {
    const { message, result, status } = yield* must("POST", "/v1/assistant/act", { key, headers, body: { action, params } })
    return { status, message: String(message ?? ""), result: isRecord(result) ? result : {} }
  })

/** What a live account needs besides the terms and a bank account. */
const readyForLive = Effect.fnUntraced(function*(key: string) {
  yield* must("POST", "/v1/legal_entities", {
    key,
    body: {
      type: "individual",
      legal_name: "Ana",
      country: "DE",
      birth_date: "1990-01-31",
      address: { line1: "Weg 1", postal_code: "10115", city: "Berlin", country: "DE" }
    }
  })
  yield* runDue(DateTime.add(yield* now, { hours: 1 }))
  yield* must("PUT", "/v1/webhook_endpoint", { key, body: { url: "http://127.0.0.1:9/hooks" } })
  const body = { amount: 900, currency: "USD", payment_method_id: "tok_visa", capture: true, idempotency_key: randomUUID() }
  yield* must("POST", "/v1/payment_intents", { key, body })
})

layer(layerWith({}), { excludeTestServices: true, timeout: "60 seconds" })("an act of the assistant", (it) => {
  it.effect("of every kind is done in a sandbox, by the routes that do it, and leaves who did it", () =>
    Effect.gen(function*() {
      const { id: account, key } = yield* openMerchant("acts")
      const act = acting(key)
      const done = new Set<ActKind>()
      const completed = Effect.fnUntraced(
        function*(action: ActKind, names: ReadonlyArray<string>, params?: Readonly<Record<string, string>>) {
          const { message, result, status } = yield* act(action, params)
          assert.strictEqual(status, "completed", `${action}: ${message} ${JSON.stringify(result)}`)
          assert.deepStrictEqual(Object.keys(result).toSorted(), [...names].toSorted(), action)
          done.add(action)
          return result
        }
      )
      yield* completed("open_onboarding_status", ["path", "goal_progress_pct", "next_step_id"])
      const missing = yield* act("enable_go_live")
      assert.strictEqual(missing.status, "failed")
      assert.include(String(missing.result["missing"]), "first_payment")
      yield* completed("accept_tos", ["version", "accepted_at"])
      yield* completed("create_passthrough_session", ["passthrough_session_id", "path"], { flow_kind: "business_verify" })
      const bank = yield* completed("open_passthrough_payout_bank", ["passthrough_session_id", "path"])
      assert.deepStrictEqual(yield* completed("open_passthrough_payout_bank", ["passthrough_session_id", "path"]), bank)
      yield* completed("open_passthrough_business_verify", ["passthrough_session_id", "path"])
      const session = { passthrough_session_id: String(bank["passthrough_session_id"]) }
      const filled = yield* completed("apply_passthrough_prefill", ["passthrough_session_id", "fields"], { ...session, country: "DE" })
      assert.include(String(filled["fields"]), "country")
      const link = yield* completed("plaid_link_token", ["bank_link_id", "link_token", "expires_at"])
      const { public_token } = yield* must("POST", `/v1/bank_links/${String(link["bank_link_id"])}/simulate`, { key, body: {} })
      const linked = yield* completed("plaid_exchange", ["bank_link_id", "item_id", "accounts"], { public_token: String(public_token) })
      const [first] = JSON.parse(String(linked["accounts"])) as ReadonlyArray<{ readonly id: string; readonly last_four: string }>
      assert.match(String(first?.last_four), /^\w{4}$/u)
      const { destination_id } = yield* completed("plaid_verify_payout", ["destination_id", "status"], {
        bank_account_id: String(first?.id)
      })
      yield* completed("plaid_processor_token", ["processor_token"])
      yield* readyForLive(key)
      assert.match(String(destination_id), /^ti_/u)
      yield* completed("refresh_work_run", ["work_run_id", "goal_progress_pct", "next_step_id"])
      const live = yield* act("enable_go_live")
      assert.deepStrictEqual([live.status, live.result["waits_for"]], ["needs_approval", "operator"], live.message)
      const { approval_id, seen_at } = live.result
      assert.strictEqual((yield* must("GET", String(seen_at), { key }))["status"], "pending")
      yield* must("POST", `/v1/go_live_requests/${String(approval_id)}/approve`, { key: yield* operatorKey })
      yield* completed("enable_go_live", ["approval_id", "status", "live_account_id"])
      assert.deepStrictEqual(actKinds.filter((kind) => !done.has(kind)), [])
      const sql = yield* SqlClient.SqlClient
      const entries = yield* Effect.orDie(sql<{ readonly resource_id: string; readonly actor_type: string; readonly operation: string }>`
        SELECT DISTINCT resource_id, actor_type, operation FROM audit_log
        WHERE account_id = ${account} AND action = 'assistant_act.created'`)
      assert.deepStrictEqual(
        entries.map(({ resource_id }) => resource_id).toSorted(),
        Array.from(done).filter((kind) => kind !== "open_onboarding_status").toSorted()
      )
      assert.isTrue(entries.every(({ actor_type, operation }) => actor_type === "api_key" && operation === "POST /v1/assistant/act"))
    }))

  it.effect("says why it is refused, in the words of the route, and never does more than its key may", () =>
    Effect.gen(function*() {
      const merchant = yield* openMerchant("refused")
      const act = acting(merchant.key)
      const unknown = yield* act("accept_tos", { colour: "blue" })
      assert.deepStrictEqual([unknown.status, unknown.result["unknown"]], ["failed", "colour"])
      const lacking = yield* act("plaid_exchange")
      assert.deepStrictEqual([lacking.status, lacking.result["missing"]], ["failed", "public_token"])
      const none = yield* act("plaid_verify_payout", { bank_account_id: "ba_1" })
      assert.deepStrictEqual([none.status, none.result["missing"]], ["failed", "bank_link_id"])
      const narrow = yield* acting(yield* restrictedKey(merchant, ["assistant:write"]))("open_passthrough_payout_bank")
      assert.deepStrictEqual([narrow.status, narrow.result["required_scope"]], ["failed", "passthrough_sessions:write"])
      const ask = (asked: Parameters<typeof send>[2], path = "/v1/assistant/act") => send("POST", path, asked)
      const body = { action: "open_onboarding_status" }
      assert.strictEqual((yield* ask({ body })).status, 401)
      assert.strictEqual((yield* ask({ body, key: yield* restrictedKey(merchant, ["assistant:read"]) })).status, 403)
      assert.strictEqual((yield* ask({ body: { action: "sell_everything" }, key: merchant.key })).status, 400)
      assert.strictEqual((yield* ask({ body: { ...body, params: { card: "4111111111111111" } }, key: merchant.key })).status, 400)
      const agent = yield* must("POST", "/v1/agent_keys", {
        key: merchant.key,
        body: { name: "Shopper", policy: { allowed_tools: ["get_quote"] } }
      })
      assert.isAtLeast((yield* ask({ body, key: String(agent["token"] ?? agent["Token"]) })).status, 401)
      const other = yield* ask({ body, key: merchant.key }, "/assistant/act")
      assert.strictEqual(jsonOf(other)["status"], "completed")
    }))

  it.effect("is done once for each idempotency key", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("once")
      const headers = { "Idempotency-Key": randomUUID() }
      const once = acting(key, headers)
      const params = { flow_kind: "payout_bank" }
      assert.deepStrictEqual(yield* once("create_passthrough_session", params), yield* once("create_passthrough_session", params))
      assert.lengthOf(itemsOf(yield* must("GET", "/v1/passthrough_sessions", { key })), 1)
      yield* acting(key)("create_passthrough_session", params)
      assert.lengthOf(itemsOf(yield* must("GET", "/v1/passthrough_sessions", { key })), 2)
    }))

  it.effect("does nothing that fifty hidden orders ask of it", () => tryOrders, 180_000)

  it.effect("is a button of the desk that says what it will do, and shows what came of it", () =>
    Effect.gen(function*() {
      const { id } = yield* openMerchant("panel")
      const { cookie, token } = yield* signedIn(id, "owner")
      const get = (path: string) => Effect.map(send("GET", path, { headers: { cookie } }), ({ text }) => text)
      assert.include(yield* get("/desk"), `action="/desk/assistant"`)
      const page = yield* get("/desk/assistant?question=Where+is+my+payout%3F")
      for (const text of ["There is no payout yet", `href="/desk/payouts"`, "Opens a page of one hour for the bank account"]) {
        assert.include(page, text)
      }
      assert.notInclude(page, "I am not sure")
      assert.include(yield* get("/desk/assistant?question=are+events+reaching+my+endpoint"), "I am not sure that this is what you asked")
      // Pages are called by their names, and routes are for programs.
      const steps = yield* get("/desk/assistant?question=What+is+missing+to+go+live")
      assert.include(steps, `Next: accept the terms (<a href="/desk/terms">Terms</a>).`)
      assert.notInclude(yield* get("/desk/assistant?question=How+much+did+we+sell+this+month"), "/v1/")
      const shownKey = /name="idempotency_key" value="([^"]+)"/u.exec(page)?.[1] ?? ""
      const press = (action: string, key: string) =>
        sendForm("/desk/assistant/act", formHeaders({ cookie }), new URLSearchParams({ token, action, idempotency_key: key }).toString())
      const terms = yield* press("accept_tos", randomUUID())
      assert.strictEqual(terms.status, 200, terms.text)
      for (const text of ["Done", "Accepted"]) assert.include(terms.text, text)
      assert.match(terms.text, /<dd><time datetime="[^"]+">[^<]*UTC<\/time><\/dd>/u)
      // Who made the proof too long ago is asked for another, and the same form is then another try.
      const sql = yield* SqlClient.SqlClient
      const proved = (moved: string) =>
        Effect.orDie(sql`UPDATE sessions SET confirmed_at = confirmed_at + ${moved}::interval WHERE account_id = ${id}`)
      yield* proved("-1 hour")
      const unproven = yield* press("open_passthrough_payout_bank", shownKey)
      assert.deepStrictEqual([unproven.status, unproven.text.includes("/pass/")], [403, false])
      yield* proved("59 minutes")
      const opened = yield* press("open_passthrough_payout_bank", shownKey)
      assert.match(opened.text, /href="https?:\/\/[^"]+\/pass\//u)
      // The same form again is the same answer, until the proof is too old: then it is no answer at all.
      const again = press("open_passthrough_payout_bank", shownKey)
      const isOpened = ({ text }: { readonly text: string }) => /href="https?:\/\/[^"]+\/pass\//u.test(text)
      // The proof has some seconds left: more of them where this machine needs more.
      const lasting = Effect.fnUntraced(function*(seconds: number) {
        const confirmed = iso(DateTime.subtract(yield* now, { seconds: CONFIRMED_MINUTES * 60 - seconds }))
        yield* Effect.orDie(sql`UPDATE sessions SET confirmed_at = ${confirmed}::timestamptz WHERE account_id = ${id}`)
        return isOpened(yield* again)
      })
      assert.isTrue((yield* lasting(4)) || (yield* lasting(12)) || (yield* lasting(36)))
      yield* until("the proof is too old", Effect.map(Effect.delay(again, "500 millis"), ({ status }) => status === 403))
      assert.isFalse(isOpened(yield* again))
      const viewer = yield* signedIn(id, "viewer")
      const refused = yield* sendForm(
        "/desk/assistant/act",
        formHeaders(viewer),
        new URLSearchParams({ token: viewer.token, action: "accept_tos", idempotency_key: randomUUID() }).toString()
      )
      assert.include(refused.text, "Your role, viewer, lacks the scope")
      // Another tab's question, as it stands in the address, is text and nothing else.
      assert.notInclude(yield* get(`/desk/assistant?question=${encodeURIComponent("<script>planted()</script>")}`), "<script>planted")
    }), 120_000)
})
