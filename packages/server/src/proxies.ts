/** Proxies before the service: what they say of who asks, and at which address, is believed of them and of nobody else. */
import { Reference } from "@svc/kernel/values/reference"
import { Config, Result, Schema } from "effect"
import { HttpMiddleware } from "effect/http"
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

/** Takes `X-Forwarded-For`, `-Host` and `-Proto` from these proxies: limits by network and links go by them. */
export const forwarded = (trustedProxies: ReadonlyArray<IpNetwork.IpNetwork>) => HttpMiddleware.xForwardedHeaders({ trustedProxies })
