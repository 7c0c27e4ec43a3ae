/**
 * Every place where a request names something that belongs to somebody, read off the contract: path parameters, cursors, parameters of the
 * query and fields of bodies. What the contract does not say of a parameter stands here, and without it the tenant matrix fails.
 */
import type { Document, Parameter, Route } from "./document.ts"
import { resolve } from "./document.ts"
import type { Merchant } from "./service.ts"

/** A resource as the API shows it. */
export type Row = Readonly<Record<string, unknown>>

export interface Made {
  readonly row: Row
  /** Ids of more of them, in other states. */
  readonly others?: ReadonlyArray<string>
}

export interface Resources {
  readonly merchant: Merchant
  /** By the path of the collection, such as `/v1/payment_intents`. */
  readonly made: ReadonlyMap<string, Made>
}

/** The path with its parameters filled in by `of`, which is told the path up to each. */
export const fillPath = (path: string, of: (position: string, name: string) => string): string => {
  let before = ""
  return path.split("/").map((part) => {
    const name = /^\{(.+)\}$/.exec(part)?.[1]
    before = before === "" && part === "" ? "" : `${before}/${part}`
    return name === undefined ? part : of(before, name)
  }).join("/")
}

interface Position {
  /** The path up to and with the parameter. */
  readonly position: string
  /** The path before it. */
  readonly collection: string
  readonly name: string
}

const positionIn = (position: string): Position => {
  const at = position.lastIndexOf("/")
  return { position, collection: position.slice(0, at), name: position.slice(at + 2, -1) }
}

/** The path parameters of a route. */
export const positionsOf = ({ path }: Pick<Route, "path">): ReadonlyArray<Position> => {
  const positions: Array<Position> = []
  fillPath(path, (position) => {
    positions.push(positionIn(position))
    return ""
  })
  return positions
}

const textIn = ({ made }: Resources, collection: string, field: string): string | undefined => {
  const value = made.get(collection)?.row[field]
  return typeof value === "string" ? value : undefined
}

/** A real id for the path parameter at this position. */
export const idAt = (resources: Resources, position: string): string => {
  const { collection, name } = positionIn(position)
  const id = textIn(resources, collection, name)
  if (id === undefined) {
    throw new Error(
      `What was made of ${collection} has no field ${name}: give "${collection}" an entry in makers of packages/testkit/src/contract/resources.ts whose row has one`
    )
  }
  return id
}

type FromResources = (resources: Resources) => string

const kindOf = ({ schema }: Parameter): string | undefined => /^\^([a-z]+_)/.exec(String(schema["pattern"]))?.[1]

/**
 * The id that a list pages by at `after` and `before`. A list inside a resource may be empty here, as nothing is delivered: then it is
 * an id of its kind as old as the resource.
 */
const cursorOf = ({ path }: Route, parameter: Parameter): FromResources => (resources) => {
  const own = textIn(resources, path, "id") ?? idAt(resources, path.slice(0, path.lastIndexOf("}") + 1))
  const kind = kindOf(parameter)
  if (kind === undefined) {
    throw new Error(`${path}: the pattern of ${parameter.name} does not begin with the prefix of an id; declare it by pageQueryOf`)
  }
  return own.replace(/^[a-z]+_/, kind)
}

/** A list's path, of the list itself or of its sums. */
const listIn = (path: string): string => path.replace(/\/sums$/u, "")

/** Parameters of queries that name something which is no field of the rows. */
const named: Readonly<Record<string, (route: Route) => FromResources>> = {
  merchant_id: () => ({ merchant }) => merchant.id,
  q: ({ path }) => (resources) => idAt(resources, `${path === "/v1/search" ? "/v1/payment_intents" : listIn(path)}/{id}`),
  requested_by: ({ path }) => (resources) => textIn(resources, path, "requested_by") ?? ""
}

/** Fields of bodies that end like those that name something, and are a merchant's own words. */
const ownWords: ReadonlySet<string> = new Set(["customer_id", "external_id", "external_reference"])

/** Such fields of one route alone. */
const ownWordsOf: Readonly<Record<string, ReadonlyArray<string>>> = {
  // Only an operator names accounts.
  "POST /v1/reserves": ["merchant_id"],
  "POST /v1/write_offs": ["merchant_id"],
  // The provider's word for an account of the link in the path.
  "POST /v1/bank_links/{id}/verify_payout": ["bank_account_id"],
  "POST /v1/bank_links/{id}/processor_token": ["bank_account_id"]
}

/** Fields of bodies that name something of a collection which their own name does not tell. */
const elsewhere: Readonly<Record<string, string>> = {
  parent_id: "/v1/agent_keys/{id}",
  default_payment_method_id: "/v1/payment_methods/{id}",
  legal_entity_id: "/v1/legal_entities/{id}",
  destination_id: "/v1/transfer_instruments/{id}"
}

const namesSomething = (name: string) => /_(id|ids|reference)$/.test(name)

/** True for a cursor. */
export const isCursor = ({ name }: Parameter): boolean => name === "after" || name === "before"

/** What a parameter of a list's query names; undefined when its values belong to nobody, such as a currency. */
export const queryPosition = (route: Route, parameter: Parameter): FromResources | undefined => {
  const { name, schema } = parameter
  if (isCursor(parameter)) return cursorOf(route, parameter)
  if (named[name] !== undefined) return named[name](route)
  if (namesSomething(name)) {
    return (resources) => {
      const text = textIn(resources, listIn(route.path), name)
      if (text === undefined) {
        throw new Error(
          `${route.path}: what was made of it has no ${name} to filter by: give it one in makers of resources.ts, or say in named of positions.ts what ${name} is`
        )
      }
      return text
    }
  }
  // A schema of its own, or a number, says what the values are. Any other text could be anything.
  if (schema["$ref"] !== undefined || schema["enum"] !== undefined || schema["type"] !== "string") return undefined
  throw new Error(
    `${route.method} ${route.path}: say in named of packages/testkit/src/contract/positions.ts what the parameter ${name} names, or give its values a schema of their own`
  )
}

/** The fields of a route's body that name something of a collection, such as `payment_method_id`. */
export const bodyPositions = (
  document: Document,
  routes: ReadonlyArray<Route>,
  route: Route
): ReadonlyArray<{ readonly name: string; readonly of: FromResources }> => {
  const properties = resolve(document, route.body?.schema ?? {})["properties"]
  return Object.keys(typeof properties === "object" && properties !== null ? properties : {}).filter((name) =>
    namesSomething(name) && !ownWords.has(name) && !(ownWordsOf[`${route.method} ${route.path}`] ?? []).includes(name)
  ).map((name) => {
    const position = elsewhere[name] ?? `/v1/${name.replace(/_id$/, "s")}/{id}`
    if (!routes.some(({ path }) => path === position)) {
      throw new Error(
        `${route.method} ${route.path}: no route ${position} tells what the field ${name} names. If it is a merchant's own word, add it to ownWords in packages/testkit/src/contract/positions.ts`
      )
    }
    return { name, of: (resources) => idAt(resources, position) }
  })
}

/** Bodies in which a field has its place, where it has none in the documented example. */
export const otherBodies: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  "POST /v1/checkout/sessions plan_id": { mode: "subscription", customer_id: "customer-1", customer_email: "ana@example.com" },
  "POST /v1/payment_intents quote_id": { amount: 1999, currency: "USD", destination_currency: "EUR" }
}

/** An id of the same kind that was never given out. */
export const unknownLike = (id: string): string => {
  const kind = /^([a-z]+_)[0-9A-Z]{26}$/.exec(id)?.[1]
  return kind === undefined ? `${id}-unknown` : `${kind}01KDV8Q400ABCDEFGHJKMNPQRS`
}

/** An id that was never given out either, with the same place among all others: where a cursor of it points to. */
export const neighbourOf = (id: string): string => `${id.slice(0, -1)}${id.endsWith("0") ? "1" : "0"}`

/** Every text of a resource that only its merchant may see: its ids, and what names something in it. */
export const textsOf = (
  { made, merchant }: Resources
): ReadonlyArray<string> => [
  merchant.id,
  ...Array.from(made.values()).flatMap(({ others = [], row }) => [
    ...others,
    ...Object.entries(row).flatMap(([name, value]) =>
      typeof value === "string" && (name === "id" || name === "key" || namesSomething(name)) ? [value] : []
    )
  ])
]
