/** The token by which others come. */
import { EARNED_AFTER, FREE_CALL_UP_TO, FREE_CALLS, milestones, REWARD } from "@svc/metering/referrals/model"
import { Referrals } from "@svc/metering/referrals/service"
import { accountOf } from "@svc/tool-kit/call"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export const get_referral_code = tool({
  name: "get_referral_code",
  title: "Referral token",
  description: "Your token, for others to send as X-Svc-Referral-Token.",
  auth: "key",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 5, bytes: 1024 },
  payload: Schema.Struct({}),
  result: Schema.Struct({ referral_token: Schema.String, header: Schema.String, terms: Schema.Array(Schema.String) }),
  examples: [{}],
  services: [Referrals],
  run: (_, call) =>
    Effect.gen(function*() {
      return {
        referral_token: yield* (yield* Referrals).token(accountOf(call).id),
        header: "X-Svc-Referral-Token",
        terms: [
          `An account that sends the token with a call has ${FREE_CALLS} call free, of at most ${FREE_CALL_UP_TO} cents. The first token counts.`,
          `You earn ${REWARD} cents of credits once it has paid ${EARNED_AFTER} cents, for calls or credits.`,
          ...milestones.map(({ at, cents }) => `With the ${at}th of them, ${cents} cents more.`)
        ]
      }
    })
})
