/** Answers that are made while they are read. */
import * as NodeHttpServerRequest from "@effect/platform-node/NodeHttpServerRequest"
import { type Duration, Effect, FiberHandle, Stream } from "effect"
import { outerRequest } from "./answered-for.ts"

/** Answers that are made while they are read, of which only a piece is held at a time. */
const streamed = new WeakSet<object>()

/** Whether an answer, as Node calls it, is made while it is read. */
export const isStreamed = (response: object): boolean => streamed.has(response)

/**
 * The bytes for as long as somebody takes them: the next piece is made when the one before it was taken, and a connection over which a
 * piece is not taken `within` this time is closed. That ends the request, and with it all that its scope holds. Node itself notices only
 * who takes nothing at all, not who takes a byte a second. For HEAD, whose answer has ended before its body, nothing is made.
 */
export const whileTaken = Effect.fnUntraced(function*<E>(bytes: Stream.Stream<Uint8Array, E>, within: Duration.Input) {
  const response = NodeHttpServerRequest.toServerResponse(yield* outerRequest)
  streamed.add(response)
  const patience = yield* FiberHandle.make()
  const giveUp = Effect.delay(Effect.sync(() => response.destroy()), within)
  return bytes.pipe(
    Stream.takeWhile(() => !response.writableEnded),
    // Each piece begins the time anew.
    Stream.tap(() => FiberHandle.run(patience, giveUp))
  )
})
