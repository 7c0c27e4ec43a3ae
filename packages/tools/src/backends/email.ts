/** Mails by the mail server that sends invoices, and the records that a domain publishes for its own. */
import { senderSetup } from "@svc/engines/sender-setup/records"
import { iso, realNow } from "@svc/kernel/values/time"
import { EmailQuotaRepository } from "@svc/metering/email-quota/repository"
import { type EmailFailure, type EmailMessage, unknownDelivery } from "@svc/platform/email/model"
import { Email } from "@svc/platform/email/service"
import { configured, NotConfigured } from "@svc/tool-kit/backend"
import { accountOf, type Call } from "@svc/tool-kit/call"
import { FetchFailed, InvalidRequest } from "@svc/tool-kit/services/errors"
import { Mailer, type MailRequest, type Sent } from "@svc/tool-kit/services/mailer"
import { Effect } from "effect"
import { MailSettings } from "./settings.ts"

const absent = new NotConfigured({
  reason: "backend_absent",
  detail: "No mail server is set up here. The call was checked and not charged.",
  remediation: "The operator sets SMTP_URL, such as smtp://user:password@mail.example.com:587, and EMAIL_FROM."
})

/** The words of the mailer name its own fields. */
const refused = (failure: EmailFailure): FetchFailed | InvalidRequest =>
  failure._tag === "EmailRefused"
    ? new InvalidRequest({ message: failure.message.replace(/^(text|html):/u, "body_$1:") })
    : new FetchFailed({ message: failure.message, retryable: failure._tag === "EmailUnavailable" })

const make = Effect.gen(function*() {
  const { perDay, perDayUnpaid, publicUrl, smtp } = yield* MailSettings
  if (smtp === undefined && publicUrl !== undefined) return yield* absent
  const email = yield* Email
  const quota = yield* EmailQuotaRepository

  /** Counts the recipients before anything is sent, and takes them back when nobody got it. */
  const withinQuota = Effect.fnUntraced(function*<A, E>(account: string, recipients: number, sending: Effect.Effect<A, E>) {
    const day = iso(yield* realNow).slice(0, 10)
    const isPaid = yield* quota.isPaid(account)
    const limit = isPaid ? perDay : perDayUnpaid
    if (!(yield* quota.take(account, day, recipients, limit))) {
      return yield* new InvalidRequest({
        message: `The account may write to ${limit} recipients a day${
          isPaid ? "" : ` until credits or a plan are bought, then to ${perDay}`
        }. Go on tomorrow (UTC).`
      })
    }
    return yield* Effect.onError(sending, () => quota.giveBack(account, day, recipients))
  })

  const send = Effect.fnUntraced(function*({ body_html, body_text, reply_to, subject, to }: MailRequest, call: Call) {
    const account = accountOf(call)
    const message: EmailMessage = {
      id: call.id,
      to,
      subject,
      ...(body_text === undefined ? {} : { text: body_text }),
      ...(body_html === undefined ? {} : { html: body_html }),
      ...(reply_to === undefined ? {} : { reply_to }),
      rehearsal: account.sandbox
    }
    const sent = Effect.matchEffect(email.send(message), {
      onSuccess: ({ accepted, from, message_id, rejected }) =>
        Effect.succeed<Sent>({ message_id, delivered_to: accepted, from, subject, rejected, status: "sent" }),
      onFailure: (failure) => {
        const unknown = unknownDelivery(failure)
        return unknown === undefined
          ? Effect.fail(refused(failure))
          : Effect.succeed<Sent>({ ...unknown, delivered_to: [], subject, rejected: [], status: "delivery_unknown" })
      }
    })
    return yield* withinQuota(account.id, to.length, sent)
  })

  return {
    send,
    setup: (request: Parameters<typeof senderSetup>[0]) =>
      Effect.mapError(senderSetup(request), ({ message }) => new InvalidRequest({ message }))
  }
})

export const layer = configured(Mailer, make)
