/** Two accounts: what one makes the other neither sees nor changes, and cannot tell from what never was. */
import { assert, layer } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { all } from "@svc/tools/catalog/index"
import { Effect } from "effect"
import { field } from "../../clients/conformance/parts.ts"
import { send } from "../../contract/service.ts"
import type { WireAnswer } from "../../contract/wire.ts"
import { buyPlan, type Caller, issueAgent, layer as tools, openCaller } from "../service.ts"
import { call, keepNothing, rows } from "./rows.ts"

/** Another id of the same form. */
const unknownLike = (id: string): string => id.replace(/[A-Za-z0-9](?=[^A-Za-z0-9]*$)/, (last) => last === "0" ? "1" : "0")

const withoutTimes = (text: string): string => text.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME").replace(/(?:call|req)_\w+/g, "ID")

/** What of an answer somebody sees who looks for traces of others. */
const seen = ({ status, text }: WireAnswer, id: string) => [status, withoutTimes(text.replaceAll(id, "THAT"))] as const

layer(tools, { excludeTestServices: true, timeout: "60 seconds" })("tenants of the tool server", (it) => {
  it.effect("every tool that calls a service has a row, or keeps nothing", () =>
    Effect.sync(() => {
      const covered = rows.flatMap((row) => row.tools)
      // Those for agents alone work on what the payments side keeps, whose own matrix covers it.
      const tools = all.filter(({ meta }) => meta.auth !== "agent")
      const names = tools.map(({ name }) => name)
      const keeping = tools.filter(({ name, services }) => services.length > 0 && !keepNothing.has(name))
      assert.deepStrictEqual(
        keeping.map(({ name }) => name).filter((name) => !covered.includes(name)),
        [],
        "tools without a row in rows.ts"
      )
      assert.deepStrictEqual(
        [...covered, ...keepNothing].filter((name) => !names.some((known) => known === name)),
        [],
        "rows of tools that are gone"
      )
      assert.deepStrictEqual(covered.filter((name) => keepNothing.has(name)), [])
    }))

  for (const { acts, look, make, what } of rows) {
    it.effect(`${what} of one account are nothing to another`, () =>
      Effect.scoped(Effect.gen(function*() {
        const [mine, theirs] = [yield* openCaller(`${what}, mine`), yield* openCaller(`${what}, theirs`)]
        // What a plan pays for asks for one before it looks at anything.
        yield* Effect.forEach([mine, theirs], buyPlan, { discard: true })
        const agent = yield* issueAgent(theirs, {})
        const others: ReadonlyArray<Caller> = [theirs, { id: theirs.id, key: agent.token }]
        const id = yield* make(mine, "things-77")
        // Where nothing makes one, an id that somebody has guessed.
        const asked = id ?? "snap_00000000000000000000000001"
        const unknown = unknownLike(asked)
        assert.notStrictEqual(unknown, asked)
        const before = seen(yield* look(mine, asked), asked)
        if (id !== undefined) assert.notDeepEqual(before, seen(yield* look(theirs, asked), asked), "its owner sees more than others do")
        for (const who of others) {
          for (const [name, act] of Object.entries({ look, ...acts })) {
            const foreign = seen(yield* act(who, asked), asked)
            assert.deepStrictEqual(
              foreign,
              seen(yield* act(who, unknown), unknown),
              `${name} of what is another's, and of what is not there`
            )
          }
        }
        assert.deepStrictEqual(seen(yield* look(mine, asked), asked), before, "nothing has changed for its owner")
      })), 180_000)
  }

  it.effect("calls of one account appear in nobody else's usage", () =>
    Effect.gen(function*() {
      const [mine, theirs] = [yield* openCaller("busy"), yield* openCaller("idle")]
      yield* call(mine, "svc_web_search", { operation: "search", namespace: "x", query: "a" })
      const usage = rows.find(({ what }) => what === "usage")
      if (usage === undefined) return assert.fail("usage has no row")
      assert.include((yield* usage.look(mine, "")).text, "\"total\":1")
      const idle = (yield* usage.look(theirs, "")).text
      assert.include(idle, "\"total\":0")
      assert.notInclude(idle, "svc_web_search")
      assert.notInclude(idle, mine.id)
    }))

  it.effect("an idempotency key of another account is a key of one's own, and answers nothing of theirs", () =>
    Effect.gen(function*() {
      const [mine, theirs] = [yield* openCaller("keyed"), yield* openCaller("curious")]
      const search = (who: Caller) =>
        call(who, "svc_web_search", { operation: "search", namespace: "kept", query: "kept" }, { "Idempotency-Key": "k-1" })
      yield* call(mine, "svc_web_search", {
        operation: "index",
        namespace: "kept",
        document: { doc_id: "k", url: "https://example.com/k", title: "Kept", content: "kept secret" }
      })
      const first = yield* search(mine)
      assert.include(first.text, "kept secret")
      const other = yield* search(theirs)
      assert.notInclude(other.text, "kept secret")
      assert.notInclude(other.text, "svc/replayed")
      assert.strictEqual(other.headers["x-svc-request-cost"], "1")
      assert.include((yield* search(mine)).text, "svc/replayed")
    }))

  it.effect("a challenge of one account is not answered with the key of another", () =>
    Effect.gen(function*() {
      const [mine, theirs] = [yield* openCaller("asked"), yield* openCaller("payer")]
      const ping = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ping_payment", arguments: {} } }
      // In a batch a payment is asked for in band.
      const asked = parseJson((yield* send("POST", "/mcp", { key: mine.key, body: [ping] })).text)
      const challenges = field(
        Array.isArray(asked) ? asked[0] : undefined,
        "result",
        "_meta",
        "org.paymentauth/payment-required",
        "challenges"
      )
      const challenge: unknown = Array.isArray(challenges)
        ? challenges.find((one: unknown) => field(one, "method") === "stripe")
        : undefined
      assert.isDefined(challenge)
      const credential = { challenge, payload: { spt: "spt_test_1" } }
      const pay = ({ key }: Caller) =>
        send("POST", "/mcp", { key, body: { ...ping, params: { ...ping.params, _meta: { "org.paymentauth/credential": credential } } } })
      const stolen = yield* pay(theirs)
      assert.strictEqual(stolen.status, 402, stolen.text)
      assert.strictEqual((yield* pay(mine)).status, 200)
      // Nor is what it was answered with shown to another.
      assert.strictEqual((yield* pay(theirs)).status, 402)
    }))
})
