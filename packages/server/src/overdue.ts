/**
 * A request that nobody answers. A database that hangs makes everything wait that asks it, and its own
 * limits on time stand still with it; so does a network that swallows what is sent.
 */
import { UNREACHABLE_RETRY_AFTER } from "@svc/kernel/database/unreachable"
import { waitsInTurn } from "@svc/kernel/http/uploads"
import { CURRENT_API_VERSION, isServed, releases } from "@svc/kernel/resource/api-version"
import { errorCodes } from "@svc/kernel/resource/errors"
import { makeId } from "@svc/kernel/values/ids"
import type { Clock } from "effect"
import { Duration } from "effect"
import type { IncomingMessage, Server, ServerResponse } from "node:http"

interface Options {
  /** How long a request that came whole may wait for the first byte of its answer, while nothing else moves on its connection. */
  readonly within: Duration.Duration
  readonly clock: Clock.Clock
  /** Told of each request that was given up. */
  readonly report: (request_id: string) => void
}

/**
 * Makes the server answer 503 in place of whoever works on the request, who goes on: what is being
 * committed has an unknown outcome, which its idempotency key tells later. Returns the server.
 *
 * Node keeps a timer for each socket anyway and renews it when bytes move, so this costs a request nothing.
 */
export const answerOverdue = (server: Server, { clock, report, within }: Options): Server => {
  const seconds = Math.ceil(Duration.toSeconds(within))
  const message =
    `The request was not finished within ${seconds} s: the database, or whoever else it waits for, does not answer, and what was under way may or may not have happened. ${errorCodes.service_unavailable.next}`
  const refuse = (request: IncomingMessage, response: ServerResponse) => {
    // A body that comes slowly has a limit of its own.
    if (!request.complete) return
    // Its turn has not come: there is nobody yet who could be slow.
    if (waitsInTurn(request)) return void request.socket.setTimeout(server.timeout)
    // Half an answer must not be followed by another one; who does not read it is not waited for.
    if (response.headersSent) return void request.socket.destroy()
    const request_id = makeId("req", clock.currentTimeMillisUnsafe())
    const { error, status } = errorCodes.service_unavailable
    const body = JSON.stringify({ error, message, details: { retry_after: UNREACHABLE_RETRY_AFTER }, request_id })
    const requestedVersion = request.headers["api-version"]
    // What was sent after it over the same connection would wait as long again.
    response.shouldKeepAlive = false
    response.writeHead(status, {
      "content-type": "application/json",
      "content-length": Buffer.byteLength(body),
      "retry-after": String(UNREACHABLE_RETRY_AFTER),
      "request-id": request_id,
      "api-version": typeof requestedVersion === "string" && isServed(releases, requestedVersion, clock.currentTimeMillisUnsafe())
        ? requestedVersion
        : CURRENT_API_VERSION
    }).end(body)
    report(request_id)
  }
  const watch = (request: IncomingMessage, response: ServerResponse) => {
    response.on("timeout", () => refuse(request, response))
  }
  server.timeout = Duration.toMillis(within)
  return server.on("request", watch).on("checkContinue", watch)
}
