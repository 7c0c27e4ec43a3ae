/** The Inspector's command line, which looks at the list of tools more closely than clients do. */
import { assert, describe, layer } from "@effect/vitest"
import { listed as shown } from "@svc/tools/catalog/index"
import { Effect, Schema } from "effect"
import { client } from "./install.ts"
import { base, toolServer } from "./listener.ts"

const INSPECTOR = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"

const Listed = Schema.Struct({ tools: Schema.Array(Schema.Struct({ name: Schema.String })) })
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Listed))

const inspect = Effect.fnUntraced(function*(path: string, ...args: ReadonlyArray<string>) {
  return yield* client(INSPECTOR, "--cli", `${yield* base}${path}`, ...args)
})

describe("the Inspector", () => {
  layer(toolServer, { excludeTestServices: true, timeout: "120 seconds" })("on the command line", (it) => {
    it.effect.each([
      { path: "/mcp", transport: "http", era: "legacy" },
      { path: "/v1/mcp", transport: "http", era: "modern" },
      { path: "/v1/mcp/sse", transport: "sse", era: "legacy" }
    ])("finds nothing to say of the list of tools ($path, $era)", ({ era, path, transport }) =>
      Effect.gen(function*() {
        const { code, stderr, stdout } = yield* inspect(
          path,
          "--transport",
          transport,
          "--method",
          "tools/list",
          "--protocol-era",
          era,
          "--strict"
        )
        assert.strictEqual(code, 0, `${stdout}\n${stderr}`)
        const listed = (yield* decode(stdout)).tools.map(({ name }) => name)
        assert.deepStrictEqual(listed, shown.map(({ name }) => name))
      }), 300_000)

    it.effect("calls a tool", () =>
      Effect.gen(function*() {
        const { code, stderr, stdout } = yield* inspect(
          "/mcp",
          "--transport",
          "http",
          "--method",
          "tools/call",
          "--tool-name",
          "list_programs"
        )
        assert.strictEqual(code, 0, stderr)
        assert.include(stdout, "artifact_count")
      }), 300_000)
  })
})
