/**
 * Plans and referrals as agents meet them, with the clients that they have: a free account asks for a bundle, is told that its plan leaves
 * that out, buys the plan by the challenge of that answer, has its bundle, and pays the next one with the plan's credits. Whoever told it
 * of the server earns.
 */
import { assert, describe, layer } from "@effect/vitest"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Effect, Schema } from "effect"
import { layerWith } from "../agents/service.ts"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "../bubblewrap.ts"
import { runClient } from "./installed.ts"
import { base } from "./listener.ts"

const Fields = Schema.Record(Schema.String, Schema.Unknown)
const decodeAccount = Schema.decodeUnknownEffect(fromJsonText(Schema.Struct({ api_key: Schema.String })))
const decodeSeen = Schema.decodeUnknownEffect(Schema.Struct({
  answers: Schema.Array(Schema.Struct({ isError: Schema.optionalKey(Schema.Boolean), structuredContent: Schema.optionalKey(Fields) }))
}))
const decodePaid = Schema.decodeUnknownEffect(Schema.Struct({
  status: Schema.Number,
  answered: Schema.Array(Schema.Number),
  body: Schema.Struct({ result: Schema.Struct({ structuredContent: Fields }) }),
  receipts: Schema.Record(Schema.String, Fields)
}))

interface Call {
  readonly name: string
  readonly arguments: object
}

const post = Effect.fnUntraced(function*(path: string, body: object, headers: Readonly<Record<string, string>> = {}) {
  const url = `${yield* base}${path}`
  return yield* Effect.promise(async () => {
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(body)
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })
})

let accounts = 0
const openAccount = Effect.gen(function*() {
  const { status, text } = yield* post("/v1/accounts", { email: `friend${++accounts}@example.com`, name: "Friend", tier: "free" })
  assert.strictEqual(status, 201, text)
  return (yield* decodeAccount(text)).api_key
})

const rpc = (call: Call) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call })

/** What the official SDK is answered. */
const bySdk = Effect.fnUntraced(function*(token: string, ...calls: ReadonlyArray<Call>) {
  const url = `${yield* base}/v1/mcp`
  const { answers } = yield* Effect.flatMap(runClient("agent-payments.mjs", { url, calls, token }), decodeSeen)
  return answers.map(({ isError, structuredContent }) => ({ isError, content: structuredContent ?? {} }))
})

/** What a wallet is answered that pays when it is asked to, up to a hundred dollars. */
const byWallet = Effect.fnUntraced(function*(client: string, key: string, call: Call, headers: Readonly<Record<string, string>> = {}) {
  const request = {
    client,
    url: `${yield* base}/v1/mcp`,
    headers: { "x-svc-key": key, ...headers },
    body: JSON.stringify(rpc(call)),
    most: "100"
  }
  return yield* Effect.flatMap(runClient("pay.mjs", request), decodePaid)
})

const project = { project_name: "shop", files: [{ path: "index.js", content: "export const price = 21\n" }] }

/** The free artifacts, which no plan is needed for. */
const analyzed = Effect.fnUntraced(function*(key: string, headers: Readonly<Record<string, string>> = {}) {
  const answer = yield* post("/v1/mcp", rpc({ name: "analyze_files", arguments: project }), {
    "x-svc-key": key,
    "x-agent-mode": "lite",
    ...headers
  })
  assert.strictEqual(answer.headers.get("x-svc-tier"), "free")
  return /snap_[0-9A-Z]{26}/u.exec(answer.text)?.[0] ?? assert.fail(answer.text)
})

const tools = layerWith({ CONFINED: "bubblewrap" })

describe.skipIf(bubblewrapPath() === undefined)(bubblewrapPath() === undefined ? BUBBLEWRAP_MISSING : "plans in use", () => {
  layer(tools, { excludeTestServices: true, timeout: "120 seconds" })("over the doors", (it) => {
    it.effect("a stablecoin buys the plan that closer asks for, and its credits pay for the next bundle", () =>
      Effect.gen(function*() {
        const key = yield* openAccount
        const snapshot_id = yield* analyzed(key)
        const asked = yield* post("/v1/mcp", rpc({ name: "closer", arguments: { snapshot_id } }), { "x-svc-key": key })
        assert.strictEqual(asked.status, 402)
        assert.include(asked.text, "\"error_code\":\"TIER_REQUIRED\"")
        assert.include(asked.text, "\"price\":\"99.00\"")

        const paid = yield* byWallet("x402 exact", key, { name: "closer", arguments: { snapshot_id } })
        assert.deepStrictEqual([paid.answered, paid.body.result.structuredContent["snapshot_id"]], [[402, 200], snapshot_id])
        assert.isNotEmpty(Object.keys(paid.receipts))

        const deploy = yield* post("/v1/mcp", rpc({ name: "deploy", arguments: { snapshot_id } }), { "x-svc-key": key })
        assert.deepStrictEqual(
          ["x-svc-tier", "x-svc-request-cost", "x-svc-credits-balance"].map((name) => deploy.headers.get(name)),
          ["pro", "100", "298000"]
        )
        const [again] = yield* bySdk(key, { name: "closer", arguments: { snapshot_id, product_name: "Shop" } })
        assert.deepInclude(again?.content, { snapshot_id })
        const left = yield* post("/v1/mcp", rpc({ name: "list_programs", arguments: {} }), { "x-svc-key": key })
        assert.strictEqual(left.headers.get("x-svc-credits-balance"), "297000")
      }), 300_000)

    it.effect("whoever told five accounts of the server that pay earns for each, and more with the fifth", () =>
      Effect.gen(function*() {
        const referrer = yield* openAccount
        const [code] = yield* bySdk(referrer, { name: "get_referral_code", arguments: {} })
        const told = { "x-svc-referral-token": String(code?.content["referral_token"]) }
        const earned = Effect.map(bySdk(referrer, { name: "get_referral_credits", arguments: {} }), ([credits]) => credits?.content ?? {})
        const comes = Effect.gen(function*() {
          const key = yield* openAccount
          yield* post("/v1/mcp", rpc({ name: "list_programs", arguments: {} }), { "x-svc-key": key, ...told })
          return key
        })
        // The first buys a plan, the others pay for one analysis each.
        const first = yield* comes
        const bought = yield* byWallet("mppx card", first, { name: "deploy", arguments: { snapshot_id: yield* analyzed(first) } })
        assert.deepStrictEqual(bought.answered, [402, 200])
        assert.deepInclude(yield* earned, { joined: 1, paying: 1, earned_cents: 100, earned_credits: 1_000 })
        const pays = Effect.gen(function*() {
          const { answered } = yield* byWallet("mppx card", yield* comes, { name: "analyze_files", arguments: project })
          assert.deepStrictEqual(answered, [402, 200])
        })
        yield* Effect.all([pays, pays, pays, pays], { concurrency: 2, discard: true })
        const all = yield* earned
        assert.deepInclude(all, { joined: 5, paying: 5, earned_cents: 1_000, earned_credits: 10_000 })
        assert.deepInclude((all["milestones"] as ReadonlyArray<unknown>)[0], { at: 5, reached: true })
        const answer = yield* post("/v1/mcp", rpc({ name: "list_programs", arguments: {} }), { "x-svc-key": referrer })
        assert.strictEqual(answer.headers.get("x-svc-credits-balance"), "20000")
      }), 300_000)
  })
})
