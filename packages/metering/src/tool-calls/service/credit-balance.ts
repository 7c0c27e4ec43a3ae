/** The credits of an account as they are read: the balance, and its summary, which is remembered for a second. */
import { now } from "@svc/kernel/values/time"
import { Cache, Context, type DateTime, Effect } from "effect"
import { Tiers } from "../../plans/model.ts"
import { summaryOf } from "../credit-summary.ts"
import { ToolCallRepository } from "../repository.ts"

/** Accounts whose summary is remembered at one time. */
const REMEMBERED_SUMMARIES = 10_000

export const makeCredits = Effect.gen(function*() {
  const repository = yield* ToolCallRepository
  const tiers = yield* Tiers

  const balance = Effect.fnUntraced(function*(account: string, at: DateTime.Utc) {
    return yield* repository.creditBalance(account, yield* tiers.of(account), at)
  })

  const summary = Effect.fn("Meter.summary")(function*(account: string) {
    return summaryOf(yield* balance(account, yield* now))
  })

  const grants = Effect.fn("Meter.grants")(function*(account: string) {
    return (yield* balance(account, yield* now)).grants
  })

  // A cache adds the context that it was made in to that of each look-up.
  const recent = yield* Cache.make({ lookup: summary, capacity: REMEMBERED_SUMMARIES, timeToLive: "1 second" }).pipe(
    Effect.setContext(Context.empty())
  )

  return {
    balance,
    summary,
    grants,
    recentSummary: (account: string) => Cache.get(recent, account),
    /** For each commit that changes the credits of the account. */
    forgetRecent: (account: string) => Cache.invalidate(recent, account)
  }
})

export type Credits = Effect.Success<typeof makeCredits>
