/**
 * The payments API over `fetch`, for programs without Effect: routes, requests and answers as they stand in the API's documentation, typed
 * by the contract that the server serves.
 */
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import { parseJson } from "@svc/kernel/values/json"
import type { contract } from "@svc/server/api"
import type { Schema } from "effect"
import type * as HttpApi from "effect/http-api/HttpApi"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import type * as HttpApiGroup from "effect/http-api/HttpApiGroup"

type Groups = typeof contract extends HttpApi.HttpApi<infer _Id, infer Each> ? Each : never
type Endpoints = Extract<HttpApiGroup.Endpoints<Groups>, HttpApiEndpoint.ConstraintRequest>

/** Every endpoint by its method and path, such as `GET /v1/payment_intents/:id`. */
type Routes = { readonly [Each in Endpoints as `${Each["method"]} ${Each["path"]}`]: Each }
export type Route = keyof Routes

/** The JSON of a schema. */
type Json<Codec> = Codec extends Schema.toCodecJson<infer Inner> | Schema.toCodecStringTree<infer Inner> ? Inner["Encoded"]
  : Codec extends Schema.Constraint ? Codec["Encoded"]
  : never

type Part<Name extends string, Codec> = [Codec] extends [never] ? unknown
  : {} extends Json<Codec> ? { readonly [Key in Name]?: Json<Codec> }
  : { readonly [Key in Name]: Json<Codec> }

/** What a route is asked with: the parameters of its path and query, and its body. */
export type RequestOf<Name extends Route> =
  & Part<"params", Routes[Name]["~Params"]>
  & Part<"query", Routes[Name]["~Query"]>
  & Part<"payload", Routes[Name]["~Payload"]>
  & { readonly headers?: Readonly<Record<string, string>> }

/** The JSON that a route answers with. */
export type AnswerOf<Name extends Route> = Json<Routes[Name]["~Success"]>

type Arguments<Name extends Route> = {} extends RequestOf<Name> ? [request?: RequestOf<Name>] : [request: RequestOf<Name>]

/** What the API refuses with; `/v1/error_codes` lists them all. */
export interface Refusal {
  readonly error: string
  readonly message: string
  readonly code?: string
  readonly decline_code?: string
  readonly details?: unknown
  readonly request_id?: string
}

/** An answer that is no success. */
export class SvcError extends Error {
  readonly status: number
  readonly refusal: Refusal

  constructor(status: number, refusal: Refusal) {
    super(refusal.message)
    this.name = "SvcError"
    this.status = status
    this.refusal = refusal
  }
}

/** Where the service is and who calls it. */
export interface FetchClientOptions {
  /** Address of the payments API, such as `http://localhost:4000`. */
  readonly baseUrl: string
  /** `sk_…` or `rk_…` for an account; `ok_…` for the routes of the operator. */
  readonly secretKey: string
}

interface AnyRequest {
  readonly params?: Readonly<Record<string, unknown>>
  readonly query?: Readonly<Record<string, unknown>>
  readonly payload?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const urlOf = (baseUrl: string, path: string, { params = {}, query = {} }: AnyRequest): URL => {
  const url = new URL(baseUrl.replace(/\/$/, "") + path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(String(params[name]))))
  for (const [name, value] of Object.entries(query)) {
    for (const each of Array.isArray(value) ? value : [value]) if (each !== undefined) url.searchParams.append(name, String(each))
  }
  return url
}

const refusalOf = (text: string): Refusal => {
  try {
    return parseJson(text) as Refusal
  } catch {
    return { error: "internal", message: text }
  }
}

/**
 * A function that calls any route: `await svc("GET /v1/payment_intents/:id", { params: { id } })`. It rejects with `SvcError` when the API
 * refuses. It does not retry by itself; a request with an idempotency key can be repeated safely.
 */
export const makeFetchClient =
  ({ baseUrl, secretKey }: FetchClientOptions) =>
  async <Name extends Route>(route: Name, ...[request]: Arguments<Name>): Promise<AnswerOf<Name>> => {
    const { headers, payload, ...place }: AnyRequest = request ?? {}
    const [method = "", path = ""] = route.split(" ")
    const response = await fetch(urlOf(baseUrl, path, place), {
      method,
      headers: {
        authorization: `Bearer ${secretKey}`,
        "api-version": CURRENT_API_VERSION,
        ...(payload === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(payload === undefined ? {} : { body: JSON.stringify(payload) })
    })
    const text = await response.text()
    if (!response.ok) throw new SvcError(response.status, refusalOf(text))
    // The contract promises the shape; nothing checks it again.
    return (text === "" ? undefined : parseJson(text)) as AnswerOf<Name>
  }
