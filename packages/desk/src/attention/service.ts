/** Sends the mails that notices have written. */
import type { AttentionMail, MailOutcome } from "@svc/accounts/attention-notices/model"
import { AttentionNotices } from "@svc/accounts/attention-notices/service"
import { PublicUrl } from "@svc/kernel/http/public-url"
import { waitAfter } from "@svc/kernel/timers/timers"
import { iso, realNow } from "@svc/kernel/values/time"
import { type EmailFailure, unknownDelivery } from "@svc/platform/email/model"
import { Email } from "@svc/platform/email/service"
import { Context, DateTime, Duration, Effect, Layer, Schedule } from "effect"
import { attentionLetter } from "./letter.ts"

/** A mail that the mail server did not take is sent again after a minute, four, sixteen and 64, each give or take a fifth; then no more. */
const MOST_ATTEMPTS = 5
const again = Schedule.exponential("1 minute", 4).pipe(Schedule.jittered)

/** What was perhaps sent is not sent again, and what is refused will be refused again. */
const afterFailure = Effect.fnUntraced(function*({ attempts, id }: AttentionMail, failure: EmailFailure): Effect.fn.Return<MailOutcome> {
  if (unknownDelivery(failure) !== undefined) return { status: "sent" }
  if (failure._tag !== "EmailUnavailable" || attempts >= MOST_ATTEMPTS) {
    yield* Effect.logWarning(`attention: mail ${id} is given up: ${failure.message}`)
    return { status: "failed" }
  }
  const wait = yield* waitAfter(attempts, again)
  return { status: "pending", due_at: iso(DateTime.addDuration(yield* realNow, Duration.millis(Duration.toMillis(wait)))) }
})

export class AttentionMails extends Context.Service<AttentionMails, {
  /** Sends what is due, one mail after the other, and says how many it attempted. */
  readonly sendDue: Effect.Effect<number>
}>()("@svc/desk/AttentionMails") {
  static readonly layer = Layer.effect(
    AttentionMails,
    Effect.gen(function*() {
      const notices = yield* AttentionNotices
      const email = yield* Email
      const base_url = yield* PublicUrl

      const attempt = (mail: AttentionMail): Effect.Effect<MailOutcome> =>
        mail.email === null
          ? Effect.succeed({ status: "failed" })
          : email.send(attentionLetter({ ...mail, email: mail.email }, base_url)).pipe(
            Effect.matchEffect({
              onFailure: (failure) => afterFailure(mail, failure),
              onSuccess: () => Effect.succeed({ status: "sent" } as const)
            })
          )

      /** A stop waits for the mail under way: one that is taken and not sent would never be. */
      const sendOne = Effect.uninterruptible(Effect.gen(function*() {
        const mail = yield* notices.take
        if (mail === undefined) return false
        yield* notices.settle(mail.id, yield* attempt(mail))
        return true
      }))

      return AttentionMails.of({
        sendDue: Effect.gen(function*() {
          let sent = 0
          while (yield* sendOne) sent++
          return sent
        })
      })
    })
  )
}
