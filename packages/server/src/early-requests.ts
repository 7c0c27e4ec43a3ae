/** Requests that come between the moment when a server listens and the moment when its routes are built: they wait for the routes. */
import type { IncomingMessage, Server, ServerResponse } from "node:http"

type Handler = (request: IncomingMessage, response: ServerResponse) => void

/** Keeps each request for the next listener of the server, which is the one that answers. Returns the server. */
export const keepEarlyRequests = (server: Server): Server => {
  const early: Array<Parameters<Handler>> = []
  const keep: Handler = (...exchange) => void early.push(exchange)
  const handOver = (event: string | symbol, handler: Handler) => {
    if (event !== "request") return
    server.off("request", keep).off("newListener", handOver)
    for (const exchange of early) setImmediate(() => handler.call(server, ...exchange))
  }
  return server.on("request", keep).on("newListener", handOver)
}
