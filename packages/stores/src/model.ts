/** What the stored-data tools have in common: names, facts about a thing, and how a call is refused. */
import { Effect, Schema } from "effect"

/** Namespaces that an account may have in one store. More would be accounts of their own. */
export const MOST_NAMESPACES = 100

/** U+0000 and halves of surrogate pairs are text that Postgres cannot keep. */
const KEPT = /^[^\0\p{Cs}]*$/u

/** Text of at most so many UTF-16 units. */
export const text = (most: number) =>
  Schema.String.check(
    Schema.isMaxLength(most),
    Schema.isPattern(KEPT, { message: "must not hold U+0000 or half of a surrogate pair", toJsonSchema: () => ({}) })
  )

/** The same, and something. */
export const name = (most: number) => text(most).check(Schema.isMinLength(1))

export const whole = (minimum: number, maximum: number) =>
  Schema.Finite.check(Schema.isInt({ toJsonSchema: () => ({ type: "integer" }) }), Schema.isBetween({ minimum, maximum }))

export const DEFAULT_NAMESPACE = "default"

export const Namespace = name(64).pipe(Schema.withDecodingDefaultKey(Effect.succeed(DEFAULT_NAMESPACE)))

/** Flat on purpose: what a filter asks for is then never a question of how deep. 32 of them, because a page of results repeats them. */
export const StoredMetadata = Schema.Record(name(64), Schema.Union([text(512), Schema.Finite, Schema.Boolean, Schema.Null]))
  .check(Schema.isMaxProperties(32))
  .annotate({ identifier: "Facts" })
export type StoredMetadata = typeof StoredMetadata.Type

/** The operation needs a field that is not there, or does not take one that is. `message` names it. */
export class InvalidFields extends Schema.TaggedError<InvalidFields>()("InvalidFields", { message: Schema.String }) {}

/** What the call would add is more than an account may keep. */
export class StorageFull extends Schema.TaggedError<StorageFull>()("StorageFull", { message: Schema.String }) {}

/** The account's calls wait for each other too long. */
export class StoreBusy extends Schema.TaggedError<StoreBusy>()("StoreBusy", { message: Schema.String, retryable: Schema.Literal(true) }) {}

export const Refusals = Schema.Union([InvalidFields, StorageFull, StoreBusy])

/** The field, or a refusal that names it. */
export const needed = <A>(operation: string, field: string, value: A | undefined): Effect.Effect<A, InvalidFields> =>
  value === undefined ? Effect.fail(new InvalidFields({ message: `${field}: operation ${operation} needs it.` })) : Effect.succeed(value)

/** Of fields of the engineer mode: refused in another one, because to pass over them would answer another question. */
export const engineerOnly = (mode: string, fields: Readonly<Record<string, unknown>>): Effect.Effect<void, InvalidFields> => {
  const givenFields = Object.keys(fields).filter((field) => fields[field] !== undefined)
  return mode === "engineer" || givenFields.length === 0
    ? Effect.void
    : Effect.fail(
      new InvalidFields({
        message: `${givenFields.join(", ")}: only in engineer mode. Send the header X-Agent-Mode: engineer, or leave them out.`
      })
    )
}
