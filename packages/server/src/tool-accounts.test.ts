/** Accounts and agents on the tool server's own listener: opened, recognised, limited, refused. */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, layer } from "@effect/vitest"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { AgentKeyId, type AgentPolicy } from "@svc/accounts/agent-keys/model"
import { AgentKeys } from "@svc/accounts/agent-keys/service/agent-keys"
import { TestClocks } from "@svc/accounts/test-clocks/service"
import * as Database from "@svc/kernel/database/client"
import { parseJson } from "@svc/kernel/values/json"
import { layerDatabase } from "@svc/testkit/database"
import { ConfigProvider, DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { HttpServer } from "effect/http"
import { SqlClient } from "effect/sql"
import { ServerConfig } from "./config.ts"
import { listen } from "./listener.ts"
import * as services from "./services.ts"
import * as tools from "./tools.ts"

const serving = (environment: Readonly<Record<string, string>> = {}) =>
  listen(tools.layer, { port: 0, host: "127.0.0.1", variable: "TOOLS_PORT" }).pipe(
    Layer.provideMerge(
      Layer.unwrap(
        Effect.map(ServerConfig, (config) => services.layer(config, { base_url: "http://svc.test", tools_url: "https://tools.svc.test" }))
      )
    ),
    Layer.provideMerge(Database.layer),
    Layer.provide([layerDatabase, NodeCrypto.layer]),
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromEnvRecord({ TOOLS_SIGNUPS_PER_HOUR: "1000", ...environment })))
  )

interface Asked {
  readonly key?: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const ask = Effect.fnUntraced(function*(method: string, path: string, { body, headers, key }: Asked = {}) {
  const base = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  const response = yield* Effect.promise(() =>
    fetch(`${base}${path}`, {
      method,
      headers: {
        ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
  )
  const text = yield* Effect.promise(() => response.text())
  const parsed: unknown = parseJson(text)
  const json: Readonly<Record<string, unknown>> = typeof parsed === "object" && parsed !== null ? { ...parsed } : {}
  return { status: response.status, headers: response.headers, text, json }
})

const textOf = (json: Readonly<Record<string, unknown>>, field: string): string => String(json[field])

const Cuts = Schema.Struct({ agent_keys: Schema.Array(Schema.Struct({ ID: Schema.String })) })

const signUp = Effect.map(ask("POST", "/v1/agents/signup", { body: { agent_name: "Shopper" } }), ({ json }) => ({
  account: textOf(json, "merchant_id"),
  id: AgentKeyId.make(textOf(json, "agent_key_id")),
  token: textOf(json, "token")
}))

const standing = ["x-svc-tier", "x-svc-quota-remaining", "x-svc-quota-limit", "x-svc-credits-balance", "x-svc-request-cost"]

const ToolList = Schema.Struct({
  result: Schema.Struct({
    tools: Schema.Array(Schema.Struct({
      name: Schema.String,
      _meta: Schema.Struct({
        "svc/price_cents": Schema.Struct({ standard: Schema.Int, lite: Schema.Int, engineer: Schema.Int })
      })
    }))
  })
})

layer(serving(), { excludeTestServices: true, timeout: "60 seconds" })("accounts on the tool server", (it) => {
  it.effect("are opened with a key that is shown once, and that finds them", () =>
    Effect.gen(function*() {
      const opened = yield* ask("POST", "/v1/accounts", { body: { email: "Ada@example.com", name: "Ada", tier: "free" } })
      assert.strictEqual(opened.status, 201, opened.text)
      assert.hasAllKeys(opened.json, ["account_id", "api_key", "secret_key", "tier", "credits"])
      assert.match(textOf(opened.json, "secret_key"), /^sk_test_/)
      const keys = yield* (yield* SqlClient.SqlClient)<{ readonly kind: string }>`SELECT kind FROM api_keys WHERE account_id = ${
        textOf(opened.json, "account_id")
      } ORDER BY kind`
      assert.deepStrictEqual(keys.map(({ kind }) => kind), ["secret", "tool"])
      assert.deepInclude(opened.json, { tier: "free", credits: 10_000 })
      const key = textOf(opened.json, "api_key")
      assert.match(key, /^svck_test_[0-9A-Za-z]{32}$/)
      for (const asked of [{ key }, { headers: { "x-svc-key": key } }, { key: "a payment credential", headers: { "x-svc-key": key } }]) {
        const own = yield* ask("GET", "/v1/account", asked)
        assert.strictEqual(own.status, 200, own.text)
        assert.deepInclude(own.json, {
          account_id: opened.json["account_id"],
          email: "Ada@example.com",
          name: "Ada",
          sandbox: true,
          status: "active",
          tier: "free",
          credits: 10_000,
          quota: { limit: 10_000, remaining: 10_000 }
        })
        assert.deepStrictEqual(standing.map((name) => own.headers.get(name)), ["free", "10000", "10000", "10000", "0"])
        assert.notInclude(own.text, key)
      }
    }))

  it.effect("hear where they stand with every answer to a key, whatever was asked and however it went", () =>
    Effect.gen(function*() {
      const key = textOf(
        (yield* ask("POST", "/v1/accounts", { body: { email: "standing@example.com", name: "Standing" } })).json,
        "api_key"
      )
      const rpc = (method: string, params?: object) => ({ jsonrpc: "2.0", id: 1, method, ...(params === undefined ? {} : { params }) })
      const call = (name: unknown, args: object = {}) => rpc("tools/call", { name, arguments: args })
      const said = ({ headers }: Effect.Success<ReturnType<typeof ask>>) => standing.map((name) => headers.get(name))
      const all = ["free", "10000", "10000", "10000", "0"]
      for (
        const body of [
          rpc("initialize", { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "c", version: "1" } }),
          rpc("ping"),
          rpc("tools/list"),
          rpc("discover/catalog"),
          rpc("nobody/knows"),
          rpc("tools/call", { name: 7 }),
          call("nobody_knows"),
          call("list_programs"),
          call("list_programs", { nobody: "reads" }),
          call("svc_speech_to_text", { audio_base64: "YQ==" }),
          call("ping_payment"),
          [rpc("ping")],
          { jsonrpc: "1.0" }
        ]
      ) {
        for (const path of ["/mcp", "/v1/mcp"]) {
          const answer = yield* ask("POST", path, { key, body })
          assert.deepStrictEqual(said(answer), all, `${path} ${JSON.stringify(body)}: ${answer.text.slice(0, 200)}`)
        }
      }
      for (
        const [method, path, body] of [["POST", "/v1/analyze", { github_url: "https://github.com/a/b" }], ["POST", "/v1/analyze", "x"], [
          "DELETE",
          "/v1/snapshots/snap_1",
          undefined
        ]] as const
      ) {
        const answer = yield* ask(method, path, { key, ...(body === undefined ? {} : { body }) })
        assert.deepStrictEqual(said(answer), all, `${method} ${path}: ${answer.text.slice(0, 200)}`)
      }
      for (
        const [method, path, body] of [
          ["GET", "/v1/mcp/tools"],
          ["GET", "/v1/mcp/tools?q=pay"],
          ["GET", "/v1/agents/discovery"],
          ["GET", "/v1/install"],
          ["GET", "/v1/install/toaster"],
          ["GET", "/v1/calls/call_1"],
          ["POST", "/v1/feedback", {}],
          ["PUT", "/mcp"],
          ["GET", "/v1/nowhere"],
          ["POST", "/v1/accounts", {}],
          ["GET", "/v1/health"]
        ] as const
      ) {
        const answer = yield* ask(method, path, { key, ...(body === undefined ? {} : { body }) })
        assert.deepStrictEqual(said(answer), all, `${method} ${path}: ${answer.text.slice(0, 200)}`)
        assert.notMatch(answer.headers.get("cache-control") ?? "", /public/, `${method} ${path}`)
      }
      const ofNobody = yield* ask("GET", "/v1/install")
      assert.deepStrictEqual([said(ofNobody), ofNobody.headers.get("cache-control")], [standing.map(() => null), "public, max-age=300"])
      for (const asked of [{ body: call("list_programs") }, { key: "svck_test_nobody", body: call("list_programs") }]) {
        assert.deepStrictEqual(said(yield* ask("POST", "/mcp", asked)), standing.map(() => null))
      }
    }))

  it.effect("hear it with a refusal for calls that come too fast, and with one of a payment that does not fit", () =>
    Effect.gen(function*() {
      const key = textOf((yield* ask("POST", "/v1/accounts", { body: { email: "fast@example.com", name: "Fast" } })).json, "api_key")
      const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ping_payment", arguments: {} } }
      for (
        const headers of [{ authorization: "Payment eyJ4Ijoi", "x-svc-key": key }, {
          authorization: `Bearer ${key}`,
          "payment-authorization": "Payment eyJ4Ijoi"
        }]
      ) {
        const refused = yield* ask("POST", "/mcp", { headers, body })
        assert.deepStrictEqual([refused.status, refused.headers.get("x-svc-tier")], [402, "free"], refused.text)
        assert.include(refused.text, "malformed")
      }
      for (const path of ["/mcp", "/v1/account"]) {
        const limited = yield* Effect.repeat(
          path === "/mcp"
            ? ask("POST", path, { key, body: { ...body, params: { name: "list_programs", arguments: {} } } })
            : ask("GET", path, { key }),
          {
            until: ({ status }) => status === 429,
            times: 200
          }
        )
        assert.deepStrictEqual([limited.status, standing.map((name) => limited.headers.get(name))], [429, [
          "free",
          "10000",
          "10000",
          "10000",
          "0"
        ]], limited.text)
      }
    }))

  it.effect("are one an email, whoever asks at once and however it is written", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const before = yield* sql`SELECT id FROM accounts`
      const answers = yield* Effect.forEach(["bob@example.com", "BOB@example.com", "Bob@Example.com", "bob@example.com"], (email) =>
        ask("POST", "/v1/accounts", { body: { email, name: "Bob" } }), { concurrency: "unbounded" })
      assert.deepStrictEqual(
        answers.map(({ status }) =>
          status
        ).sort((one, other) => one - other),
        [201, 409, 409, 409]
      )
      for (const { json } of answers.filter(({ status }) => status === 409)) assert.strictEqual(json["error"], "email_taken")
      assert.lengthOf(yield* sql`SELECT id FROM accounts`, before.length + 1, "who is refused leaves no account behind")
    }))

  it.effect("are refused by the field that is wrong", () =>
    Effect.gen(function*() {
      for (
        const [body, code] of [
          [{ name: "Ada" }, "email"],
          [{ email: "ada", name: "Ada" }, "email"],
          [{ email: "ada@example", name: "Ada" }, "email"],
          [{ email: `${"a".repeat(60)}@${`${"b".repeat(60)}.`.repeat(4)}example`, name: "Ada" }, "email"],
          [{ email: "ada2@example.com" }, "name"],
          [{ email: "ada2@example.com", name: "Ada", tier: "pro" }, "tier"],
          [{ email: "ada2@example.com", name: "Ada", sandbox: false }, "sandbox"]
        ] as const
      ) {
        const answer = yield* ask("POST", "/v1/accounts", { body })
        assert.deepStrictEqual([answer.status, answer.json["error"], answer.json["code"]], [400, "validation_error", code], answer.text)
        assert.match(textOf(answer.json, "request_id"), /^req_/)
      }
    }))

  it.effect("say which key to use to those that open nothing here", () =>
    Effect.gen(function*() {
      const { key } = yield* (yield* Accounts).create({ name: "Acme", sandbox: true })
      const secret = Redacted.value(key.secret)
      for (
        const [asked, says] of [
          [{}, /There is none/],
          [{ key: secret }, /secret key of the payments API.*svck_/],
          [{ key: "agk_test_00000000000000000000000000000000" }, /unknown, revoked or expired/],
          [{ headers: { authorization: "Payment eyJ4Ijoi" } }, /There is none/]
        ] as const
      ) {
        for (const [method, path] of [["GET", "/v1/account"], ["POST", "/v1/agents/keys"]] as const) {
          const answer = yield* ask(method, path, { ...asked, ...(method === "POST" ? { body: { name: "x" } } : {}) })
          assert.deepStrictEqual([answer.status, answer.json["error"], answer.headers.get("www-authenticate")], [
            401,
            "unauthorized",
            "Bearer"
          ], answer.text)
          assert.match(textOf(answer.json, "message"), says)
        }
      }
    }))

  describe("of agents", () => {
    it.effect("sign themselves up, and are told where to go on", () =>
      Effect.gen(function*() {
        const answer = yield* ask("POST", "/v1/agents/signup", { body: { agent_name: "Shopper", contact: "ada@example.com" } })
        assert.strictEqual(answer.status, 201, answer.text)
        const { endpoints, expires_at, mode, token } = answer.json
        assert.deepStrictEqual(endpoints, {
          mcp_streamable: "https://tools.svc.test/v1/mcp",
          mcp_sse: "https://tools.svc.test/v1/mcp/sse",
          mcp_messages: "https://tools.svc.test/v1/mcp/messages",
          discovery: "https://tools.svc.test/v1/agents/discovery"
        })
        assert.strictEqual(mode, "sandbox")
        const left = Date.parse(String(expires_at)) - (yield* DateTime.now).epochMilliseconds
        assert.isTrue(left > 23.9 * 3_600_000 && left <= 24 * 3_600_000, String(expires_at))
        const own = yield* ask("GET", "/v1/account", { key: String(token) })
        assert.deepInclude(own.json, {
          account_id: answer.json["merchant_id"],
          name: "Shopper",
          email: null,
          sandbox: true,
          key: { kind: "agent_key", id: answer.json["agent_key_id"], policy: answer.json["policy"] }
        })
        assert.strictEqual((yield* ask("POST", "/v1/agents/signup", { body: {} })).status, 201)
        assert.strictEqual((yield* ask("POST", "/v1/agents/signup", { body: { agent_name: null, contact: null } })).status, 201)
        assert.strictEqual((yield* ask("POST", "/v1/agents/signup", { body: { agent_name: "two\nlines" } })).json["code"], "agent_name")
      }))

    it.effect("cut one key under an idempotency key, and send a message once", () =>
      Effect.gen(function*() {
        const agent = yield* signUp
        const cut = (key: string, name = "Helper") =>
          ask("POST", "/v1/agents/keys", { key: agent.token, headers: { "idempotency-key": key }, body: { name, policy: {} } })
        const [first, again] = [yield* cut("cut-1"), yield* cut("cut-1")]
        assert.deepStrictEqual([first.status, first.headers.get("idempotent-replayed")], [201, "false"], first.text)
        assert.deepStrictEqual([again.json["token"], again.headers.get("idempotent-replayed")], [first.json["token"], "true"], again.text)
        assert.deepStrictEqual([(yield* cut("cut-1", "Other")).json["error"]], ["idempotency_key_reused"])
        assert.notStrictEqual((yield* cut("cut-2")).json["token"], first.json["token"])
        const { token } = yield* signUp
        const other = yield* ask("POST", "/v1/agents/keys", {
          key: token,
          headers: { "idempotency-key": "cut-1" },
          body: { name: "Helper", policy: {} }
        })
        assert.strictEqual(other.json["error"], "idempotency_key_reused", other.text)

        const message = { message: "The documents are good.", category: "other" }
        const sent = [1, 2].map(() => ask("POST", "/v1/feedback", { headers: { "idempotency-key": "sent-1" }, body: message }))
        const [one, two] = yield* Effect.all(sent)
        assert.deepStrictEqual([one?.json, two?.headers.get("idempotent-replayed")], [two?.json, "true"], two?.text)
      }))

    it.effect("cut smaller keys from their own, and lose them with it", () =>
      Effect.gen(function*() {
        const agent = yield* signUp
        const answer = yield* ask("POST", "/v1/agents/keys", {
          key: agent.token,
          body: { name: "Helper", policy: { allowed_tools: ["ping_payment"], rate_limit_per_minute: 30 } }
        })
        assert.strictEqual(answer.status, 201, answer.text)
        assert.deepInclude(answer.json, { parent_id: agent.id, status: "active" })
        assert.deepInclude(answer.json["policy"], {
          allowed_tools: ["ping_payment"],
          rate_limit_per_minute: 30,
          max_amount_minor_cents: 100_000
        })
        assert.deepStrictEqual(standing.filter((name) => answer.headers.get(name) === null), [])
        const helper = textOf(answer.json, "token")
        const beyond = yield* ask("POST", "/v1/agents/keys", { key: helper, body: { name: "x", policy: { allowed_tools: ["get_quote"] } } })
        assert.deepStrictEqual([beyond.status, beyond.json["code"]], [400, "policy.allowed_tools"])
        assert.strictEqual(
          (yield* ask("POST", "/v1/agents/keys", { key: helper, body: { name: "x", parent_id: agent.id } })).json["code"],
          "parent_id"
        )
        const third = textOf((yield* ask("POST", "/v1/agents/keys", { key: helper, body: { name: "Third" } })).json, "token")
        assert.strictEqual((yield* ask("POST", "/v1/agents/keys", { key: third, body: { name: "Fourth" } })).status, 409)
        yield* (yield* AgentKeys).revoke(agent.account, agent.id)
        for (const key of [agent.token, helper, third]) assert.strictEqual((yield* ask("GET", "/v1/account", { key })).status, 401)
      }))

    it.effect("list the tools that their key may call, with prices, and no others", () =>
      Effect.gen(function*() {
        const agent = yield* signUp
        const cut = (policy: object) =>
          Effect.map(ask("POST", "/v1/agents/keys", { key: agent.token, body: { name: "Helper", policy } }), ({ json }) =>
            textOf(json, "token"))
        const list = Effect.fnUntraced(function*(key: string) {
          const { json } = yield* ask("POST", "/mcp", { key, body: { jsonrpc: "2.0", id: 1, method: "tools/list" } })
          return Schema.decodeUnknownSync(ToolList)(json).result.tools
        })
        assert.deepStrictEqual(
          (yield* list(yield* cut({ allowed_tools: ["ping_payment", "get_quote"] }))).map(({ _meta, name }) => [name, _meta]),
          [
            ["ping_payment", { "svc/price_cents": { standard: 1, lite: 1, engineer: 1 } }],
            ["get_quote", { "svc/price_cents": { standard: 0, lite: 0, engineer: 0 } }]
          ]
        )
        const cheap = yield* list(yield* cut({ max_amount_minor_cents: 0 }))
        assert.isNotEmpty(cheap)
        for (const { _meta, name } of cheap) {
          assert.strictEqual(_meta["svc/price_cents"].lite, 0, name)
        }
      }))

    it.effect("see and end the keys that they cut, and no others", () =>
      Effect.gen(function*() {
        const [agent, stranger] = [yield* signUp, yield* signUp]
        const cut = (key: string, name: string) =>
          Effect.map(
            ask("POST", "/v1/agents/keys", { key, body: { name } }),
            ({ json }) => ({ id: textOf(json, "id"), token: textOf(json, "token") })
          )
        const helper = yield* cut(agent.token, "Helper")
        const third = yield* cut(helper.token, "Third")
        const idsOf = (key: string) =>
          Effect.map(
            ask("GET", "/v1/agents/keys", { key }),
            ({ json }) => Schema.decodeUnknownSync(Cuts)(json).agent_keys.map(({ ID }) => ID)
          )
        assert.deepStrictEqual(yield* idsOf(agent.token), [helper.id, third.id])
        assert.deepStrictEqual(yield* idsOf(helper.token), [third.id])
        for (
          const [key, id] of [[stranger.token, helper.id], [helper.token, agent.id], [helper.token, helper.id], [
            third.token,
            helper.id
          ]] as const
        ) {
          assert.strictEqual((yield* ask("DELETE", `/v1/agents/keys/${id}`, { key })).status, 404)
        }
        const ended = yield* ask("DELETE", `/v1/agents/keys/${helper.id}`, { key: agent.token })
        assert.deepStrictEqual([ended.status, ended.json["Status"]], [200, "revoked"])
        for (const { token } of [helper, third]) assert.strictEqual((yield* ask("GET", "/v1/account", { key: token })).status, 401)
        assert.deepStrictEqual(yield* idsOf(agent.token), [])
      }))

    it.effect("are no owners: a tool key cuts nothing", () =>
      Effect.gen(function*() {
        const opened = yield* ask("POST", "/v1/accounts", { body: { email: "cut@example.com", name: "Ada" } })
        const answer = yield* ask("POST", "/v1/agents/keys", { key: textOf(opened.json, "api_key"), body: { name: "x" } })
        assert.deepStrictEqual([answer.status, answer.json["error"]], [403, "forbidden"])
      }))

    it.effect("live by the clock of their account", () =>
      Effect.gen(function*() {
        const agent = yield* signUp
        const clocks = yield* TestClocks
        const { clock } = yield* clocks.create({ id: AccountId.make(agent.account), sandbox: true })
        const sql = yield* SqlClient.SqlClient
        yield* sql`UPDATE account_clocks SET present = present + interval '23 hours' WHERE account_id = ${agent.account}`
        const cut = yield* ask("POST", "/v1/agents/keys", { key: agent.token, body: { name: "Helper" } })
        assert.strictEqual(textOf(cut.json, "created_at"), DateTime.formatIso(DateTime.add(clock.now, { hours: 23 })))
        yield* sql`UPDATE account_clocks SET present = present + interval '1 hour' WHERE account_id = ${agent.account}`
        assert.strictEqual((yield* ask("GET", "/v1/account", { key: agent.token })).status, 401)
      }))

    it.effect("are counted by their policy", () =>
      Effect.gen(function*() {
        const agent = yield* signUp
        const { json } = yield* ask("POST", "/v1/agents/keys", {
          key: agent.token,
          body: { name: "Slow", policy: { rate_limit_per_minute: 2 } }
        })
        const own = () => ask("GET", "/v1/account", { key: textOf(json, "token") })
        assert.deepStrictEqual([(yield* own()).status, (yield* own()).status], [200, 200])
        const refused = yield* own()
        assert.deepStrictEqual([refused.status, refused.json["error"]], [429, "rate_limited"])
        assert.match(refused.headers.get("retry-after") ?? "", /^[1-9]\d*$/)
      }))
  })
})

layer(serving({ TOOLS_CALLS_PER_MINUTE: "5" }), { excludeTestServices: true, timeout: "60 seconds" })(
  "keys that were cut from one",
  (it) => {
    it.effect("call no more often than it may, all of them and it together", () =>
      Effect.gen(function*() {
        const sandbox = yield* ask("POST", "/v1/agents/signup", { body: {} })
        const account = yield* (yield* Accounts).facts(textOf(sandbox.json, "merchant_id"))
        const keys = yield* AgentKeys
        const cutsOf = Effect.fnUntraced(function*(policy: AgentPolicy) {
          const first = yield* keys.issue(account, { name: "First", policy })
          const second = yield* keys.issue(account, { name: "Second", parent_id: first.key.id })
          const third = yield* keys.issue(account, { name: "Third", parent_id: second.key.id })
          return [third, second, first, yield* keys.issue(account, { name: "Other", parent_id: first.key.id })].map(({ token }) =>
            Redacted.value(token)
          )
        })
        for (const [policy, most] of [[{ rate_limit_per_minute: 3 }, 3], [{}, 5]] as const) {
          const tokens = yield* cutsOf(policy)
          const statuses = yield* Effect.forEach(
            [...tokens, ...tokens],
            (key) => Effect.map(ask("GET", "/v1/account", { key }), ({ status }) => status)
          )
          assert.deepStrictEqual(statuses, statuses.map((_, n) => n < most ? 200 : 429))
        }
      }))
  }
)

layer(serving({ TOOLS_SIGNUPS_PER_HOUR: "2", TOOLS_ACCOUNTS: "live" }), { excludeTestServices: true, timeout: "60 seconds" })(
  "a live installation",
  (it) => {
    it.effect("opens live accounts that wait for the operator, a few an hour from one network", () =>
      Effect.gen(function*() {
        const opened = yield* ask("POST", "/v1/accounts", { body: { email: "live@example.com", name: "Ada" } })
        const key = textOf(opened.json, "api_key")
        assert.match(key, /^svck_live_/)
        assert.deepInclude((yield* ask("GET", "/v1/account", { key })).json, { sandbox: false, status: "pending" })
        assert.match(
          textOf((yield* ask("POST", "/v1/agents/signup", { body: {} })).json, "token"),
          /^agk_test_/,
          "agents that nobody vouches for stay in sandboxes"
        )
        for (const [path, body] of [["/v1/accounts", { email: "more@example.com", name: "Ada" }], ["/v1/agents/signup", {}]] as const) {
          const refused = yield* ask("POST", path, { body })
          assert.deepStrictEqual([refused.status, refused.json["error"]], [429, "rate_limited"], refused.text)
          assert.isAtMost(Number(refused.headers.get("retry-after")), 1800)
        }
        const sql = yield* SqlClient.SqlClient
        assert.isEmpty(yield* sql`SELECT account_id FROM tool_accounts WHERE email = 'more@example.com'`)
      }))
  }
)
