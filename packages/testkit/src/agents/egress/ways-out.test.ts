/** M14, as it stands in the sources: nothing but the kernel's egress opens a connection to where a caller points. */
import { assert, describe, it } from "@effect/vitest"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const PACKAGES = fileURLToPath(new URL("../../../../", import.meta.url))

/** What listens, what runs on its owner's machine, and what tests: none of it goes where a caller points. */
const OTHERS = new Set(["server", "cli", "client", "testkit", "bench", "dashboard"])

/** Files that open connections, and where these go. */
const ALLOWED: Readonly<Record<string, string>> = {
  "kernel/src/egress/transport.ts": "where the guard has looked",
  "platform/src/database/embedded/cluster.ts": "the database's own socket",
  "checkout/src/pages/script.ts": "in a customer's browser, to the page's own server",
  "desk/src/api/ask.ts": "to the routes of this process, over no connection",
  "desk/src/assistant/route.ts": "to the routes of this process, over no connection",
  "desk/src/pages/script.ts": "in a person's browser, to the page's own server",
  "desk/src/pages/sign-in-script.ts": "in a person's browser, to the page's own server",
  "confined/src/self-test.ts": "tried within a wall, which is not used when it gets anywhere",
  "programs/src/readiness/engineer/javascript.ts": "text of an endpoint that is made for somebody, and not run here",
  "programs/src/readiness/engineer/sandbox-test.ts": "text of a test that is made for somebody, and not run here"
}

/** Modules that open connections. Types alone open none. */
const MODULE =
  /^(?:node:)?(?:http|https|http2|net|tls|dgram|dns|dns\/promises)$|^(?:undici|axios|got|node-fetch|ws)(?:\/|$)|^effect\/(?:socket|http\/FetchHttpClient|http\/HttpClient)$|^@effect\/platform-node\/Node(?:HttpClient|Socket|Undici)/
/** Names that come out of `effect/http` and call out. */
const NAMES = /\b(?:FetchHttpClient|HttpClient|HttpClientRequest)\b/
const GLOBALS =
  /(?<![.\w$])(?:fetch|WebSocket|EventSource|XMLHttpRequest)\s*\(|\bnew (?:WebSocket|EventSource|XMLHttpRequest)\b|\bglobalThis\b(?!\.\w+ = )|\bprocess\.binding\b/

/** Without texts and comments. Regular expressions with a quote in them may leave more out, within their line. */
const codeOf = (source: string): string =>
  source.replace(/\/\*[\s\S]*?\*\//g, "").split("\n").map((line) =>
    line.replace(/(["'`])(?:\\.|(?!\1).)*\1/g, "\"\"").replace(/\/\/.*$/, "")
  ).join("\n")

interface Import {
  readonly names: string
  readonly from: string
}

const importsOf = (source: string): ReadonlyArray<Import> => [
  ...Array.from(
    source.matchAll(/^(?:import|export)\s+(?!type\b)([^"']*?)\s*from\s+"([^"]+)"/gm),
    ([, names = "", from = ""]) => ({ names, from })
  ),
  ...Array.from(source.matchAll(/(?:^import\s+|\bimport\(|\brequire\()\s*"([^"]+)"/gm), ([, from = ""]) => ({ names: "*", from }))
]

/** Names that are imported for more than their types. */
const values = (names: string): string => names.replace(/\btype\s+\w+/g, "").replace(/[{}\s,]/g, "")

/** Ways out of a source that are not the egress. */
export const waysOut = (source: string): ReadonlyArray<string> => [
  ...importsOf(source).filter(({ from, names }) => MODULE.test(from) && values(names) !== "").map(({ from }) => `imports ${from}`),
  ...importsOf(source).filter(({ from, names }) => from === "effect/http" && NAMES.test(names.replace(/\btype\s+\w+/g, ""))).map((
    { names }
  ) => `imports ${names}`),
  ...codeOf(source).split("\n").flatMap((line, at) => GLOBALS.test(line) ? [`line ${at + 1}: ${line.trim()}`] : [])
]

const sources = readdirSync(PACKAGES, { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && !OTHERS.has(entry.name))
  .flatMap(({ name }) =>
    readdirSync(`${PACKAGES}${name}/src`, { recursive: true, encoding: "utf8" }).map((file) => `${name}/src/${file.replaceAll("\\", "/")}`)
  )
  .filter((file) => /\.tsx?$/.test(file) && !/(?:\.test\.ts|fixture\.ts)$/.test(file))

describe("ways out", () => {
  it("there is none but the egress", () => {
    assert.isAbove(sources.filter((file) => /^(?:compliance|doors|metering|paywall|stores|tool-kit|tools)\//.test(file)).length, 150)
    const found = sources.filter((file) => ALLOWED[file] === undefined).flatMap((file) =>
      waysOut(readFileSync(`${PACKAGES}${file}`, "utf8")).map((what) => `${file}: ${what}`)
    )
    assert.deepStrictEqual(found, [], "go through Egress of @svc/kernel/egress/service")
  })

  it("what is allowed is there", () => {
    for (const file of Object.keys(ALLOWED)) assert.isNotEmpty(waysOut(readFileSync(`${PACKAGES}${file}`, "utf8")), file)
  })

  it.each([
    "import * as http from \"node:http\"",
    "import { connect } from \"node:net\"",
    "import { request } from \"https\"",
    "import { fetch } from \"undici\"",
    "const net = await import(\"node:net\")",
    "import { HttpClient } from \"effect/http\"",
    "import { type Cookies, FetchHttpClient } from \"effect/http\"",
    "import * as NodeHttpClient from \"@effect/platform-node/NodeHttpClient\"",
    "const answer = await fetch(url)",
    "Effect.promise(() => fetch(`${url}`))",
    "new WebSocket(url)",
    "globalThis[\"fetch\"](url)",
    "import \"ws\""
  ])("would be found: %s", (source) => assert.isNotEmpty(waysOut(source)))

  it.each([
    "import type { Server } from \"node:http\"",
    "import { type Socket } from \"node:net\"",
    "import { HttpRouter } from \"effect/http\"",
    "const text = \"fetch(url)\"",
    "// fetch(url)",
    "this.fetch(url)",
    "globalThis.print = write",
    "prefetch(url)"
  ])(
    "are none: %s",
    (source) => assert.deepStrictEqual(waysOut(source), [])
  )
})
