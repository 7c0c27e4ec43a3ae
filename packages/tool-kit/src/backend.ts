/** A backend is a service that an installation may do without. Its absence is a value of its layer, so no tool can forget to ask. */
import { type Context, Effect, Layer, Schema } from "effect"

/** What a tool needs is not set up here. Told as an envelope, and never billed. */
export class NotConfigured extends Schema.TaggedError<NotConfigured>()("NotConfigured", {
  /** A word that a program switches on, such as `embedder_unset`. */
  reason: Schema.String,
  detail: Schema.String,
  /** What to do about it, and who can. */
  remediation: Schema.String
}) {}

export interface Backend<A> {
  readonly get: Effect.Effect<A, NotConfigured>
  /** What is weaker here than it can be, each with what mends it. */
  readonly weaknesses?: Effect.Effect<ReadonlyArray<string>>
}

/** In a run: `const embedder = yield* backend(Embedder)`. */
export const backend = <I, A>(key: Context.Key<I, Backend<A>>): Effect.Effect<A, NotConfigured, I> => Effect.flatMap(key, ({ get }) => get)

/** What a tool's description adds of the backend. */
export const weaknessesOf = <I, A>(key: Context.Key<I, Backend<A>>): Effect.Effect<ReadonlyArray<string>, never, I> =>
  Effect.flatMap(key, ({ weaknesses = Effect.succeed([]) }) => weaknesses)

/** The backend is there. */
export const present = <I, A>(key: Context.Key<I, Backend<A>>, value: A): Layer.Layer<I> =>
  Layer.succeed(key, { get: Effect.succeed(value) })

/** The backend is not there, and this is why. */
export const absent = <I, A>(key: Context.Key<I, Backend<A>>, why: typeof NotConfigured["~type.make.in"]): Layer.Layer<I> =>
  Layer.succeed(key, { get: Effect.fail(new NotConfigured(why)) })

/** A backend that needs configuration: NotConfigured while it is built makes it absent; any other failure stops the start. */
export const configured = <I, A, E, R>(key: Context.Key<I, Backend<A>>, make: Effect.Effect<A, NotConfigured | E, R>) =>
  Layer.effect(
    key,
    make.pipe(
      Effect.map((value): Backend<A> => ({ get: Effect.succeed(value) })),
      Effect.catchIf(
        (error): error is NotConfigured => error instanceof NotConfigured,
        (error) => Effect.succeed<Backend<A>>({ get: Effect.fail(error) })
      )
    )
  )
