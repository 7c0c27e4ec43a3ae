/** Proxies before the service: what they say of who asks, and at which address, is believed of them and of nobody else. */
import { Reference } from "@svc/kernel/values/reference"
import { Config, Effect, Option, Result, Schema } from "effect"
import { Headers, HttpMiddleware, HttpServerRequest } from "effect/http"
import { IpNetwork } from "effect/net"

const parts = (given: string): ReadonlyArray<string> => given.split(",").map((part) => part.trim()).filter((part) => part !== "")

const Networks = Schema.String.check(Schema.makeFilter((given) => {
  const wrong = parts(given).find((part) => Result.isFailure(IpNetwork.fromString(part)))
  return wrong === undefined
    ? undefined
    : `names ${
      JSON.stringify(wrong.slice(0, 40))
    }, and must be networks such as 10.0.0.0/8, separated by commas. Correct it, or leave it unset when no proxy stands before the service.`
}))

/** `TRUSTED_PROXIES`, for example `10.0.0.0/8, ::1/128`; nobody when unset. */
export const trustedProxies = Config.schema(Networks, "TRUSTED_PROXIES").pipe(
  Config.withDefault(""),
  Config.map((given) => parts(given).map(IpNetwork.fromStringUnsafe))
)

/** The networks of the proxies. */
export class TrustedProxies
  extends Reference<ReadonlyArray<IpNetwork.IpNetwork>>("@svc/server/TrustedProxies", { defaultValue: () => [] })
{}

/**
 * So many values, the last ones of the list: proxies add theirs at the end. A proxy that sets one value for all of them speaks for the
 * hops before it.
 */
const lastOf = (list: string, count: number): string => {
  const values = list.split(",")
  return Array.from({ length: count }, (_, at) => values[Math.max(0, values.length - count + at)]).join(",")
}

/**
 * `X-Forwarded-Host` and `-Proto` with a value for each of `X-Forwarded-For`, and without that header for the proxy itself. Effect passes
 * over lists of another length, but most proxies set host and protocol to one value and add to the list of addresses that a client began.
 */
const aligned = (request: HttpServerRequest.HttpServerRequest): HttpServerRequest.HttpServerRequest => {
  const { headers, peerAddress } = request
  const said = ["x-forwarded-host", "x-forwarded-proto"].filter((name) => headers[name] !== undefined)
  if (said.length === 0) return request
  const addresses = headers["x-forwarded-for"] ?? Option.getOrElse(peerAddress, () => "")
  const count = addresses.split(",").length
  const values = said.map((name) => [name, lastOf(headers[name] ?? "", count)] as const)
  return request.modify({
    headers: Headers.setAll(headers, { ...Object.fromEntries(values), "x-forwarded-for": addresses }),
    remoteAddress: request.remoteAddress,
    peerAddress
  })
}

/** Takes `X-Forwarded-For`, `-Host` and `-Proto` from these proxies: limits by network and the checks of a page's origin go by them. */
export const forwarded = (trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>) => {
  const believing = HttpMiddleware.xForwardedHeaders({ trustedProxies })
  return HttpMiddleware.make((app) => Effect.updateService(believing(app), HttpServerRequest.HttpServerRequest, aligned))
}
