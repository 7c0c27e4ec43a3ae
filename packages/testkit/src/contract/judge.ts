/** What every answer keeps to, whatever was asked. */
import { containsCardNumber } from "@svc/kernel/values/card-numbers"
import { parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import { catalog } from "@svc/server/catalog"
import type { Document, Route } from "./document.ts"
import { mismatches } from "./json-schema.ts"
import type { WireAnswer, WireRequest } from "./wire.ts"

const FIELDS = new Set(["error", "message", "code", "decline_code", "request_id", "details"])
const statuses = new Map<string, number>(Array.from(catalog.errors.values()).map(({ error, status }) => [error, status]))

interface Pattern {
  readonly route: Route
  readonly matches: RegExp
}

/** Paths have one spelling: capitals, doubled slashes and a slash at the end make another path. */
export const patternsOf = (routes: ReadonlyArray<Route>): ReadonlyArray<Pattern> =>
  routes
    .map((route) => ({ route, matches: new RegExp(`^${route.path.replace(/\{[^}]+\}/g, "[^/]+")}$`) }))
    // A fixed path comes before one with a parameter.
    .sort((a, b) => Number(a.route.path.includes("{")) - Number(b.route.path.includes("{")))

/**
 * A target in absolute form is read as a URL, whose segments of dots stand for others; one that begins with its path is taken as it stands.
 */
const pathOf = (target: string): string =>
  /^https?:\/\//i.test(target) && URL.canParse(target)
    ? new URL(target).pathname
    : target.replace(/^https?:\/\/[^/]*/i, "").split(/[?#]/)[0] ?? ""

/** The route that a request meets, if any. HEAD is answered as GET is (RFC 9110, 9.3.2). */
const routeOf = (patterns: ReadonlyArray<Pattern>, { method, target }: WireRequest): Route | undefined => {
  const path = pathOf(target)
  const wanted = method === "HEAD" ? "GET" : method
  return patterns.find(({ matches, route }) => route.method === wanted && matches.test(path))?.route
}

/** What is refused before a route is looked for. */
const BEFORE = [417, 431]
/** 400: what cannot be read as a request belongs to no route. */
const OUTSIDE = [400, 404, 405, ...BEFORE]

/** The statuses that may be answered. */
const documented = (route: Route | undefined): ReadonlySet<number> =>
  new Set(route === undefined ? OUTSIDE : [...Object.keys(route.operation.responses).map(Number), ...BEFORE])

const parse = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return undefined
  }
}

/** What is wrong with the body of a refusal. */
const errorProblems = (body: unknown, { headers, status }: WireAnswer): ReadonlyArray<string> => {
  if (!isRecord(body)) return ["its body is not a JSON object"]
  const { code, error, message, request_id } = body
  const problems: Array<string> = []
  if (typeof error !== "string" || statuses.get(error) !== status) problems.push(`error "${String(error)}" does not belong to ${status}`)
  if (typeof message !== "string" || message === "") problems.push("it has no message")
  if (error === "validation_error" && (typeof code !== "string" || code === "")) problems.push("its code names no field")
  // A replayed answer is the first one, with the id of the first request.
  if (headers["idempotent-replayed"] !== "true" && request_id !== headers["request-id"]) {
    problems.push("request_id is not the Request-Id header")
  }
  problems.push(...Object.keys(body).filter((field) => !FIELDS.has(field)).map((field) => `it has a field ${field}`))
  if (JSON.stringify(body).includes("\"_tag\":")) problems.push("it shows a _tag")
  return problems
}

/** What is wrong with an answer; nothing when all is well. */
export const problemsOf = (
  document: Document,
  patterns: ReadonlyArray<Pattern>,
  request: WireRequest,
  answer: WireAnswer
): ReadonlyArray<string> => {
  const { headers, status, text } = answer
  const problems: Array<string> = []
  if (status >= 500) problems.push(`a ${status}`)
  const route = routeOf(patterns, request)
  if (!documented(route).has(status)) problems.push(`${status} is not documented here`)
  if (headers["request-id"] === undefined) problems.push("no Request-Id")
  if (request.method === "HEAD" || status === 204) return problems
  const content = route?.operation.responses[String(status)]?.content ?? {}
  const type = (headers["content-type"] ?? "").split(";")[0] ?? ""
  // A document, which is no JSON and says so.
  if (type !== "application/json" && content[type] !== undefined) return problems
  if (type !== "application/json") problems.push(`content type ${headers["content-type"] ?? "missing"}`)
  const body = parse(text)
  if (body === undefined) return [...problems, "its body is not JSON"]
  if (status >= 400) problems.push(...errorProblems(body, answer))
  const schema = route?.operation.responses[String(status)]?.content?.["application/json"]?.schema
  if (schema !== undefined) problems.push(...mismatches(document, schema, body).slice(0, 3).map((words) => `not as documented: ${words}`))
  if (containsCardNumber(body) !== undefined || containsCardNumber(Object.values(headers)) !== undefined) {
    problems.push("it repeats a card number")
  }
  return problems
}
