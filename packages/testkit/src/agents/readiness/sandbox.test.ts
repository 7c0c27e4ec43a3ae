/** The endpoint and the sandbox test that engineers get, run against the payments API as they stand. */
import { assert, layer } from "@effect/vitest"
import { engineerArtifacts } from "@svc/programs/readiness/engineer/artifacts"
import { forms } from "@svc/programs/readiness/engineer/endpoint"
import { bicycles } from "@svc/programs/readiness/stores.fixture"
import { projectIn } from "@svc/programs/testing/repository"
import { Effect, Schedule } from "effect"
import { HttpServer } from "effect/http"
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { layer as api, openMerchant } from "../../contract/service.ts"
import { freePorts } from "../../ports.ts"

const guard = { budget_per_run_cents: 5000, spending_window: "daily" } as const

const folder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "svc-agent-endpoint-"))),
  (path) => Effect.sync(() => rmSync(path, { recursive: true }))
)

const written = Effect.fnUntraced(function*(name: string, text: string) {
  const path = join(yield* folder, name)
  writeFileSync(path, text)
  return path
})

/** Runs a script to its end: its code, and what it printed. */
const run = (script: string, env: Readonly<Record<string, string>>) =>
  Effect.callback<{ readonly code: number | null; readonly text: string }>((resume) => {
    const child = spawn(process.execPath, [script], { env })
    let text = ""
    child.stdout.on("data", (chunk: Buffer) => text += chunk.toString())
    child.stderr.on("data", (chunk: Buffer) => text += chunk.toString())
    child.on("close", (code) => resume(Effect.succeed({ code, text })))
    return Effect.sync(() => child.kill())
  })

/** A server that goes on until the scope ends, and listens. */
const serve = Effect.fnUntraced(function*(script: string, port: number, env: Readonly<Record<string, string>>) {
  yield* Effect.acquireRelease(
    Effect.sync(() => spawn(process.execPath, [script], { env: { ...env, PORT: String(port) }, stdio: "ignore" })),
    (child) => Effect.sync(() => child.kill())
  )
  yield* Effect.tryPromise(() => fetch(`http://127.0.0.1:${port}`)).pipe(
    Effect.retry({ schedule: Schedule.spaced("50 millis"), times: 1_000 }),
    Effect.orDie
  )
})

/** What serves the endpoint's file, and what the file is. */
const servers = [
  { framework: "http", text: forms.http.text(guard), main: undefined },
  {
    framework: "fastify",
    text: forms.fastify.text(guard),
    main: `import fastify from ${JSON.stringify(import.meta.resolve("fastify"))}
import purchases from "./purchases.mjs"
const app = fastify()
app.register(purchases)
await app.listen({ port: Number(process.env.PORT), host: "127.0.0.1" })
`
  }
] as const

layer(api, { excludeTestServices: true, timeout: "120 seconds" })("a sandbox test", (it) => {
  const script = Effect.promise(() => projectIn(bicycles)).pipe(
    Effect.map((project) => engineerArtifacts(project, guard)[1]?.artifact.text ?? ""),
    Effect.flatMap((text) => written("sandbox-test.mjs", text))
  )
  const url = Effect.map(HttpServer.HttpServer, ({ address }) => HttpServer.formatAddress(address))

  it.effect("passes with the key of a sandbox account", () =>
    Effect.scoped(Effect.gen(function*() {
      const { key } = yield* openMerchant("Bicycles")
      const { code, text } = yield* run(yield* script, { SVC_URL: yield* url, SVC_API_KEY: key })
      assert.deepStrictEqual([code, text.match(/^ok/gmu)?.length, text.match(/^not ok/gmu)], [0, 6, null], text)
      const stranger = yield* run(yield* script, { SVC_URL: yield* url, SVC_API_KEY: "sk_test_nobody" })
      assert.strictEqual(stranger.code, 1)
      assert.include(stranger.text, "not ok 1 - a purchase is captured")
      assert.strictEqual((yield* run(yield* script, { SVC_URL: yield* url, SVC_API_KEY: "sk_live_x" })).code, 2)
    })), 180_000)

  for (const { framework, main, text } of servers) {
    it.effect(`passes at the endpoint for ${framework}, which pays nothing over its budget`, () =>
      Effect.scoped(Effect.gen(function*() {
        const { key } = yield* openMerchant("Bicycles")
        const directory = yield* folder
        writeFileSync(join(directory, "purchases.mjs"), text)
        if (main !== undefined) writeFileSync(join(directory, "main.mjs"), main)
        const { endpoint } = yield* freePorts("endpoint")
        const env = { SVC_URL: yield* url, SVC_API_KEY: key, AGENT_TOKEN: "agent-token" }
        yield* serve(join(directory, main === undefined ? "purchases.mjs" : "main.mjs"), endpoint, env)
        const AGENT_ENDPOINT = `http://127.0.0.1:${endpoint}/agent/purchases`
        const tried = yield* run(yield* script, { ...env, AGENT_ENDPOINT, AGENT_BUDGET_CENTS: String(guard.budget_per_run_cents) })
        assert.deepStrictEqual([tried.code, tried.text.match(/^ok/gmu)?.length], [0, 10], tried.text)

        // The test has spent one cent of the window: the sum counts, and not only each purchase.
        const buy = (amount: number) =>
          Effect.promise(async () => {
            const response = await fetch(AGENT_ENDPOINT, {
              method: "POST",
              headers: { "content-type": "application/json", authorization: "Bearer agent-token", "idempotency-key": crypto.randomUUID() },
              body: JSON.stringify({ amount, currency: "USD", payment_method_id: "tok_visa" })
            })
            await response.arrayBuffer()
            return response.status
          })
        assert.deepStrictEqual([yield* buy(4000), yield* buy(1000), yield* buy(999)], [201, 403, 201])
      })), 180_000)
  }
})
