/** What came of the account's token. */
import { ReferralStatus } from "@svc/metering/referrals/model"
import { Referrals } from "@svc/metering/referrals/service"
import { accountOf } from "@svc/tool-kit/call"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Schema } from "effect"

export const get_referral_credits = tool({
  name: "get_referral_credits",
  title: "Referral credits",
  description: "Earnings, milestones and free calls by referral.",
  auth: "key",
  kind: "inline",
  prices: "free",
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 5, bytes: 1024 },
  payload: Schema.Struct({}),
  result: ReferralStatus,
  examples: [{}],
  services: [Referrals],
  run: (_, call) => Effect.flatMap(Referrals, ({ status }) => status(accountOf(call).id))
})
