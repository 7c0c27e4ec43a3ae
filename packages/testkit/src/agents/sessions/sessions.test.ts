/** A session of MCP gives a key no more than the key may have at the moment of each request. */
import { assert, layer } from "@effect/vitest"
import { AgentKeyId } from "@svc/accounts/agent-keys/model"
import { AgentKeys } from "@svc/accounts/agent-keys/service/agent-keys"
import { Effect } from "effect"
import { field } from "../../clients/conformance/parts.ts"
import { send } from "../../contract/service.ts"
import { parse } from "../fuzz/judge.ts"
import { grantCredits, issueAgent, layer as tools, openCaller } from "../service.ts"

const BOTH = { Accept: "application/json, text/event-stream" }

const search = (id: number) => ({
  jsonrpc: "2.0",
  id,
  method: "tools/call",
  params: { name: "svc_web_search", arguments: { operation: "search", namespace: "n", query: "refunds" } }
})

const method = (name: string) => ({ jsonrpc: "2.0", id: 9, method: name })

/** An agent key of a new account with credits, and a session that the key opened. */
const openSession = Effect.fnUntraced(function*(name: string) {
  const account = yield* openCaller(name)
  yield* grantCredits(account, 100)
  const agent = yield* issueAgent(account, {})
  const params = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "t", version: "1" } }
  const opened = yield* send("POST", "/mcp", { key: agent.token, headers: BOTH, body: { ...method("initialize"), params } })
  const headers = { ...BOTH, "Mcp-Session-Id": opened.headers["mcp-session-id"] ?? "none" }
  const askWith = Effect.fnUntraced(function*(proof: Readonly<Record<string, string>>, body: object) {
    const answer = yield* send("POST", "/mcp", { headers: { ...headers, ...proof }, body })
    return { headers: answer.headers, body: parse(answer.text) }
  })
  const ask = (body: object) => askWith({ Authorization: `Bearer ${agent.token}` }, body)
  return { account, id: AgentKeyId.make(agent.id), token: agent.token, headers, ask, askWith }
})

const codeOf = ({ body }: { readonly body: unknown }) => field(body, "error", "code")
const isReplayed = ({ body }: { readonly body: unknown }) => field(body, "result", "_meta", "svc/replayed") === true

layer(tools, { excludeTestServices: true, timeout: "60 seconds" })("the session of a key", (it) => {
  it.effect("gives a kept answer no more once the key may not call the tool", () =>
    Effect.gen(function*() {
      const { account, ask, id } = yield* openSession("restricted")
      assert.strictEqual((yield* ask(search(5))).headers["x-svc-request-cost"], "1")
      assert.isTrue(isReplayed(yield* ask(search(5))))
      yield* (yield* AgentKeys).update(account.id, id, { policy: { allowed_tools: [] } })
      const refused = yield* ask(search(5))
      assert.deepStrictEqual([codeOf(refused), refused.headers["x-svc-replayed"]], [4030, undefined])
    }))

  it.effect("gives a revoked key nothing, whatever it asks for", () =>
    Effect.gen(function*() {
      const { account, ask, askWith, headers, id, token } = yield* openSession("revoked")
      assert.strictEqual((yield* ask(search(5))).headers["x-svc-request-cost"], "1")
      for (const name of ["tools/list", "ping"]) assert.isUndefined(codeOf(yield* ask(method(name))), name)
      yield* (yield* AgentKeys).revoke(account.id, id)
      const requests = [search(5), search(6), method("tools/list"), method("ping"), method("discover/catalog")]
      for (const request of requests) assert.strictEqual(codeOf(yield* ask(request)), 4010, request.method)
      // The id of the session and a payment for nothing take no key's place.
      const instead = yield* askWith({ "Payment-Authorization": "Payment e30" }, search(5))
      assert.isFalse(isReplayed(instead), JSON.stringify(instead.body))
      const resumed = { ...headers, Accept: "text/event-stream", "Last-Event-ID": "1.0" }
      const stream = yield* send("GET", "/mcp", { key: token, headers: resumed })
      assert.strictEqual(stream.status, 404)
    }))

  it.effect("counts a kept answer as a call of the minute", () =>
    Effect.gen(function*() {
      const { account, ask, id } = yield* openSession("limited")
      yield* (yield* AgentKeys).update(account.id, id, { policy: { rate_limit_per_minute: 3 } })
      const answers = yield* Effect.forEach([1, 2, 3, 4, 5], () => ask(search(5)))
      assert.deepStrictEqual(answers.map(codeOf), [undefined, undefined, undefined, 4290, 4290])
    }))

  it.effect("tells one of several identical requests that it was charged, and the others that they were not", () =>
    Effect.gen(function*() {
      const { ask } = yield* openSession("together")
      const answers = yield* Effect.forEach([1, 2, 3, 4, 5, 6], () => ask(search(5)), { concurrency: "unbounded" })
      type Told = (typeof answers)[number]
      const costOf = ({ body, headers }: Told) => [headers["x-svc-request-cost"], headers["x-svc-replayed"], isReplayed({ body })]
      const costs = answers.map(costOf).sort()
      assert.deepStrictEqual(costs, [...Array.from({ length: 5 }, () => ["0", "true", true]), ["1", undefined, false]])
    }))
})
