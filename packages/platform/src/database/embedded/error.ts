/** Why the embedded Postgres could not be used. */
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"

/** What did not work, why, and what to do next, in one message meant for the person who started the program. */
export class EmbeddedPostgresError extends Data.TaggedError("EmbeddedPostgresError")<{ readonly message: string }> {}

/** Turns any failure that carries a message into an {@link EmbeddedPostgresError}: `what: why. next`. One that is told already is kept. */
export const explain =
  (what: string, next: string) =>
  <A, E extends { readonly message: string }, R>(self: Effect.Effect<A, E, R>): Effect.Effect<A, EmbeddedPostgresError, R> =>
    Effect.mapError(
      self,
      (error) =>
        error instanceof EmbeddedPostgresError ? error : new EmbeddedPostgresError({ message: `${what}: ${error.message}. ${next}.` })
    )
