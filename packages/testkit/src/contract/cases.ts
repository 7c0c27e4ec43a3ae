/** Bad requests: a good one for some route, and one to three things wrong with it. */
import type { Chance } from "../simulation/chance.ts"
import type { Document, JsonSchema, Route, Schemas } from "./document.ts"
import { resolve } from "./document.ts"
import type { Node } from "./json-text.ts"
import { escaped, nodeOf, print, raw, slotsOf } from "./json-text.ts"
import * as nasty from "./nasty.ts"
import { fillPath } from "./positions.ts"
import type { WireRequest } from "./wire.ts"

export interface Case {
  readonly route: Route
  /** What is wrong, for the report of a failure. */
  readonly wrong: ReadonlyArray<string>
  readonly request: WireRequest
}

/** What good requests are made of. */
export interface Ingredients {
  readonly document: Document
  readonly routes: ReadonlyArray<Route>
  /** The key that a route takes, or one that it does not. */
  readonly keyFor: (route: Route, chance: Chance) => string | undefined
  /** Ids that exist, for the path parameter at a position of a route. */
  readonly idsFor: (route: Route, position: string) => ReadonlyArray<string>
}

/** A request while it is being spoilt. */
export interface Draft {
  method: string
  path: string
  readonly query: Array<string>
  readonly headers: Array<[string, string]>
  body: Node | Buffer | undefined
}

const list = (value: unknown): ReadonlyArray<unknown> => Array.isArray(value) ? value : []
const isSchema = (value: unknown): value is JsonSchema => typeof value === "object" && value !== null

/** Values at the edges of what a schema accepts, and just past them, as JSON text. */
export const edgesOf = (document: Schemas, schema: JsonSchema): ReadonlyArray<string> => {
  const plain = resolve(document, schema)
  const edges: Array<string> = []
  for (const [name, inside] of [["minimum", 1], ["maximum", -1], ["exclusiveMinimum", 1], ["exclusiveMaximum", -1]] as const) {
    const bound = plain[name]
    if (typeof bound === "number") {
      edges.push(String(bound - inside), String(bound), String(bound + inside), `"${bound}"`, String(bound + 0.5))
    }
  }
  for (const name of ["minLength", "maxLength"]) {
    const bound = plain[name]
    if (typeof bound === "number") {
      edges.push(...[bound - 1, bound, bound + 1].map((length) => JSON.stringify("x".repeat(Math.max(0, length)))))
    }
  }
  const longest = typeof plain["pattern"] === "string" ? /,(\d+)\}/.exec(plain["pattern"])?.[1] : undefined
  if (longest !== undefined) edges.push(...[0, 1, 2, 3].map((more) => JSON.stringify("x".repeat(Number(longest) + more))))
  const [first] = list(plain["enum"])
  if (first !== undefined) {
    edges.push(
      JSON.stringify(first),
      JSON.stringify(`${String(first)} `),
      JSON.stringify(String(first).toUpperCase()),
      JSON.stringify([first])
    )
  }
  if (typeof plain["maxProperties"] === "number") {
    edges.push(
      ...[0, 1].map((more) =>
        JSON.stringify(Object.fromEntries(Array.from({ length: Number(plain["maxProperties"]) + more }, (_, n) => [`k${n}`, "v"])))
      )
    )
  }
  for (const inner of [plain["items"], plain["additionalProperties"], plain["propertyNames"]]) {
    if (isSchema(inner)) {
      edges.push(
        ...edgesOf(document, inner).flatMap((
          edge
        ) => [`[${edge}]`, `[${edge},${edge}]`, `{"k":${edge}}`, ...(edge.startsWith("\"") ? [`{${edge}:"v"}`] : [])])
      )
    }
  }
  return [...edges, ...list(plain["anyOf"]).flatMap((one) => isSchema(one) ? edgesOf(document, one) : [])]
}

export const propertyOf = (schema: JsonSchema, name: string): JsonSchema => {
  const properties = schema["properties"]
  const found = isSchema(properties) ? properties[name] : undefined
  return isSchema(found) ? found : {}
}

type Spoil = (draft: Draft, chance: Chance, route: Route, document: Document) => string | undefined

export const shorten = (text: string) => text.length > 60 ? `${text.slice(0, 50)}… (${text.length})` : text

/** Something else where a value of the body stands, at the edge of its schema or far beyond. */
const otherValue: Spoil = ({ body }, chance, route, document) => {
  if (body === undefined || Buffer.isBuffer(body)) return undefined
  const slots = slotsOf(body)
  if (slots.length === 0) return undefined
  const slot = chance.pick(slots)
  const edges = slot.name === undefined || route.body === undefined ? [] : edgesOf(document, propertyOf(route.body.schema, slot.name))
  const value = edges.length > 0 && chance.happens(0.5) ? chance.pick(edges) : chance.pick(nasty.rawValues)
  slot.put(raw(value))
  return `${slot.name ?? "item"} = ${shorten(value)}`
}

/** A field that the schema has and the request has not, with a value from the edge. */
const optionalField: Spoil = ({ body }, chance, route, document) => {
  const properties = route.body?.schema["properties"]
  if (body === undefined || Buffer.isBuffer(body) || body.kind !== "object" || !isSchema(properties)) return undefined
  const name = chance.pick(Object.keys(properties))
  const edges = edgesOf(document, propertyOf({ properties }, name))
  const value = edges.length > 0 && chance.happens(0.7) ? chance.pick(edges) : chance.pick(nasty.rawValues)
  body.members.push({ key: JSON.stringify(name), value: raw(value) })
  return `also ${name} = ${shorten(value)}`
}

const membersOf: Spoil = ({ body }, chance) => {
  if (body === undefined || Buffer.isBuffer(body) || body.kind !== "object") return undefined
  const at = chance.between(0, body.members.length - 1)
  const member = body.members[at]
  switch (member === undefined ? "unknown" : chance.pick(["missing", "unknown", "twice", "escaped"])) {
    case "missing":
      body.members.splice(at, 1)
      return `without ${member?.key ?? ""}`
    case "twice": {
      const value = chance.pick(nasty.rawValues)
      body.members.splice(chance.between(0, body.members.length), 0, { key: member?.key ?? "\"\"", value: raw(value) })
      return `${member?.key ?? ""} twice, once ${shorten(value)}`
    }
    case "escaped": {
      const key = escaped((member?.key ?? "\"\"").slice(1, -1))
      body.members.splice(at, 1, { key, value: member?.value ?? raw("null") })
      return `${member?.key ?? ""} as ${shorten(key)}`
    }
    default: {
      const key = chance.pick(nasty.unknownKeys)
      body.members.push({ key: JSON.stringify(key), value: raw(chance.pick(nasty.rawValues)) })
      return `unknown field ${shorten(JSON.stringify(key))}`
    }
  }
}

const otherBody: Spoil = (draft, chance) => {
  if (chance.happens(0.2)) {
    const bytes = chance.pick(nasty.byteBodies)
    draft.body = bytes
    return `body of bytes ${bytes.subarray(0, 8).toString("hex")}`
  }
  const body = chance.happens(0.02) ? `"${"a".repeat(1_100_000)}"` : chance.pick(nasty.bodies)
  draft.body = raw(body)
  return `body ${shorten(body)}`
}

/** Puts another content type, or none, in the place of the one that is there. */
export const putContentType = ({ headers }: Draft, value: string | undefined): string => {
  const at = headers.findIndex(([name]) => name === "Content-Type")
  if (at >= 0) headers.splice(at, 1)
  if (value === undefined) return "no content type"
  headers.push(["Content-Type", value])
  return `content type ${shorten(value)}`
}

const contentType: Spoil = (draft, chance) => putContentType(draft, chance.happens(0.1) ? undefined : chance.pick(nasty.contentTypes))

const query: Spoil = ({ query }, chance, { parameters }) => {
  const names = parameters.filter((parameter) => parameter.in === "query").map(({ name }) => name)
  const name = names.length > 0 && chance.happens(0.8)
    ? chance.pick(names)
    : chance.pick([
      "x",
      "metadata[k]",
      "metadata[]",
      "metadata[__proto__]",
      "metadata[%5C]",
      "metadata[a%22]",
      "metadata[%0A]",
      "metadata[a]]",
      "metadata[%F0%9F%98%80]",
      "__proto__",
      "constructor",
      "page[gte]",
      "a[b]",
      ""
    ])
  const value = chance.pick(nasty.queryTexts)
  const written = chance.pick([
    `${name}=${value}`,
    `${name}=${value}`,
    `${name}=${value}`,
    name,
    `${name}[]=${value}`,
    `${name}[x]=${value}`,
    `${name}=${value}&${name}=${chance.pick(nasty.queryTexts)}`,
    `&&${name}==${value}`,
    `${name}=${value}?x=y`
  ])
  query.push(written)
  return `query ${shorten(written)}`
}

/** Puts another id into the path; `{real}` stands for the one that is there. */
export const putId = (draft: Draft, route: Route, id: string): string => {
  const parts = draft.path.split("/")
  const at = route.path.split("/").findIndex((part) => part.startsWith("{"))
  const value = id.replaceAll("{real}", parts[at] ?? "")
  parts[at] = value
  draft.path = parts.join("/")
  return `path with ${shorten(value)}`
}

const segment: Spoil = (draft, chance, route) => route.path.includes("{") ? putId(draft, route, chance.pick(nasty.segments)) : undefined

const path: Spoil = (draft, chance) => {
  draft.path = chance.pick([
    `${draft.path}/`,
    `/${draft.path}`,
    draft.path.toUpperCase(),
    `${draft.path}/x`,
    draft.path.replace("/v1", "/v2"),
    `${draft.path}.json`,
    draft.path.replaceAll("/", "%2F"),
    `http://evil.test/${draft.path.replace(/^\//, "")}`,
    "*",
    "/",
    draft.path.slice(0, -1)
  ])
  return `path ${shorten(draft.path)}`
}

const header: Spoil = ({ headers }, chance) => {
  const [name, value] = chance.pick(nasty.headers)
  const at = headers.findIndex(([known]) => known === name)
  const filled = value.replaceAll("{key}", headers.find(([known]) => known === "Authorization")?.[1].slice("Bearer ".length) ?? "")
  if (at >= 0 && chance.happens(0.8)) headers.splice(at, 1)
  headers.push([name, filled])
  return `${name}: ${shorten(filled)}`
}

const method: Spoil = (draft, chance) => {
  draft.method = chance.pick(nasty.methods)
  return `method ${draft.method}`
}

const key: Spoil = ({ headers }) => {
  const at = headers.findIndex(([name]) => name === "Authorization")
  if (at < 0) return undefined
  headers.splice(at, 1)
  return "no key"
}

/** How often each is chosen. */
const spoils: ReadonlyArray<Spoil> = [
  otherValue,
  otherValue,
  otherValue,
  otherValue,
  otherValue,
  otherValue,
  optionalField,
  optionalField,
  optionalField,
  membersOf,
  membersOf,
  query,
  query,
  query,
  segment,
  segment,
  segment,
  header,
  header,
  otherBody,
  contentType,
  path,
  method,
  key
]

/** A request of the route with nothing wrong. */
export const good = ({ idsFor, keyFor }: Ingredients, route: Route, chance: Chance, seed: string): Draft => {
  const used = keyFor(route, chance)
  const example = route.body?.example
  const fresh = typeof example === "object" && example !== null && "idempotency_key" in example
    ? { ...example, idempotency_key: `bad-${seed}` }
    : example
  return {
    method: route.method,
    path: fillPath(route.path, (position) => chance.pick(idsFor(route, position))),
    query: [],
    headers: [
      ...(used === undefined ? [] : [["Authorization", `Bearer ${used}`] satisfies [string, string]]),
      ...(route.body === undefined ? [] : [["Content-Type", "application/json"] satisfies [string, string]])
    ],
    body: route.body === undefined ? undefined : nodeOf(fresh)
  }
}

const bytesOf = (body: Draft["body"]): Buffer | undefined =>
  body === undefined ? undefined : Buffer.isBuffer(body) ? body : Buffer.from(print(body), "utf8")

/** The case of a draft. */
export const finish = (route: Route, wrong: ReadonlyArray<string>, { body, headers, method, path, query }: Draft): Case => {
  const bytes = bytesOf(body)
  const target = query.length === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}${query.join("&")}`
  return { route, wrong, request: { method, target, headers, ...(bytes === undefined ? {} : { body: bytes }) } }
}

/** The bad request of a seed. */
export const makeCase = (ingredients: Ingredients, chance: Chance, seed: string): Case => {
  const route = chance.pick(ingredients.routes)
  const draft = good(ingredients, route, chance, seed)
  const wrong: Array<string> = []
  const wanted = chance.pick([1, 1, 1, 2, 2, 3])
  while (wrong.length < wanted) {
    const said = chance.pick(spoils)(draft, chance, route, ingredients.document)
    if (said !== undefined) wrong.push(said)
  }
  return finish(route, wrong, draft)
}
