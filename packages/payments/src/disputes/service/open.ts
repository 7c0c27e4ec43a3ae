/** Opens disputes: the card network reports that a customer disputes a payment. In the sandbox the network is simulated. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Forbidden, notFound } from "@svc/kernel/resource/errors"
import { internalCause } from "@svc/kernel/resource/idempotency"
import type { Work } from "@svc/kernel/resource/keyed-verbs"
import { untilCommitted } from "@svc/kernel/resource/versions"
import type { Addition } from "@svc/kernel/road/decision"
import { makeId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { type DateTime, Effect } from "effect"
import type { ChangedIntent, PaymentIntent } from "../../payment-intents/model.ts"
import { PaymentIntentRepository } from "../../payment-intents/repository.ts"
import { refundable } from "../../payment-intents/rules/refund.ts"
import { PaymentMethods } from "../../payment-methods/service.ts"
import { referenceOf } from "../../rails/simulator.ts"
import { type Dispute, DisputeId, disputes, REPORTED, type SimulateDisputeRequest } from "../model.ts"
import * as network from "../provider/network.ts"
import { DisputeRepository } from "../repository.ts"
import { makeDisputeRoad } from "../road.ts"
import * as rules from "../rules.ts"
import type { DisputeReport } from "../rules.ts"

const noAddition: Addition = {}

const notLive = () =>
  new Forbidden({
    message: "Disputes of live accounts come from the network. Use a sandbox account to rehearse them."
  })

/** A payment with its disputes, newest first. */
interface DisputedPayment {
  readonly intent: PaymentIntent
  readonly disputes: ReadonlyArray<Dispute>
}

export const makeOpenVerbs = Effect.gen(function*() {
  const accounts = yield* Accounts
  const intents = yield* PaymentIntentRepository
  const methods = yield* PaymentMethods
  const repository = yield* DisputeRepository
  const road = yield* makeDisputeRoad

  const intentOf = Effect.fnUntraced(function*(account: string, id: string) {
    return (yield* intents.find(account, id)) ?? (yield* notFound("payment intent"))
  })

  const disputedPayment = Effect.fnUntraced(function*(account: string, id: string) {
    const intent = yield* intentOf(account, id)
    return { intent, disputes: yield* repository.ofPayment(account, intent.id) }
  })

  const decideToOpen = Effect.fnUntraced(
    function*(
      { disputes, intent }: DisputedPayment,
      report: DisputeReport,
      { dispute_fee: fee }: AccountFacts["settings"],
      at: DateTime.Utc
    ) {
      const previous = yield* Effect.fromResult(rules.mayOpen(intent, disputes))
      const id = DisputeId.make(makeId("dp", at.epochMilliseconds))
      return yield* Effect.fromResult(rules.open(report, { id, intent, previous, fee, at }))
    }
  )

  const reportOnce = Effect.fnUntraced(function*(account: AccountFacts, id: string, report: DisputeReport) {
    const payment = yield* disputedPayment(account.id, id)
    const existing = rules.reportedBefore(payment.disputes, report)
    if (existing !== undefined) return existing
    const decision = yield* decideToOpen(payment, report, account.settings, yield* now)
    yield* road.commit(decision, internalCause(REPORTED, report.network_reference), payment.intent)
    return decision.dispute
  })

  const report = Effect.fn("Disputes.report")((account: AccountFacts, id: string, reported: DisputeReport) =>
    untilCommitted("payment intent", reportOnce(account, id, reported))
  )

  const simulate = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, SimulateDisputeRequest>) {
    const { account, at, keyed, payload: { amount, payment_intent_id, reason = network.FRAUD } } = work
    if (!account.sandbox) return yield* notLive()
    const payment = yield* disputedPayment(account.id, payment_intent_id)
    const simulated = { amount, reason, network_reference: referenceOf(keyed.key) }
    const existing = rules.reportedBefore(payment.disputes, simulated)
    if (existing !== undefined) return { status: 201, body: disputes.encode(existing).wire }
    return yield* road.answer(work, yield* decideToOpen(payment, simulated, account.settings, at), payment.intent)
  })

  /** The simulator's token of a payment; empty where the payment has none. */
  const tokenOf = (account: AccountFacts, { payment_method_id }: PaymentIntent) =>
    Effect.match(methods.tokenFor(account, payment_method_id ?? "", null), { onFailure: () => "", onSuccess: ({ token }) => token })

  const onCapture = Effect.fnUntraced(function*({ account, intent }: ChangedIntent) {
    if (!account.sandbox) return noAddition
    const reason = network.reasonFor(yield* tokenOf(account, intent), intent)
    return reason === undefined
      ? noAddition
      : { set: [{ kind: REPORTED, resource_id: intent.id, due_at: network.reportedAt(intent, account) }] }
  })

  const reported = Effect.fn("Disputes.reported")(function*(account: string, id: string) {
    const facts = yield* accounts.get(AccountId.make(account))
    const intent = yield* intentOf(account, id)
    const reason = network.reasonFor(yield* tokenOf(facts, intent), intent) ?? network.FRAUD
    // The simulated customer who has the money back does not dispute it.
    if (refundable(intent) === 0) return
    // A payment that is disputed already leaves nothing to report.
    yield* Effect.catchTag(report(facts, id, network.reportOf(intent, reason)), ["ValidationError", "InvalidState"], () => Effect.void)
  })

  return { onCapture, report, reported, simulate }
})
