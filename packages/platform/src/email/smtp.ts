/**
 * Emails to a mail server. It is named by the operator, in the configuration, and never by a caller: so it may be in a private network,
 * and the guard of `egress/`, which is for addresses that somebody else chose, has no say here.
 */
import { Effect, Predicate, Redacted, Semaphore } from "effect"
import { createTransport, type SendMailOptions } from "nodemailer"
import { senderOf } from "./message.ts"
import { deliveryUnknown, type EmailFailure, type EmailReceipt, EmailRefused, emailUnavailable, type RejectedRecipient } from "./model.ts"
import type { SmtpSettings } from "./settings.ts"

/** Emails that are under way at one time, from one process. */
const AT_ONCE = 8
const CONNECT_WITHIN = 10_000
const SILENCE = 30_000

/** What a mail server said, fit for one line: no more than this of it. */
const SHOWN = 200
const said = (text: unknown): string =>
  Predicate.isString(text) && text !== "" ? text.replaceAll(/[\p{Cc}\s]+/gu, " ").slice(0, SHOWN) : "it said nothing"

const fieldOf = (error: unknown, name: string): unknown =>
  Predicate.isObject(error) && Predicate.hasProperty(error, name) ? error[name] : undefined

/** Of the reply to one recipient: 5yz is for good, everything else for now (RFC 5321, 4.2.1). */
const isPermanent = (error: unknown): boolean => {
  const code = fieldOf(error, "responseCode")
  return Predicate.isNumber(code) && code >= 500 && code < 600 && code !== 503
}

const rejectedOf = (errors: unknown): ReadonlyArray<RejectedRecipient> =>
  Array.isArray(errors)
    ? errors.map((error: unknown) => ({
      address: String(fieldOf(error, "recipient") ?? ""),
      temporary: !isPermanent(error),
      reason: said(fieldOf(error, "response"))
    }))
    : []

/** The text of the error is left out: the reader of a refusal may not read what the network or a password is like. */
const failureOf = (error: unknown): EmailFailure => {
  const code = fieldOf(error, "code")
  const command = fieldOf(error, "command")
  const rejected = rejectedOf(fieldOf(error, "rejectedErrors"))
  if (rejected.length > 0) {
    const [first] = rejected
    const why = `the mail server does not write to ${first?.address ?? "them"}: ${first?.reason ?? ""}`
    return rejected.every(({ temporary }) => !temporary)
      ? new EmailRefused({ code: "to", message: `to: ${why}. Correct the address and send again.` })
      : emailUnavailable(why)
  }
  if (code === "EAUTH" || code === "ENOAUTH") return emailUnavailable("the mail server does not accept the name and password of SMTP_URL")
  if (code === "ETLS" || code === "EREQUIRETLS") return emailUnavailable("no encrypted connection to the mail server could be made")
  // A sender that is refused is of the configuration, whoever the email is for.
  if (command === "MAIL FROM") {
    return emailUnavailable(`the mail server does not accept the address of EMAIL_FROM: ${said(fieldOf(error, "response"))}`)
  }
  if (isPermanent(error)) {
    return new EmailRefused({
      code: "text",
      message: `text: the mail server refused the email: ${said(fieldOf(error, "response"))}. Correct it and send again.`
    })
  }
  return Predicate.isNumber(fieldOf(error, "responseCode"))
    ? emailUnavailable(`the mail server did not take it: ${said(fieldOf(error, "response"))}`)
    : emailUnavailable("the mail server cannot be reached")
}

/** Hands an email over. What was handed over twice after a connection broke has one `Message-ID`. */
export const makeSmtp = ({ url }: SmtpSettings) => {
  const address = URL.parse(Redacted.value(url))
  const transport = createTransport({
    url: Redacted.value(url),
    // A password is never sent in the clear: `smtp://` with one goes on only when the server encrypts.
    ...(address?.protocol === "smtp:" && address.username !== "" ? { requireTLS: true } : {}),
    logger: false,
    debug: false,
    disableFileAccess: true,
    disableUrlAccess: true,
    connectionTimeout: CONNECT_WITHIN,
    greetingTimeout: CONNECT_WITHIN,
    dnsTimeout: CONNECT_WITHIN,
    socketTimeout: SILENCE
  })
  // Which of the emails that are under way have been handed over whole, by Message-ID: what fails then may have been sent.
  const handedOver = new Set<unknown>()
  transport.use("stream", (mail, done) => {
    mail.message.processFunc((bytes) => bytes.once("end", () => handedOver.add(mail.data.messageId)))
    done()
  })
  const turns = Semaphore.makeUnsafe(AT_ONCE)
  return (message: SendMailOptions): Effect.Effect<EmailReceipt, EmailFailure> =>
    turns.withPermits(1)(
      Effect.tryPromise({
        try: (signal) => transport.sendMail({ ...message, signal }),
        catch: (error): EmailFailure =>
          handedOver.has(message.messageId) && fieldOf(error, "responseCode") === undefined
            ? deliveryUnknown({ from: senderOf(message), message_id: String(message.messageId) })
            : failureOf(error)
      }).pipe(
        Effect.map((info) => ({
          from: senderOf(message),
          message_id: info.messageId,
          accepted: info.accepted,
          rejected: rejectedOf(fieldOf(info, "rejectedErrors"))
        })),
        Effect.ensuring(Effect.sync(() => handedOver.delete(message.messageId)))
      )
    )
}
