/** An email, what became of it, and what it can be refused with. */
import { again, errorCode, ofField, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { Schema } from "effect"

/** At most this many people get one email, in whichever field they stand. */
export const MAX_RECIPIENTS = 50
/** Characters of a subject: a line of RFC 5322. */
export const MAX_SUBJECT = 998
/** Bytes of each of the two bodies, as UTF-8. */
export const MAX_BODY_BYTES = 1024 * 1024
/** Bytes of all attachments together. Most mail servers take 10 MB to 25 MB, in which base64 leaves room for three quarters. */
export const MAX_ATTACHMENT_BYTES = 7 * 1024 * 1024

export interface Attachment {
  /** As the reader's program shows it, without folders. */
  readonly filename: string
  /** Such as `application/pdf`. */
  readonly content_type: string
  readonly content: Uint8Array
}

export interface EmailMessage {
  /** Names the email: sent again under the same name, it has the same `Message-ID`, by which mail programs tell a repetition. Random unless given. */
  readonly id?: string
  readonly to: ReadonlyArray<string>
  readonly cc?: ReadonlyArray<string>
  readonly bcc?: ReadonlyArray<string>
  readonly reply_to?: string
  /** On one line. */
  readonly subject: string
  /** At least one of the two bodies. */
  readonly text?: string
  readonly html?: string
  readonly attachments?: ReadonlyArray<Attachment>
  /** Of a sandbox, which anybody may open: it lies in the outbox and reaches nobody, also where there is a mail server. */
  readonly rehearsal?: boolean
}

/** A recipient that the mail server refused, while it took the email for others. */
export interface RejectedRecipient {
  readonly address: string
  /** Whether the same may be accepted later. */
  readonly temporary: boolean
  /** In the words of the mail server. */
  readonly reason: string
}

/** The email is in the hands of the mail server, or lies in the outbox. */
export interface EmailReceipt {
  /** The address of the sender. */
  readonly from: string
  /** With its angle brackets. */
  readonly message_id: string
  readonly accepted: ReadonlyArray<string>
  readonly rejected: ReadonlyArray<RejectedRecipient>
}

/** The mailbox that emails come from. */
export interface Sender {
  readonly name: string
  readonly address: string
}

const notConfigured = errorCode(
  "email_not_configured",
  503,
  "This installation sends no email: nobody has told it by which mail server.",
  "The operator sets SMTP_URL and EMAIL_FROM and starts the service again."
)
const refused = errorCode(
  "email_refused",
  400,
  "The email cannot be sent as it is; `code` names the part that is at fault.",
  "Correct that part. The same email is refused again.",
  ofField("to")
)
const unavailable = errorCode(
  "email_unavailable",
  503,
  "The mail server does not take emails at the moment. " +
    "Nothing was sent, unless `details.delivery` is `unknown`: then its last reply was lost.",
  "Send again after `Retry-After` seconds; when it stays so, the operator looks after SMTP_URL.",
  again(60)
)

/** 503. Neither a mail server nor an outbox. */
export class EmailNotConfigured extends Schema.Error<EmailNotConfigured>("EmailNotConfigured")(
  wireFields("EmailNotConfigured", notConfigured),
  wireAnnotations(notConfigured)
) {}

/** 400, permanent: this email, or everybody it goes to, is refused. `code` names the field. */
export class EmailRefused extends Schema.Error<EmailRefused>("EmailRefused")(
  { ...wireFields("EmailRefused", refused), code: Schema.String },
  wireAnnotations(refused)
) {}

/** 503, temporary, or for the operator to mend: the mail server is away, busy, or does not let us in. Carries `details.retry_after` seconds. */
export class EmailUnavailable extends Schema.Error<EmailUnavailable>("EmailUnavailable")(
  wireFields("EmailUnavailable", unavailable),
  wireAnnotations(unavailable)
) {}

export type EmailFailure = EmailNotConfigured | EmailRefused | EmailUnavailable

/** For the errors of an endpoint that sends. */
export const emailFailures = [EmailNotConfigured, EmailRefused, EmailUnavailable] as const

/** Seconds after which what failed for the moment may be tried again. */
const RETRY_AFTER = 60

export const emailUnavailable = (why: string) =>
  new EmailUnavailable({
    message:
      `The email was not sent: ${why}. Send again after ${RETRY_AFTER} seconds; when it stays so, the operator looks after SMTP_URL.`,
    details: { retry_after: RETRY_AFTER }
  })

/** The connection was lost after the whole email was handed over, and before the reply: it may have been sent. */
export const deliveryUnknown = ({ from, message_id }: Pick<EmailReceipt, "from" | "message_id">) =>
  new EmailUnavailable({
    message: "Nobody knows whether the email was sent: the connection to the mail server was lost before its last reply.",
    details: { retry_after: RETRY_AFTER, delivery: "unknown", from, message_id }
  })

/** Whether what failed may have been sent all the same, and as what. */
export const unknownDelivery = (failure: EmailFailure): Pick<EmailReceipt, "from" | "message_id"> | undefined => {
  const { delivery, from, message_id } = failure.details ?? {}
  return delivery === "unknown" ? { from: String(from), message_id: String(message_id) } : undefined
}
