/**
 * What an agent does that knows nothing but an address: it looks around, signs up, calls, is asked to pay, pays with the wallet it has, and
 * sees what it cost. With `TRANSCRIPT=<file>` what was said is written down: docs/agent-transcript.md is made so.
 */
import { assert, layer } from "@effect/vitest"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { MerchantAccount } from "@svc/paywall/merchant/merchant-account"
import { Config, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { writeFileSync } from "node:fs"
import { verifyBooks } from "../road.ts"
import { runClient } from "./installed.ts"
import { base, toolServer } from "./listener.ts"

const Fields = Schema.Record(Schema.String, Schema.Unknown)
const decode = Schema.decodeUnknownEffect(fromJsonText(Fields))
const Printed = Schema.Struct({
  status: Schema.Number,
  body: Schema.Struct({ result: Schema.Struct({ structuredContent: Fields }) }),
  answered: Schema.Array(Schema.Number),
  receipts: Schema.Record(Schema.String, Fields)
})
const decodePrinted = Schema.decodeUnknownEffect(Printed)

const clients = ["mppx card", "mppx evm", "mppx x402", "x402 exact", "x402 v1"] as const

const transcript: Array<string> = []
const note = (...lines: ReadonlyArray<string>) => void transcript.push(...lines, "")
const shown = (value: unknown): string => {
  const text = JSON.stringify(value, null, 2)
  return text.length > 1_500 ? `${text.slice(0, 1_500)}\n…` : text
}
const secretless = (text: string): string =>
  text.replace(/(agk_test_)\w+/gu, "$1…").replace(/http:\/\/(?:tools\.svc\.test|[\w.]+:\d+)/gu, "http://localhost:4001")

const ask = Effect.fnUntraced(
  function*(
    what: string,
    method: string,
    path: string,
    { body, headers = {} }: { readonly body?: unknown; readonly headers?: Readonly<Record<string, string>> } = {}
  ) {
    const url = `${yield* base}${path}`
    const init = {
      method,
      headers: { "content-type": "application/json", ...headers },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    }
    const response = yield* Effect.promise(() => fetch(url, init))
    const text = yield* Effect.promise(() => response.text())
    const answer = yield* decode(text)
    note(
      `## ${what}`,
      "```http",
      `${method} ${path}`,
      ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
      ...(body === undefined ? [] : ["", JSON.stringify(body)]),
      "```",
      "",
      `${response.status}`,
      "```json",
      shown(answer),
      "```"
    )
    return { status: response.status, headers: response.headers, answer }
  }
)

const rpc = (method: string, params: unknown = {}) => ({ jsonrpc: "2.0", id: 1, method, params })
const ping = rpc("tools/call", { name: "ping_payment", arguments: {} })

layer(Layer.provideMerge(MerchantAccount.layer, toolServer), { excludeTestServices: true, timeout: "120 seconds" })(
  "an agent that knows an address",
  (it) => {
    it.effect("finds its way, pays with each wallet, and sees what it cost", () =>
      Effect.gen(function*() {
        const found = yield* ask("Discovery", "GET", "/v1/agents/discovery")
        assert.deepStrictEqual([found.status, found.answer["protocol_version"]], [200, "2025-03-26"])
        const signed = yield* ask("Sign up", "POST", "/v1/agents/signup", { body: { agent_name: "traveller" } })
        assert.include([200, 201], signed.status)
        const key = String(signed.answer["token"])
        const listed = yield* ask("Tools", "POST", "/v1/mcp", { body: rpc("tools/list") })
        assert.strictEqual(listed.status, 200)
        const free = yield* ask("A free call", "POST", "/v1/mcp", {
          body: rpc("tools/call", { name: "sca_exemption_decision", arguments: { amount_eur: 25 } }),
          headers: { authorization: `Bearer ${key}` }
        })
        assert.deepStrictEqual([free.status, free.headers.get("x-svc-tier"), free.headers.get("x-svc-request-cost")], [200, "free", "0"])
        const asked = yield* ask("Asked to pay", "POST", "/v1/mcp", { body: ping, headers: { "x-svc-key": key } })
        assert.deepStrictEqual([asked.status, asked.answer["price"]], [402, "0.01"])

        for (const client of clients) {
          const url = `${yield* base}/v1/mcp`
          // The same wallet asks for the same thing several times, and means it.
          const headers = { "x-svc-key": key, "x-svc-allow-duplicate": "true" }
          const printed = yield* Effect.flatMap(runClient("pay.mjs", { client, url, headers, body: JSON.stringify(ping) }), decodePrinted)
          assert.deepStrictEqual([printed.status, printed.answered], [200, [402, 200]], client)
          assert.deepInclude(printed.body.result.structuredContent, { ok: true, settled_cents: 1 })
          assert.isNotEmpty(Object.keys(printed.receipts))
          note(`## Paid with ${client}`, "```json", shown(printed.body), shown(printed.receipts), "```")
        }

        const usage = yield* ask("Usage", "GET", "/v1/usage", { headers: { authorization: `Bearer ${key}` } })
        assert.strictEqual(usage.answer["total"], clients.length)
        const merchantAccount = yield* (yield* MerchantAccount).merchant(true)
        const entries = yield* (yield* SqlClient.SqlClient)<
          { readonly event_type: string }
        >`SELECT event_type FROM financial_events WHERE merchant_id = ${merchantAccount.id} ORDER BY sequence_id`
        assert.include(entries.map(({ event_type }) => event_type), "payment_captured")
        assert.isNull((yield* verifyBooks(merchantAccount.id)).first_break)
        note("## In the ledger of who was paid", "```", ...entries.map(({ event_type }) => event_type), "```")

        const file = yield* Config.withDefault(Config.String("TRANSCRIPT"), "")
        if (file !== "") {
          writeFileSync(
            file,
            secretless(
              [
                "# An agent's first visit",
                "",
                "Made by `TRANSCRIPT=docs/agent-transcript.md npm test -- packages/testkit/src/clients/journey.test.ts`.",
                "",
                ...transcript
              ].join("\n")
            )
          )
        }
      }), 300_000)
  }
)
