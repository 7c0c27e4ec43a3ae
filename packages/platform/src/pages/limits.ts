/** How often a form may be sent: of one page, and from one network. */
import { perPeriod, takeToken } from "@svc/kernel/http/rate-limit"
import { networkOf } from "@svc/kernel/values/network"
import { Context, Effect, Layer, Option } from "effect"
import type { HttpServerRequest } from "effect/http"
import { RateLimiterStore } from "effect/persistence/RateLimiter"

const HOUR = 3_600_000

/** Tries an hour. A test of stolen cards needs thousands. */
const TRIES_OF_PAGE = 30
const TRIES_OF_NETWORK = 300

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
      const triesAnHour = (most: number) => {
        const take = takeToken(store, perPeriod(most, HOUR), "Forms of pages")
        return (key: string) => Effect.map(take(`pages:${key}`), ({ retryAfter }) => retryAfter === undefined)
      }
      const ofNetwork = triesAnHour(TRIES_OF_NETWORK)
      const ofPage = triesAnHour(TRIES_OF_PAGE)
      const takeOfNetwork = ({ remoteAddress }: From) => ofNetwork(`network:${networkOf(Option.getOrElse(remoteAddress, () => "unknown"))}`)
      const takeOfPage = (page: string) => ofPage(`page:${page}`)
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
