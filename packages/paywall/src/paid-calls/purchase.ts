/** A call against a payment that is good for it: claimed, held, run, kept, taken; and the answer to whoever comes a second time. */
import type { CommitRefused } from "@svc/kernel/road/committer"
import { parseJson } from "@svc/kernel/values/json"
import { realNow } from "@svc/kernel/values/time"
import { creditHeaders } from "@svc/metering/tool-calls/credit-summary"
import { ToolCallId } from "@svc/metering/tool-calls/model"
import { Meter } from "@svc/metering/tool-calls/service/meter"
import type { AnsweredCall, PendingCall, ToolAnswer } from "@svc/tool-kit/gate/model"
import { refuse } from "@svc/tool-kit/gate/refusals"
import { answerOf } from "@svc/tool-kit/outcome"
import { Effect } from "effect"
import { type Admitted, run } from "../gate/admitted.ts"
import { budgetRefusal } from "../gate/answers.ts"
import { MerchantAccount } from "../merchant/merchant-account.ts"
import { Pages } from "../merchant/pages.ts"
import { PlatformPayments } from "../merchant/platform-payments.ts"
import { statusText } from "../merchant/status-token.ts"
import type { Payment } from "../payment/model.ts"
import { seal } from "../payment/sealed.ts"
import { claimsOf, claimsWithoutPayment, isAnotherCall } from "./claims.ts"
import { type CallClaim, decodeReceipt, type PaidCallStep, type TakenClaim } from "./model.ts"
import {
  answeredBefore,
  cutOff,
  isOpen,
  keptAsCredits,
  linked,
  notCarriedOut,
  notChecked,
  stillRunning,
  undelivered,
  unpaid,
  type UnpaidCall
} from "./replies.ts"
import { PaidCallRepository } from "./repository.ts"
import { KEPT_AS_CREDITS } from "./rules.ts"
import { type CollectOutcome, PaidCalls } from "./service/paid-calls.ts"

/** A payment that is good for a call, before anything has moved. */
export interface CallPayment extends Admitted {
  readonly payment: Payment
  readonly payer: string | undefined
  /** On whose books the call stands: the caller's, or our own where nobody is known. */
  readonly account_id: string
  readonly sandbox: boolean
  /** Each may be used once, ever. */
  readonly keys: ReadonlyArray<string>
}

const chargeOf = ({ account_id, arguments_sha256, call, caller, chain, payment, prepared, tool }: CallPayment) => ({
  draft: {
    id: ToolCallId.make(call.id),
    account_id,
    agent_key_id: caller?.credential.kind === "agent_key" ? caller.credential.id : null,
    tool: tool.name,
    mode: call.mode,
    arguments_sha256,
    paid_by: payment._tag === "Stablecoin" ? "stablecoin" as const : "card" as const
  },
  chain,
  quote: prepared.quote
})

/** A transfer is carried out whole; of a card, or of a permission to take at most so much, what was delivered is taken. */
const takenFor = ({ payment, prepared }: CallPayment, cents: number): number =>
  payment._tag === "Stablecoin" && payment.signed.scheme === "exact" ? prepared.quote : cents

type Pend = (taken: Omit<TakenClaim, "key">) => Effect.Effect<PendingCall>

const makeUnsecured = Effect.fnUntraced(function*(pending: Pend) {
  const [calls, merchantAccount, platformPayments] = [yield* PaidCalls, yield* MerchantAccount, yield* PlatformPayments]

  /** Holds a card, or has the transfer looked at. Gives the answer where the payment does not carry the call; then the call is undone. */
  return Effect.fnUntraced(
    function*(
      { account_id, call, payment, prepared, sandbox }: CallPayment,
      begun: PaidCallStep
    ): Effect.fn.Return<ToolAnswer | UnpaidCall | undefined, CommitRefused> {
      const undone = <A>(error: string, answer: A) =>
        Effect.flatMap(
          calls.undo(begun, error),
          (how): Effect.Effect<A | PendingCall> => how === "Pending" ? pending({ account_id, call_id: call.id }) : Effect.succeed(answer)
        )
      if (payment._tag === "Stablecoin") {
        const verdict = yield* calls.verify(begun, payment)
        if (verdict._tag === "Valid") return undefined
        return yield* verdict._tag === "Invalid"
          ? undone("declined", notCarriedOut(verdict.reason))
          : undone("not_verified", notChecked(verdict.reason))
      }
      const held = yield* platformPayments.hold(yield* merchantAccount.merchant(sandbox), call.id, prepared.quote, payment.token)
      if (held._tag === "Held") return undefined
      if (held._tag === "Declined") return yield* undone("declined", unpaid(held.why))
      yield* calls.doubted(begun)
      return yield* pending({ account_id, call_id: call.id })
    }
  )
})

export const makePurchase = Effect.gen(function*() {
  const meter = yield* Meter
  const repository = yield* PaidCallRepository
  const calls = yield* PaidCalls
  const [merchantAccount, pages] = [yield* MerchantAccount, yield* Pages]

  /** Only a caller that has proved the call its own is told this. */
  const statusOf = Effect.fnUntraced(function*({ account_id, call_id }: Omit<TakenClaim, "key">) {
    return `${pages.status(call_id)}?token=${seal(yield* merchantAccount.secret, statusText(account_id, call_id))}`
  })

  const pending = Effect.fnUntraced(function*(taken: Omit<TakenClaim, "key">): Effect.fn.Return<PendingCall> {
    return { _tag: "Pending", call_id: taken.call_id, status_url: yield* statusOf(taken), headers: { "retry-after": "2" } }
  })

  /**
   * The answer of the call that has what this one wanted; what another account was answered is not for this one, whoever holds the payment.
   * Who meets a claim is its payer: a claim of the same call is made of the account, or of the wallet whose signature was checked.
   */
  const earlier = Effect.fnUntraced(
    function*(taken: TakenClaim, { arguments_sha256, call: { mode }, caller }: Admitted): Effect.fn.Return<ToolAnswer | UnpaidCall> {
      const { account_id, call_id, key } = taken
      const ours = [yield* merchantAccount.merchant(true), yield* merchantAccount.merchant(false)].some(({ id }) => id === account_id)
      if (!ours && account_id !== caller?.account.id) return unpaid("The payment was made by another account, for a call of its own.")
      const call = yield* Effect.orDie(meter.get(account_id, call_id))
      if (call.arguments_sha256 !== arguments_sha256 || call.mode !== mode) {
        return refuse("IDEMPOTENCY_CONFLICT", "They were used for another call.")
      }
      if (call.state === "pending") return yield* pending(taken)
      const status_url = yield* statusOf(taken)
      if (call.state === "reserved") return stillRunning(call_id, status_url)
      const paid = yield* repository.find(account_id, call_id)
      if (call.state === "released" && (paid?.result ?? null) === null) {
        return call.error === KEPT_AS_CREDITS ? keptAsCredits(call_id, paid?.taken ?? 0) : cutOff(call_id)
      }
      if (paid === undefined || paid.result === null) return answeredBefore(call_id, call.receipt, status_url)
      const { headers, meta } = paid.receipt === null ? { headers: {}, meta: {} } : decodeReceipt(paid.receipt)
      const note =
        `This is the result of call ${call_id}, which was paid for and is at ${status_url} Nothing was charged now. To act a second time, send X-Svc-Allow-Duplicate: true, or _meta["svc/allow_duplicate"]: true.`
      const standing = caller === undefined ? {} : creditHeaders(yield* meter.recentSummary(caller.account.id))
      return {
        _tag: "Answered",
        result: parseJson(paid.result),
        isError: false,
        charged: 0,
        headers: { ...standing, ...headers, ...linked(status_url), "x-svc-replayed": "true" },
        meta: { ...meta, "svc/replayed": true, ...(key.startsWith("same:") ? { "svc/notes": [note] } : {}) }
      }
    }
  )

  const bought = Effect.fnUntraced(
    function*(
      { account_id, caller, call }: CallPayment,
      result: unknown,
      collected: CollectOutcome
    ): Effect.fn.Return<AnsweredCall | PendingCall | UnpaidCall> {
      if (collected._tag === "Pending") return yield* pending({ account_id, call_id: call.id })
      if (collected._tag === "Refused") return notCarriedOut(collected.reason)
      const { call: { state }, paid } = collected.step
      const charged = state === "settled" ? paid.taken : 0
      const receipt = paid.receipt === null ? { headers: {}, meta: {} } : decodeReceipt(paid.receipt)
      const standing = caller === undefined ? {} : creditHeaders(yield* meter.summary(account_id), charged)
      return { _tag: "Answered", result, isError: false, charged, headers: { ...standing, ...receipt.headers }, meta: receipt.meta }
    }
  )

  const unsecured = yield* makeUnsecured(pending)

  /** The money comes before the run, whose work would stay without it. */
  const prepaid = Effect.fnUntraced(
    function*(paying: CallPayment, begun: PaidCallStep): Effect.fn.Return<ToolAnswer | UnpaidCall, CommitRefused> {
      const { account_id, call, tool } = paying
      const taken = yield* calls.prepay(begun, tool.meta.limits.seconds)
      if (taken._tag === "Pending") return yield* pending({ account_id, call_id: call.id })
      if (taken._tag === "Refused") return notCarriedOut(taken.reason)
      const outcome = yield* run(paying)
      if (outcome._tag === "Done") {
        const step = yield* calls.deliverPrepaid(taken.step, JSON.stringify(outcome.result))
        return yield* bought(paying, outcome.result, { _tag: "Settled", step })
      }
      yield* calls.keepAsCredits(taken.step)
      const answer = undelivered(answerOf(outcome), taken.step.paid)
      return { ...answer, headers: { ...creditHeaders(yield* meter.summary(account_id), taken.step.paid.taken), ...answer.headers } }
    }
  )

  /** From a reservation that has all its claims. */
  const carriedOut = Effect.fnUntraced(
    function*(paying: CallPayment, begun: PaidCallStep): Effect.fn.Return<ToolAnswer | UnpaidCall, CommitRefused> {
      const { account_id, call, payment, prepared } = paying
      const refused = yield* unsecured(paying, begun)
      if (refused !== undefined) return refused
      if (payment._tag === "Stablecoin" && prepared.leaves && prepared.quote > 0) return yield* prepaid(paying, begun)
      const outcome = yield* run(paying)
      if (outcome._tag !== "Done") {
        const undone = yield* calls.undo(begun, "not_delivered")
        return undone === "Pending" ? yield* pending({ account_id, call_id: call.id }) : answerOf(outcome)
      }
      const step = yield* calls.deliver(begun, JSON.stringify(outcome.result), takenFor(paying, outcome.cents))
      const collected = yield* calls.collect(step, false)
      if (collected._tag === "Refused") yield* prepared.undo(outcome.result)
      return yield* bought(paying, outcome.result, collected)
    }
  )

  const held = (claims: ReadonlyArray<CallClaim>, admitted: Admitted) =>
    Effect.flatMap(
      Effect.flatMap(realNow, (at) => repository.holder(claims, at)),
      (taken) => taken === undefined ? Effect.undefined : earlier(taken, admitted)
    )

  const paid = Effect.fnUntraced(function*(paying: CallPayment): Effect.fn.Return<ToolAnswer | UnpaidCall> {
    const { account_id, call, keys, payment, sandbox, tool } = paying
    const claims = claimsOf(paying, payment, keys)
    const again = yield* held(claims, paying)
    if (again !== undefined) return again
    // The worker that finishes first answers for both.
    const self = Effect.suspend(() => earlier({ account_id, call_id: call.id, key: "" }, paying))
    return yield* Effect.gen(function*() {
      // The reservation first: a timer looks after it, and so after the claims.
      const begun = yield* calls.begin({ charge: chargeOf(paying), seconds: tool.meta.limits.seconds, sandbox, payment })
      const takenClaim = yield* repository.claim(account_id, call.id, claims, yield* realNow)
      if (takenClaim === undefined) return yield* carriedOut(paying, begun)
      yield* calls.undo(begun, "duplicate")
      return yield* earlier(takenClaim, paying)
    }).pipe(Effect.catchTags({ CallBudgetExceeded: (refused) => Effect.succeed(budgetRefusal(refused)), CommitRefused: () => self }))
  })

  /**
   * Asked without a payment: what the account has paid for is answered, and nobody is asked to pay while the outcome of the same call is
   * open.
   */
  const repeated = Effect.fnUntraced(function*(admitted: Admitted): Effect.fn.Return<ToolAnswer | undefined> {
    const claims = claimsWithoutPayment(admitted)
    const takenClaim = claims.length === 0 ? undefined : yield* repository.holder(claims, yield* realNow)
    if (takenClaim === undefined) return undefined
    const answer = yield* earlier(takenClaim, admitted)
    if (answer._tag === "Unpaid" || (isAnotherCall(admitted, takenClaim.key) && !isOpen(answer))) return undefined
    return answer
  })

  return { paid, held, repeated }
})
