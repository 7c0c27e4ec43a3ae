/** The verbs of a settlement: captures make it, refunds make it smaller, its timer moves it, a request retries it. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { Reply } from "@svc/kernel/http/reply"
import { roadOf } from "@svc/kernel/resource/change"
import { notFound } from "@svc/kernel/resource/errors"
import type { InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { Idempotency, internalCause } from "@svc/kernel/resource/idempotency"
import { keyedVerbs } from "@svc/kernel/resource/keyed-verbs"
import type { CommandOn, KeyedFailure, Work } from "@svc/kernel/resource/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { untilCommitted } from "@svc/kernel/resource/versions"
import type { Addition } from "@svc/kernel/road/decision"
import { makeId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Layer } from "effect"
import type { ChangedIntent, PaymentIntent } from "../payment-intents/model.ts"
import { PaymentIntentRepository } from "../payment-intents/repository.ts"
import { isPaidByGiftCard } from "../payment-intents/rules/gift-cards.ts"
import { RailUnreachable } from "../rails/model.ts"
import { Rails } from "../rails/rail.ts"
import {
  DUE,
  type RetrySettlementRequest,
  type Settlement,
  type SettlementFilter,
  SettlementId,
  settlements,
  type SettlementSums,
  settlementSums
} from "./model.ts"
import { SettlementRepository } from "./repository.ts"
import { additionOf, effectsOf, momentsOf } from "./road.ts"
import { queue, retry, shrink, step, submittedAnd } from "./rules.ts"
import type { SettlementDestination } from "./rules.ts"

type SettlementWork = Work<AccountFacts, Settlement, RetrySettlementRequest>

/** Of a refund that no settlement waits for. */
const addsNothing: Addition = {}

/** The account's choice of destination, which stands on the settlement from its submission on. */
const destinationOf = ({ payout_destination, payout_method, settlement_asset }: SettlementDestination): SettlementDestination => ({
  payout_destination,
  payout_method,
  settlement_asset
})

export class Settlements extends Context.Service<Settlements, {
  readonly get: (account: string, id: string) => Effect.Effect<Settlement, NotFound>
  readonly list: (account: string, filter: SettlementFilter, page: PageRequest) => Effect.Effect<Page<Settlement>>
  readonly sums: (account: string, filter: SettlementFilter) => Effect.Effect<SettlementSums>
  /** Puts a failed settlement back into the queue, due at once. */
  readonly retry: (command: CommandOn<AccountFacts, RetrySettlementRequest>) => Effect.Effect<Reply, KeyedFailure | NotFound | InvalidState>
  /** For captures: the further writes of their commit. */
  readonly onCapture: (moved: ChangedIntent) => Effect.Effect<Addition>
  /** For refunds: the further writes of their commit. */
  readonly onRefund: (moved: ChangedIntent) => Effect.Effect<Addition>
  /** For the timer: the next steps of a settlement that is due. */
  readonly proceed: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict | RailUnreachable>
}>()("@svc/payments/Settlements") {
  static readonly layer = Layer.effect(
    Settlements,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const intents = yield* PaymentIntentRepository
      const rails = yield* Rails
      const repository = yield* SettlementRepository
      const { get } = repository
      const road = yield* roadOf(settlements, { type: "settlement" })

      const verbs = keyedVerbs<AccountFacts, Settlement, never>(yield* Idempotency, { name: "settlement", get })

      const retryOne = Effect.fnUntraced(function*(work: SettlementWork) {
        const decision = yield* Effect.fromResult(retry(work.resource, work.at))
        return yield* road.answer(work, decision.settlement, effectsOf(decision))
      })

      /** Why the money of a settlement that is processing did not arrive; undefined when it arrived. */
      const refusalOf = Effect.fnUntraced(function*({ amount, attempts, currency, status }: Settlement, intent: PaymentIntent) {
        if (intent.selected_rail === null || isPaidByGiftCard(intent) || status !== "processing") return undefined
        const rail = rails.byName(intent.selected_rail)
        // Nobody says that the money arrived: the settlement waits until the rail is there again.
        if (rail === undefined) {
          return yield* new RailUnreachable({ rail: intent.selected_rail, message: "The rail of the payment is not installed." })
        }
        const ask = rail.settle
        if (ask === undefined) return undefined
        const answer = yield* ask({
          reference: intent.provider_reference ?? "",
          amount,
          currency,
          metadata: intent.metadata,
          attempt: attempts
        })
        return answer._tag === "Refused" ? answer.reason : undefined
      })

      /** Whether nobody outside this process is asked about the settlement of the payment. */
      const isInline = (intent: PaymentIntent): boolean =>
        intent.selected_rail === null || isPaidByGiftCard(intent) || rails.byName(intent.selected_rail)?.inline === true

      /**
       * The steps of the next commit, and the account. A rail within this process answers before the submission is written, and one commit
       * writes both: a crash leaves no unfinished call behind. A rail elsewhere is asked only about a submission that is written.
       */
      const nextSteps = Effect.fnUntraced(function*(settlement: Settlement, intent: PaymentIntent) {
        const refused = yield* refusalOf(settlement, intent)
        const account = yield* accounts.facts(settlement.merchant_id)
        const destination = destinationOf(account)
        const decision = step(settlement, { intent, at: yield* now, destination, refused })
        if (decision?.settlement.status !== "processing" || !isInline(intent)) return { account, decision }
        const submitted = decision.intent ?? intent
        const answer = yield* refusalOf(decision.settlement, submitted)
        const answered = step(decision.settlement, { intent: submitted, at: yield* now, destination, refused: answer })
        return { account, decision: answered === undefined ? decision : submittedAnd(decision, answered) }
      })

      const toTheEnd = Effect.fnUntraced(function*(account_id: string, id: string) {
        let settlement = yield* get(account_id, id)
        let intent = (yield* intents.find(account_id, settlement.payment_intent_id)) ?? (yield* notFound("payment intent"))
        do {
          const { account, decision } = yield* nextSteps(settlement, intent)
          if (decision === undefined) return
          const effects = { ...effectsOf(decision, intent), ...momentsOf(decision, account), replaces: settlement.version }
          yield* road.commit(decision.settlement, effects, internalCause(DUE, `${id}:${decision.settlement.version - 1}`))
          settlement = decision.settlement
          intent = decision.intent ?? intent
          // A submitted settlement is followed to its end at once. Its timer is for a process that crashes before the end.
        } while (settlement.status === "processing")
      })

      return Settlements.of({
        get,
        list: repository.list,
        sums: (account, filter) => repository.sums(account, filter, settlementSums),
        retry: verbs.on("Settlements.retry", retryOne),
        onCapture: ({ account, intent }) =>
          Effect.sync(() => {
            const id = SettlementId.make(makeId("set", intent.updated_at.epochMilliseconds))
            return additionOf(queue(id, intent, account.settings.settlement_delay_days))
          }),
        onRefund: Effect.fnUntraced(function*({ intent }) {
          const settlement = yield* repository.findByIntent(intent.merchant_id, intent.id)
          const decision = settlement === undefined ? undefined : shrink(settlement, intent)
          return decision === undefined ? addsNothing : additionOf(decision)
        }),
        // A refund may commit between two steps: `untilCommitted` then loads and decides again.
        proceed: Effect.fn("Settlements.proceed")((account: string, id: string) => untilCommitted("settlement", toTheEnd(account, id)))
      })
    })
  )
}
