/**
 * The charge of a call to the account's plan and credits: quoted, then taken at once, or reserved and later settled or released. Each step
 * is one commit.
 */
import { roadOf } from "@svc/kernel/resource/change"
import { internalCause } from "@svc/kernel/resource/idempotency"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { KeyWrite, TimerDraft, Write } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/values/time"
import { type Cents, centsText } from "@svc/tool-kit/call"
import { type DateTime, Effect, Result } from "effect"
import { callKeyOf } from "../../credit-grants/model.ts"
import { FREE_CALLS } from "../../referrals/model.ts"
import { type CreditSummary, summaryAfter, summaryOf } from "../credit-summary.ts"
import { type CallBudgetExceeded, type CallShare, type CreditBalance, InsufficientCredits, type ToolCall, toolCalls } from "../model.ts"
import {
  allot,
  type AllowedCredits,
  balanceOf,
  type BudgetChain,
  budgeted,
  type CallDraft,
  creditsFor,
  freeCall,
  quotaIn,
  release,
  reserve,
  settle,
  settleInline,
  type ToolCallDecision
} from "../rules.ts"
import type { Credits } from "./credit-balance.ts"

/** A call before it is decided who pays. */
export interface CallCharge {
  readonly draft: Omit<CallDraft, "shares">
  /** The agent key of the call, and those it was cut from. */
  readonly chain: BudgetChain
  /** What the call was quoted at. */
  readonly quote: Cents
  /** Which credits may pay, where it is not all of them. */
  readonly takes?: AllowedCredits
}

/** A charge, and what pays for it by the balance of the moment when it was quoted. */
export interface QuotedCharge {
  readonly charge: CallCharge
  readonly draft: CallDraft
  /** The account's credits after a charge of so many cents. */
  readonly summaryAfter: (cents: Cents) => CreditSummary
}

/** What the commit of a call writes besides the call. */
export interface CallAddition {
  readonly key?: KeyWrite | undefined
  readonly writes?: ReadonlyArray<Write>
  readonly set?: ReadonlyArray<TimerDraft>
}

/** What a settled call says of its delivery. */
export type Delivery = Partial<Pick<ToolCall, "result_sha256" | "receipt">>

export type ChargeRefused = InsufficientCredits | CallBudgetExceeded

/** How often a call that credits pay for is quoted anew when other calls have spent them meanwhile. */
const MOST_QUOTES = 20

/** What of the account pays: nothing where the money comes with the call. Undefined where its credits do not suffice. */
const payingShares = (
  { draft: { paid_by }, quote }: CallCharge,
  credits: CreditBalance,
  at: DateTime.Utc
): ReadonlyArray<CallShare> | undefined =>
  paid_by === "credits" ? allot(credits, quote, at) : paid_by === "referral" ? [freeCall(FREE_CALLS)] : []

/** Giving back is never refused by a limit. */
const unlimited = (commit: Effect.Effect<ToolCall, CommitRefused | ChargeRefused>): Effect.Effect<ToolCall, CommitRefused> =>
  Effect.catchTags(commit, { InsufficientCredits: Effect.die, CallBudgetExceeded: Effect.die })

export const makeCharging = Effect.fnUntraced(function*(credits: Credits) {
  const road = yield* roadOf(toolCalls, { type: "tool_call" })

  const commit = ({ call, clear, counters, entries, set }: ToolCallDecision, { key, set: more = [], writes = [] }: CallAddition = {}) => {
    const cause = key?.key ?? internalCause("tool_call", call.id)
    return road.commit(call, { writes, entries, set: [...set, ...more], clear, counters }, cause, key).pipe(
      Effect.ensuring(credits.forgetRecent(call.account_id)),
      Effect.as(call)
    )
  }

  const quote = Effect.fnUntraced(function*(charge: CallCharge): Effect.fn.Return<QuotedCharge, InsufficientCredits> {
    const { chain, draft, quote: price, takes = "all" } = charge
    const at = yield* now
    const balance = yield* credits.balance(draft.account_id, at)
    const allowed = creditsFor(balance, takes, callKeyOf(draft))
    const shares = payingShares(charge, allowed, at)
    if (shares === undefined) {
      return yield* new InsufficientCredits({
        message: `The call costs ${centsText(price)}, and the account has credits for ${balanceOf(allowed)} that may pay for it.`
      })
    }
    const summary = summaryOf(balance)
    return {
      charge,
      draft: { ...draft, shares: [...shares, ...budgeted(chain, price, at)] },
      summaryAfter: (cents) => summaryAfter(summary, cents, quotaIn(shares, balance, cents))
    }
  })

  /** Commits what `decide` makes of the draft. Credits that were spent meanwhile are quoted anew, as long as they suffice. */
  const take = Effect.fnUntraced(function*(
    quoted: QuotedCharge,
    decide: (draft: CallDraft, at: DateTime.Utc) => ToolCallDecision,
    addition: CallAddition
  ): Effect.fn.Return<ToolCall, ChargeRefused | CommitRefused> {
    let { draft } = quoted
    for (let turn = 1;; turn++) {
      const result = yield* Effect.result(commit(decide(draft, yield* now), addition))
      if (Result.isSuccess(result)) return result.success
      if (!(result.failure instanceof InsufficientCredits) || draft.paid_by !== "credits" || turn === MOST_QUOTES) {
        return yield* Effect.fail(result.failure)
      }
      draft = (yield* quote(quoted.charge)).draft
    }
  })

  const step = (decision: ToolCallDecision, addition?: CallAddition) => unlimited(commit(decision, addition))

  return {
    quote,
    charge: (quoted: QuotedCharge, cents: Cents, result_sha256: string, key?: KeyWrite) =>
      take(quoted, (draft, at) => settleInline(draft, cents, result_sha256, at), { key }),
    reserve: (quoted: QuotedCharge, seconds: number, addition: CallAddition = {}) =>
      take(quoted, (draft, at) => reserve(draft, quoted.charge.quote, seconds, at), addition),
    settle: Effect.fnUntraced(function*(reserved: ToolCall, cents: Cents, delivery: Delivery, key?: KeyWrite) {
      return yield* step(settle(reserved, cents, delivery, yield* now), { key })
    }),
    release: Effect.fnUntraced(function*(reserved: ToolCall, error: string) {
      return yield* step(release(reserved, error, yield* now))
    }),
    step
  }
})
