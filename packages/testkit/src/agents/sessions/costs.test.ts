/** What a response says that its calls cost is what was taken for them: at each door, and also for several calls and repeated ones. */
import { assert, layer } from "@effect/vitest"
import { Effect } from "effect"
import { field } from "../../clients/conformance/parts.ts"
import { itemsOf, jsonOf, send, Service } from "../../contract/service.ts"
import { parse } from "../fuzz/judge.ts"
import { grantCredits, layer as tools, openCaller } from "../service.ts"

const BOTH = { Accept: "application/json, text/event-stream" }

const search = (id: number, query = "refunds") => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "svc_web_search", arguments: { operation: "search", namespace: "n", query } }
})
const ping = { jsonrpc: "2.0", id: 99, method: "ping" }

type Headers = Readonly<Record<string, string | undefined>>
const costOf = (headers: Headers): number => Number(headers["x-svc-request-cost"])
const balanceOf = (headers: Headers): number => Number(headers["x-svc-credits-balance"])

/** An account with credits, and a session of it. */
const open = Effect.fnUntraced(function*(name: string) {
  const caller = yield* openCaller(name)
  yield* grantCredits(caller, 100)
  const ask = (body: unknown, headers: Readonly<Record<string, string>> = {}) =>
    Effect.map(send("POST", "/mcp", { key: caller.key, headers, body }), (answer) => ({ ...answer, body: parse(answer.text) }))
  const opened = yield* ask({
    jsonrpc: "2.0",
    id: 1,
    method: "initialize",
    params: { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "t", version: "1" } }
  }, BOTH)
  const session = { ...BOTH, "Mcp-Session-Id": opened.headers["mcp-session-id"] ?? "none" }
  return { caller, ask, session, before: balanceOf(opened.headers) }
})

layer(tools, { excludeTestServices: true, timeout: "60 seconds" })("the cost of a response", (it) => {
  it.effect.each(["without a session", "in a session"])("is the sum of the calls of its batch, %s", (where) =>
    Effect.gen(function*() {
      const { ask, before, session } = yield* open(`batch ${where}`)
      const headers = where === "in a session" ? session : {}
      const answer = yield* ask([search(1), search(2, "other"), ping], headers)
      assert.strictEqual(costOf(answer.headers), 2, answer.text)
      assert.strictEqual(before - balanceOf(answer.headers), 20)
      assert.strictEqual(costOf((yield* ask([ping], headers)).headers), 0)
    }))

  it.effect("is taken once for identical calls at once, in one batch and in several requests", () =>
    Effect.gen(function*() {
      const { ask, before, session } = yield* open("identical")
      const several = yield* Effect.forEach(Array.from({ length: 8 }, () => search(7)), (body) => ask(body, session), {
        concurrency: "unbounded"
      })
      assert.strictEqual(several.reduce((sum, { headers }) => sum + costOf(headers), 0), 1)
      const batch = yield* ask(Array.from({ length: 8 }, () => search(8)), session)
      assert.strictEqual(costOf(batch.headers), 1, batch.text)
      assert.strictEqual(before - balanceOf((yield* ask(ping, session)).headers), 20)
    }))

  it.effect("that is repeated in a session is nothing, beside the balance of the moment", () =>
    Effect.gen(function*() {
      const { ask, session } = yield* open("repeated")
      const first = yield* ask(search(1), session)
      yield* ask(search(2), session)
      const again = yield* ask(search(1), session)
      assert.isTrue(field(again.body, "result", "_meta", "svc/replayed"))
      assert.deepStrictEqual([costOf(again.headers), balanceOf(first.headers) - balanceOf(again.headers)], [0, 10])
    }))

  it.effect("is that of its typed calls", () =>
    Effect.gen(function*() {
      const { caller } = yield* open("typed")
      const line = { _tag: "Request", id: "1", tag: "svc_web_search", payload: { operation: "search", query: "refunds" }, headers: [] }
      const rpc = yield* Effect.orDie((yield* Service).send({
        method: "POST",
        target: "/rpc",
        headers: [["Authorization", `Bearer ${caller.key}`], ["Content-Type", "application/ndjson"]],
        body: Buffer.from(`${JSON.stringify(line)}\n`)
      }))
      assert.deepStrictEqual([rpc.status, rpc.headers["x-svc-tier"], rpc.headers["x-svc-request-cost"]], [200, "free", "1"], rpc.text)
    }))

  it.effect("is told of a call that credits paid for, by its id", () =>
    Effect.gen(function*() {
      const { ask, caller } = yield* open("listed")
      yield* ask(search(1))
      const [listed] = itemsOf(jsonOf(yield* send("GET", "/v1/usage", { key: caller.key })))
      const id = String(field(listed, "id"))
      const status = yield* send("GET", `/v1/calls/${id}`, { key: caller.key })
      assert.strictEqual(status.status, 200, status.text)
      const told = parse(status.text)
      assert.deepStrictEqual(
        [field(told, "id"), field(told, "paid_by"), field(told, "price"), field(told, "state"), field(told, "result")],
        [id, "credits", 1, "settled", null]
      )
      const stranger = yield* openCaller("a stranger")
      assert.strictEqual((yield* send("GET", `/v1/calls/${id}`, { key: stranger.key })).status, 404)
    }))

  it.effect("that would pass the budget of the request is refused as the request's own", () =>
    Effect.gen(function*() {
      const { ask } = yield* open("budget")
      const budget = { "X-Agent-Budget": JSON.stringify({ budget_per_run_cents: 1, spending_window: "daily" }) }
      assert.strictEqual((yield* ask(search(1), budget)).status, 200)
      const refused = yield* ask(search(2, "other"), budget)
      assert.strictEqual(refused.status, 403, refused.text)
      assert.match(String(field(refused.body, "error", "message")), /this request itself names in X-Agent-Budget/u)
      assert.deepStrictEqual(
        [field(refused.body, "error", "data", "budget"), field(refused.body, "error", "data", "agent_key_id")],
        ["x_agent_budget", undefined]
      )
    }))

  it.effect("is nothing for a query without a word, and for arguments that name the field and its form", () =>
    Effect.gen(function*() {
      const { ask, before } = yield* open("messages")
      const messageOf = Effect.fnUntraced(function*(name: string, args: object) {
        const answer = yield* ask({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } })
        assert.strictEqual(before, balanceOf(answer.headers), answer.text)
        return String(field(answer.body, "error", "data", "detail"))
      })
      assert.match(yield* messageOf("svc_web_search", { operation: "search", query: "?! … —" }), /`query` must hold a word/u)
      assert.strictEqual(
        yield* messageOf("svc_analytics", { operation: "capture", event: "signup" }),
        "`event`: Expected an object with the fields event, user_id, properties, timestamp."
      )
      assert.match(
        yield* messageOf("svc_analytics", { operation: "capture", event: { event: "signup", timestamp: 1 } }),
        /^`event\.timestamp`: Expected a string such as "2026-/u
      )
      assert.match(
        yield* messageOf("sca_exemption_decision", {
          amount_eur: 20,
          is_merchant_initiated: true,
          transaction_type: "credit_transfer"
        }),
        /is_merchant_initiated/u
      )
    }))
})
