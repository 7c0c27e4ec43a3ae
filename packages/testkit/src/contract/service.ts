/** The whole payments API on a database of its own, behind a real listener, for tests of its contract. */
import type { ApiKeyScope } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { ApiKeys } from "@svc/accounts/api-keys/service"
import { parseJson } from "@svc/kernel/values/json"
import { listen } from "@svc/server/listener"
import * as routes from "@svc/server/routes"
import { Context, Effect, Layer, Logger, Redacted } from "effect"
import { HttpServer } from "effect/http"
import { type PartsOnDatabase, servicesWith } from "../services.ts"
import type { Wire, WireAnswer } from "./wire.ts"
import { makeWire } from "./wire.ts"

const CONNECTIONS = 8

/** What went wrong inside while requests were answered: nothing should. */
export class ServerLog extends Context.Service<ServerLog, { readonly lines: Array<string> }>()("@svc/testkit/contract/ServerLog") {}

export const layerLog = Layer.unwrap(Effect.sync(() => {
  const lines: Array<string> = []
  const logger = Logger.make((options) => {
    if (options.logLevel === "Error" || options.logLevel === "Fatal") lines.push(Logger.formatJson.log(options))
  })
  return Layer.merge(Logger.layer([logger]), Layer.succeed(ServerLog, { lines }))
}))

/** A connection to the service as its customers have it. */
export class Service extends Context.Service<Service, Wire>()("@svc/testkit/contract/Service") {}

export const layerService = Layer.effect(
  Service,
  Effect.gen(function*() {
    const { address } = yield* HttpServer.HttpServer
    return yield* makeWire(Number(new URL(HttpServer.formatAddress(address)).port), CONNECTIONS)
  })
)

/** The service under these environment variables, its client, and the services under it, for what no request can bring about. */
export const layerWith = (environment: Readonly<Record<string, string>>, parts: Omit<PartsOnDatabase, "environment"> = {}) =>
  layerService.pipe(
    Layer.provideMerge(listen(routes.layer, { port: 0, host: "127.0.0.1", variable: "API_PORT" })),
    Layer.provideMerge(servicesWith({ ...parts, environment })),
    Layer.provideMerge(layerLog)
  )

export const layer = layerWith({})

export interface Asked {
  readonly key?: string | undefined
  /** Sent as JSON. */
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** A well-formed request. */
export const send = Effect.fnUntraced(function*(method: string, target: string, { body, headers = {}, key }: Asked = {}) {
  const wire = yield* Service
  return yield* Effect.orDie(wire.send({
    method,
    target,
    headers: [
      ...(key === undefined ? [] : [["Authorization", `Bearer ${key}`] as const]),
      ...(body === undefined ? [] : [["Content-Type", "application/json"] as const]),
      ...Object.entries(headers)
    ],
    ...(body === undefined ? {} : { body: Buffer.from(JSON.stringify(body)) })
  }))
})

/** Bytes of a type of their own, such as a picture. */
export const upload = Effect.fnUntraced(function*(target: string, key: string, type: string, body: Buffer) {
  const wire = yield* Service
  return yield* Effect.orDie(
    wire.send({ method: "POST", target, headers: [["Authorization", `Bearer ${key}`], ["Content-Type", type]], body })
  )
})

/** The body of an answer as an object; empty when it is none. */
export const jsonOf = ({ text }: Pick<WireAnswer, "text">): Readonly<Record<string, unknown>> => {
  try {
    const json: unknown = parseJson(text)
    return typeof json === "object" && json !== null && !Array.isArray(json) ? { ...json } : {}
  } catch {
    return {}
  }
}

/** The items of a list: its `data`, or the one array that its answer holds, whatever the contract calls it. */
export const itemsOf = (list: Readonly<Record<string, unknown>>): ReadonlyArray<unknown> => {
  if (Array.isArray(list["data"])) return list["data"]
  const [items, ...others] = Object.values(list).filter((value) => Array.isArray(value))
  return others.length === 0 ? items ?? [] : []
}

/** A well-formed request that has to succeed. */
export const must = Effect.fnUntraced(function*(method: string, target: string, asked: Asked) {
  const answer = yield* send(method, target, asked)
  if (answer.status >= 300) return yield* Effect.die(new Error(`${method} ${target} answered ${answer.status} ${answer.text}`))
  return jsonOf(answer)
})

export interface Merchant {
  readonly id: string
  readonly key: string
}

/** A sandbox account with its first secret key. */
export const openMerchant = Effect.fnUntraced(function*(name: string) {
  const { account, key } = yield* Effect.orDie((yield* Accounts).create({ name, sandbox: true }))
  return { id: account.id, key: Redacted.value(key.secret) } satisfies Merchant
})

/** The secret of a new key of the operator. */
export const operatorKey = Effect.gen(function*() {
  const { secret } = yield* Effect.orDie((yield* ApiKeys).issue({ accountId: null, kind: "operator", name: "Console", scopes: [] }))
  return Redacted.value(secret)
})

/** The secret of a new restricted key. */
export const restrictedKey = Effect.fnUntraced(function*(merchant: Merchant, scopes: ReadonlyArray<ApiKeyScope>) {
  const { secret } = yield* Effect.orDie(
    (yield* ApiKeys).issue({ accountId: AccountId.make(merchant.id), kind: "restricted", name: "Restricted", scopes })
  )
  return Redacted.value(secret)
})
