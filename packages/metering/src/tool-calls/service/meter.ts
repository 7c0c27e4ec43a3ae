/** The meter: what a call costs, on the road that everything takes. What each step may be refused with stands in its type. */
import { type NotFound, notFound } from "@svc/kernel/resource/errors"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { KeyWrite } from "@svc/kernel/road/decision"
import type { Cents } from "@svc/tool-kit/call"
import { Context, Effect, Layer } from "effect"
import type { CreditSummary } from "../credit-summary.ts"
import type { CreditBalance, InsufficientCredits, ToolCall } from "../model.ts"
import { ToolCallRepository } from "../repository.ts"
import type { ToolCallDecision } from "../rules.ts"
import {
  type CallAddition,
  type CallCharge,
  type ChargeRefused,
  type Delivery,
  makeCharging,
  type QuotedCharge
} from "./charge-plan-and-credits.ts"
import { makeCredits } from "./credit-balance.ts"
import { makeFreeCallCounter } from "./free-calls.ts"

/**
 * Charges calls of tools. The gate uses the meter, and `tool()` does not: only the gate knows who pays, holds the idempotency key of the
 * call, and sees whether the run delivered. A tool says by `kind` which way its calls take.
 *
 * - `inline`: `quote`, the run, then `charge` with the answer in one commit. `outside`: `quote`, `reserve`, the run, then `settle` or
 *   `release`. Both stand in `makeMetered` of `paywall/src/gate/payers/metered.ts`, for calls that a plan, credits or a referral pays.
 * - A call that is paid when it is made: `quote`, `reserve`, then `step` with what becomes of the payment, in
 *   `paywall/src/paid-calls/service/`.
 */
export class Meter extends Context.Service<Meter, {
  /** The credits of an account now. */
  readonly summary: (account: string) => Effect.Effect<CreditSummary>
  /** The same as it was within the last second, and after what this process charged: for answers of calls that spend nothing. */
  readonly recentSummary: (account: string) => Effect.Effect<CreditSummary>
  /** Credits that were bought or given, as far as something is left of them. */
  readonly grants: (account: string) => Effect.Effect<CreditBalance["grants"]>
  /** The payer of the call, before the call runs; nothing is taken yet. */
  readonly quote: (charge: CallCharge) => Effect.Effect<QuotedCharge, InsufficientCredits>
  /** Charges for what has run within the database, in one commit with the answer's key. */
  readonly charge: (
    quoted: QuotedCharge,
    cents: Cents,
    result_sha256: string,
    key?: KeyWrite
  ) => Effect.Effect<ToolCall, ChargeRefused | CommitRefused>
  /** Takes room for what is to run outside. */
  readonly reserve: (
    quoted: QuotedCharge,
    seconds: number,
    addition?: CallAddition
  ) => Effect.Effect<ToolCall, ChargeRefused | CommitRefused>
  readonly settle: (reserved: ToolCall, cents: Cents, delivery: Delivery, key?: KeyWrite) => Effect.Effect<ToolCall, CommitRefused>
  readonly release: (reserved: ToolCall, error: string) => Effect.Effect<ToolCall, CommitRefused>
  /** Commits a step of a call that was reserved. */
  readonly step: (decision: ToolCallDecision, addition?: CallAddition) => Effect.Effect<ToolCall, CommitRefused>
  /** For the timer: nobody finishes this call any more. */
  readonly abandon: (account: string, id: string) => Effect.Effect<void, NotFound | CommitRefused>
  /** Counts a call that costs nothing; without an account, among those of everybody who has none. */
  readonly countFree: (account: string | undefined, tool: string) => Effect.Effect<void>
  readonly get: (account: string, id: string) => Effect.Effect<ToolCall, NotFound>
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<ToolCall>>
}>()("@svc/metering/Meter") {
  static readonly layer = Layer.effect(
    Meter,
    Effect.gen(function*() {
      const repository = yield* ToolCallRepository
      const credits = yield* makeCredits
      const charging = yield* makeCharging(credits)

      const get = Effect.fn("Meter.get")(function*(account: string, id: string) {
        return (yield* repository.find(account, id)) ?? (yield* notFound("tool call"))
      })

      return Meter.of({
        ...charging,
        summary: credits.summary,
        recentSummary: credits.recentSummary,
        grants: credits.grants,
        abandon: Effect.fn("Meter.abandon")(function*(account: string, id: string) {
          const call = yield* get(account, id)
          if (call.state === "reserved") yield* charging.release(call, "abandoned")
        }),
        countFree: yield* makeFreeCallCounter,
        get,
        list: Effect.fn("Meter.list")(repository.list)
      })
    })
  )
}
