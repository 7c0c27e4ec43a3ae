/**
 * Bodies that come slowly. Node's own limit counts from the first byte of a request, also while nobody here reads: an upload that waits for
 * another one of its account, or whose lines are being written, is no slow one. Here counts only the time in which there is room for more
 * and nothing comes to fill it.
 */
import { isWatched, waitsInTurn } from "@svc/kernel/http/uploads"
import type { Clock } from "effect"
import { Duration } from "effect"
import type { IncomingMessage, Server } from "node:http"
import type { Connections } from "./connections.ts"

interface Options {
  readonly clock: Clock.Clock
  /** How long a sender may take in all. */
  readonly within: Duration.Duration
  /** How often that is looked at. */
  readonly every: Duration.Duration
}

/** Whether there is room for more of the body. Node stops reading from a connection when this much waits to be taken. */
const hasRoom = (request: IncomingMessage): boolean => request.readableLength < request.readableHighWaterMark

/** Makes the server refuse bodies that come slowly, as it refuses what it cannot read. Returns the server. */
export const refuseSlowBodies = (server: Server, connections: Connections, { clock, every, within }: Options): Server => {
  const spent = new WeakMap<IncomingMessage, number>()
  const limit = Duration.toMillis(within)
  let last = clock.currentTimeMillisUnsafe()
  const look = () => {
    const now = clock.currentTimeMillisUnsafe()
    const passed = now - last
    last = now
    for (const { request } of connections.unfinished()) {
      if (!hasRoom(request) || waitsInTurn(request) || isWatched(request)) continue
      const total = (spent.get(request) ?? 0) + passed
      spent.set(request, total)
      if (total >= limit) {
        server.emit("clientError", Object.assign(new Error("the body came slowly"), { code: "ERR_HTTP_REQUEST_TIMEOUT" }), request.socket)
      }
    }
  }
  let looking: NodeJS.Timeout | undefined
  return server
    .on("listening", () => void (looking = setInterval(look, Duration.toMillis(every)).unref()))
    .on("close", () => clearInterval(looking))
}
