/** How often a page may be paid: of one page, and from one network. */
import { Context, Duration, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { RateLimiterStore } from "effect/persistence/RateLimiter"

const HOUR = 3_600_000

/** Tries an hour. Whoever tests stolen cards needs thousands. */
const OF_PAGE = 30
const OF_NETWORK = 300

/** The network of an address: a /24 of IPv4, a /48 of IPv6. Who has one address of it has them all. */
const networkOf = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/u, "")
  return plain.includes(":") ? plain.split(":").slice(0, 3).join(":") : plain.split(".").slice(0, 3).join(".")
}

export class PageLimit extends Context.Service<PageLimit, {
  /** Takes one try of the page and one of the network. Whether there was one; a limiter that is down lets it pass. */
  readonly take: (page: string, request: Pick<HttpServerRequest.HttpServerRequest, "remoteAddress">) => Effect.Effect<boolean>
}>()("@svc/checkout/PageLimit") {
  static readonly layer = Layer.effect(PageLimit, Effect.gen(function*() {
    const store = yield* RateLimiterStore
    const bucket = (key: string, limit: number) =>
      store.tokenBucket({ key: `checkout:${key}`, tokens: 1, limit, refillRate: Duration.millis(HOUR / limit), allowOverflow: false }).pipe(
        Effect.map(([left]) => left >= 0),
        Effect.catch((error) => Effect.as(Effect.logWarning("Tries to pay are not limited: the store of the rate limits does not answer", error), true))
      )
    return PageLimit.of({
      take: Effect.fn("PageLimit.take")(function*(page: string, { remoteAddress }: Pick<HttpServerRequest.HttpServerRequest, "remoteAddress">) {
        return (yield* bucket(`page:${page}`, OF_PAGE)) && (yield* bucket(`network:${networkOf(Option.getOrElse(remoteAddress, () => "unknown"))}`, OF_NETWORK))
      })
    })
  }))
}
