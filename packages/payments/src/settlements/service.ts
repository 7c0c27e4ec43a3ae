/** The verbs of a settlement: followed from captures and refunds, moved by its timer, tried again by a request. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { notFound } from "@svc/kernel/errors"
import type { InvalidState, NotFound, VersionConflict } from "@svc/kernel/errors"
import type { Reply } from "@svc/kernel/http/reply"
import { Idempotency, internalCause, keyDone } from "@svc/kernel/idempotency"
import { makeId } from "@svc/kernel/ids"
import { keyedVerbs, modeOf } from "@svc/kernel/keyed-verbs"
import type { CommandOn, KeyedFailure, Work } from "@svc/kernel/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer } from "@svc/kernel/road/committer"
import type { Addition } from "@svc/kernel/road/decision"
import { now } from "@svc/kernel/time"
import { untilCommitted } from "@svc/kernel/versions"
import { Context, Effect, Layer } from "effect"
import type { Moved, PaymentIntent } from "../payment-intents/model.ts"
import { PaymentIntentRepository } from "../payment-intents/repository.ts"
import type { RailUnreachable } from "../rails/model.ts"
import { Rails } from "../rails/rail.ts"
import { DUE, SettlementId } from "./model.ts"
import type { RetrySettlementRequest, Settlement, SettlementFilter } from "./model.ts"
import { SettlementRepository } from "./repository.ts"
import { additionOf, commitOf, wireOf } from "./road.ts"
import { queue, retry, shrink, step } from "./rules.ts"
import type { Destination } from "./rules.ts"

type SettlementWork = Work<AccountFacts, Settlement, RetrySettlementRequest>

const nothing: Addition = {}

export class Settlements extends Context.Service<Settlements, {
  readonly get: (account: string, id: string) => Effect.Effect<Settlement, NotFound>
  readonly list: (account: string, filter: SettlementFilter, page: PageRequest) => Effect.Effect<Page<Settlement>>
  /** Puts one that failed back into the queue, due at once. */
  readonly retry: (command: CommandOn<AccountFacts, RetrySettlementRequest>) => Effect.Effect<Reply, KeyedFailure | NotFound | InvalidState>
  /** For captures: what their commit writes besides. */
  readonly onCapture: (moved: Moved) => Effect.Effect<Addition>
  /** For refunds: what their commit writes besides. */
  readonly onRefund: (moved: Moved) => Effect.Effect<Addition>
  /** For the timer: the next steps of one that is due. */
  readonly proceed: (account: string, id: string) => Effect.Effect<void, NotFound | VersionConflict | RailUnreachable>
}>()("@svc/payments/Settlements") {
  static readonly layer = Layer.effect(Settlements, Effect.gen(function*() {
    const accounts = yield* Accounts
    const committer = yield* Committer
    const intents = yield* PaymentIntentRepository
    const rails = yield* Rails
    const repository = yield* SettlementRepository

    const get = Effect.fn("Settlements.get")(function*(account: string, id: string) {
      return (yield* repository.find(account, id)) ?? (yield* notFound("settlement"))
    })

    const verbs = keyedVerbs<AccountFacts, Settlement, never>(yield* Idempotency, {
      name: "settlement",
      get,
      recall: () => undefined,
      resume: ({ resource }) => Effect.succeed({ _tag: "GoesOn", resource }),
      actsOutside: false
    })

    const retryOne = Effect.fnUntraced(function*(work: SettlementWork) {
      const decided = yield* Effect.fromResult(retry(work.resource, work.at))
      const { settlement } = decided
      const reply = { status: 200, body: wireOf(settlement) }
      const key = keyDone(work.keyed, { type: "settlement", id: settlement.id }, reply, modeOf(work))
      yield* committer.commit({ ...commitOf(decided, work.keyed.key), key })
      return reply
    })

    /** Why the money of one that is processing did not arrive; undefined when it did. */
    const refusalOf = Effect.fnUntraced(function*({ amount, attempts, currency, status }: Settlement, intent: PaymentIntent) {
      const ask = intent.selected_rail === null || status !== "processing" ? undefined : rails.byName(intent.selected_rail)?.settle
      if (ask === undefined) return undefined
      const answer = yield* ask({ reference: intent.provider_reference ?? "", amount, currency, metadata: intent.metadata, attempt: attempts })
      return answer._tag === "Refused" ? answer.reason : undefined
    })

    /** Where the money goes is decided once, when it sets out. */
    const destinationOf = Effect.fnUntraced(function*(settlement: Settlement): Effect.fn.Return<Destination, NotFound> {
      const { payout_destination, payout_method, settlement_asset } = settlement.status === "queued" ? yield* accounts.get(settlement.merchant_id) : settlement
      return { payout_destination, payout_method, settlement_asset }
    })

    const toTheEnd = Effect.fnUntraced(function*(account: string, id: string) {
      let settlement = yield* get(account, id)
      const [found, destination] = yield* Effect.all([intents.find(account, settlement.payment_intent_id), destinationOf(settlement)], { concurrency: 2 })
      let intent = found ?? (yield* notFound("payment intent"))
      do {
        const refused = yield* refusalOf(settlement, intent)
        const decided = step(settlement, { intent, at: yield* now, destination, refused })
        if (decided === undefined) return
        yield* committer.commit(commitOf(decided, internalCause(DUE, `${id}:${settlement.version}`)))
        settlement = decided.settlement
        intent = decided.intent ?? intent
        // What set out is followed to its end at once; its timer is for a process that dies on the way.
      } while (settlement.status === "processing")
    })

    return Settlements.of({
      get,
      list: repository.list,
      retry: verbs.on("Settlements.retry", retryOne),
      onCapture: ({ account, intent }) =>
        Effect.sync(() => {
          const id = SettlementId.make(makeId("set", intent.updated_at.epochMilliseconds))
          return additionOf(queue(id, intent, account.settings.settlement_delay_days))
        }),
      onRefund: Effect.fnUntraced(function*({ intent }) {
        const settlement = yield* repository.findByIntent(intent.merchant_id, intent.id)
        const decided = settlement === undefined ? undefined : shrink(settlement, intent)
        return decided === undefined ? nothing : additionOf(decided)
      }),
      // A refund may be faster, also between two steps, when the timer is set for whoever comes a minute later.
      proceed: Effect.fn("Settlements.proceed")((account: string, id: string) => untilCommitted("settlement", toTheEnd(account, id)))
    })
  }))
}
