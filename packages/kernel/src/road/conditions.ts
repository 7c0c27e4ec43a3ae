/** The usual conditions of a commit, with what their refusal says. */
import { Schema } from "effect"
import type { ExceededLimit, Limit } from "./decision.ts"

/** A limit would have been passed. It is for whoever set the limit to say so on the wire. */
export class LimitReached extends Schema.TaggedError<LimitReached>()("LimitReached", {
  name: Schema.String,
  key: Schema.String,
  /** The window that is full. */
  period: Schema.Literals(["hour", "day", "month", "life"]),
  limit: Schema.Int,
  /** How much was left of it, too little. */
  left: Schema.Int
}) {}

export const limitReached = ({ key, left, limit, name, window }: ExceededLimit): LimitReached =>
  new LimitReached({ name, key, period: window?.period ?? "life", limit, left })

/** Spent and reserved are together at most this after the commit; otherwise `LimitReached`. */
export const atMost = (at_most: number): Limit<LimitReached> => ({ at_most, refusal: limitReached })
