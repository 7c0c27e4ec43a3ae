/** What callers tell the operator, with or without a key. */
import { exampleId } from "@svc/kernel/resource/examples"
import { EmailAddress } from "@svc/kernel/values/email-address"
import { idSchema } from "@svc/kernel/values/ids"
import { Schema } from "effect"

export const TicketId = idSchema("tkt", "TicketId")
export type TicketId = typeof TicketId.Type

export const FeedbackRequest = Schema.Struct({
  message: Schema.String.check(Schema.isMinLength(10), Schema.isMaxLength(5000)),
  category: Schema.optionalKey(Schema.Literals(["bug", "feature", "question", "praise", "other"])),
  email: Schema.optionalKey(EmailAddress.annotate({ description: "For a reply" })),
  rating: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 })))
}).annotate({
  identifier: "FeedbackRequest",
  examples: [{ message: "The search finds what I look for, thank you.", category: "praise", rating: 5 }]
})
export type FeedbackRequest = typeof FeedbackRequest.Type

export const FeedbackReceived = Schema.Struct({ ticket_id: TicketId, ok: Schema.Boolean }).annotate({ identifier: "FeedbackReceived" })
  .pipe(Schema.annotateEncoded({ examples: [{ ticket_id: exampleId("tkt"), ok: true }] }))
export type FeedbackReceived = typeof FeedbackReceived.Type

/** Messages an hour from one network. */
export const PER_HOUR = 5
