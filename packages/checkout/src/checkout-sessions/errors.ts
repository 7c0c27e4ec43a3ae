/** Why the page makes no payment. */
import { Schema } from "effect"

/** The page was old, or another tab was faster. */
export class NotPayable extends Schema.TaggedError<NotPayable>()("NotPayable", { message: Schema.String }) {}
