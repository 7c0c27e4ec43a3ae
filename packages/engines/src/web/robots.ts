/** What sites let machines read: robots.txt by RFC 9309, asked for once a day. */
import type { EgressError } from "@svc/kernel/egress/model"
import { WebEgress } from "@svc/kernel/egress/web"
import { Cache, Effect, Exit, Stream } from "effect"
import type { PageChild } from "./page-child.ts"

/** What operators of sites name in their robots.txt. */
export const AGENT = "svc"

const MOST_BYTES = 2 * 1024 * 1024
/** RFC 9309 lets readers stop here. */
const READ_BYTES = 500 * 1024
const SITES = 1000

/** `unreachable` forbids everything: RFC 9309, section 2.3.1.4. */
export type RobotsVerdict = "allowed" | "forbidden" | "unreachable"

export const makeRobots = Effect.fnUntraced(function*({ readRobots }: PageChild, headers: Readonly<Record<string, string>>) {
  const web = yield* WebEgress

  const fetchText = (url: string) =>
    web.read<Uint8Array | undefined, EgressError, never>(
      { url, headers, timeout: "10 seconds", maxBytes: MOST_BYTES },
      ({ body, status }) => {
        if (status >= 500) return Effect.undefined
        return Effect.map(Stream.mkUint8Array(body), (bytes) => status < 300 ? bytes.subarray(0, READ_BYTES) : new Uint8Array())
      }
    )

  /** The texts; undefined for a site whose server failed. */
  const texts = yield* Cache.makeWith(fetchText, {
    capacity: SITES,
    timeToLive: (exit) => Exit.isFailure(exit) ? 0 : exit.value === undefined ? "1 minute" : "24 hours"
  })

  return Effect.fnUntraced(function*(account: string, address: string) {
    const { href: url } = new URL("/robots.txt", address)
    const text = yield* Cache.get(texts, url)
    if (text === undefined) return "unreachable"
    if (text.length === 0) return "allowed"
    const allowed = yield* readRobots(account, text, { kind: "robots", url, agent: AGENT, addresses: [address] }).pipe(
      // What cannot be read forbids nothing.
      Effect.catchTag("EngineFailed", () => Effect.succeed([true]))
    )
    return (allowed[0] === true ? "allowed" : "forbidden") satisfies RobotsVerdict
  })
})
