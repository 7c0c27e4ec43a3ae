/** Why a try to pay on the page is not made. */
import { Schema } from "effect"

/** The page was old, or another tab was faster: what it shows now is what holds. */
export class NotPayable extends Schema.TaggedError<NotPayable>()("NotPayable", { message: Schema.String }) {}
