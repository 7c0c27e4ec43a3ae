/** The commands of README.md, run as they stand there: from nothing to a captured payment and a verified ledger. */
import { assert, it } from "@effect/vitest"
import { makeClient } from "@svc/client/client"
import { Effect, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { blocksOf, commandsOf, root, terminals } from "./terminal.ts"

const TIMEOUT_MILLIS = 600_000

/** What a background command says once it can be used. */
const readiness: Readonly<Record<string, string>> = {
  "npm start": "svc is ready",
  "npm run svc -- listen": "Listening for webhooks"
}

const Credentials = Schema.fromJsonString(Schema.Struct({ base_url: Schema.String, secret_key: Schema.String, account_id: Schema.String }))

it("README.md is read in a minute: 80 lines, and the first five say what is not there", () => {
  const lines = readFileSync(join(root, "README.md"), "utf8").trimEnd().split("\n")
  assert.isAtMost(lines.length, 80)
  assert.include(lines.slice(0, 5).join(" "), "No provider's rail is included yet")
})

it.live("README.md: its commands take a payment, verify its webhooks and verify the ledger", () =>
  Effect.gen(function*() {
    const started = blocksOf("README.md").filter((block) => block.background).map(({ commands }) => commands)
    assert.deepStrictEqual(started, Object.keys(readiness))

    const { background, folder, run } = yield* terminals
    const [, listener] = yield* Effect.forEach(started, (commands) => background(commands, readiness[commands] ?? ""))
    assert(listener !== undefined)

    // Twice: the page says that nothing is charged twice.
    const commands = commandsOf("README.md")
    for (const output of yield* Effect.all([run(commands), run(commands)])) {
      assert.include(output, "\"state\":\"captured\"")
      assert.match(output, /^http:\/\/localhost:\d+\/checkout\/\S+$/mu)
      assert.strictEqual(output.match(/^clock_\w+ .* ready$/gmu)?.length, 2, output)
      assert.strictEqual(output.split("ok: true").length - 1, 2, output)
      assert.include(output, "\"sca_required\":false")
    }

    const credentials = yield* Schema.decodeEffect(Credentials)(readFileSync(join(folder, ".data", "credentials.json"), "utf8"))
    const client = yield* makeClient({ baseUrl: credentials.base_url, secretKey: credentials.secret_key })
    const { data: payments } = yield* client.payment_intents.list({ query: { page: 1, per_page: 100 } })
    assert.deepStrictEqual(
      payments.map(({ amount, captured_amount, state }) => ({ amount, captured_amount, state })),
      [{ amount: 2499, captured_amount: 2499, state: "captured" }]
    )
    const { data: clocks } = yield* client.test_clocks.list({ query: { per_page: 100 } })
    assert.deepStrictEqual(clocks, [], "the sandbox merchant's time is that of the world")
    assert.isTrue((yield* client.financial_events.verify({ query: {} })).ok)

    for (const type of ["created", "authorized", "captured"]) {
      yield* listener.says(`payment_intent.${type}  evt_`)
      assert.strictEqual(
        listener.output().match(new RegExp(`payment_intent\\.${type}  evt_\\w+  whq_\\w+  verified`, "g"))?.length,
        1,
        listener.output()
      )
    }
    assert.notInclude(listener.output(), "NOT VERIFIED")
  }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer)), TIMEOUT_MILLIS)
