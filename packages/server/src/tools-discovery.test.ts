/**
 * The documents of the tool server: each in its format by a reader that is not ours, each link of them alive, and found from the base
 * address alone.
 */
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import { assert, describe, layer } from "@effect/vitest"
import { routes } from "@svc/doors/discovery/routes"
import * as Database from "@svc/kernel/database/client"
import { realNow } from "@svc/kernel/values/time"
import { layerDatabase } from "@svc/testkit/database"
import { listed } from "@svc/tools/catalog/index"
import addFormats from "ajv-formats"
import Ajv2020 from "ajv/dist/2020.js"
import { Effect, Layer } from "effect"
import { HttpServer } from "effect/http"
import { IpNetwork } from "effect/net"
import { SqlClient } from "effect/sql"
import { execFile } from "node:child_process"
import { createHash } from "node:crypto"
import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ServerConfig } from "./config.ts"
import { listen } from "./listener.ts"
import { TrustedProxies } from "./proxies.ts"
import * as services from "./services.ts"
import * as formats from "./tools-discovery.fixture.ts"
import * as tools from "./tools.ts"

/** What the documents are told is their address; the test listens elsewhere. */
const TOOLS = "http://tools.svc.test:4001"
const API = "http://svc.test:4000"

/** Behind a proxy of this machine, so that a test may come from any network. */
const proxied = Layer.succeed(TrustedProxies, [IpNetwork.fromStringUnsafe("127.0.0.0/8")])

const serving = listen(tools.layer, { port: 0, host: "127.0.0.1", variable: "TOOLS_PORT" }).pipe(
  Layer.provide(proxied),
  Layer.provide(Layer.unwrap(Effect.map(ServerConfig, (config) => services.layer(config, { base_url: API, tools_url: TOOLS })))),
  Layer.provideMerge(Database.layer),
  Layer.provide([layerDatabase, NodeCrypto.layer])
)

interface Operation {
  readonly "x-payment-info": { readonly offers: ReadonlyArray<{ readonly method: string; readonly amount: string | null }> }
  readonly responses: object
}

interface Sum {
  readonly calls: number
  readonly charged_cents: number
}

interface Used {
  readonly total: number
  readonly has_more: boolean
  readonly data: ReadonlyArray<object>
  readonly totals: Sum & { readonly by_tool: ReadonlyArray<Sum & { readonly tool: string }> }
}

interface Found {
  readonly total: number
  readonly tools: ReadonlyArray<{ readonly name: string; readonly score: number }>
}

interface Got {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const send = Effect.fnUntraced(function*(path: string, init: RequestInit = {}): Effect.fn.Return<Got, never, HttpServer.HttpServer> {
  const base = HttpServer.formatAddress((yield* HttpServer.HttpServer).address)
  return yield* Effect.promise(async () => {
    const response = await fetch(`${base}${path}`, { redirect: "manual", ...init })
    return { status: response.status, headers: response.headers, text: await response.text() }
  })
})

const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
  send(path, { method: "POST", headers: { "content-type": "application/json", ...headers }, body: JSON.stringify(body) })

const get = Effect.fnUntraced(function*(path: string) {
  const got = yield* send(path)
  assert.strictEqual(got.status, 200, `${path}: ${got.text}`)
  return got
})

const json = (text: string): Record<string, unknown> => JSON.parse(text)

/** What a test knows the answer to be; what it is not, the test's own assertions tell. */
const read = <A>(text: string): A => JSON.parse(text)

const ajv = addFormats.default(new Ajv2020.default({ allErrors: true, strict: false }))

const conforms = (schema: object, value: unknown) => {
  const check = ajv.compile(schema)
  assert.isTrue(check(value), JSON.stringify(check.errors))
}

const linksIn = (text: string): ReadonlyArray<string> =>
  Array.from(text.matchAll(/http:\/\/tools\.svc\.test:4001(\/[^\s"'`)<>\\,;#]*)?/gu), ([, path = "/"]) => path.replace(/[.:]+$/u, ""))

/** Those that take no GET. */
const POSTED = ["/mcp", "/v1/mcp", "/v1/mcp/messages", "/v1/analyze", "/v1/feedback", "/v1/agents/signup", "/v1/accounts"]
/** Those that need a key, are streams, or have a word left open. */
const OTHERS = ["/v1/usage", "/v1/mcp/sse"]

layer(serving, { excludeTestServices: true, timeout: "60 seconds" })("discovery", (it) => {
  it.effect.each(routes.flatMap(({ paths }) => paths.map((path) => ({ path, first: paths[0] }))))(
    "serves $path to every page of the web, with a tag and a link to the description",
    ({ first, path }) =>
      Effect.gen(function*() {
        const { headers, text } = yield* get(path)
        assert.isAbove(text.length, 20)
        assert.strictEqual(headers.get("access-control-allow-origin"), "*")
        assert.match(headers.get("cache-control") ?? "", /^public, max-age=\d+$/)
        assert.include(headers.get("link") ?? "", `<${TOOLS}/openapi.json>; rel="service-desc"`)
        const tag = headers.get("etag") ?? assert.fail("no etag")
        assert.deepStrictEqual([(yield* get(first)).text === text, (yield* send(path, { headers: { "if-none-match": tag } })).status], [
          true,
          304
        ])
      })
  )

  it.effect("no link of a document leads nowhere", () =>
    Effect.gen(function*() {
      const seen = new Set<string>()
      for (const path of ["/", "/openapi.json", "/v1/mcp/tools", ...routes.flatMap(({ paths }) => paths)]) {
        for (const link of linksIn((yield* get(path)).text)) seen.add(link)
      }
      assert.isAbove(seen.size, 20)
      for (const link of seen) {
        if (link === "" || OTHERS.includes(link) || link.includes("<")) continue
        const { status, text } = POSTED.includes(link) ? yield* post(link, {}) : yield* send(link)
        // What is posted empty is refused by what stands there, and not because nothing does.
        assert.isTrue(POSTED.includes(link) ? status < 500 && !text.includes("\"not_found\"") : status === 200, `${link}: ${status}`)
      }
    }))

  it.effect.each(
    [
      ["/v1/mcp/server.json", formats.serverJson],
      ["/.well-known/mcp/server-card", formats.serverCard],
      ["/v1/agents/discovery", formats.agentDiscovery],
      ["/.well-known/api-catalog", formats.linkset],
      ["/.well-known/skills/index.json", formats.skills],
      ["/.well-known/agent-skills/index.json", formats.agentSkills],
      ["/.well-known/svc-estate.json", formats.estate],
      ["/.well-known/x402", formats.x402]
    ] as const
  )("%s is in its format", ([path, schema]) => Effect.map(get(path), ({ text }) => conforms(schema, json(text))))

  it.effect("has media types that readers ask for", () =>
    Effect.gen(function*() {
      for (
        const [path, type] of [
          ["/.well-known/mcp/server-card", /^application\/mcp-server-card\+json/],
          ["/.well-known/api-catalog", /^application\/linkset\+json/],
          ["/.well-known/security.txt", /^text\/plain; charset=utf-8/],
          ["/llms.txt", /^text\/plain/],
          ["/for-agents", /^text\/markdown/],
          ["/v1/docs", /^text\/html/],
          ["/sitemap.xml", /^application\/xml/]
        ] as const
      ) assert.match((yield* get(path)).headers.get("content-type") ?? "", type, path)
    }))

  it.effect("llms.txt is read by its rules: one title, one quotation, lists of links below second headings", () =>
    Effect.gen(function*() {
      const lines = (yield* get("/llms.txt")).text.split("\n")
      assert.match(lines[0] ?? "", /^# \S/)
      assert.lengthOf(lines.filter((line) => line.startsWith("# ")), 1)
      assert.match(lines.find((line) => line !== "" && !line.startsWith("#")) ?? "", /^> \S/)
      const sections = lines.findIndex((line) => line.startsWith("## "))
      assert.isAbove(sections, 0)
      for (const line of lines.slice(sections)) assert.match(line, /^(?:## \S.*|- \[[^\]]+\]\(https?:\/\/[^)\s]+\)(?:: .+)?|)$/u)
      const named = lines.flatMap((line) => /^- \[([a-z_]+)\]\(.*\/v1\/docs#\1\)/u.exec(line)?.[1] ?? [])
      const page = (yield* get("/v1/docs")).text
      assert.isAbove(named.length, 30)
      for (const name of named) assert.include(page, `id="${name}"`)
    }))

  it.effect("security.txt ends within a year, and says whom to tell", () =>
    Effect.gen(function*() {
      const fields = new Map(
        (yield* get("/.well-known/security.txt")).text.trim().split("\n").map((line) => {
          const [, name, value] = /^([A-Z][A-Za-z-]+): (\S.*)$/u.exec(line) ?? assert.fail(`not a field: ${line}`)
          return [name, value] as const
        })
      )
      const ends = Date.parse(fields.get("Expires") ?? "")
      const { epochMilliseconds } = yield* realNow
      assert.isAbove(ends, epochMilliseconds + 86_400_000 * 30)
      assert.isBelow(ends, epochMilliseconds + 86_400_000 * 365)
      assert.match(fields.get("Contact") ?? "", /^(?:mailto:|https?:\/\/)/)
      assert.strictEqual(fields.get("Canonical"), `${TOOLS}/.well-known/security.txt`)
    }))

  it.effect("every digest of a skill is that of its file, whose head says the same name", () =>
    Effect.gen(function*() {
      const { skills } = read<{ skills: ReadonlyArray<Record<"digest" | "name" | "url", string>> }>(
        (yield* get("/.well-known/agent-skills/index.json")).text
      )
      assert.isNotEmpty(skills)
      for (const { digest, name, url } of skills) {
        const { text } = yield* get(url.replace(TOOLS, ""))
        assert.strictEqual(`sha256:${createHash("sha256").update(text).digest("hex")}`, digest)
        assert.match(text, new RegExp(`^---\nname: ${name}\ndescription: ".+"\n---\n`, "u"))
      }
    }))

  it.effect("advertises no OAuth, in no document and at no path", () =>
    Effect.gen(function*() {
      for (
        const path of [
          "/.well-known/oauth-protected-resource",
          "/.well-known/oauth-protected-resource/mcp",
          "/.well-known/oauth-authorization-server",
          "/.well-known/openid-configuration"
        ]
      ) {
        assert.strictEqual((yield* send(path)).status, 404, path)
      }
      for (const { paths: [path] } of routes) assert.notMatch((yield* get(path)).text, /oauth/i, path)
    }))

  it.effect("the OpenAPI document passes Redocly, and says what each paid operation costs", () =>
    Effect.gen(function*() {
      const { text } = yield* get("/openapi.json")
      const file = join(mkdtempSync(join(tmpdir(), "svc-openapi-")), "openapi.json")
      writeFileSync(file, text)
      const root = join(import.meta.dirname, "../../..")
      const said = yield* Effect.callback<string>((resume) => {
        execFile(
          process.execPath,
          [join(root, "node_modules/@redocly/cli/bin/cli.js"), "lint", "--extends", "spec", "--format", "stylish", file],
          { cwd: root },
          (error, stdout, stderr) => resume(Effect.succeed(error === null ? "" : `${stdout}${stderr}`))
        )
      })
      assert.strictEqual(said, "")
      const document = read<{ paths: Record<string, { post?: Operation }>; "x-service-info": object }>(text)
      for (const [path, cents] of [["/mcp", null], ["/v1/mcp", null], ["/v1/analyze", "300"]] as const) {
        const operation = document.paths[path]?.post ?? assert.fail(path)
        conforms(formats.paymentInfo, operation["x-payment-info"])
        assert.strictEqual(operation["x-payment-info"].offers.find(({ method }) => method === "stripe")?.amount, cents)
        assert.property(operation.responses, "402")
      }
      conforms({
        type: "object",
        required: ["categories", "docs"],
        properties: { docs: { type: "object", additionalProperties: { type: "string", format: "uri" } } }
      }, document["x-service-info"])
      for (const { paths: [path] } of routes) assert.property(document.paths, path)
    }), 180_000)

  it.effect("asks for payment when a wallet sends the example of the document", () =>
    Effect.gen(function*() {
      const { paths } = read<{ paths: Record<string, { post: { requestBody: { content: Record<string, { example: object }> } } }> }>(
        (yield* get("/openapi.json")).text
      )
      for (const path of ["/mcp", "/v1/mcp"]) {
        const { headers, status } = yield* post(path, paths[path]?.post.requestBody.content["application/json"]?.example)
        assert.strictEqual(status, 402)
        assert.match(headers.get("www-authenticate") ?? "", /^Payment /)
      }
    }))

  it.effect("is found from the address alone, by programs and by people", () =>
    Effect.gen(function*() {
      const index = json((yield* get("/")).text)
      assert.match(String(index["signup"]), /\/v1\/agents\/signup$/)
      const browser = yield* send("/", { headers: { accept: "text/html,application/xhtml+xml" } })
      assert.deepStrictEqual([browser.status, browser.headers.get("location")], [302, "/v1/docs"])
    }))

  it.effect("finds tools by keyword", () =>
    Effect.gen(function*() {
      const { tools: found } = read<Found>((yield* get("/v1/mcp/tools?q=crawl%20website")).text)
      assert.strictEqual(found[0]?.name, "svc_web_research_crawl")
      assert.isTrue(found.every(({ score }) => score > 0 && score <= 1))
      assert.strictEqual(json((yield* get("/v1/mcp/tools?q=zzzzqqq")).text)["total"], 0)
      assert.isAbove(Number(json((yield* get("/v1/mcp/tools")).text)["total"]), 30)
      assert.strictEqual((yield* send(`/v1/mcp/tools?q=${"x".repeat(201)}`)).status, 400)
    }))

  it.effect("tells one platform how to install it, and refuses one that it does not know", () =>
    Effect.gen(function*() {
      const { install } = read<{ install: ReadonlyArray<{ platform: string; text: string }> }>((yield* get("/v1/install/cursor")).text)
      assert.deepStrictEqual(install.map(({ platform }) => platform), ["cursor"])
      conforms({ type: "object", required: ["mcpServers"] }, JSON.parse(install[0]?.text ?? ""))
      assert.strictEqual((yield* send("/v1/install/toaster")).status, 404)
      const { message } = read<{ message: string }>((yield* send(`/v1/install/${"x".repeat(39)}😀`)).text)
      assert.match(message, /^x{39} is not known/u)
    }))
})

describe("routes beside the tools", () => {
  layer(serving, { excludeTestServices: true, timeout: "60 seconds" })("of REST", (it) => {
    const signUp = Effect.map(post("/v1/agents/signup", {}), ({ text }) => ({ authorization: `Bearer ${String(json(text)["token"])}` }))

    it.effect("feedback is taken five times an hour from one network, by its rules", () =>
      Effect.gen(function*() {
        const message = "The search finds what I look for."
        for (
          const [body, field] of [[{ message: "short" }, "message"], [{ message, rating: 6 }, "rating"], [
            { message, category: "rant" },
            "category"
          ], [{ message, email: "nobody" }, "email"]] as const
        ) {
          const { status, text } = yield* post("/v1/feedback", body)
          assert.deepStrictEqual([status, json(text)["code"]], [400, field])
        }
        for (let n = 1; n <= 5; n++) {
          const { status, text } = yield* post("/v1/feedback", { message, category: "praise", rating: 5 })
          assert.strictEqual(status, 201, text)
          assert.match(String(json(text)["ticket_id"]), /^tkt_/)
          assert.strictEqual(json(text)["ok"], true)
        }
        const sixth = yield* post("/v1/feedback", { message })
        assert.strictEqual(sixth.status, 429)
        assert.isAbove(Number(sixth.headers.get("retry-after")), 3000)
      }))

    it.effect("feedback with an idempotency key is taken once from its network, and meets nobody else's key", () =>
      Effect.gen(function*() {
        const message = "The search finds what I look for."
        const feedback = (key: string, network: string, body: object = { message }) =>
          post("/v1/feedback", body, { "idempotency-key": key, "x-forwarded-for": `${network}.7` })
        const cut = Effect.fnUntraced(function*(key: string) {
          return (yield* post("/v1/agents/keys", { name: "Helper" }, { ...(yield* signUp), "idempotency-key": key })).status
        })
        assert.strictEqual(yield* cut("of an account"), 201)
        assert.strictEqual((yield* feedback("of an account", "198.51.100")).status, 201)
        const first = yield* feedback("1", "198.51.100")
        const again = yield* feedback("1", "198.51.100")
        assert.deepStrictEqual([first.status, again.status, again.text], [201, 200, first.text])
        assert.deepStrictEqual(
          [first, again].map(({ headers }) => [headers.get("idempotency-key"), headers.get("idempotent-replayed")]),
          [["1", "false"], ["1", "true"]]
        )
        const other = yield* feedback("1", "203.0.113", { message: `${message} So do my agents.` })
        assert.strictEqual(other.status, 201, other.text)
        assert.notStrictEqual(json(other.text)["ticket_id"], json(first.text)["ticket_id"])
        const reused = yield* feedback("1", "203.0.113")
        assert.deepStrictEqual([reused.status, json(reused.text)["error"]], [400, "idempotency_key_reused"])
        assert.strictEqual(yield* cut("1"), 201)
      }))

    it.effect("usage lists what was charged, with the sums of the month", () =>
      Effect.gen(function*() {
        assert.strictEqual((yield* send("/v1/usage")).status, 401)
        const headers = yield* signUp
        const paid = yield* post(
          "/mcp",
          { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "list_programs", arguments: {} } },
          { ...headers, "idempotency-key": "a call that is kept" }
        )
        assert.strictEqual(paid.status, 200, paid.text)
        const { status, text } = yield* send("/v1/usage", { headers })
        assert.strictEqual(status, 200, text)
        const used = read<Used>(text)
        assert.deepInclude(used.data[0], { tool: "list_programs", price: 0, state: "settled", paid_by: "free" })
        assert.deepInclude(used.totals, { calls: 1, charged_cents: 0 })
        const other = json((yield* send("/v1/usage", { headers: yield* signUp })).text)
        assert.deepStrictEqual([other["total"], other["data"]], [0, []])
      }))

    it.effect("usage adds the month up by tool, and counts nothing that was released", () =>
      Effect.gen(function*() {
        const signedUp = json((yield* post("/v1/agents/signup", {})).text)
        const headers = { authorization: `Bearer ${String(signedUp["token"])}` }
        const sql = yield* SqlClient.SqlClient
        yield* sql`
        INSERT INTO tool_calls (account_id, id, tool, mode, arguments_sha256, price, paid_by, state, shares, created_at, finished_at, updated_at, version)
        SELECT ${
          String(signedUp["merchant_id"])
        }, 'call_01K0000000000000000000000' || n, CASE n WHEN 3 THEN 'svc_embeddings' ELSE 'svc_web_search' END, 'standard', '', n, 'credits',
          CASE n WHEN 4 THEN 'released' ELSE 'settled' END, '[]', now(), now(), now(), 1 FROM generate_series(1, 4) n`
        const { status, text } = yield* send("/v1/usage?per_page=3", { headers })
        assert.strictEqual(status, 200, text)
        const used = read<Used>(text)
        assert.deepInclude(used, { total: 4, has_more: true })
        assert.deepInclude(used.data[1], { tool: "svc_embeddings", price: 3, state: "settled", paid_by: "credits" })
        assert.deepInclude(used.totals, { calls: 3, charged_cents: 6 })
        assert.deepStrictEqual(used.totals.by_tool.map(({ calls, charged_cents, tool }) => [tool, calls, charged_cents]), [[
          "svc_embeddings",
          1,
          3
        ], ["svc_web_search", 2, 3]])
        assert.strictEqual((yield* send("/v1/usage?per_page=0", { headers })).status, 400)
      }))

    it.effect("analyzing and deleting pass the gate: a key, arguments, and what the backend takes", () =>
      Effect.gen(function*() {
        const nobody = yield* post("/v1/analyze", {})
        assert.deepStrictEqual([nobody.status, json(nobody.text)["error"]], [401, "auth_required"])
        const headers = yield* signUp
        for (const wrong of [{}, { github_url: "ftp://x" }, [], "x"]) {
          const { status, text } = yield* post("/v1/analyze", wrong, headers)
          assert.strictEqual(status, 400, text)
        }
        const elsewhere = yield* post("/v1/analyze", { github_url: "https://gitlab.com/effect-ts/effect" }, {
          ...headers,
          "x-agent-mode": "lite"
        })
        // Without a wall around foreign bytes nothing is analyzed.
        assert.include([400, 501], elsewhere.status, elsewhere.text)
        const deleted = yield* send("/v1/snapshots/snap_01", { method: "DELETE" })
        assert.deepStrictEqual([deleted.status, json(deleted.text)["error"]], [404, "snapshot_not_found"])
      }))

    it.effect("discover/catalog tells every tool, its price, and whether it works here", () =>
      Effect.gen(function*() {
        const { status, text } = yield* send("/mcp", {
          method: "POST",
          body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "discover/catalog" })
        })
        const { result } = JSON.parse(text)
        assert.deepStrictEqual([status, result.tools.length, result.programs, result.artifacts], [200, listed.length, 21, 152])
        assert.strictEqual(result.endpoints.mcp_sse, `${TOOLS}/v1/mcp/sse`)
        const named = (name: string) => result.tools.find((one: { readonly name: string }) => one.name === name)
        const price = { standard: "0.10", lite: "0.05", engineer: "0.10" }
        // Whether pages are read here depends on the wall that the machine has.
        const { status: _status, mend: _mend, ...reader } = named("svc_web_research")
        assert.deepStrictEqual(reader, { name: "svc_web_research", category: "service", auth: "key", price })
        assert.deepInclude(named("svc_llm_inference"), { status: "not_configured" })
        assert.deepInclude(named("svc_web_search"), { price: { standard: "0.01", lite: "0.00", engineer: "0.25" }, status: "available" })
        assert.deepInclude(named("svc_validate"), { status: "planned" })
      }))

    it.effect("the tools of discovery run as the documents say", () =>
      Effect.gen(function*() {
        const headers = yield* signUp
        const call = Effect.fnUntraced(function*(name: string, args: object = {}) {
          const { status, text } = yield* post(
            "/mcp",
            { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } },
            headers
          )
          assert.strictEqual(status, 200, text)
          const { isError, structuredContent } = JSON.parse(text).result
          assert.isFalse(isError, text)
          return structuredContent
        })
        assert.deepStrictEqual(yield* call("discover_estate_tools"), json((yield* get("/.well-known/svc-estate.json")).text))
        assert.deepStrictEqual(yield* call("get_install_manifest"), json((yield* get("/v1/install")).text))
        const { programs, tools: fitting } = yield* call("search_and_discover_tools", { q: "dispute" })
        assert.isNotEmpty([...programs, ...fitting])
        const { needs, workflow } = yield* call("discover_agentic_purchasing_needs", {
          task_description: "Pay a European supplier on my behalf, and be ready for a chargeback."
        })
        assert.includeMembers(needs.map(({ area }: { area: string }) => area), ["payment", "sca", "dispute", "mandate"])
        assert.isNotEmpty(workflow)
        for (const name of ["svc_validate", "svc_inspect", "svc_compare", "svc_manifest_verify", "platform_compliance_check"]) {
          assert.deepInclude(yield* call(name, { input: { any: "thing" } }), {
            _planned: true,
            capability_id: name,
            status: "planned_proxy"
          })
        }
        const { referral_token } = yield* call("get_referral_code")
        assert.match(referral_token, /^ref_[0-9a-f]{20}$/)
        assert.deepInclude(yield* call("get_referral_credits"), { referral_token, joined: 0, paying: 0, earned_cents: 0 })
        // Foreign files are opened behind a wall, which not every machine has.
        const { _not_configured, snapshot_id } = yield* call("improve_my_agent_with_axis", { files: [{ path: "a", content: "b" }] })
        assert.strictEqual(snapshot_id === undefined, _not_configured === true)
      }))
  })
})
