/** The meter: what a call costs, on the road that everything takes. */
import { type NotFound, notFound } from "@svc/kernel/errors"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer } from "@svc/kernel/road/committer"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { KeyWrite, TimerDraft, Write } from "@svc/kernel/road/decision"
import { internalCause } from "@svc/kernel/idempotency"
import { now, realNow } from "@svc/kernel/time"
import { Cache, Context, DateTime, Effect, Layer, Result, Schedule } from "effect"
import { type Cents, centsText } from "../call.ts"
import { callKeyOf } from "../credit-grants/model.ts"
import { CREDITS_A_CENT, plans, type Tier, Tiers } from "../plans.ts"
import { FREE_CALLS } from "../referrals/model.ts"
import { BudgetExceeded, CreditsExhausted, encode, toolCalls } from "./model.ts"
import type { PaidBy, Purse, Share, ToolCall } from "./model.ts"
import { ToolCallRepository } from "./repository.ts"
import { allot, balanceOf, budgeted, type Chain, type Draft, freeCall, open, quotaIn, release, reserve, settle, settleInline, type Takes, type ToolCallDecision } from "./rules.ts"

/** What is not known of a call before it is decided who pays. */
export interface Charge {
  readonly draft: Omit<Draft, "shares">
  /** The agent key of the call, and those it was cut from. */
  readonly chain: Chain
  /** What the call was quoted at. */
  readonly quote: Cents
  /** Which credits may pay, where it is not all of them. */
  readonly takes?: Takes
}

/** What else the commit of a call writes. */
export interface Beside {
  readonly key?: KeyWrite | undefined
  readonly writes?: ReadonlyArray<Write>
  readonly set?: ReadonlyArray<TimerDraft>
}

/** Where an account stands, as every answer to it says. */
export interface Standing {
  readonly tier: Tier
  /** Credits a month, and how many of them are left. */
  readonly quota: { readonly limit: number; readonly remaining: number }
  /** All credits, those that were bought among them. */
  readonly balance: number
}

/** A charge, with what pays for it as things stood when it was asked. */
export interface Quoted {
  readonly charge: Charge
  readonly draft: Draft
  readonly standing: Standing
  /** How much of the month's quota a charge of so much takes; the rest is taken of what was bought or given. */
  readonly ofQuota: (cents: Cents) => Cents
}

/** A plan that was bought gives its month as grants. */
const standingOf = (purse: Purse): Standing => {
  const { allowance, grants, tier } = purse
  const limit = plans[tier].allowance
  const left = grants.reduce((sum, grant) => grant.source === "plan" ? sum + grant.left : sum, allowance.left)
  return { tier, quota: { limit: limit * CREDITS_A_CENT, remaining: Math.min(limit, left) * CREDITS_A_CENT }, balance: balanceOf(purse) * CREDITS_A_CENT }
}

type Refused = CreditsExhausted | BudgetExceeded

/** Accounts whose standing is remembered at one time. */
const REMEMBERED_STANDINGS = 10_000

/** Who pays by credits decides on what was left a moment ago, and decides again when others were faster. */
const AGAIN = 20

export class Meter extends Context.Service<Meter, {
  readonly standing: (account: string) => Effect.Effect<Standing>
  /** The same as it was within the last second, and after what this process charged: for answers of calls that spend nothing. */
  readonly recentStanding: (account: string) => Effect.Effect<Standing>
  /** Credits that were bought or given, as far as something is left of them. */
  readonly grants: (account: string) => Effect.Effect<Purse["grants"]>
  /** Who would pay for this, before it runs; nothing is taken yet. */
  readonly quoted: (charge: Charge) => Effect.Effect<Quoted, CreditsExhausted>
  /** Charges for what has run within the database, in one commit with the answer's key. */
  readonly inline: (quoted: Quoted, cents: Cents, result_sha256: string, key?: KeyWrite) => Effect.Effect<ToolCall, Refused | CommitRefused>
  /** Takes room for what is to run outside, and writes what stands beside the call. */
  readonly reserve: (quoted: Quoted, seconds: number, beside?: Beside) => Effect.Effect<ToolCall, Refused | CommitRefused>
  readonly settle: (reserved: ToolCall, cents: Cents, how: Partial<Pick<ToolCall, "result_sha256" | "receipt">>, key?: KeyWrite) => Effect.Effect<ToolCall, CommitRefused>
  readonly release: (reserved: ToolCall, error: string) => Effect.Effect<ToolCall, CommitRefused>
  /** A step of a call that was reserved, with what stands beside the call. */
  readonly step: (decided: ToolCallDecision, at: DateTime.Utc, beside?: Beside) => Effect.Effect<ToolCall, CommitRefused>
  /** For the timer: nobody finishes this call any more. */
  readonly abandon: (account: string, id: string) => Effect.Effect<void, NotFound | CommitRefused>
  /** Counts a call that costs nothing; without an account, among those of everybody who has none. */
  readonly countFree: (account: string | undefined, tool: string) => Effect.Effect<void>
  readonly get: (account: string, id: string) => Effect.Effect<ToolCall, NotFound>
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<ToolCall>>
}>()("@svc/tools/Meter") {
  static readonly layer = Layer.effect(Meter, Effect.gen(function*() {
    const committer = yield* Committer
    const repository = yield* ToolCallRepository
    const tiers = yield* Tiers

    const purseOf = Effect.fnUntraced(function*(account: string, at: DateTime.Utc) {
      return yield* repository.purse(account, yield* tiers.of(account), at)
    })

    const standing = Effect.fn("Meter.standing")(function*(account: string) {
      return standingOf(yield* purseOf(account, yield* now))
    })
    // A cache adds the context that it was made in to that of each look-up.
    const recent = yield* Cache.make({ lookup: standing, capacity: REMEMBERED_STANDINGS, timeToLive: "1 second" }).pipe(Effect.setContext(Context.empty()))

    const write = ({ call, clear, counters, entries, set }: ToolCallDecision, at: DateTime.Utc, { key, set: later = [], writes = [] }: Beside = {}) =>
      Effect.as(
        Effect.ensuring(committer.commit({
          account_id: call.account_id,
          at,
          cause: key?.key ?? internalCause("tool_call", call.id),
          writes: [{ table: toolCalls, row: encode(call).row }, ...writes],
          entries,
          events: [],
          set: [...set, ...later],
          clear,
          counters,
          ...(key === undefined ? {} : { key })
        }), Cache.invalidate(recent, call.account_id)),
        call
      )

    /** What of the account pays: nothing where the money comes with the call. */
    const payers = (paid_by: PaidBy, purse: Purse, quote: Cents, at: DateTime.Utc): ReadonlyArray<Share> | undefined =>
      paid_by === "credits" ? allot(purse, quote, at) : paid_by === "referral" ? [freeCall(FREE_CALLS)] : []

    /** With the shares that pay for it, and those of budgets. */
    const quoted = Effect.fnUntraced(function*(charge: Charge): Effect.fn.Return<Quoted, CreditsExhausted> {
      const { chain, draft, quote, takes = "all" } = charge
      const at = yield* now
      const purse = yield* purseOf(draft.account_id, at)
      const own = open(purse, takes, callKeyOf(draft))
      const shares = payers(draft.paid_by, own, quote, at)
      if (shares === undefined) {
        return yield* new CreditsExhausted({ message: `The call costs ${centsText(quote)}, and the account has credits for ${balanceOf(own)} that may pay for it.` })
      }
      return { charge, draft: { ...draft, shares: [...shares, ...budgeted(chain, quote, at)] }, standing: standingOf(purse), ofQuota: (cents) => quotaIn(shares, purse, cents) }
    })

    /** What was left may have been spent meanwhile: then from what is left now, as long as it reaches. */
    const contended = Effect.fnUntraced(function*(first: Quoted, take: (draft: Draft, at: DateTime.Utc) => Effect.Effect<ToolCall, Refused | CommitRefused>) {
      let { draft } = first
      for (let turn = 1;; turn++) {
        const taken = yield* Effect.result(take(draft, yield* now))
        if (Result.isSuccess(taken)) return taken.success
        if (!(taken.failure instanceof CreditsExhausted) || draft.paid_by !== "credits" || turn === AGAIN) return yield* Effect.fail(taken.failure)
        draft = (yield* quoted(first.charge)).draft
      }
    })

    /** Giving back is never refused by a limit. */
    const unlimited = (effect: Effect.Effect<ToolCall, CommitRefused | Refused>): Effect.Effect<ToolCall, CommitRefused> =>
      Effect.catchTags(effect, { CreditsExhausted: Effect.die, BudgetExceeded: Effect.die })

    const releaseOf = Effect.fnUntraced(function*(reserved: ToolCall, error: string) {
      const at = yield* now
      return yield* unlimited(write(release(reserved, error, at), at))
    })

    const get = Effect.fn("Meter.get")(function*(account: string, id: string) {
      return (yield* repository.find(account, id)) ?? (yield* notFound("tool call"))
    })

    const counts = new Map<string, { readonly account_id: string; readonly tool: string; readonly minute: string; calls: number }>()
    const flush = Effect.suspend(() => {
      const waiting = Array.from(counts.values())
      counts.clear()
      return repository.addFree(waiting)
    })
    const flushed = Effect.catchCause(flush, (cause) => Effect.logError("counts of free calls were not written", cause))
    yield* Effect.forkScoped(Effect.repeat(flushed, Schedule.spaced("10 seconds")))
    yield* Effect.addFinalizer(() => flushed)

    return Meter.of({
      standing,
      recentStanding: (account) => Cache.get(recent, account),
      grants: Effect.fn("Meter.grants")(function*(account: string) {
        return (yield* purseOf(account, yield* now)).grants
      }),
      quoted,
      inline: (first, cents, result_sha256, key) => contended(first, (draft, at) => write(settleInline(draft, cents, result_sha256, at), at, { key })),
      reserve: (first, seconds, beside) => contended(first, (draft, at) => write(reserve(draft, first.charge.quote, seconds, at), at, beside)),
      settle: Effect.fnUntraced(function*(reserved: ToolCall, cents: Cents, how: Partial<Pick<ToolCall, "result_sha256" | "receipt">>, key?: KeyWrite) {
        const at = yield* now
        return yield* unlimited(write(settle(reserved, cents, how, at), at, { key }))
      }),
      release: releaseOf,
      step: (decided, at, beside) => unlimited(write(decided, at, beside)),
      abandon: Effect.fn("Meter.abandon")(function*(account: string, id: string) {
        const call = yield* get(account, id)
        if (call.state === "reserved") yield* releaseOf(call, "abandoned")
      }),
      countFree: Effect.fnUntraced(function*(account: string | undefined, tool: string) {
        const minute = DateTime.formatIso(DateTime.startOf(yield* realNow, "minute"))
        const key = `${account ?? ""} ${tool} ${minute}`
        const known = counts.get(key)
        if (known === undefined) counts.set(key, { account_id: account ?? "", tool, minute, calls: 1 })
        else known.calls++
      }),
      get,
      list: Effect.fn("Meter.list")(repository.list)
    })
  }))
}
