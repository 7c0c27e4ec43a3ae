/** Requests to the routes beside the tools, as the tool server's own document has them, with one to three things wrong. */
import { isRecord } from "@svc/kernel/values/record"
import { shorten } from "../../contract/cases.ts"
import { nodeOf, print, raw, slotsOf } from "../../contract/json-text.ts"
import * as nasty from "../../contract/nasty.ts"
import type { WireAnswer, WireRequest } from "../../contract/wire.ts"
import type { Chance } from "../../simulation/chance.ts"
import { parse, refusalProblems } from "./judge.ts"

export interface Route {
  readonly method: string
  readonly path: string
  readonly example: unknown
  readonly statuses: ReadonlySet<number>
}

/** Those that speak JSON-RPC have a fuzz of their own. */
const RPC = new Set(["/mcp", "/v1/mcp"])

const first = (value: unknown): unknown => Array.isArray(value) ? value[0] : isRecord(value) ? Object.values(value)[0] : undefined

const exampleOf = (operation: Readonly<Record<string, unknown>>, schemas: unknown): unknown => {
  const body = operation["requestBody"]
  const content = isRecord(body) && isRecord(body["content"]) ? body["content"]["application/json"] : undefined
  if (!isRecord(content)) return undefined
  const { schema } = content
  const named = isRecord(schema) && typeof schema["$ref"] === "string" && isRecord(schemas)
    ? schemas[schema["$ref"].split("/").at(-1) ?? ""]
    : schema
  const found = content["example"] ?? first(content["examples"]) ?? (isRecord(named) ? first(named["examples"]) : undefined)
  return (isRecord(found) && "value" in found ? found["value"] : found) ?? {}
}

/** Every route of the document. */
export const routesOf = (document: unknown): ReadonlyArray<Route> => {
  if (!isRecord(document) || !isRecord(document["paths"])) return []
  const schemas = isRecord(document["components"]) ? document["components"]["schemas"] : undefined
  return Object.entries(document["paths"]).filter(([path]) => !RPC.has(path)).flatMap(([path, methods]) =>
    isRecord(methods)
      ? Object.entries(methods).flatMap(([method, operation]): ReadonlyArray<Route> =>
        isRecord(operation)
          ? [{
            method: method.toUpperCase(),
            path,
            example: exampleOf(operation, schemas),
            statuses: new Set(Object.keys(isRecord(operation["responses"]) ? operation["responses"] : {}).map(Number))
          }]
          : []
      )
      : []
  )
}

/** What is refused before a route is looked for, and what no route has to say of itself. */
const EVERYWHERE = [304, 400, 401, 404, 405, 413, 415, 417, 429, 431]

export interface RouteCase {
  readonly route: Route
  readonly wrong: ReadonlyArray<string>
  readonly request: WireRequest
  /** Where something else than the body is wrong, any refusal of HTTP will do. */
  readonly isElsewhere: boolean
}

export const makeRouteCase = (chance: Chance, routes: ReadonlyArray<Route>, keys: ReadonlyArray<string>): RouteCase => {
  const route = chance.pick(routes)
  const wrong: Array<string> = []
  const key = chance.happens(0.8) ? chance.pick(keys) : undefined
  const headers: Array<readonly [string, string]> = [
    ...(key === undefined ? [] : [chance.happens(0.5) ? ["Authorization", `Bearer ${key}`] as const : ["X-Svc-Key", key] as const]),
    ...(route.example === undefined ? [] : [["Content-Type", "application/json"] as const])
  ]
  let { method } = route
  let target = route.path.replace(/\{[^}]+\}/g, () => {
    const value = chance.pick([...nasty.segments, "snap_01", "cursor"]).replaceAll("{real}", "snap_01")
    wrong.push(`path with ${shorten(value)}`)
    return value
  })
  let isElsewhere = target !== route.path
  let body: Buffer | undefined
  if (route.example !== undefined) {
    const node = nodeOf(route.example)
    const slots = slotsOf(node)
    for (let n = chance.between(0, 2); n > 0; n--) {
      const value = chance.happens(0.02) ? `"${"a".repeat(300_000)}"` : chance.pick(nasty.rawValues)
      if (slots.length > 0 && chance.happens(0.7)) chance.pick(slots).put(raw(value))
      else if (node.kind === "object") node.members.push({ key: JSON.stringify(chance.pick(nasty.unknownKeys)), value: raw(value) })
      wrong.push(`body with ${shorten(value)}`)
    }
    body = Buffer.from(print(node))
  }
  if (chance.happens(0.15)) {
    body = chance.happens(0.3) ? chance.pick(nasty.byteBodies) : Buffer.from(chance.pick(nasty.bodies))
    wrong.push(`body ${shorten(body.toString("latin1"))}`)
  }
  if (chance.happens(0.25)) {
    target += `?${chance.pick(["q", "page", "per_page", "x", "__proto__", "q[]"])}=${chance.pick(nasty.queryTexts)}`
    wrong.push(shorten(target))
    isElsewhere = true
  }
  if (chance.happens(0.2)) {
    const [name, value] = chance.pick([...nasty.headers, ...nasty.contentTypes.map((type) => ["Content-Type", type] as const)])
    headers.push([name, value.replaceAll("{key}", key ?? "none")])
    wrong.push(`${name}: ${shorten(value)}`)
    isElsewhere = true
  }
  if (chance.happens(0.05)) {
    method = chance.pick(nasty.methods)
    wrong.push(method)
    isElsewhere = true
  }
  return { route, wrong, isElsewhere, request: { method, target, headers, ...(body === undefined ? {} : { body }) } }
}

/** What is wrong with an answer of a route. */
export const routeProblems = ({ isElsewhere, request, route }: RouteCase, answer: WireAnswer): ReadonlyArray<string> => {
  const { headers, status, text } = answer
  const problems: Array<string> = []
  if (status >= 500 && !(route.statuses.has(status) && status === 501)) problems.push(`a ${status}`)
  if (!isElsewhere && !route.statuses.has(status) && !EVERYWHERE.includes(status)) problems.push(`${status} is not documented here`)
  if (headers["request-id"] === undefined) problems.push("no Request-Id")
  if (request.method === "HEAD" || status < 400) return problems
  return [...problems, ...refusalProblems(parse(text), answer)]
}
