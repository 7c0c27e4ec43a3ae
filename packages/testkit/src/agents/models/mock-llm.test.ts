/** A language model by other people's double of OpenAI's API, and what stands between: slow, cut off, 429, 500. */
import { afterAll, assert, beforeAll, layer } from "@effect/vitest"
import { Effect, Exit, Scope } from "effect"
import { createServer, type ServerResponse } from "node:http"
import { buffer } from "node:stream/consumers"
import { jsonOf } from "../../contract/service.ts"
import { freePorts } from "../../ports.ts"
import { modelServer } from "../../utilities/model-server.ts"
import { type Caller, grantCredits, layerWith, openCaller } from "../service.ts"
import { call } from "../tenants/rows.ts"

const { proxy } = await Effect.runPromise(freePorts("proxy"))

const says = (content: string, finish_reason = "stop") => ({
  status: 200,
  content: JSON.stringify({
    model: "{{jmes request body.model}}",
    choices: [{ message: { role: "assistant", content }, finish_reason }],
    usage: { prompt_tokens: 7, completion_tokens: 3, total_tokens: 10 }
  })
})

const when = (words: string, response: { readonly status: number; readonly content: string }) => ({
  path: "/v1/chat/completions",
  match: `contains(body.messages[-1].content, '${words}')`,
  response
})

const failure = (message: string, code: string) => JSON.stringify({ error: { message, type: code, param: null, code } })

/** Of rules that match, the last counts. */
const rules = [
  when("", says("Blue.")),
  when("too long", says("Blue, and", "length")),
  when("too fast", { status: 429, content: failure("Rate limit reached for org-42", "rate_limit_exceeded") }),
  when("too bad", { status: 500, content: failure("The server had an error, org-42", "server_error") })
]

const scope = Effect.runSync(Scope.make())
let upstream = ""

/** Passes an answer on whole, in part, or not within the time that a call has. */
const passOn = async (body: Buffer, outgoing: ServerResponse) => {
  const answer = await fetch(`${upstream}/v1/chat/completions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: new Uint8Array(body)
  })
  const whole = Buffer.from(await answer.arrayBuffer())
  if (body.includes("too slow")) return
  outgoing.writeHead(answer.status, { "content-type": "application/json", "content-length": whole.length })
  if (!body.includes("cut off")) return void outgoing.end(whole)
  outgoing.write(whole.subarray(0, whole.length / 2), () => outgoing.destroy())
}
const server = createServer((incoming, outgoing) => {
  buffer(incoming).then((body) => passOn(body, outgoing)).catch(() => outgoing.destroy())
})

beforeAll(async () => {
  upstream = await Effect.runPromise(Scope.provide(modelServer, scope))
  await fetch(`${upstream}/config`, {
    method: "PATCH",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ rules })
  })
  await new Promise<void>((resolve) => void server.listen(proxy, "127.0.0.1", () => resolve()))
}, 300_000)
afterAll(async () => {
  server.closeAllConnections()
  await new Promise<void>((resolve) => server.close(() => resolve()))
  await Effect.runPromise(Scope.close(scope, Exit.void))
})

interface Content {
  readonly text?: string
  readonly finish_reason?: string
  readonly model_used?: string
  readonly error?: { readonly code: string; readonly message: string; readonly retryable: boolean }
}

const infer = Effect.fnUntraced(function*(who: Caller, prompt: string) {
  const answer = yield* call(who, "svc_llm_inference", { prompt })
  const { result } = jsonOf(answer) as { readonly result: { readonly structuredContent: Content } }
  return { ...result.structuredContent, cents: Number(answer.headers["x-svc-request-cost"]) }
})

const settings = { LLM_URL: `http://127.0.0.1:${proxy}/v1`, LLM_MODEL: "gpt-double", LLM_KEY: "sk-secret", LLM_TIMEOUT_SECONDS: "15" }

layer(layerWith(settings), { excludeTestServices: true, timeout: "60 seconds" })("a language model by mock-llm", (it) => {
  it.effect("answers, and is named with why it stopped", () =>
    Effect.gen(function*() {
      const who = yield* openCaller("answers")
      yield* grantCredits(who, 100)
      assert.deepInclude(yield* infer(who, "A colour?"), { text: "Blue.", finish_reason: "stop", model_used: "gpt-double", cents: 2 })
      assert.deepInclude(yield* infer(who, "An answer that is too long?"), { text: "Blue, and", finish_reason: "length", cents: 2 })
    }))

  it.effect.each(
    [
      ["too slow", /took too long/u],
      ["cut off", /broke off/u],
      ["too fast", /too many requests/u],
      ["too bad", /failed \(500\)/u]
    ] as const
  )("that is %s costs nothing, may be asked again, and what it says stays inside", ([how, words]) =>
    Effect.gen(function*() {
      const who = yield* openCaller(how)
      yield* grantCredits(who, 100)
      const { cents, error } = yield* infer(who, `Be ${how}.`)
      assert.deepInclude(error, { code: "fetch_failed", retryable: true })
      assert.match(error?.message ?? "", words)
      assert.notMatch(error?.message ?? "", /org-42|sk-secret/u)
      assert.strictEqual(cents, 0)
    }))
})
