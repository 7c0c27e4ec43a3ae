/** The commands, called as `main.ts` calls them, against a database and a running service of this file. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import * as database from "@svc/kernel/database/client"
import { DatabaseConfig } from "@svc/kernel/database/client"
import { signatureHeader } from "@svc/kernel/webhook-signature"
import { ServerConfig } from "@svc/server/config"
import { listen } from "@svc/server/listener"
import * as routes from "@svc/server/routes"
import * as services from "@svc/server/services"
import { layerDatabase } from "@svc/testkit/database"
import { catalog } from "@svc/server/catalog"
import { WebhookEndpoints } from "@svc/webhooks/endpoints/service"
import { Cause, Clock, ConfigProvider, Context, Effect, Exit, FileSystem, Layer, Option, Queue, Redacted, Runtime, Stream } from "effect"
import { Command } from "effect/cli"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestConsole } from "effect/testing"
import { createServer } from "node:http"
import { root } from "./command.ts"
import { receiver } from "./commands/listen.ts"
import { lineOf } from "./failure.ts"

interface Ran {
  readonly code: number
  readonly lines: ReadonlyArray<string>
  /** What `main.ts` prints after `svc: `. */
  readonly error: string
}

/** Runs a command line with these settings. */
const run = (args: string, env: Readonly<Record<string, string>>) =>
  Effect.gen(function*() {
    const exit = yield* Effect.exit(Command.runWith(root, { version: "0" })(args.match(/"[^"]*"|\S+/g)?.map((arg) => arg.replaceAll("\"", "")) ?? []))
    const lines = (yield* TestConsole.logLines).map(String)
    return {
      code: Exit.isSuccess(exit) ? 0 : Runtime.getErrorExitCode(Cause.squash(exit.cause)),
      lines,
      error: Exit.isSuccess(exit) ? "" : lineOf(exit.cause) ?? Cause.pretty(exit.cause)
    } satisfies Ran
  }).pipe(Effect.provide([TestConsole.layer, NodeServices.layer, NodeCrypto.layer, ConfigProvider.layer(ConfigProvider.fromEnvRecord(env))]))

/** A merchant with credentials on disk, as a server leaves them. */
class Installation extends Context.Service<Installation, {
  readonly env: Readonly<Record<string, string>>
  readonly account: string
  /** The `Webhook-ID`s that reached the merchant's endpoint. */
  readonly deliveries: Queue.Dequeue<string>
}>()("@svc/cli/test/Installation") {}

const inbox = Effect.gen(function*() {
  const arrived = yield* Queue.unbounded<string>()
  const server = createServer((request, response) => {
    Queue.offerUnsafe(arrived, String(request.headers["webhook-id"]))
    request.resume().once("end", () => response.end())
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => void server.listen(0, "127.0.0.1", () => resume(Effect.void))),
    () => Effect.sync(() => server.closeAllConnections())
  )
  const address = server.address()
  return { arrived, url: `http://127.0.0.1:${typeof address === "object" && address !== null ? address.port : 0}/` }
})

const installation = Layer.effect(Installation, Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const { arrived, url } = yield* inbox
  const { account, key } = yield* (yield* Accounts).create({ name: "Command line", sandbox: true })
  const { endpoint } = yield* (yield* WebhookEndpoints).put(account, { url })
  const dataDir = yield* fs.makeTempDirectoryScoped({ prefix: "svc-cli-" })
  const base_url = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  yield* fs.writeFileString(`${dataDir}/credentials.json`, JSON.stringify({
    account_id: account.id,
    secret_key: Redacted.value(key.secret),
    webhook_secret: Redacted.value(endpoint.secret),
    base_url,
    tools_url: base_url
  }), { mode: 0o600 })
  const { database: name, host, port, username } = yield* DatabaseConfig
  const place = new URL(`postgres://localhost/${name}`)
  for (const [field, value] of Object.entries({ host, port, user: username })) {
    if (value !== undefined) place.searchParams.set(field, String(value))
  }
  return { env: { DATABASE_URL: place.href, DATA_DIR: dataDir }, account: account.id, deliveries: arrived }
})).pipe(
  Layer.provide(Layer.merge(listen(routes.layer, { port: 0, host: "127.0.0.1", variable: "API_PORT" }), services.workers)),
  Layer.provideMerge(Layer.unwrap(Effect.map(ServerConfig, (settings) => services.layer(settings, { base_url: "http://127.0.0.1", tools_url: "http://127.0.0.1" })))),
  Layer.provideMerge(database.layer),
  Layer.provide([layerDatabase, NodeCrypto.layer, NodeServices.layer]),
  Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({}))),
  Layer.orDie
)

const svc = (args: string) => Effect.flatMap(Installation, ({ env }) => run(args, env))

layer(installation, { excludeTestServices: true })("svc on an installation", (it) => {
  it.effect("accounts: opens one, lists it, suspends and reactivates it", () =>
    Effect.gen(function*() {
      const created = yield* svc("accounts create \"Acme Ltd\" --fee-bps 150")
      const id = created.lines[0]?.split("  ")[0] ?? ""
      assert.match(created.lines.join("\n"), /^acct_\w{26} {2}Acme Ltd {2}sandbox\nsk_test_\w+ /)
      assert.include((yield* svc("accounts list")).lines, `${id}  active  sandbox  Acme Ltd`)
      assert.deepStrictEqual((yield* svc(`accounts suspend ${id}`)).lines, [`${id}  suspended`])
      const again = yield* svc(`accounts suspend ${id}`)
      assert.deepStrictEqual([again.code, /is suspended, so it cannot suspend/.test(again.error)], [1, true])
      assert.deepStrictEqual((yield* svc(`accounts reactivate ${id}`)).lines, [`${id}  active`])
    }))

  it.effect("keys: a restricted one of the merchant, made, listed without its secret, and ended", () =>
    Effect.gen(function*() {
      const made = yield* svc("keys create --scope ledger:read --name report")
      const [id = ""] = made.lines[0]?.split("  ") ?? []
      const [secret = ""] = made.lines[1]?.split("  ") ?? []
      assert.match(secret, /^rk_test_\w{32}$/)
      const listed = (yield* svc("keys list")).lines.join("\n")
      assert.include(listed, id)
      assert.notInclude(listed, secret)
      assert.match((yield* svc(`keys revoke ${id}`)).lines.join("\n"), /  revoked  /)
    }))

  it.effect("keys --operator: belong to no account", () =>
    Effect.gen(function*() {
      const { account } = yield* Installation
      const made = yield* svc("keys create --operator")
      assert.match(made.lines[1] ?? "", /^ok_\w{32} /)
      const [id = ""] = made.lines[0]?.split("  ") ?? []
      assert.include((yield* svc("keys list --operator")).lines.join("\n"), id)
      assert.notInclude((yield* svc("keys list")).lines.join("\n"), id)
      assert.strictEqual((yield* svc(`keys create --operator --account ${account}`)).code, 2)
      assert.strictEqual((yield* svc("keys create --operator --scope ledger:read")).code, 2)
    }))

  it.effect.each([
    ["created", "created"],
    ["authorized", "authorized"],
    ["captured", "captured"],
    ["refunded", "refunded"],
    ["failed", "failed"],
    ["cancelled", "cancelled"]
  ])("trigger payment_intent.%s leaves a payment that is %s, and the event in the log", ([event, state]) =>
    Effect.gen(function*() {
      const { account } = yield* Installation
      const sql = yield* SqlClient.SqlClient
      const { lines } = yield* svc(`trigger payment_intent.${event} --amount 321`)
      const [, id = "", stands] = lines[0]?.split("  ") ?? []
      assert.strictEqual(stands, state)
      const types = yield* sql<{ readonly type: string }>`SELECT type FROM events WHERE account_id = ${account} AND resource_id = ${id}`
      assert.include(types.map(({ type }) => type), `payment_intent.${event}`)
    }))

  it.effect("clock: made, advanced by a moment and by a span, and shown; what falls due on the way happens", () =>
    Effect.gen(function*() {
      const { env: { DATA_DIR = "", ...rest }, account } = yield* Installation
      const fs = yield* FileSystem.FileSystem
      const sql = yield* SqlClient.SqlClient
      // An account of its own: a clock is never taken away.
      const { account: { id }, key } = yield* (yield* Accounts).create({ name: "Clocked", sandbox: true })
      const credentials: Record<string, unknown> = JSON.parse(yield* fs.readFileString(`${DATA_DIR}/credentials.json`))
      const own = yield* fs.makeTempDirectoryScoped({ prefix: "svc-cli-" })
      yield* fs.writeFileString(`${own}/credentials.json`, JSON.stringify({ ...credentials, account_id: id, secret_key: Redacted.value(key.secret) }))
      const clock = (args: string) => run(args, { ...rest, DATA_DIR: own })

      const none = yield* clock("clock show")
      assert.deepStrictEqual([none.code, /has no clock.*svc clock make/.test(none.error)], [1, true])
      const [made = ""] = (yield* clock("clock make")).lines
      const [, id_, present = ""] = /^(clock_\w{26}) {2}(\S+) {2}ready$/.exec(made) ?? assert.fail(made)
      assert.deepStrictEqual([(yield* clock("clock make")).lines, (yield* clock("clock show")).lines], [[made], [made]])
      yield* (yield* WebhookEndpoints).put({ id, sandbox: true }, { url: "http://127.0.0.1:9/" })
      const [, payment = ""] = (yield* clock("trigger payment_intent.authorized")).lines[0]?.split("  ") ?? []
      const after = (days: number) => new Date(Date.parse(present) + days * 86_400_000).toISOString()
      assert.deepStrictEqual((yield* clock("clock advance +6d")).lines, [`${id_}  ${after(6)}  ready`])
      const state = Effect.map(sql<{ readonly state: string; readonly updated_at: string }>`SELECT state, updated_at FROM payment_intents WHERE id = ${payment}`, ([row]) => [row?.state, row?.updated_at])
      assert.deepStrictEqual(yield* state, ["authorized", present])
      assert.deepStrictEqual((yield* clock(`clock advance ${after(30)}`)).lines, [`${id_}  ${after(30)}  ready`])
      assert.deepStrictEqual(yield* state, ["cancelled", after(7)])
      // What failed a month ago by the account's time did not fail within the hour.
      assert.deepStrictEqual([(yield* clock("replay --since 1h")).lines, (yield* clock("replay --since 40d")).lines], [["0 replayed"], ["3 replayed"]])
      const back = yield* clock(`clock advance ${present}`)
      assert.deepStrictEqual([back.code, /only moves forward/.test(back.error)], [1, true])
      assert.notStrictEqual(id, account)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.effect("replay: the same event again, under a new delivery id", () =>
    Effect.gen(function*() {
      const { deliveries } = yield* Installation
      const sql = yield* SqlClient.SqlClient
      yield* svc("trigger payment_intent.created")
      const delivered = Stream.fromQueue(deliveries).pipe(
        Stream.mapEffect((id) => sql<{ readonly id: string; readonly status: string }>`SELECT id, status FROM webhook_deliveries WHERE id = ${id}`),
        Stream.filter(([row]) => row?.status === "delivered"),
        Stream.runHead
      )
      const first = yield* Effect.map(delivered, (found) => Option.getOrThrow(found)[0]?.id ?? "")
      const { lines } = yield* svc(`replay ${first}`)
      const [made = ""] = lines[0]?.split("  ") ?? []
      assert.notStrictEqual(made, first)
      const heard = yield* Stream.fromQueue(deliveries).pipe(Stream.filter((id) => id === made), Stream.runHead)
      assert.deepStrictEqual(heard, Option.some(made))
    }))

  it.effect("verify-ledger: from the database and from the API alone, and it notices a forged row", () =>
    Effect.gen(function*() {
      const { account, env } = yield* Installation
      const sql = yield* SqlClient.SqlClient
      yield* svc("trigger payment_intent.captured")
      const books = yield* svc("verify-ledger")
      assert.deepStrictEqual([books.code, books.lines.at(-1)?.startsWith("ok: true ")], [0, true])
      const nobody = yield* svc(`verify-ledger --account acct_${"0".repeat(26)}`)
      assert.deepStrictEqual([nobody.code, /There is no account acct_0/.test(nobody.error)], [2, true], nobody.error)
      const { base_url } = JSON.parse(yield* FileSystem.FileSystem.use((fs) => fs.readFileString(`${env["DATA_DIR"]}/credentials.json`)))
      const outside = yield* svc(`verify-ledger --url ${String(base_url)}`)
      assert.deepStrictEqual(outside.lines[0], books.lines.find((line) => line.startsWith(account)))

      // Whoever owns the database can switch its guards off; the chain still tells.
      yield* sql`ALTER TABLE financial_events DISABLE TRIGGER USER`
      yield* sql`UPDATE financial_events SET resource_id = 'pi_forged' WHERE merchant_id = ${account} AND sequence_id = 2`
      for (const args of ["verify-ledger", `verify-ledger --account ${account}`, `verify-ledger --url ${String(base_url)}`]) {
        const forged = yield* svc(args)
        assert.strictEqual(forged.code, 1)
        assert.include(forged.lines.join("\n"), `${account}  BROKEN at 2: hash_mismatch, after 1 events that hold`)
      }
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("migrate: says when there is nothing to do", () =>
    Effect.gen(function*() {
      assert.deepStrictEqual((yield* svc("migrate")).lines, ["The database is up to date."])
    }))

  it.effect("doctor: finds the database, the credentials and the key in order", () =>
    Effect.gen(function*() {
      const { account } = yield* Installation
      const { lines } = yield* svc("doctor")
      const found = lines.join("\n")
      assert.match(found, /^ok {4}database {6}Postgres [\d.]+ answers and has every migration$/m)
      assert.match(found, /^ok {4}credentials .* is for its owner only$/m)
      assert.include(found, `opens ${account} at `)
    }))

  it.effect("doctor: credentials that others can read are a failure, with the way out", () =>
    Effect.gen(function*() {
      const { env } = yield* Installation
      const fs = yield* FileSystem.FileSystem
      const file = `${env["DATA_DIR"]}/credentials.json`
      yield* fs.chmod(file, 0o644)
      const { code, lines } = yield* svc("doctor").pipe(Effect.ensuring(Effect.orDie(fs.chmod(file, 0o600))))
      assert.strictEqual(code, 1)
      assert.match(lines.join("\n"), /^FAIL {2}credentials .*chmod 600/m)
    }).pipe(Effect.provide(NodeServices.layer)))
})

describe("svc without an installation", () => {
  it.live.each([
    ["an API that does not answer", "trigger payment_intent.created --url http://127.0.0.1:9 --key sk_test_x", 1, /does not answer\. Start it with npm start/],
    ["no credentials", "trigger payment_intent.created", 1, /Cannot read .*credentials\.json: .*Run npm start/],
    ["a database that does not answer", "accounts list", 1, /^The database cannot be reached: .*DATABASE_URL/],
    ["a setting that cannot be used", "accounts list", 1, /^API_PORT is "abc", and must be a whole number from 1 to 65535\. Correct it, or leave it unset for 4000\.$/, { API_PORT: "abc" }],
    ["doctor and a setting that cannot be used", "doctor", 1, /^1 of 9 checks failed\.$/, { API_PORT: "abc" }],
    ["two ways to replay", "replay whq_1 --since 1h", 2, /not both/],
    ["no way to replay", "replay", 2, /Name one delivery/],
    ["a moment that is none", "replay --since yesterday", 2, /is no moment/],
    ["no moment to advance to", "clock advance tomorrow", 2, /is no moment.*\+30d/]
  ] as const)("%s: one line and the exit code", ([, args, code, says, env = {}]) =>
    Effect.gen(function*() {
      const ran = yield* run(args, { DATA_DIR: "/nowhere/svc", DATABASE_URL: "postgres://nobody@127.0.0.1:9/none", ...env })
      assert.strictEqual(ran.code, code)
      assert.match(ran.error, says)
      assert.notInclude(ran.error, "\n")
    }))
})

describe("svc trigger --help", () => {
  it.live("names every event that can be caused, and no other", () =>
    Effect.gen(function*() {
      const help = yield* run("trigger --help", {})
      assert.strictEqual(help.code, 0)
      const named = /The event to cause: (.*)/.exec(help.lines.join("\n"))?.[1]?.split(", ") ?? []
      // What it takes gets as far as the API, which is not there.
      const attempts = yield* Effect.forEach(Array.from(catalog.events.keys()), (event) =>
        Effect.map(run(`trigger ${event} --url http://127.0.0.1:9 --key sk_test_x`, {}), ({ error }) => error.includes("does not answer") ? [event] : []))
      assert.sameMembers(named, attempts.flat())
      assert.include(named, "payment_intent.captured")
    }))
})

describe("svc listen", () => {
  it.live("answers 200 and says which deliveries are authentic", () =>
    Effect.gen(function*() {
      const secret = "whsec_of_the_listener"
      const body = JSON.stringify({
        id: "evt_01M7XZKEW0V10Z4AEDM6YQZTYA",
        type: "payment_intent.created",
        created_at: "2026-11-21T08:00:00.000Z",
        api_version: "2026-11-01",
        account_id: "acct_01M7XZKCXS30BY9WZ2P98CP709",
        event_seq: 1,
        resource_version: 1,
        data: {}
      })
      const timestamp = Math.floor((yield* Clock.currentTimeMillis) / 1000)
      const served = yield* Layer.build(receiver(0, Option.some(Redacted.make(secret))))
      const address = HttpServer.formatAddress(Context.get(served, HttpServer.HttpServer).address)
      const post = (signedBy: string) =>
        Effect.promise(() =>
          fetch(`${address}/webhooks`, {
            method: "POST",
            body,
            headers: { "webhook-id": "whq_1", "webhook-signature": signatureHeader({ secrets: [signedBy], timestamp, body }) }
          }))
      assert.strictEqual((yield* post(secret)).status, 200)
      assert.strictEqual((yield* post("whsec_of_somebody_else")).status, 200)
      const lines = (yield* TestConsole.logLines).map(String)
      assert.match(lines[0] ?? "", /payment_intent\.created {2}evt_\w{26} {2}whq_1 {2}verified$/)
      assert.match(lines[1] ?? "", /whq_1 {2}NOT VERIFIED: No v1 signature fits/)
    }).pipe(Effect.scoped, Effect.provide([TestConsole.layer, NodeServices.layer])))
})
