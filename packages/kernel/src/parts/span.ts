/** Spans of service methods. */
import { Effect, References } from "effect"

const QUIET = { captureStackTrace: false } as const

/**
 * A span named after a method, for methods that each payment passes. `Effect.fn` gives the same span and besides makes an `Error`
 * at each call, for the caller's line in the traces of failures: 3 % of the server's processor time under load, by its profile. Where
 * no collector is set nobody would see a span, and none is made.
 */
export const span = (name: string) => <A, E, R>(method: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
  Effect.withFiber((fiber) => fiber.getRef(References.TracerEnabled) ? Effect.withSpan(method, name, QUIET) : method)
