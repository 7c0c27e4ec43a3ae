/** Approvals: they follow payments that wait for a person, and are the way to decide on them. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Actor } from "@svc/kernel/parts/actor"
import { type NotFound } from "@svc/kernel/resource/errors"
import type { CommandOn } from "@svc/kernel/resource/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import type { Addition } from "@svc/kernel/road/decision"
import { makeId } from "@svc/kernel/values/ids"
import { Context, Effect, Layer } from "effect"
import type { ReviewOutcome, ReviewRequested } from "../payment-intents/model.ts"
import type { ReviewRequest } from "../payment-intents/model/requests.ts"
import { PaymentIntents } from "../payment-intents/service.ts"
import { type Approval, type ApprovalFilter, ApprovalId, approvals } from "./model.ts"
import { ApprovalRepository } from "./repository.ts"
import { ask, decide } from "./rules.ts"

type Command = CommandOn<AccountFacts, ReviewRequest>

/** What a review of a payment by its approval answers with: as that of the payment itself. */
type Reviewing<Verb extends "approve" | "reject"> = ReturnType<PaymentIntents["Service"][Verb]>

const additionOf = (approval: Approval): Addition => ({ writes: [approvals.write(approval)] })

export class Approvals extends Context.Service<Approvals, {
  readonly get: (account: string, id: string) => Effect.Effect<Approval, NotFound>
  /** The latest of this payment. */
  readonly ofIntent: (account: string, intent: string) => Effect.Effect<Approval | undefined>
  readonly list: (account: string, filter: ApprovalFilter, page: PageRequest) => Effect.Effect<Page<Approval>>
  /** Authorizes the payment now. Approval and payment move in one commit; the answer is the payment's. */
  readonly approve: (command: Command) => Reviewing<"approve">
  /** Cancels the payment, in one commit with the approval. */
  readonly reject: (command: Command) => Reviewing<"reject">
  /** For payments that begin to wait: what their commit writes besides. */
  readonly onAsked: (asked: ReviewRequested) => Effect.Effect<Addition>
  /** For payments that wait no longer: the same. */
  readonly onEnded: (reviewed: ReviewOutcome) => Effect.Effect<Addition>
}>()("@svc/payments/Approvals") {
  static readonly layer = Layer.effect(
    Approvals,
    Effect.gen(function*() {
      const intents = yield* PaymentIntents
      const repository = yield* ApprovalRepository
      const { get } = repository

      /** Whether it may still be decided on is asked where a repeated request has had its answer. */
      const onIntent = Effect.fnUntraced(function*({ account, id, keyed }: Command) {
        const approval = yield* get(account.id, id)
        return { account, keyed, id: approval.payment_intent_id, payload: { approval } }
      })

      return Approvals.of({
        get,
        ofIntent: repository.findByIntent,
        list: repository.list,
        approve: (command) => Effect.flatMap(onIntent(command), intents.approve),
        reject: (command) => Effect.flatMap(onIntent(command), intents.reject),
        onAsked: (asked) =>
          Effect.sync(() => additionOf(ask(ApprovalId.make(makeId("apr", asked.intent.updated_at.epochMilliseconds)), asked))),
        onEnded: Effect.fnUntraced(function*(reviewed: ReviewOutcome) {
          const { intent } = reviewed
          const approval = yield* repository.findByIntent(intent.merchant_id, intent.id)
          return approval?.status === "pending" ? additionOf(decide(approval, reviewed, (yield* Actor).id)) : {}
        })
      })
    })
  )
}
