/** Pages of a server in the house, read at a real door: what a call answers, and what it costs. */
import { assert, describe, layer } from "@effect/vitest"
import { listen } from "@svc/kernel/egress/receiver.fixture"
import { grantCredits, layerWith, openCaller } from "@svc/testkit/agents/service"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "@svc/testkit/bubblewrap"
import { send } from "@svc/testkit/contract/service"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { createServer } from "node:http"
import { gzipSync } from "node:zlib"

const Answer = Schema.Struct({
  result: Schema.Struct({ structuredContent: Schema.Record(Schema.String, Schema.Unknown), isError: Schema.optionalKey(Schema.Boolean) })
})
const decode = Schema.decodeEffect(Schema.fromJsonString(Answer))

/** What a call answers, and what it cost in cents. */
const call = Effect.fnUntraced(function*(name: string, key: string, args: object, headers: Readonly<Record<string, string>> = {}) {
  const body = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } }
  const answer = yield* send("POST", "/mcp", { key, headers, body })
  const { result: { isError = false, structuredContent } } = yield* decode(answer.text)
  return { content: structuredContent, isError, cents: Number(answer.headers["x-svc-request-cost"] ?? 0) }
})
const read = (key: string, url: string, headers?: Readonly<Record<string, string>>) => call("svc_web_research", key, { url }, headers)
const crawl = (key: string, args: object, headers?: Readonly<Record<string, string>>) => call("svc_web_research_crawl", key, args, headers)

const newCaller = Effect.gen(function*() {
  const caller = yield* openCaller("Acme")
  yield* grantCredits(caller, 10_000)
  return caller
})

interface Served {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Uint8Array
}

/** A site of these pages, HTML unless they say otherwise. What it was asked for is counted. */
const site = Effect.fnUntraced(function*(pages: Readonly<Record<string, string | Served>>) {
  const asked: Array<string> = []
  const port = yield* listen(createServer(({ url = "" }, response) => {
    asked.push(url)
    const page = pages[url] ?? { status: 404, body: "" }
    const { body = "", headers = {}, status = 200 } = typeof page === "string" ? { body: page } : page
    response.writeHead(status, { "content-type": "text/html; charset=utf-8", ...headers }).end(body)
  }))
  return { url: `http://127.0.0.1:${port}`, asked }
})

const article = (title: string, ...links: ReadonlyArray<string>) =>
  `<html><head><title>${title}</title></head><body><nav>${links.map((link) => `<a href="${link}">${link}</a>`).join(" ")}</nav>
  <article><h1>${title}</h1>${
    Array.from({ length: 4 }, (_, at) => `<p>Paragraph ${at} of ${title} tells of tides, harbours, and the boats that wait for both.</p>`)
      .join("")
  }</article></body></html>`

const errorOf = ({ content }: { readonly content: Readonly<Record<string, unknown>> }) => content["error"]

describe.skipIf(bubblewrapPath() === undefined)(
  bubblewrapPath() === undefined ? BUBBLEWRAP_MISSING : "pages of the web",
  () => {
    layer(layerWith({ CONFINED: "bubblewrap", TOOLS_EGRESS_ALLOW: "127.0.0.1" }), { excludeTestServices: true, timeout: "120 seconds" })(
      "at a door",
      (it) => {
        it.effect("come as Markdown that is marked as a stranger's, for the price of the mode", () =>
          Effect.gen(function*() {
            const { key } = yield* newCaller
            const { url } = yield* site({
              "/old": { status: 301, headers: { location: "/new" } },
              "/new": {
                headers: { "content-encoding": "gzip" },
                body: gzipSync(`<html lang="en"><head><title>Tides</title><meta name="description" content="Of tides"></head><body>
                  <nav><a href="/">Home</a></nav><article><h1>Tides</h1><p>The sea rises <b>twice</b> a day,
                  see <a href="moon">the moon</a>.</p>
                  <table><tr><th>Hour</th><th>Metres</th></tr><tr><td>6</td><td>3.1</td></tr></table></article></body></html>`)
              }
            })
            const { cents, content } = yield* read(key, `${url}/old`)
            assert.deepInclude(content, { url: `${url}/new`, title: "Tides", untrusted: true })
            assert.deepStrictEqual(content["metadata"], { description: "Of tides", language: "en" })
            assert.include(String(content["markdown"]), `The sea rises **twice** a day, see [the moon](${url}/moon).`)
            assert.match(String(content["markdown"]), /\| Hour\s*\| Metres\s*\|\n\|[ -|]+\|\n\| 6\s*\| 3\.1\s*\|/)
            assert.notInclude(String(content["markdown"]), "Home")
            assert.match(String(content["engine"]), /^readability \d+\.\d+\.\d+, bubblewrap \d/)
            const lite = yield* read(key, `${url}/new`, { "X-Agent-Mode": "lite" })
            assert.deepStrictEqual([cents, lite.cents], [10, 5])
          }).pipe(Effect.scoped))

        it.effect("keep no card number", () =>
          Effect.gen(function*() {
            const { key } = yield* newCaller
            const number = "4242".repeat(4)
            const { url } = yield* site({ "/": article(`Card ${number}`) })
            const { content } = yield* read(key, url)
            assert.notInclude(JSON.stringify(content), number)
            assert.include(String(content["title"]), "4242")
          }).pipe(Effect.scoped))

        it.effect.each(
          [
            ["javascript_required", "<html><head><script src='/app.js'></script></head><body><div id='root'></div></body></html>"],
            [
              "javascript_required",
              "<html><body><noscript>Please enable JavaScript.</noscript><script>go()</script><div>Loading</div></body></html>"
            ],
            [
              "content_blocked",
              "<html><body><h1>Sign in</h1><form><input name='u'><input type='password'><button>Sign in</button></form></body></html>"
            ],
            [
              "content_blocked",
              "<html><head><title>Just a moment...</title></head><body><h1>Checking your browser before you go on.</h1></body></html>"
            ],
            [
              "content_blocked",
              `<html><body><div><h1>Before you continue</h1><p>We and our partners use cookies and personal data.</p>
            <p>Accept all cookies, or manage your consent and privacy.</p><button>Accept all</button></div></body></html>`
            ],
            ["content_blocked", { status: 403, body: "no" }],
            ["no_content", "<html><body>  </body></html>"],
            ["unsupported_type", { headers: { "content-type": "application/pdf" }, body: "%PDF-1.7" }]
          ] as const
        )("cost nothing where there is no content: %s", ([code, page]) =>
          Effect.gen(function*() {
            const { key } = yield* newCaller
            const { url } = yield* site({ "/": page })
            const answer = yield* read(key, `${url}/`)
            const bytes_seen = code === "unsupported_type" ? 0 : Buffer.byteLength(typeof page === "string" ? page : page.body)
            assert.deepInclude(errorOf(answer), { code, retryable: false, detail: { url: `${url}/`, bytes_seen } })
            assert.deepStrictEqual([answer.isError, answer.cents], [true, 0])
            const site_crawl = yield* crawl(key, { url })
            assert.deepInclude(errorOf(site_crawl), { code })
            assert.strictEqual(site_crawl.cents, 0)
          }).pipe(Effect.scoped))

        it.effect("that were made to harm their reader cost nothing, and harm no page after them", () =>
          Effect.gen(function*() {
            const { key } = yield* newCaller
            const { url } = yield* site({
              "/deep": `${"<div>".repeat(10_000)}${"Deep down. ".repeat(50)}`,
              "/entities":
                `<!DOCTYPE x [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]><p>&b;&f;</p>`,
              "/names": `<p id="__proto__" class="constructor">${"Names that mean something to a program. ".repeat(9)}</p>
                <a href="javascript:alert(1)">x</a><form name="body"><input name="childNodes"></form>`,
              "/good": article("Good")
            })
            const deep = yield* read(key, `${url}/deep`)
            assert.deepInclude(errorOf(deep), { code: "unreadable", retryable: false })
            assert.strictEqual(deep.cents, 0)
            assert.notInclude(JSON.stringify((yield* read(key, `${url}/entities`)).content), "root:")
            assert.include(String((yield* read(key, `${url}/names`)).content["markdown"]), "Names that mean something")
            assert.include(String((yield* read(key, `${url}/good`)).content["markdown"]), "tells of tides")
          }).pipe(Effect.scoped))

        it.effect("cost nothing where they cannot be fetched", () =>
          Effect.gen(function*() {
            const { key } = yield* newCaller
            const { url } = yield* site({
              "/broken": { status: 500 },
              "/huge": { body: "x".repeat(5 * 1024 * 1024 + 1) },
              "/inner": { status: 302, headers: { location: "http://169.254.169.254/latest/meta-data/" } }
            })
            for (
              const [path, code, retryable] of [
                ["/missing", "fetch_failed", false],
                ["/broken", "fetch_failed", true],
                ["/huge", "fetch_failed", false],
                ["/inner", "invalid_url", false]
              ] as const
            ) {
              const answer = yield* read(key, `${url}${path}`)
              assert.deepInclude(errorOf(answer), { code, retryable }, path)
              assert.strictEqual(answer.cents, 0)
            }
            assert.deepInclude(errorOf(yield* read(key, "http://localhost:1/")), { code: "invalid_url" })
          }).pipe(Effect.scoped))

        it.effect("are read as robots.txt allows, which is asked for once", () =>
          Effect.gen(function*() {
            const { key } = yield* newCaller
            const { asked, url } = yield* site({
              "/robots.txt": {
                headers: { "content-type": "text/plain" },
                body: "User-agent: *\nDisallow: /private\nAllow: /private/open\n"
              },
              "/private": article("Private"),
              "/private/open": article("Open"),
              "/": article("Home"),
              "/to-private": { status: 302, headers: { location: "/private" } }
            })
            assert.strictEqual((yield* read(key, `${url}/`)).cents, 10)
            assert.strictEqual((yield* read(key, `${url}/private/open`)).cents, 10)
            for (const path of ["/private", "/to-private"]) {
              const answer = yield* read(key, `${url}${path}`)
              assert.deepInclude(errorOf(answer), { code: "robots_disallowed" })
              assert.strictEqual(answer.cents, 0)
            }
            assert.deepStrictEqual(asked.filter((path) => path === "/robots.txt").length, 1)
            assert.notInclude(asked, "/private")
            const failing = yield* site({ "/robots.txt": { status: 503 }, "/": article("Home") })
            assert.deepInclude(errorOf(yield* read(key, failing.url)), { code: "robots_disallowed" })
          }).pipe(Effect.scoped))

        it.effect("are decoded by header, byte order mark or meta element", () =>
          Effect.gen(function*() {
            const { key } = yield* newCaller
            const text = "<html><head><meta charset=\"shift_jis\"></head><body><p>caf\u00e9</p></body></html>"
            const japanese = Buffer.from([0x93, 0xfa, 0x96, 0x7b])
            const { url } = yield* site({
              "/header": { headers: { "content-type": "text/html; charset=iso-8859-1" }, body: Buffer.from(text, "latin1") },
              "/mark": {
                headers: { "content-type": "text/html; charset=iso-8859-1" },
                body: Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(text, "utf16le")])
              },
              "/meta": {
                headers: { "content-type": "text/html" },
                body: Buffer.concat([
                  Buffer.from("<html><head><meta charset=\"shift_jis\"></head><body><p>"),
                  japanese,
                  Buffer.from("</p></body></html>")
                ])
              }
            })
            assert.strictEqual((yield* read(key, `${url}/header`)).content["markdown"], "caf\u00e9")
            assert.strictEqual((yield* read(key, `${url}/mark`)).content["markdown"], "caf\u00e9")
            assert.strictEqual((yield* read(key, `${url}/meta`)).content["markdown"], "日本")
          }).pipe(Effect.scoped))

        it.effect("of a site come breadth first, each address and each content once, and cost nothing within the pool", () =>
          Effect.gen(function*() {
            const { key } = yield* newCaller
            const elsewhere = yield* site({ "/": article("Elsewhere") })
            const { asked, url } = yield* site({
              "/": article("Home", "/a", "/b#top", "/b?utm_source=x", "/same", "/gone", "/away", `${elsewhere.url}/`, "mailto:a@b.example"),
              "/a": article("A", "/c", "/"),
              "/b": article("B"),
              "/c": article("C"),
              "/same": article("A", "/c", "/"),
              "/away": { status: 302, headers: { location: `${elsewhere.url}/` } }
            })
            const { cents, content } = yield* crawl(key, { url, limit: 10 })
            const pages = content["pages"] as ReadonlyArray<{ readonly url: string; readonly untrusted: boolean }>
            assert.deepStrictEqual(pages.map((page) => page.url), ["/", "/a", "/b", "/c"].map((path) => `${url}${path}`))
            assert.isTrue(pages.every(({ untrusted }) => untrusted))
            assert.deepInclude(content, { page_count: 4, billed_pages: 0 })
            assert.deepStrictEqual(
              content["skipped"],
              [{ url: `${url}/gone`, code: "fetch_failed", message: `${url}/gone answers with status 404.` }]
            )
            assert.strictEqual(cents, 0)
            assert.deepStrictEqual(asked.toSorted(), ["/", "/a", "/away", "/b", "/c", "/gone", "/robots.txt", "/same"])
          }).pipe(Effect.scoped))

        it.effect("beyond the month's pool cost a cent each, also where two crawls share what is left", () =>
          Effect.gen(function*() {
            const caller = yield* newCaller
            const links = Array.from({ length: 9 }, (_, at) => `/${at}`)
            const { url } = yield* site({
              "/": article("Home", ...links),
              ...Object.fromEntries(links.map((link) => [link, article(`Page ${link}`)]))
            })
            yield* crawl(caller.key, { url, limit: 1 })
            const sql = yield* SqlClient.SqlClient
            yield* sql`UPDATE crawled_pages SET pages = 94 WHERE account_id = ${caller.id}`
            const both = yield* Effect.all([crawl(caller.key, { url, limit: 4 }), crawl(caller.key, { url, limit: 6 })], { concurrency: 2 })
            assert.deepStrictEqual(both.map(({ content }) => content["page_count"]), [4, 6])
            assert.strictEqual(both.reduce((sum, { cents }) => sum + cents, 0), 4)
            const lite = yield* crawl(caller.key, { url, limit: 9 }, { "X-Agent-Mode": "lite" })
            assert.deepStrictEqual([lite.content["page_count"], lite.cents], [5, 5])
            yield* sql`UPDATE crawled_pages SET month = month - interval '1 month' WHERE account_id = ${caller.id}`
            assert.strictEqual((yield* crawl(caller.key, { url, limit: 10 })).cents, 0)
          }).pipe(Effect.scoped))
      }
    )
  }
)
