/** What every answer of the tool server keeps to, whatever was asked. */
import { parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import type { WireAnswer } from "../../contract/wire.ts"
import type { Case } from "./cases.ts"
import type { Expected } from "./expected.ts"

/** Codes that are told in GET /v1/error-codes, with their numbers. */
export type Documented = ReadonlyMap<string, number>

export const parse = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** JSON-RPC 2.0, section 5.1, and MCP 2026-07-28: those that no tool brings about. */
const PROTOCOL = new Set([-32700, -32600, -32601, -32602, -32020, -32021, -32022, -32000])

const errorProblems = (error: unknown, documented: Documented): ReadonlyArray<string> => {
  if (!isRecord(error)) return ["its error is no object"]
  const { code, data, message } = error
  if (typeof message !== "string" || message.length < 10) return [`its error says ${JSON.stringify(message)}`]
  if (code === -32603) return ["an internal error"]
  const named = isRecord(data) ? data["code"] : undefined
  if (named !== undefined) {
    return typeof named === "string" && documented.get(named) === code
      ? []
      : [`the code ${String(named)} with ${String(code)} is not documented`]
  }
  return typeof code === "number" && PROTOCOL.has(code) ? [] : [`the number ${String(code)} is not documented`]
}

/** What is wrong with one response, but for its id. */
const responseProblems = (message: unknown, documented: Documented): ReadonlyArray<string> => {
  if (!isRecord(message) || message["jsonrpc"] !== "2.0") return ["no JSON-RPC response"]
  if (!Object.hasOwn(message, "id")) return ["a response without an id"]
  const hasResult = Object.hasOwn(message, "result")
  if (hasResult === Object.hasOwn(message, "error")) return ["not one of result and error"]
  if (JSON.stringify(message).includes("\"_tag\":")) return ["it shows a _tag"]
  if (!hasResult) return errorProblems(message["error"], documented)
  return isRecord(message["result"]) ? [] : ["its result is no object"]
}

/** Text of a refusal that blames the arguments; undefined for every other answer. */
const blame = (message: unknown): string | undefined => {
  const error = isRecord(message) ? message["error"] : undefined
  if (!isRecord(error) || !isRecord(error["data"]) || error["data"]["code"] !== "INVALID_ARGUMENTS") return undefined
  return String(error["message"])
}

const sortedIds = (ids: ReadonlyArray<unknown>): string => ids.map((id) => JSON.stringify(id) ?? "none").sort().join(" ")

/** What is wrong with the responses to a body of JSON-RPC, whatever carried them. */
export const messageProblems = (
  asked: Case,
  expected: Expected,
  responses: ReadonlyArray<unknown>,
  documented: Documented
): ReadonlyArray<string> => {
  const problems = responses.flatMap((one) => responseProblems(one, documented))
  const ids = responses.map((one) => isRecord(one) ? one["id"] : undefined)
  // A body may be refused as a whole: without an id, or with that of the one message it holds.
  const isWhole = !asked.clean && responses.length === 1 && isRecord(responses[0]) && Object.hasOwn(responses[0], "error") &&
    (ids[0] === null || expected.ids.some((id) => id === ids[0]))
  if (!isWhole && sortedIds(ids) !== sortedIds(expected.ids)) problems.push(`ids ${sortedIds(ids)} in place of ${sortedIds(expected.ids)}`)
  for (const one of responses) {
    const words = blame(one)
    if (words === undefined) continue
    if (asked.good) problems.push("good arguments are refused")
    if (asked.field !== undefined && !words.includes(asked.field)) problems.push(`the refusal does not name ${asked.field}`)
  }
  return problems
}

/** A refusal of HTTP: in the wire shape of the service, or as the problem of RFC 9457 that asks for a payment. */
export const refusalProblems = (body: unknown, { headers, status }: WireAnswer): ReadonlyArray<string> => {
  if (!isRecord(body)) return ["its body is not a JSON object"]
  if (status === 402) {
    const isDemand = body["status"] === 402 && typeof body["price"] === "string" &&
      (headers["content-type"] ?? "").startsWith("application/problem+json") && headers["www-authenticate"] !== undefined
    return isDemand ? [] : ["a 402 that asks for nothing"]
  }
  const { error, message, request_id } = body
  return [
    ...(status < 400 ? [`a refusal with ${status}`] : []),
    ...(typeof error === "string" && /^[a-z_]+$/.test(error) ? [] : [`error ${JSON.stringify(error)}`]),
    ...(typeof message === "string" && message.length >= 10 ? [] : [`message ${JSON.stringify(message)}`]),
    ...(request_id === headers["request-id"] ? [] : ["request_id is not the Request-Id"])
  ]
}

/** The messages of a stream of events that are answers. */
export const responsesIn = (text: string): ReadonlyArray<unknown> =>
  text.split("\n\n").flatMap((block) => {
    const data = block.split("\n").filter((line) => line.startsWith("data: ")).map((line) => line.slice(6)).join("\n")
    const message = data === "" ? undefined : parse(data)
    return message === undefined || (isRecord(message) && typeof message["method"] === "string") ? [] : [message]
  })

const commonProblems = ({ headers, status }: WireAnswer): ReadonlyArray<string> => [
  ...(status >= 500 && status !== 501 ? [`a ${status}`] : []),
  ...(headers["request-id"] === undefined ? ["no Request-Id"] : [])
]

/** What is wrong with an answer of HTTP to a body of JSON-RPC. */
export const answerProblems = (asked: Case, expected: Expected, answer: WireAnswer, documented: Documented): ReadonlyArray<string> => {
  const { headers, status, text } = answer
  const problems = [...commonProblems(answer)]
  const type = headers["content-type"] ?? ""
  if (status === 202 || status === 204 || asked.method === "HEAD") {
    if (text !== "") problems.push(`a ${status} with a body`)
    if (asked.clean && status === 202 && expected.ids.length > 0) problems.push("no answer")
    return problems
  }
  if (asked.method !== "POST" && status < 400) return problems
  if (type.startsWith("text/event-stream")) return [...problems, ...messageProblems(asked, expected, responsesIn(text), documented)]
  const body = parse(text)
  if (body === undefined) return [...problems, `no JSON but ${type}: ${text.slice(0, 60)}`]
  const responses = Array.isArray(body) ? body : [body]
  const isRpc = Array.isArray(body) || (isRecord(body) && body["jsonrpc"] === "2.0")
  if (isRpc) {
    if (Array.isArray(body) && !expected.isBatch) problems.push("an array for one message")
    return [...problems, ...messageProblems(asked, expected, responses, documented)]
  }
  if (asked.clean && status !== 402) problems.push(`a clean message is refused by HTTP with ${status}`)
  return [...problems, ...refusalProblems(body, answer)]
}

/** What is wrong with an answer of a typed procedure: for each request its exit, or a refusal of the whole. */
export const procedureProblems = (asked: Case, answer: WireAnswer): ReadonlyArray<string> => {
  const problems = [...commonProblems(answer)]
  if (answer.status !== 200) {
    return [
      ...problems,
      ...(asked.good ? [`a good call is refused with ${answer.status}`] : []),
      ...(asked.method === "HEAD" || answer.text === "" ? [] : refusalOfDoor(answer))
    ]
  }
  const lines = answer.text.split("\n").filter((line) => line !== "").map(parse)
  if (lines.some((line) => !isRecord(line))) problems.push("a line that is no object")
  if (!asked.good) return problems
  const wanted = asked.body.toString("utf8").split("\n").filter((line) => line !== "").map((line) => {
    const one = parse(line)
    return isRecord(one) ? one["id"] : undefined
  })
  const got = lines.flatMap((line) => isRecord(line) && line["_tag"] === "Exit" ? [line["requestId"]] : [])
  if (sortedIds(Array.from(new Set(got))) !== sortedIds(Array.from(new Set(wanted)))) {
    problems.push(`exits of ${sortedIds(got)} in place of ${sortedIds(wanted)}`)
  }
  if (answer.text.includes("\"Die\"")) problems.push("a good call dies")
  return problems
}

const refusalOfDoor = (answer: WireAnswer): ReadonlyArray<string> => {
  const body = parse(answer.text)
  return isRecord(body) && body["jsonrpc"] === "2.0" ? [] : refusalProblems(body, answer)
}
