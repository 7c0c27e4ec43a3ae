/** Tools of 2026-07-28 that need something of the client: they answer what they need, and are called again with it. */
import { type MethodAnswer, result } from "@svc/doors/mcp/answers"
import type { Params } from "@svc/doors/mcp/json-rpc"
import { isRecord } from "@svc/kernel/values/record"
import { Effect } from "effect"
import { createHmac } from "node:crypto"
import { field, type Fixture, said, tool, wrong } from "./parts.ts"

type Needs = Readonly<Record<string, { readonly method: string; readonly params: object }>>

const ask = (message: string, name: string, type = "string") => ({
  method: "elicitation/create",
  params: { mode: "form", message, requestedSchema: { type: "object", properties: { [name]: { type } }, required: [name] } }
})
const say = (text: string, maxTokens: number) => ({
  method: "sampling/createMessage",
  params: { messages: [{ role: "user", content: { type: "text", text } }], maxTokens }
})
const roots = { method: "roots/list", params: {} }

const needs = (inputRequests: Needs, requestState?: string): MethodAnswer =>
  result({ resultType: "input_required", inputRequests, ...(requestState === undefined ? {} : { requestState }) })

/** A state that the client only carries. */
const seal = (state: string): string => `${state}.${createHmac("sha256", "conformance").update(state).digest("hex")}`
const opened = (sealed: unknown): string | undefined => {
  const state = String(sealed).slice(0, String(sealed).lastIndexOf("."))
  return seal(state) === sealed ? state : undefined
}

const given = (params: Params, name: string): unknown => field(params, "inputResponses", name)
/** Whether the client gave an answer of the right shape to each question. */
const hasAll = (params: Params, asked: Needs): boolean =>
  Object.entries(asked).every(([name, { method }]) => {
    const answer = given(params, name)
    if (!isRecord(answer)) return false
    return method === "roots/list"
      ? Array.isArray(answer["roots"])
      : method === "elicitation/create"
      ? typeof answer["action"] === "string"
      : answer["content"] !== undefined
  })

/** One round: until all is there, it is asked for. */
const once = (asked: Needs, done: (params: Params) => string): Fixture["call"] => (params) =>
  Effect.succeed(hasAll(params, asked) ? said(done(params)) : needs(asked))

const withState = (asked: Needs, done: string): Fixture["call"] => (params) => {
  const { requestState } = params
  if (requestState !== undefined && opened(requestState) === undefined) {
    return Effect.succeed(wrong("requestState: this is not the state that was given out."))
  }
  return Effect.succeed(requestState !== undefined && hasAll(params, asked) ? said(done) : needs(asked, seal("one")))
}

const step1 = { step1: ask("Step 1: What is your name?", "name") }
const step2 = { step2: ask("Step 2: What is your favorite color?", "color") }
const steps: Fixture["call"] = (params) => {
  const state = opened(params["requestState"])
  if (state === "two" && hasAll(params, step2)) return Effect.succeed(said("All steps are done."))
  return Effect.succeed(
    state !== undefined && (state === "two" || hasAll(params, step1)) ? needs(step2, seal("two")) : needs(step1, seal("one"))
  )
}

const name = { user_name: ask("What is your name?", "name") }
const capital = { capital_question: say("What is the capital of France?", 100) }
const clientRoots = { client_roots: roots }
const confirm = { confirm: ask("Please confirm", "ok", "boolean") }
const context = { user_context: ask("What context should the prompt use?", "context") }

export const promptRound = (params: Params): MethodAnswer =>
  hasAll(params, context)
    ? result({
      messages: [{
        role: "user",
        content: { type: "text", text: `Context: ${String(field(given(params, "user_context"), "content", "context"))}` }
      }]
    })
    : needs(context)

export const rounds: ReadonlyArray<Fixture> = [
  tool(
    "test_input_required_result_elicitation",
    "Needs a name.",
    once(name, (params) => `Hello, ${String(field(given(params, "user_name"), "content", "name"))}!`)
  ),
  tool(
    "test_input_required_result_sampling",
    "Needs a model's words.",
    once(capital, (params) => `It said: ${JSON.stringify(field(given(params, "capital_question"), "content"))}`)
  ),
  tool(
    "test_input_required_result_list_roots",
    "Needs the roots.",
    once(clientRoots, (params) => `Roots: ${JSON.stringify(field(given(params, "client_roots"), "roots"))}`)
  ),
  tool("test_input_required_result_request_state", "Needs a word, and its state.", withState(confirm, "state-ok")),
  tool(
    "test_input_required_result_multiple_inputs",
    "Needs three things.",
    withState({ ...name, greeting: say("Generate a greeting", 50), ...clientRoots }, "Has all three.")
  ),
  tool("test_input_required_result_multi_round", "Needs two rounds.", steps),
  tool("test_input_required_result_tampered_state", "Looks at its state.", withState(confirm, "state-ok")),
  tool("test_input_required_result_capabilities", "Asks what the client can answer.", (_, { capabilities }) =>
    Effect.succeed(needs({
      ...(capabilities["elicitation"] === undefined ? {} : name),
      ...(capabilities["sampling"] === undefined ? {} : capital),
      ...(capabilities["roots"] === undefined ? {} : clientRoots)
    })))
]
