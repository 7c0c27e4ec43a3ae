/** The commands, called as `main.ts` calls them, against a database and a running service of this file. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, describe, it, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { People } from "@svc/accounts/people/service"
import { DatabaseConfig } from "@svc/kernel/database/client"
import { signatureHeader } from "@svc/kernel/signatures/webhook-signature"
import { outboxIn } from "@svc/platform/email/outbox"
import { Email, layerOutbox } from "@svc/platform/email/service"
import { catalog } from "@svc/server/catalog"
import { workers } from "@svc/server/services"
import { layer as service } from "@svc/testkit/contract/service"
import { freePorts } from "@svc/testkit/ports"
import { ENCRYPTION_KEYS as KEYS_OF_TESTS } from "@svc/testkit/process"
import { until } from "@svc/testkit/until"
import { TransferInstruments } from "@svc/treasury/transfer-instruments/service"
import { WebhookEndpoints } from "@svc/webhooks/endpoints/service"
import { Cause, Clock, ConfigProvider, Context, Effect, Exit, FileSystem, Layer, Option, Queue, Redacted, Runtime, Stream } from "effect"
import { Command } from "effect/cli"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { TestConsole } from "effect/testing"
import { createServer } from "node:http"
import { commandFor } from "./command.ts"
import { receiver } from "./commands/listen.ts"
import { isUsage, reportOf } from "./failure.ts"
import * as help from "./help.ts"
import { Json } from "./output.ts"

interface Ran {
  readonly code: number
  readonly lines: ReadonlyArray<string>
  /** What is printed on standard error, without `svc: ` before it. */
  readonly error: string
}

/** Runs a command line with these settings, to its end or, where it goes on for ever, until it has printed so many lines. */
const run = (args: string, env: Readonly<Record<string, string>>, lines?: number) =>
  Effect.gen(function*() {
    const words = args.match(/"[^"]*"|\S+/g)?.map((arg) => arg.replaceAll("\"", "")) ?? []
    const json = words.includes("--json")
    const running = Effect.flatMap(commandFor(words), (command) => Command.runWith(command, { version: "0" })(words))
    const printed = until(`${lines} lines are printed`, Effect.map(TestConsole.logLines, ({ length }) => length >= (lines ?? 0)))
    const exit = yield* (lines === undefined ? running : Effect.raceFirst(running, printed)).pipe(
      Effect.provide(help.layer(json)),
      Effect.exit
    )
    const told = (yield* TestConsole.logLines).map(String)
    const shown = (yield* TestConsole.errorLines).map(String).join("\n")
    const error = Exit.isSuccess(exit) ? "" : isUsage(exit.cause) ? shown : reportOf(exit.cause, json, (text) => text)
    return {
      code: Exit.isSuccess(exit) ? 0 : Runtime.getErrorExitCode(Cause.squash(exit.cause)),
      lines: told,
      error: error.replace(/^svc: /, "")
    } satisfies Ran
  }).pipe(
    Effect.provide([TestConsole.layer, NodeServices.layer, NodeCrypto.layer, ConfigProvider.layer(ConfigProvider.fromEnvRecord(env))])
  )

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

const installation = Layer.effect(
  Installation,
  Effect.gen(function*() {
    const fs = yield* FileSystem.FileSystem
    const { arrived, url } = yield* inbox
    const { account, key } = yield* (yield* Accounts).create({ name: "Command line", sandbox: true })
    const { endpoint } = yield* (yield* WebhookEndpoints).put(account, { url })
    const dataDir = yield* fs.makeTempDirectoryScoped({ prefix: "svc-cli-" })
    const base_url = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
    yield* fs.writeFileString(
      `${dataDir}/credentials.json`,
      JSON.stringify({
        account_id: account.id,
        secret_key: Redacted.value(key.secret),
        webhook_secret: Redacted.value(endpoint.secret),
        base_url,
        tools_url: base_url
      }),
      { mode: 0o600 }
    )
    const { database: name, host, password, port, username } = yield* DatabaseConfig
    const place = new URL(`postgres://localhost/${name}`)
    for (
      const [field, value] of Object.entries({
        host,
        port,
        user: username,
        password: Redacted.isRedacted(password) ? Redacted.value(password) : undefined
      })
    ) {
      if (value !== undefined) place.searchParams.set(field, String(value))
    }
    return { env: { DATABASE_URL: place.href, DATA_DIR: dataDir }, account: account.id, deliveries: arrived }
  })
).pipe(Layer.provide([workers, NodeServices.layer]), Layer.provideMerge(service))

/** An account of its own, as a clock is never taken away, and the command line on it. */
const clocked = Effect.gen(function*() {
  const { env: { DATA_DIR = "", ...rest } } = yield* Installation
  const fs = yield* FileSystem.FileSystem
  const { account: { id }, key } = yield* (yield* Accounts).create({ name: "Clocked", sandbox: true })
  const credentials: Record<string, unknown> = JSON.parse(yield* fs.readFileString(`${DATA_DIR}/credentials.json`))
  const own = yield* fs.makeTempDirectoryScoped({ prefix: "svc-cli-" })
  yield* fs.writeFileString(
    `${own}/credentials.json`,
    JSON.stringify({ ...credentials, account_id: id, secret_key: Redacted.value(key.secret) })
  )
  return { id, clock: (args: string) => run(args, { ...rest, DATA_DIR: own }) }
})

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

  it.effect("accounts list and get: with an operator key through the API, the same as from the database", () =>
    Effect.gen(function*() {
      const { account, env } = yield* Installation
      const [, secret = ""] = /^(ok_\w{32}) /m.exec((yield* svc("keys create --operator")).lines.join("\n")) ?? []
      const pending = yield* (yield* Accounts).create({ name: "Later", sandbox: true, status: "pending" })
      const lines = Effect.fnUntraced(function*(args: string) {
        const [direct, api] = [
          yield* svc(`accounts ${args}`),
          yield* run(`accounts ${args} --key ${secret}`, { ...env, DATABASE_URL: "postgres://nobody@127.0.0.1:9/none" })
        ]
        assert.deepStrictEqual([direct.error, api.error], ["", ""])
        assert.deepStrictEqual(api.lines, direct.lines, args)
        return api.lines
      })
      const all = yield* lines("list")
      assert.includeMembers([...all], [`${account}  active  sandbox  Command line`, `${pending.account.id}  pending  sandbox  Later`])
      assert.deepStrictEqual(yield* lines("list --status pending"), [`${pending.account.id}  pending  sandbox  Later`])
      assert.deepStrictEqual(yield* lines(`get ${account}`), [`${account}  active  sandbox  Command line`])
      const merchant = yield* svc("accounts list --key sk_test_x")
      assert.deepStrictEqual([merchant.code, /API key is missing, malformed/.test(merchant.error)], [1, true])
      const nobody = yield* svc(`accounts get acct_${"0".repeat(26)} --key ${secret}`)
      assert.deepStrictEqual([nobody.code, /No such account/.test(nobody.error)], [1, true])
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

  it.effect("keys: a scope that no route asks for is refused, with those that there are, and no key is made", () =>
    Effect.gen(function*() {
      const before = (yield* svc("keys list")).lines
      const { code, error } = yield* svc("keys create --scope ledgers:read")
      assert.strictEqual(code, 1)
      assert.match(error, /scopes\.0: .*ledgers:read.*ledger:read/su)
      assert.deepStrictEqual((yield* svc("keys list")).lines, before)
    }))

  it.effect("--json: each result and each failure is one object a line", () =>
    Effect.gen(function*() {
      const { account } = yield* Installation
      const objects = Effect.fnUntraced(function*(args: string) {
        const { error, lines } = yield* svc(`${args} --json`)
        assert.strictEqual(error, "", args)
        return lines.map((line): Record<string, unknown> => JSON.parse(line))
      })
      const [made = {}, ...others] = yield* objects("accounts create Json")
      assert.deepStrictEqual(others, [])
      assert.include(made, { name: "Json", sandbox: true })
      assert.match(String(made["secret_key"]), /^sk_test_\w{32}$/)
      assert.include((yield* objects("accounts list")).map(({ id }) => id), account)
      assert.deepInclude((yield* objects("trigger payment_intent.created"))[0], { event: "payment_intent.created", state: "created" })
      assert.deepInclude((yield* objects(`verify-ledger --account ${account}`)).at(-1), { ok: true, ledgers: 1, broken: 0 })
      assert.deepInclude((yield* objects("migrate"))[0], { applied: [] })
      assert.deepInclude((yield* objects("doctor")).find(({ check }) => check === "database"), { mark: "ok" })
      for (
        const [args, code, error, message] of [
          ["accounts get acct_0 --json", 2, "called_wrongly", /acct_0/],
          ["clock show --json", 1, "failed", /has no clock/],
          ["replay --json", 2, "called_wrongly", /Name one delivery/]
        ] as const
      ) {
        const refused = yield* svc(args)
        const said: Record<string, unknown> = JSON.parse(refused.error)
        assert.deepStrictEqual([refused.lines, said["error"]], [[], error])
        assert.match(String(said["message"]), message)
        if (code === 1) assert.strictEqual(refused.code, 1)
      }
    }))

  it.effect("resources: a payment is made, refunded, listed and shown, for people and with --json", () =>
    Effect.gen(function*() {
      const made = yield* svc(
        "payment-intents create --amount 123456 --currency USD --payment-method-id tok_visa --capture --customer-id table --json"
      )
      assert.deepStrictEqual([made.code, made.lines.length], [0, 1], made.error)
      const intent: Record<string, unknown> = JSON.parse(made.lines[0] ?? "")
      const id = String(intent["id"])
      assert.deepInclude(intent, { amount: 123_456, state: "captured", customer_id: "table" })
      const refunded = yield* svc(`payment-intents refund ${id} --amount 56 --if-match ${intent["version"]}`)
      assert.include(refunded.lines, "refunded_amount       0.56 USD")
      assert.match(refunded.lines.join("\n"), /\nattempts:\nid .*\natt_\w+ +card_a +1234\.56 USD /u)
      const stale = yield* svc(`payment-intents refund ${id} --amount 56 --if-match 1`)
      assert.deepStrictEqual([stale.code, stale.error.startsWith("version_conflict: ")], [1, true], stale.error)
      const { lines: [head = "", row = "", ...others] } = yield* svc("payment-intents list --customer-id table")
      assert.deepStrictEqual(head.split(/ {2,}/u), ["id", "amount", "state", "customer_id", "selected_rail", "decline_code", "created_at"])
      assert.match(row, new RegExp(`^${id}  1234\\.56 USD  captured  table  .* \\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d$`, "u"))
      assert.deepStrictEqual(others, [])
      const { lines: [json = ""] } = yield* svc("payment-intents list --customer-id table --json")
      const { lines: [one = ""] } = yield* svc(`payment-intents get ${id} --json`)
      assert.deepStrictEqual(JSON.parse(json), JSON.parse(one))
    }))

  it.effect("resources: a list goes on over its pages, to its limit or to its end", () =>
    Effect.gen(function*() {
      for (const name of ["a", "b", "c"]) {
        assert.strictEqual((yield* svc(`plans create --name ${name} --amount 5 --currency USD --billing-period monthly`)).code, 0)
      }
      const some = yield* svc("plans list --limit 2")
      assert.lengthOf(some.lines, 3)
      assert.lengthOf((yield* svc("plans list --all --json")).lines, 3)
      assert.lengthOf((yield* svc("plans list --limit 101 --json")).lines, 3)
    }))

  it.effect("resources: a refusal says its code, why, what next, and the key of the act, which is the same act again", () =>
    Effect.gen(function*() {
      const declined = "payment-intents create --amount 1999 --currency USD --payment-method-id tok_insufficient_funds"
      const first = yield* svc(`${declined} --json`)
      assert.strictEqual(first.code, 1)
      const { idempotency_key: key }: { readonly idempotency_key: string } = JSON.parse(first.error)
      // What is refused for good is not tried again.
      const said = yield* svc(`${declined} --idempotency-key ${key}`)
      assert.match(said.error, /^card_declined \(\w+\): .+ \(req_\w+\)$/u)
      const again = yield* svc(`${declined} --idempotency-key ${key} --json`)
      const refusal: Record<string, unknown> = JSON.parse(again.error)
      assert.deepInclude(refusal, { error: "card_declined", idempotency_key: key })
      assert.lengthOf((yield* svc("payment-intents list --state failed --json")).lines, 1)
      const unknown = yield* svc("payment-intents create --amount 5 --currency USD --url http://127.0.0.1:9")
      assert.match(unknown.error, /does not answer.* --idempotency-key svc_\w{26}\.$/u)
      for (
        const wrong of [
          "payment-intents create --currency USD",
          "payment-intents create --amount x",
          "payouts list --limit 0",
          "payouts do"
        ]
      ) {
        assert.strictEqual((yield* svc(wrong)).code, wrong.includes("--currency") ? 2 : 1, wrong)
      }
    }))

  it.effect("resources: what somebody else has named never orders a terminal about", () =>
    Effect.gen(function*() {
      const { env: { DATA_DIR = "" } } = yield* Installation
      const fs = yield* FileSystem.FileSystem
      const name = "Eve \u001b]0;pwned\u0007\u001b[2J \u202e"
      yield* fs.writeFileString(`${DATA_DIR}/evil.json`, JSON.stringify({ customer_id: "evil", metadata: { name } }))
      const made = yield* svc(`payment-intents create --data @${DATA_DIR}/evil.json --amount 5 --currency USD`)
      const printed = [
        ...made.lines,
        ...(yield* svc("payment-intents list --customer-id evil")).lines,
        ...(yield* svc("payment-intents list --customer-id evil --json")).lines,
        (yield* svc(`payouts get "${name}"`)).error
      ].join("")
      assert.include(printed, "\\u001b]0;pwned\\u0007\\u001b[2J")
      assert.notMatch(printed, /[\p{Cc}\u202e]/u)
      const { lines: [json = ""] } = yield* svc("payment-intents list --customer-id evil --json")
      assert.deepStrictEqual(JSON.parse(json).metadata, { name })
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("open and ask: the desk's address, and the assistant's answer", () =>
    Effect.gen(function*() {
      const { env } = yield* Installation
      const { lines: [home = ""] } = yield* svc("open --print")
      assert.match(home, /^http:\/\/localhost:\d+\/desk$/u)
      const id = `po_${"0".repeat(26)}`
      assert.deepStrictEqual((yield* svc("open payment-intents --print")).lines, [`${home}/payments`])
      assert.deepStrictEqual((yield* svc(`open ${id} --print`)).lines, [`${home}/payouts/${id}`])
      assert.match((yield* run("open nowhere --print", env)).error, /^"nowhere" is no page of the desk/u)
      const asked = (yield* svc("ask \"What did fees cost last month?\"")).lines
      assert.isTrue(asked.some((line) => /^Confidence: [01]\.\d\d$/u.test(line)), asked.join("\n"))
      const answer: Record<string, unknown> = JSON.parse((yield* svc("ask \"What did fees cost last month?\" --json")).lines.join(""))
      assert.strictEqual(answer["answer"], asked.slice(0, asked.indexOf("")).join("\n"))
    }))

  it.effect("listen: takes the port of the merchant's endpoint, and says when that is elsewhere", () =>
    Effect.gen(function*() {
      const { account, env } = yield* Installation
      const endpoints = yield* WebhookEndpoints
      const { url } = yield* endpoints.get(account)
      assert.include((yield* svc("listen")).error, `Cannot listen on port ${new URL(url).port}: another process does`)
      const { port } = yield* freePorts("port")
      assert.deepStrictEqual((yield* run(`listen --port ${port}`, env, 2)).lines, [
        `Listening for webhooks at http://127.0.0.1:${port}/webhooks (Ctrl-C ends)`,
        `The sandbox merchant's webhooks go to ${url}, not here. PUT /v1/webhook_endpoint with {"url": "http://127.0.0.1:${port}/webhooks"} sends them here.`
      ])
    }))

  it.effect("another installation on the port: one line, of trigger and of doctor", () =>
    Effect.gen(function*() {
      const { env: { DATA_DIR = "", ...rest } } = yield* Installation
      const fs = yield* FileSystem.FileSystem
      const credentials: Record<string, string> = JSON.parse(yield* fs.readFileString(`${DATA_DIR}/credentials.json`))
      const own = yield* fs.makeTempDirectoryScoped({ prefix: "svc-cli-" })
      const text = JSON.stringify({ ...credentials, secret_key: `sk_test_${"a".repeat(32)}` })
      yield* fs.writeFileString(`${own}/credentials.json`, text, { mode: 0o600 })
      const env = { ...rest, DATA_DIR: own, API_PORT: new URL(credentials["base_url"] ?? "").port }
      const triggered = yield* run("trigger payment_intent.created", env)
      assert.strictEqual(triggered.code, 1)
      assert.match(triggered.error, /^The payments API at \S+ does not know the key of credentials\.json: .*another installation.*$/)
      const looked = (yield* run("doctor", env)).lines
      assert.match(looked.find((line) => line.includes("API port")) ?? "", /^FAIL .* is served by another installation of svc\. /)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.effect("doctor: finds the running server by credentials.json, whatever the ports are set to", () =>
    Effect.gen(function*() {
      const { env } = yield* Installation
      const { API_PORT } = yield* freePorts("API_PORT")
      const looked = (yield* run("doctor", { ...env, API_PORT: String(API_PORT) })).lines
      assert.match(looked.find((line) => line.includes("API port")) ?? "", /^ok .*http:\S+ is served by this installation, healthy$/)
    }))

  it.effect("export-ledger: the merchant of credentials.json, into a file", () =>
    Effect.gen(function*() {
      const { env } = yield* Installation
      const file = `${env["DATA_DIR"]}/ledger.ndjson`
      yield* svc("trigger payment_intent.captured")
      const exported = yield* svc(`export-ledger --out ${file}`)
      assert.deepStrictEqual([exported.code, exported.error], [0, ""])
      const text = yield* FileSystem.FileSystem.use((fs) => fs.readFileString(file))
      const entriesOf = (lines: ReadonlyArray<string>) => lines.filter((line) => line.startsWith("{\"id\":\"fe_"))
      const entries = entriesOf(text.split("\n"))
      assert.isNotEmpty(entries)
      assert.deepStrictEqual(entries, entriesOf((yield* svc("export-ledger")).lines.join("\n").split("\n")))
      const nowhere = yield* svc("export-ledger --out /nowhere/ledger.ndjson")
      assert.deepStrictEqual(
        [nowhere.code, nowhere.error.startsWith("/nowhere/ledger.ndjson cannot be written: ")],
        [1, true],
        nowhere.error
      )
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("desk invite: a link to an account, or to the installation, with any role", () =>
    Effect.gen(function*() {
      const { account } = yield* Installation
      const people = yield* People
      const made = yield* svc("desk invite")
      const [link = "", note] = made.lines
      assert.match(link, /^http:\/\/localhost:\d+\/desk\/join\/join_\w{32}$/u)
      assert.include(note, "within 10 minutes")
      assert.deepInclude(yield* people.invitation(link.split("/").at(-1) ?? ""), { account_id: account, role: "owner", email: null })
      const { lines: [operators = ""] } = yield* svc("desk invite --operator --role viewer --email Ada@Example.com")
      assert.deepInclude(yield* people.invitation(operators.split("/").at(-1) ?? ""), {
        account_id: null,
        role: "viewer",
        email: "ada@example.com"
      })
      assert.deepStrictEqual([
        (yield* svc(`desk invite --operator --account ${account}`)).code,
        (yield* svc(`desk invite --account acct_${"0".repeat(26)}`)).code
      ], [2, 1])
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

  /** What nobody waits for: only an account with a clock of its own can be brought there. */
  const waits = new Set(["checkout.session.abandoned", "customer_portal.session.expired"])

  it.effect.each([...waits])(
    "trigger %s: says that an account without a clock would wait, and advances one with a clock",
    (event) =>
      Effect.gen(function*() {
        const { clock, id } = yield* clocked
        const refused = yield* clock(`trigger ${event}`)
        assert.deepStrictEqual([refused.code, /svc clock make/.test(refused.error)], [1, true], refused.error)
        yield* clock("clock make")
        const [, about = ""] = (yield* clock(`trigger ${event}`)).lines[0]?.split("  ") ?? []
        const sql = yield* SqlClient.SqlClient
        const told = yield* sql<
          { readonly type: string }
        >`SELECT type FROM events WHERE account_id = ${id} AND resource_id = ${about} ORDER BY seq`
        assert.strictEqual(told.at(-1)?.type, event)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )

  it.effect.each([...catalog.events.keys()].filter((event) => !waits.has(event)))(
    "trigger %s leaves the event in the log, of what it shows as it stands",
    (event) =>
      Effect.gen(function*() {
        const { account } = yield* Installation
        const sql = yield* SqlClient.SqlClient
        const before = yield* sql`SELECT settings FROM accounts WHERE id = ${account}`
        const { error, lines } = yield* svc(`trigger ${event} --amount 321`)
        assert.strictEqual(error, "")
        const [named, id = "", stands] = lines[0]?.split("  ") ?? []
        const told = yield* sql<{ readonly type: string; readonly state: string }>`
        SELECT type, coalesce(data::jsonb->>'state', data::jsonb->>'status') AS state FROM events WHERE account_id = ${account} AND resource_id = ${id} ORDER BY seq`
        assert.deepStrictEqual([lines.length, named, stands], [1, event, told.at(-1)?.state])
        assert.include(told.map(({ type }) => type), event)
        assert.deepStrictEqual(
          yield* sql`SELECT settings FROM accounts WHERE id = ${account}`,
          before,
          "the account's settings are as they were"
        )
      })
  )

  it.effect("trigger settlement.processing: says when there is nothing to settle", () =>
    Effect.gen(function*() {
      const ran = yield* svc("trigger settlement.processing --amount 1")
      assert.deepStrictEqual([ran.code, /fee took all of the payment.*--amount/.test(ran.error)], [1, true], ran.error)
    }))

  it.effect("trigger settlement.completed, .failed: an account with a clock is advanced to the day", () =>
    Effect.gen(function*() {
      const { clock, id } = yield* clocked
      const sql = yield* SqlClient.SqlClient
      const [, present = ""] = (yield* clock("clock make")).lines[0]?.split("  ") ?? []
      const [, first = "", completed] = (yield* clock("trigger settlement.completed")).lines[0]?.split("  ") ?? []
      const [, second = "", failed] = (yield* clock("trigger settlement.failed")).lines[0]?.split("  ") ?? []
      assert.deepStrictEqual([completed, failed], ["completed", "failed"])
      const after = (days: number) => new Date(Date.parse(present) + days * 86_400_000).toISOString()
      const rows = yield* sql<
        { readonly id: string; readonly updated_at: string }
      >`SELECT id, updated_at FROM settlements WHERE merchant_id = ${id} ORDER BY id`
      assert.deepStrictEqual(rows.map((row) => [row.id, row.updated_at]), [[first, after(2)], [second, after(4)]])
      assert.include((yield* clock("clock show")).lines[0], after(4))
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.effect("clock: made, advanced by a moment and by a span, and shown; what falls due on the way happens", () =>
    Effect.gen(function*() {
      const { account } = yield* Installation
      const sql = yield* SqlClient.SqlClient
      const { clock, id } = yield* clocked

      const none = yield* clock("clock show")
      assert.deepStrictEqual([none.code, /has no clock.*svc clock make/.test(none.error)], [1, true])
      const [made = ""] = (yield* clock("clock make")).lines
      const [, id_, present = ""] = /^(clock_\w{26}) {2}(\S+) {2}ready$/.exec(made) ?? assert.fail(made)
      assert.deepStrictEqual([(yield* clock("clock make")).lines, (yield* clock("clock show")).lines], [[made], [made]])
      yield* (yield* WebhookEndpoints).put({ id, sandbox: true }, { url: "http://127.0.0.1:9/" })
      const [, payment = ""] = (yield* clock("trigger payment_intent.authorized")).lines[0]?.split("  ") ?? []
      const after = (days: number) => new Date(Date.parse(present) + days * 86_400_000).toISOString()
      assert.deepStrictEqual((yield* clock("clock advance +6d")).lines, [`${id_}  ${after(6)}  ready`])
      const state = Effect.map(
        sql<{ readonly state: string; readonly updated_at: string }>`SELECT state, updated_at FROM payment_intents WHERE id = ${payment}`,
        ([row]) => [row?.state, row?.updated_at]
      )
      assert.deepStrictEqual(yield* state, ["authorized", present])
      assert.deepStrictEqual((yield* clock(`clock advance ${after(30)}`)).lines, [`${id_}  ${after(30)}  ready`])
      assert.deepStrictEqual(yield* state, ["cancelled", after(7)])
      // What failed a month ago by the account's time did not fail within the hour.
      assert.deepStrictEqual([(yield* clock("replay --since 1h")).lines, (yield* clock("replay --since 40d")).lines], [["0 replayed"], [
        "3 replayed"
      ]])
      const back = yield* clock(`clock advance ${present}`)
      assert.deepStrictEqual([back.code, /only moves forward/.test(back.error)], [1, true])
      assert.notStrictEqual(id, account)
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))

  it.effect("reconcile: the rail's own statement agrees, a file that has less is named line by line, and what cannot be asked is said in one line", () =>
    Effect.gen(function*() {
      const { env } = yield* Installation
      const fs = yield* FileSystem.FileSystem
      yield* svc("trigger payment_intent.captured")
      const own = yield* svc("reconcile card_a --from 1h")
      assert.strictEqual(own.code, 0, own.error)
      assert.match(own.lines[0] ?? "", /^rr_\w{26} {2}[1-9]\d* lines: [1-9]\d* matched, 0 mismatched, 0 unreconciled$/)
      const path = `${env["DATA_DIR"]}/statement.csv`
      yield* fs.writeFileString(path, "type,provider_reference,amount,currency,occurred_at\ncapture,nobody,1,USD,2026-01-01\n")
      const file = yield* svc(`reconcile card_a --from 2026-01-01 --to 2026-01-02 --file ${path}`)
      assert.match(file.lines[0] ?? "", / 1 lines: 0 matched, 1 mismatched, 0 unreconciled$/)
      assert.match(
        file.lines[1] ?? "",
        /^rm_\w{26} {2}missing_internal {2}capture nobody: the ledger has nothing, the provider 1 USD at 2026-01-01T00:00:00.000Z {2}open$/
      )
      for (
        const [args, code, error] of [
          ["reconcile card_a --from soon", 2, /--from: "soon" is no moment/],
          ["reconcile card_a --file nowhere.csv", 1, /nowhere.csv cannot be read/],
          ["reconcile nobody", 1, /there is no rail nobody here/]
        ] as const
      ) {
        const refused = yield* svc(args)
        assert.strictEqual(refused.code, code, refused.error)
        assert.match(refused.error, error)
      }
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("replay: the same event again, under a new delivery id", () =>
    Effect.gen(function*() {
      const { deliveries } = yield* Installation
      const sql = yield* SqlClient.SqlClient
      yield* svc("trigger payment_intent.created")
      const delivered = Stream.fromQueue(deliveries).pipe(
        Stream.mapEffect((id) =>
          sql<{ readonly id: string; readonly status: string }>`SELECT id, status FROM webhook_deliveries WHERE id = ${id}`
        ),
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

      const rebuilt = yield* svc("rebuild --verify")
      assert.deepStrictEqual([rebuilt.code, rebuilt.lines.at(-1)?.startsWith("ok: true ")], [0, true], rebuilt.lines.join("\n"))
      assert.strictEqual((yield* svc("rebuild")).code, 2)
      assert.match((yield* svc("checkpoint")).lines.join(), /^[1-9]\d* ledgers? signed$/)
      const exported = yield* svc(`export-ledger --account ${account}`)
      assert.match(exported.lines.join("\n"), /^\{"type":"checkpoint".*\n(?:\{"id":"fe_.*\n)+\{"type":"end",.*\}$/)

      yield* sql`UPDATE payment_intents SET captured_amount = captured_amount + 1, amount = amount + 1, authorized_amount = authorized_amount + 1 WHERE merchant_id = ${account}
        AND id = (SELECT id FROM payment_intents WHERE merchant_id = ${account} AND captured_amount > 0 LIMIT 1)`
      const differing = yield* svc(`rebuild --verify --account ${account}`)
      assert.strictEqual(differing.code, 1)
      for (
        const field of ["state_mismatch", "amount: the table has", "captured_amount: the table has", "authorized_amount: the table has"]
      ) assert.include(differing.lines.join("\n"), field)

      // Whoever owns the database can switch its guards off; the chain still tells.
      yield* sql`ALTER TABLE financial_events DISABLE TRIGGER USER`
      yield* sql`UPDATE financial_events SET resource_id = 'pi_forged' WHERE merchant_id = ${account} AND sequence_id = 2`
      for (const args of ["verify-ledger", `verify-ledger --account ${account}`, `verify-ledger --url ${String(base_url)}`]) {
        const forged = yield* svc(args)
        assert.strictEqual(forged.code, 1)
        assert.include(forged.lines.join("\n"), `${account}  BROKEN at 2: hash_mismatch, after 1 events that hold`)
      }
    }).pipe(Effect.provide(NodeServices.layer)))

  it.effect("encryption: makes a key, seals anew with the first, and names what does not open", () =>
    Effect.gen(function*() {
      const { account: id, env } = yield* Installation
      const sql = yield* SqlClient.SqlClient
      const instruments = yield* TransferInstruments
      const account = yield* (yield* Accounts).facts(id)
      yield* instruments.create(account, { type: "bank_account", currency: "EUR", holder_name: "Acme", number: "DE89370400440532013000" })
      const sealedWith = Effect.map(sql<{ readonly key: string }>`SELECT sealed ->> 'key' AS key FROM transfer_instruments`, (rows) =>
        rows.map(({ key }) => key))
      // Sessions that triggers made have their secrets sealed, too.
      const [{ count } = assert.fail()] = yield* sql<{ readonly count: number }>`
        SELECT (SELECT count(*) FROM transfer_instruments) + (SELECT count(*) FROM checkout_sessions) + (SELECT count(*) FROM portal_sessions) AS count`
      const instrumentsLine = ({ lines }: Ran) =>
        lines.find((line) => line.startsWith("transfer_instruments.sealed"))
      const wrong = yield* svc("encryption make-key NEW")
      assert.deepStrictEqual([wrong.code, /is no id of a key/u.test(wrong.error)], [2, true])
      const [made = ""] = (yield* svc("encryption make-key new")).lines
      const rotate = (ENCRYPTION_KEYS: string) => run("encryption rotate", { ...env, ENCRYPTION_KEYS })
      const lost = yield* rotate(made)
      assert.deepStrictEqual([
        lost.code,
        new RegExp(`^${count} rows? did not open.*Put the keys test back`, "u").test(lost.error),
        yield* sealedWith
      ], [1, true, ["test"]])
      assert.deepStrictEqual(
        instrumentsLine(yield* rotate(`${made},${KEYS_OF_TESTS}`)),
        "transfer_instruments.sealed: 1 row sealed anew with new"
      )
      assert.deepStrictEqual(yield* sealedWith, ["new"])
      const again = yield* rotate(made)
      assert.deepStrictEqual([again.code, instrumentsLine(again)], [0, "transfer_instruments.sealed: all is sealed with new"])
      assert.isTrue(again.lines.at(-1)?.startsWith("Nothing is sealed with another key than new"))
      const unreadable = yield* rotate("nonsense")
      assert.deepStrictEqual([unreadable.code, unreadable.error.startsWith("ENCRYPTION_KEYS must be keys such as")], [1, true])
    }))

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
      assert.match(found, /^(?:ok {4}|note {2})foreign code {2}(?:runs within |svc_code_sandbox and )/m)
      assert.match(
        found,
        /^(?:ok {4}|note {2})fetched later .*An English voice: (?:ready|fetched when first needed \(21 MB\)|being fetched)/m
      )
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

describe("svc outbox", () => {
  it.live("lists what a local start kept, newest first, and shows one", () =>
    Effect.gen(function*() {
      const DATA_DIR = yield* FileSystem.FileSystem.use((fs) => fs.makeTempDirectoryScoped({ prefix: "svc-cli-" }))
      assert.match((yield* run("outbox", { DATA_DIR })).lines.join("\n"), /^No email in .*\/outbox\. With SMTP_URL set/)
      const sent = ["Erste", "Zweite – für dich"].map((subject) => ({
        to: ["ada@example.com"],
        subject,
        text: "Grüße\n",
        attachments: [{ filename: "a.pdf", content_type: "application/pdf", content: new Uint8Array(9) }]
      }))
      yield* Email.use((email) => Effect.forEach(sent, email.send)).pipe(Effect.provide(layerOutbox(outboxIn(DATA_DIR))))
      const { lines } = yield* run("outbox", { DATA_DIR })
      assert.deepStrictEqual(lines.map((line) => line.split("  ").slice(2)), [["ada@example.com", "Zweite – für dich"], [
        "ada@example.com",
        "Erste"
      ]])
      const [name = ""] = lines[0]?.split("  ") ?? []
      const shown = (yield* run(`outbox show ${name}`, { DATA_DIR })).lines.join("\n")
      assert.match(shown, /^To: ada@example\.com$/m)
      assert.match(shown, /^Subject: Zweite – für dich$/m)
      assert.match(shown, /^Grüße$/m)
      assert.match(shown, /^Attached: a\.pdf \(application\/pdf\)$/m)
      const none = yield* run("outbox show eml_nothing", { DATA_DIR })
      assert.deepStrictEqual([none.code, /There is no email eml_nothing/.test(none.error)], [1, true])
    }).pipe(Effect.scoped, Effect.provide(NodeServices.layer)))
})

describe("svc without an installation", () => {
  it.live.each(
    [
      [
        "an API that does not answer",
        "trigger payment_intent.created --url http://127.0.0.1:9 --key sk_test_x",
        1,
        /does not answer\. Start it with npm start/
      ],
      ["no credentials", "trigger payment_intent.created", 1, /Cannot read .*credentials\.json: .*Run npm start/],
      ["a database that does not answer", "accounts list", 1, /^The database cannot be reached: .*DATABASE_URL/],
      [
        "a setting that cannot be used",
        "accounts list",
        1,
        /^API_PORT is "abc", and must be a whole number from 1 to 65535\. Correct it, or leave it unset for 4000\.$/,
        { API_PORT: "abc" }
      ],
      ["doctor and a setting that cannot be used", "doctor", 1, /^1 of 12 checks failed\.$/, { API_PORT: "abc" }],
      ["two ways to replay", "replay whq_1 --since 1h", 2, /not both/],
      ["no way to replay", "replay", 2, /Name one delivery/],
      ["a moment that is none", "replay --since yesterday", 2, /is no moment/],
      ["no moment to advance to", "clock advance tomorrow", 2, /is no moment.*\+30d/],
      ["a day that does not exist, to which a clock would go for good", "clock advance 2027-02-30", 2, /is no moment/],
      ["a time of which nobody knows the zone", "clock advance 2027-02-01T08:00:00", 2, /is no moment/]
    ] as const
  )("%s: one line and the exit code", ([, args, code, says, env = {}]) =>
    Effect.gen(function*() {
      const ran = yield* run(args, { DATA_DIR: "/nowhere/svc", DATABASE_URL: "postgres://nobody@127.0.0.1:9/none", ...env })
      assert.strictEqual(ran.code, code)
      assert.match(ran.error, says)
      assert.notInclude(ran.error, "\n")
    }))
})

describe("svc called wrongly", () => {
  it.live.each(
    [
      ["trigger nope", /^"nope" is no event\. svc trigger --help shows how to call it\.$/],
      ["accounts create", /^Missing required argument: name\. svc accounts create --help shows how to call it\.$/],
      ["lisen", /^Unknown subcommand "lisen" for "svc".*listen.*svc --help shows how to call it\.$/],
      [
        "trigger payment_intent.created --amount=-5",
        /^Invalid value for flag --amount: "-5"\. Expected a whole number of minor units from 1 to 99999999999, .*$/
      ],
      ["listen --port 70000", /^Invalid value for flag --port: "70000"[^]*$/],
      [
        "listen --secret sk_test_x",
        /^Invalid value for flag --secret: \S+ Expected a signing secret: whsec_ and 44 characters of Base64\. .*$/
      ]
    ] as const
  )("%s: one line, without the help, and exit code 2 of main", ([args, says]) =>
    Effect.gen(function*() {
      const { error, lines } = yield* run(args, { DATA_DIR: "/nowhere/svc" })
      assert.deepStrictEqual(lines, [])
      assert.match(error, says)
      assert.notInclude(error, "\n")
      assert.notInclude(error, "sk_test_x")
    }))
})

describe("svc --help", () => {
  it.live.each(["", "accounts", "trigger", "rebuild", "encryption rotate", "export-ledger", "payment-intents", "account update"])(
    "%s fits into 100 columns",
    (command) =>
      Effect.gen(function*() {
        const { lines } = yield* run(`${command} --help`, {})
        const all = lines.join("\n").split("\n")
        assert.include(all, "USAGE")
        assert.deepStrictEqual(all.filter((line) => line.length > 100), [])
      })
  )
})

describe("svc with a DATA_DIR in which nothing is", () => {
  it.live.each(["accounts list", "keys list --operator", "verify-ledger", "rebuild --verify", "export-ledger"])(
    "%s: makes no database, and says what to set",
    (args) =>
      Effect.gen(function*() {
        const fs = yield* FileSystem.FileSystem
        const DATA_DIR = yield* fs.makeTempDirectoryScoped({ prefix: "svc-cli-" })
        const { code, error } = yield* run(args, { DATA_DIR })
        assert.deepStrictEqual([code, yield* fs.readDirectory(DATA_DIR)], [1, []])
        assert.match(error, /^There is no database in DATA_DIR \S+\. Set DATA_DIR to the folder of the installation, or DATABASE_URL/)
      }).pipe(Effect.scoped, Effect.provide(NodeServices.layer))
  )
})

describe("svc trigger --help", () => {
  it.live("names every event type of the service, and no other", () =>
    Effect.gen(function*() {
      const shown = yield* run("trigger --help", {})
      assert.strictEqual(shown.code, 0)
      const [, list = ""] = /The event to cause: ([^]*?)\n\n/.exec(shown.lines.join("\n")) ?? []
      const named = list.split(/,\s+/)
      const missing = Array.from(catalog.events.keys()).filter((type) => !named.includes(type))
      assert.deepStrictEqual(missing, [], "give these a cause in packages/cli/src/triggers/, and add the file to commands/trigger.ts")
      assert.sameMembers(named, [...catalog.events.keys()])
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
      const served = yield* Layer.build(receiver(0, Option.some(Redacted.make(secret)))).pipe(Effect.provideService(Json, false))
      const address = HttpServer.formatAddress(Context.get(served, HttpServer.HttpServer).address)
      const post = (signedBy: string) =>
        Effect.promise(() =>
          fetch(`${address}/webhooks`, {
            method: "POST",
            body,
            headers: { "webhook-id": "whq_1", "webhook-signature": signatureHeader({ secrets: [signedBy], timestamp, body }) }
          })
        )
      assert.strictEqual((yield* post(secret)).status, 200)
      assert.strictEqual((yield* post("whsec_of_somebody_else")).status, 200)
      const lines = (yield* TestConsole.logLines).map(String)
      assert.match(lines[0] ?? "", /payment_intent\.created {2}evt_\w{26} {2}whq_1 {2}verified$/)
      assert.match(lines[1] ?? "", /whq_1 {2}NOT VERIFIED: No v1 signature fits/)
    }).pipe(Effect.scoped, Effect.provide([TestConsole.layer, NodeServices.layer])))
})
