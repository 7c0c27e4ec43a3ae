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

type From = Pick<HttpServerRequest.HttpServerRequest, "remoteAddress">

/** A limiter that is down lets everything pass. */
export class PageLimit extends Context.Service<PageLimit, {
  /** Takes one try of the network. Whether there was one. Before a page is looked for whose name anybody can make up. */
  readonly takeOfNetwork: (request: From) => Effect.Effect<boolean>
  /** Takes one try of a page that there is: a bucket for each name that somebody makes up would fill the memory. */
  readonly takeOfPage: (page: string) => Effect.Effect<boolean>
  /** Both, the network's first. */
  readonly take: (page: string, request: From) => Effect.Effect<boolean>
}>()("@svc/checkout/PageLimit") {
  static readonly layer = Layer.effect(PageLimit, Effect.gen(function*() {
    const store = yield* RateLimiterStore
    const bucket = (key: string, limit: number) =>
      store.tokenBucket({ key: `checkout:${key}`, tokens: 1, limit, refillRate: Duration.millis(HOUR / limit), allowOverflow: false }).pipe(
        Effect.map(([left]) => left >= 0),
        Effect.catch((error) => Effect.as(Effect.logWarning("Tries to pay are not limited: the store of the rate limits does not answer", error), true))
      )
    const takeOfNetwork = ({ remoteAddress }: From) => bucket(`network:${networkOf(Option.getOrElse(remoteAddress, () => "unknown"))}`, OF_NETWORK)
    const takeOfPage = (page: string) => bucket(`page:${page}`, OF_PAGE)
    return PageLimit.of({
      takeOfNetwork,
      takeOfPage,
      take: Effect.fn("PageLimit.take")((page: string, request: From) => Effect.flatMap(takeOfNetwork(request), (may) => may ? takeOfPage(page) : Effect.succeed(false)))
    })
  }))
}
