/** How often a form may be sent: of one page, and from one network. */
import { Context, Duration, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { RateLimiterStore } from "effect/persistence/RateLimiter"

const HOUR = 3_600_000

/** Tries an hour. A test of stolen cards needs thousands. */
const TRIES_OF_PAGE = 30
const TRIES_OF_NETWORK = 300

/** The network of an address: a /24 of IPv4, a /48 of IPv6. An attacker who has one of its addresses has all of them. */
const networkOf = (address: string): string => {
  const plain = address.replace(/^::ffff:(?=\d+\.)/u, "")
  return plain.includes(":") ? plain.split(":").slice(0, 3).join(":") : plain.split(".").slice(0, 3).join(".")
}

type From = Pick<HttpServerRequest.HttpServerRequest, "remoteAddress">

/** A limiter that is down lets everything pass. */
export class PageLimit extends Context.Service<PageLimit, {
  /** Takes one try of the network, and says whether one was left. For paths that anybody can make up, before the page is looked for. */
  readonly takeOfNetwork: (request: From) => Effect.Effect<boolean>
  /** Takes one try of a page that exists: a bucket for each path that a caller makes up would fill the memory. */
  readonly takeOfPage: (page: string) => Effect.Effect<boolean>
  /** Takes a try of the network, then one of the page. */
  readonly take: (page: string, request: From) => Effect.Effect<boolean>
}>()("@svc/platform/PageLimit") {
  static readonly layer = Layer.effect(
    PageLimit,
    Effect.gen(function*() {
      const store = yield* RateLimiterStore
      const bucket = (key: string, limit: number) =>
        store.tokenBucket({ key: `pages:${key}`, tokens: 1, limit, refillRate: Duration.millis(HOUR / limit), allowOverflow: false })
          .pipe(
            Effect.map(([left]) => left >= 0),
            Effect.catch((error) =>
              Effect.as(Effect.logWarning("Forms of pages are not limited: the store of the rate limits does not answer", error), true)
            )
          )
      const takeOfNetwork = ({ remoteAddress }: From) =>
        bucket(`network:${networkOf(Option.getOrElse(remoteAddress, () => "unknown"))}`, TRIES_OF_NETWORK)
      const takeOfPage = (page: string) => bucket(`page:${page}`, TRIES_OF_PAGE)
      return PageLimit.of({
        takeOfNetwork,
        takeOfPage,
        take: Effect.fn("PageLimit.take")((page: string, request: From) =>
          Effect.flatMap(takeOfNetwork(request), (isWithin) => isWithin ? takeOfPage(page) : Effect.succeed(false))
        )
      })
    })
  )
}
