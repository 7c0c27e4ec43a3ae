/** The official SDKs, as agents' programs use them, against the tool server. */
import { assert, describe, layer } from "@effect/vitest"
import { listed as shown } from "@svc/tools/catalog/index"
import { Effect, Schema } from "effect"
import { client } from "./install.ts"
import { base, toolServer } from "./listener.ts"

const Refusal = Schema.Struct({ code: Schema.Number, message: Schema.String })
const Seen = Schema.Struct({
  session: Schema.NullOr(Schema.String),
  protocol: Schema.NullOr(Schema.String),
  server: Schema.NullOr(Schema.Struct({ name: Schema.String })),
  instructions: Schema.optionalKey(Schema.String),
  tools: Schema.Array(Schema.String),
  programs: Schema.Struct({ program_count: Schema.Number, artifact_count: Schema.Number }),
  unknown: Refusal,
  wrong: Schema.optionalKey(Refusal),
  many: Schema.optionalKey(Schema.Number),
  afterwards: Schema.optionalKey(Schema.Number)
})
const decode = Schema.decodeUnknownEffect(Schema.fromJsonString(Seen))

const listed = shown.map(({ name }) => name)

const see = Effect.fnUntraced(function*(script: string, path: string, kind: string) {
  const { code, stderr, stdout } = yield* client(script, `${yield* base}${path}`, kind)
  assert.strictEqual(code, 0, stderr)
  const seen = yield* decode(stdout.trim())
  assert.strictEqual(seen.server?.name, "svc")
  assert.deepStrictEqual(seen.tools, listed)
  assert.deepStrictEqual(seen.programs, { program_count: 21, artifact_count: 152 })
  assert.strictEqual(seen.unknown.code, -32602)
  assert.match(seen.unknown.message, /no_such_tool/)
  return seen
})

describe("the official SDK", () => {
  layer(toolServer, { excludeTestServices: true, timeout: "120 seconds" })("of version 1", (it) => {
    it.effect("speaks streamable HTTP with a session, to its end", () =>
      Effect.gen(function*() {
        const seen = yield* see("sdk-v1.mjs", "/v1/mcp", "http")
        assert.match(seen.session ?? "", /^[\w-]{43}$/)
        assert.strictEqual(seen.protocol, "2025-11-25")
        assert.match(seen.instructions ?? "", /ping_payment/)
        assert.match(seen.wrong?.message ?? "", /surplus/)
        assert.strictEqual(seen.many, 20)
        assert.strictEqual(seen.afterwards, 404)
      }), 300_000)

    it.effect.each(["/v1/mcp/sse", "/mcp/sse", "/sse"])("speaks the transport with two addresses at %s", (path) =>
      Effect.gen(function*() {
        const seen = yield* see("sdk-v1.mjs", path, "sse")
        assert.strictEqual(seen.session, null)
        assert.match(seen.wrong?.message ?? "", /surplus/)
        assert.strictEqual(seen.many, 20)
      }), 300_000)
  })

  layer(toolServer, { excludeTestServices: true, timeout: "120 seconds" })("of version 2", (it) => {
    it.effect("opens a session where it is told to", () =>
      Effect.gen(function*() {
        const seen = yield* see("sdk-v2.mjs", "/mcp", "legacy")
        assert.match(seen.session ?? "", /^[\w-]{43}$/)
      }), 300_000)

    it.effect.each(["auto", "pin"])("finds and speaks 2026-07-28 without a session (%s)", (mode) =>
      Effect.gen(function*() {
        const seen = yield* see("sdk-v2.mjs", "/mcp", mode)
        assert.deepStrictEqual([seen.session, seen.protocol], [null, "2026-07-28"])
      }), 300_000)
  })
})
