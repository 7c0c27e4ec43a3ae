/** Answers that are made while they are read. */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { type Duration, Effect, FiberHandle, Stream } from "effect"
import { HttpServerRequest } from "effect/http"

/**
 * The bytes for as long as somebody takes them: the next piece is made when the one before it was taken, and a connection over which a
 * piece is not taken `within` this time is closed. That ends the request, and with it all that its scope holds. Node itself notices only
 * who takes nothing at all, not who takes a byte a second. For HEAD, whose answer has ended before its body, nothing is made.
 */
export const whileTaken = Effect.fnUntraced(function*<E>(bytes: Stream.Stream<Uint8Array, E>, within: Duration.Input) {
  const response = NodeHttpServerRequest.toServerResponse(yield* HttpServerRequest.HttpServerRequest)
  const patience = yield* FiberHandle.make()
  const giveUp = Effect.delay(Effect.sync(() => response.destroy()), within)
  return bytes.pipe(
    Stream.takeWhile(() => !response.writableEnded),
    // Each piece begins the time anew.
    Stream.tap(() => FiberHandle.run(patience, giveUp))
  )
})
