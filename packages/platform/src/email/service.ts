/**
 * The one way in which email leaves: by a mail server, or into the outbox of a local start. No body, address or password is ever logged.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { IdSource } from "@svc/kernel/values/ids"
import { realNow } from "@svc/kernel/values/time"
import { Context, DateTime, Effect, Layer } from "effect"
import type { SendMailOptions } from "nodemailer"
import { compose } from "./message.ts"
import { type EmailFailure, type EmailMessage, EmailNotConfigured, type EmailReceipt, type Sender } from "./model.ts"
import { makeOutbox } from "./outbox.ts"
import { checkMessage } from "./rules.ts"
import type { SmtpSettings } from "./settings.ts"

export class Email extends Context.Service<Email, {
  /**
   * Sends an email and says who will get it. It fails when nobody does: for now (`EmailUnavailable`), or for good (`EmailRefused`). A
   * connection that breaks after the last byte leaves open whether it was sent: whoever sends it again gives it the same `id`.
   */
  readonly send: (message: EmailMessage) => Effect.Effect<EmailReceipt, EmailFailure>
}>()("@svc/kernel/Email") {}

type Deliver = (name: string, message: SendMailOptions, recipients: ReadonlyArray<string>) => Effect.Effect<EmailReceipt, EmailFailure>

/** Checked, composed, and given to whoever delivers it. */
const sending = (from: Sender, deliver: Deliver) =>
  Effect.fn("Email.send")(function*(message: EmailMessage) {
    const checked = yield* Effect.fromResult(checkMessage(message))
    // The world's time, whatever clock the account has on whose behalf it is sent.
    const at = yield* realNow
    const name = (yield* IdSource)("eml", at.epochMilliseconds)
    return yield* deliver(
      name,
      compose(checked, from, { id: checked.id ?? name, date: DateTime.toDateUtc(at) }),
      [...checked.to, ...checked.cc ?? [], ...checked.bcc ?? []]
    )
  })

const files = Layer.merge(NodeFileSystem.layer, NodePath.layer)

/** Into files of this folder, which is made with the first of them. */
const intoFolder = Effect.fnUntraced(function*(folder: string): Effect.fn.Return<Deliver, never, Layer.Success<typeof files>> {
  const context = yield* Effect.context<Layer.Success<typeof files>>()
  const deliver = yield* makeOutbox(folder)
  return (name, message, recipients) => Effect.provideContext(deliver(name, message, recipients), context)
})

/** By the mail server of the configuration; rehearsals lie in the folder. */
export const layerSmtp = (settings: SmtpSettings, folder: string): Layer.Layer<Email> =>
  Layer.effect(
    Email,
    Effect.gen(function*() {
      // An installation without a mail server does not load what speaks to one.
      const { makeSmtp } = yield* Effect.promise(() => import("./smtp.ts"))
      const deliver = makeSmtp(settings)
      const [leave, keep] = [
        sending(settings.from, (_name, message) => deliver(message)),
        sending(settings.from, yield* intoFolder(folder))
      ]
      return Email.of({ send: (message) => message.rehearsal === true ? keep(message) : leave(message) })
    })
  ).pipe(Layer.provide(files))

export const layerOutbox = (folder: string): Layer.Layer<Email> =>
  Layer.effect(
    Email,
    Effect.gen(function*() {
      return Email.of({ send: sending({ name: "svc", address: "svc@localhost.localdomain" }, yield* intoFolder(folder)) })
    })
  ).pipe(Layer.provide(files))

/** Refuses. What is wrong with the email is said first: that does not change when a mail server is there. */
export const layerNone: Layer.Layer<Email> = Layer.succeed(Email, {
  send: (message) =>
    Effect.flatMap(Effect.fromResult(checkMessage(message)), () =>
      new EmailNotConfigured({
        message:
          "This installation sends no email: nobody has told it by which mail server. The operator sets SMTP_URL, such as smtp://user:password@mail.example.com:587, and EMAIL_FROM, in the environment of every process, and starts them again."
      }))
})
