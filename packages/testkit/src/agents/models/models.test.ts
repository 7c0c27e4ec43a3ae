/** A language model and embeddings by a model server: one that answers, and one that is slow, breaks off or refuses. */
import { afterAll, assert, beforeAll, layer } from "@effect/vitest"
import { Effect } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { jsonOf } from "../../contract/service.ts"
import { freePorts } from "../../ports.ts"
import { type Caller, grantCredits, layerWith, openCaller } from "../service.ts"
import { call } from "../tenants/rows.ts"

const { model } = await Effect.runPromise(freePorts("model"))

interface Asked {
  readonly url: string
  readonly key: string | undefined
  readonly body: Record<string, unknown>
}

const asked: Array<Asked> = []
let answer: (response: ServerResponse, asked: Asked) => void = (response) => void response.writeHead(500).end()

const server = createServer((request, response) => {
  const chunks: Array<Buffer> = []
  request.on("data", (chunk: Buffer) => chunks.push(chunk)).on("end", () => {
    const one = { url: request.url ?? "", key: request.headers.authorization, body: JSON.parse(Buffer.concat(chunks).toString()) }
    asked.push(one)
    answer(response, one)
  })
})
beforeAll(() => new Promise<void>((resolve) => void server.listen(model, "127.0.0.1", () => resolve())))
afterAll(() =>
  new Promise<void>((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })
)

const json = (status: number, body: unknown) => (response: ServerResponse) => void response.writeHead(status).end(JSON.stringify(body))
const says = (content: string | null, finish_reason = "stop") =>
  json(200, {
    model: "tiny-1",
    choices: [{ message: { role: "assistant", content }, finish_reason }],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }
  })

/** Answers, whatever they hold. */
interface Content {
  readonly [field: string]: unknown
  readonly error?: { readonly code: string; readonly message: string; readonly retryable: boolean }
  readonly vectors?: ReadonlyArray<ReadonlyArray<number>>
  readonly engineer?: { readonly adapter_mean: ReadonlyArray<number> }
}

const ask = Effect.fnUntraced(function*(who: Caller, name: string, args: object, headers: Readonly<Record<string, string>> = {}) {
  const got = yield* call(who, name, args, headers)
  const { result } = jsonOf(got) as { readonly result?: { readonly structuredContent: Content } }
  const content: Content = { ...result?.structuredContent, cost: got.headers["x-svc-request-cost"] }
  return content
})

const opened = Effect.fnUntraced(function*(name: string) {
  const who = yield* openCaller(name)
  yield* grantCredits(who, 10_000)
  return who
})

const url = `http://127.0.0.1:${model}/v1`
const remote = layerWith({
  LLM_URL: `${url}/`,
  LLM_MODEL: "tiny",
  LLM_KEY: "sk-secret",
  LLM_TIMEOUT_SECONDS: "10",
  EMBEDDINGS_URL: url,
  EMBEDDINGS_MODEL: "vectors"
})
const engineer = { "X-Agent-Mode": "engineer" }

layer(remote, { excludeTestServices: true, timeout: "60 seconds" })("a model server", (it) => {
  it.effect("is asked with the caller's parameters, and named with what it said", () =>
    Effect.gen(function*() {
      const who = yield* opened("inference")
      answer = says("Blue.", "length")
      const args = { prompt: "A colour?", system: "Be brief.", max_tokens: 5, temperature: 0, top_k: 3, top_p: 1, seed: 7, stop: ["\n"] }
      assert.deepInclude(yield* ask(who, "svc_llm_inference", args), {
        text: "Blue.",
        model_used: "tiny-1",
        finish_reason: "length",
        usage: { input_tokens: 7, output_tokens: 3 },
        ignored_params: ["top_k"],
        cost: "2"
      })
      assert.deepStrictEqual(asked.at(-1), {
        url: "/v1/chat/completions",
        key: "Bearer sk-secret",
        body: {
          model: "tiny",
          messages: [{ role: "system", content: "Be brief." }, { role: "user", content: "A colour?" }],
          max_tokens: 5,
          temperature: 0,
          top_p: 1,
          seed: 7,
          stop: ["\n"],
          stream: false
        }
      })
      assert.deepInclude(yield* ask(who, "svc_llm_inference", { prompt: "A colour?" }), { ignored_params: [] })
    }))

  it.effect("that fails in any way costs nothing, and its own words and key stay inside", () =>
    Effect.gen(function*() {
      const who = yield* opened("failures")
      const secret = { error: { message: "org-42 sk-secret" } }
      const cases: ReadonlyArray<readonly [typeof answer, code: string, retryable: boolean, words: RegExp]> = [
        [() => undefined, "fetch_failed", true, /took too long/u],
        [
          (response) => void response.writeHead(200, { "content-length": "1000" }).write("{\"choices\":", () => response.destroy()),
          "fetch_failed",
          true,
          /broke off/u
        ],
        [(response) => void response.destroy(), "fetch_failed", true, /cannot be reached/u],
        [json(429, secret), "fetch_failed", true, /too many requests/u],
        [json(500, secret), "fetch_failed", true, /failed \(500\)/u],
        [json(401, secret), "fetch_failed", false, /\(401\)/u],
        [json(302, {}), "fetch_failed", false, /\(302\)/u],
        [json(200, { choices: [] }), "fetch_failed", true, /makes no sense/u],
        [(response) => void response.end("<html>"), "fetch_failed", true, /makes no sense/u],
        [says(""), "fetch_failed", true, /without a text/u],
        [json(400, { error: { message: "context of 4096 tokens exceeded" } }), "invalid_request", false, /context of 4096 tokens exceeded/u]
      ]
      for (const [fails, code, retryable, words] of cases) {
        answer = fails
        const before = asked.length
        const { cost, error } = yield* ask(who, "svc_llm_inference", { prompt: "Hi" })
        assert.deepInclude(error, { code, retryable })
        assert.match(error?.message ?? "", words)
        assert.notInclude(error?.message, "sk-secret")
        assert.deepStrictEqual([cost, asked.length - before], ["0", 1])
      }
    }))

  it.effect("whose answer is to fit a schema is checked by it in engineer mode", () =>
    Effect.gen(function*() {
      const who = yield* opened("structured")
      const json_schema = { type: "object", required: ["colour"], properties: { colour: { enum: ["red", "blue"] } } }
      const infer = (args: object) => ask(who, "svc_llm_inference", { prompt: "A colour?", ...args }, engineer)
      answer = says("```json\n{\"colour\":\"blue\"}\n```")
      assert.deepInclude(yield* infer({ json_schema }), {
        cost: "10",
        structured: { valid: true, parsed: { colour: "blue" }, schema_errors: [] }
      })
      assert.deepInclude(asked.at(-1)?.body, {
        response_format: { type: "json_schema", json_schema: { name: "answer", schema: json_schema } }
      })
      answer = says("{\"colour\":\"green\"}")
      assert.deepNestedInclude(yield* infer({ json_schema }), { "structured.valid": false, "structured.parsed": { colour: "green" } })
      answer = says("Blue, I think.")
      assert.deepInclude(yield* infer({ json_schema }), {
        structured: { valid: false, parsed: null, schema_errors: ["the text is not JSON"] }
      })
      const before = asked.length
      const refused = yield* infer({ json_schema: { $ref: "https://example.com/a.json" } })
      assert.deepInclude(refused.error, { code: "invalid_request" })
      assert.deepStrictEqual([refused.cost, asked.length], ["0", before])
      const standard = yield* ask(who, "svc_llm_inference", { prompt: "A colour?", json_schema })
      assert.include(standard.error?.message, "json_schema: only in engineer mode")
    }))

  it.effect("embeds each text, in its order, in as many dimensions as it has", () =>
    Effect.gen(function*() {
      const who = yield* opened("embeddings")
      answer = (response, { body: { input } }) => {
        const data = (input as ReadonlyArray<string>).map((text, index) => ({ index, embedding: [text.length, 1, 0] })).toReversed()
        json(200, { model: "vectors-1", data })(response)
      }
      assert.deepInclude(yield* ask(who, "svc_embeddings", { input: ["a", "bb"] }), {
        vectors: [[1, 1, 0], [2, 1, 0]],
        dimensions: 3,
        model_used: "vectors-1",
        semantic: true,
        cost: "5"
      })
      const other = yield* ask(who, "svc_embeddings", { input: "a", dimensions: 2 }, engineer)
      assert.include(other.error?.message, "dimensions: vectors-1 gives 3")
      const blank = yield* ask(who, "svc_embeddings", { input: ["a", " "] })
      assert.deepInclude(blank, { cost: "0" })
      assert.include(blank.error?.message, "input[1]: has no word")
      answer = json(200, { data: [{ index: 0, embedding: [1] }] })
      const few = yield* ask(who, "svc_embeddings", { input: ["a", "b"] })
      assert.deepInclude(few.error, { code: "fetch_failed" })
    }))
})

layer(layerWith(), { excludeTestServices: true, timeout: "60 seconds" })("without a model server", (it) => {
  it.effect("texts are embedded by their words, and nothing is said to be semantic", () =>
    Effect.gen(function*() {
      const who = yield* opened("by words")
      const embedded = yield* ask(who, "svc_embeddings", { input: ["a red bicycle", "a blue car"] })
      assert.deepInclude(embedded, { model_used: "hash-ngram-v1", dimensions: 384, semantic: false, cost: "5" })
      assert.deepStrictEqual((yield* ask(who, "svc_embeddings", { input: "a blue car" })).vectors, embedded.vectors?.slice(1))
      assert.include((yield* ask(who, "svc_embeddings", { input: ["a", "\n"] })).error?.message, "input[1]: has no word")
      assert.include((yield* ask(who, "svc_embeddings", { input: "a", dimensions: 8 })).error?.message, "dimensions: only in engineer mode")
    }))

  it.effect("an adapter of texts and the mean that came of them give the same vectors", () =>
    Effect.gen(function*() {
      const who = yield* opened("adapter")
      const input = ["the red bicycle", "the blue car"]
      const embed = (corpus_adapter: unknown) => ask(who, "svc_embeddings", { input, dimensions: 64, corpus_adapter }, engineer)
      const first = yield* embed(["the weather", "the invoice", "the volcano"])
      assert.strictEqual(first.cost, "8")
      const mean = first.engineer?.adapter_mean
      assert.lengthOf(mean ?? [], 64)
      assert.deepStrictEqual((yield* embed(mean)).vectors, first.vectors)
      assert.include((yield* embed([1, 2])).error?.message, "corpus_adapter: it has 2 numbers, and the vectors 64")
      assert.include((yield* embed(["a", " "])).error?.message, "corpus_adapter[1]: has no word")
    }))

  it.effect("a language model is absent, and the answer names the setting", () =>
    Effect.gen(function*() {
      const away = yield* ask(yield* opened("absent"), "svc_llm_inference", { prompt: "Hi" })
      assert.deepInclude(away, { _not_configured: true, reason: "backend_absent", cost: "0" })
      assert.match(String(away["remediation"]), /LLM_URL.*LLM_MODEL/u)
    }))
})
