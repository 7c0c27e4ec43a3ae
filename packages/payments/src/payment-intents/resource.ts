/** What payment intents bring to the service. */
import { ClosingChecks } from "@svc/accounts/accounts/service"
import { contribute } from "@svc/kernel/parts/contributions"
import { nothing } from "@svc/kernel/parts/part"
import { agreement } from "@svc/ledger/state-checks"
import { logged } from "@svc/webhooks/log/logged"
import { Effect, Layer } from "effect"
import { SecondLookActs } from "../second-looks/provider/acts.ts"
import * as http from "./http.ts"
import { approvedRefunds, paymentIntentJobs } from "./jobs.ts"
import { migrations } from "./migrations.ts"
import { PaymentIntentJson, paymentIntents as table, PaymentIntentsById } from "./model.ts"
import { PaymentIntentRepository } from "./repository.ts"
import { PaymentIntents } from "./service.ts"
import { AgentPaymentIntents } from "./service/agent-payment-intents.ts"

const byId = Layer.effect(PaymentIntentsById, Effect.map(PaymentIntentRepository, ({ findByIds }) => findByIds))

const closingChecks = Effect.map(PaymentIntentRepository, ({ held }) => [
  (account: string) =>
    Effect.map(held(account), (n) => n === 0 ? [] : [`${n === 1 ? "a payment is" : `${n} payments are`} authorized or under way`])
])

const books = agreement({
  resource_type: "payment_intent",
  table,
  // What a gift card paid, and got back, is about the payment, too.
  amounts: [
    ["captured_amount", ["payment_captured", "gift_card_redeemed"]],
    ["refunded_amount", ["payment_refunded", "gift_card_loaded"]],
    ["fee_amount", ["fee_charged"]]
  ]
})

const log = logged({ table, resource_type: "payment_intent", shown: PaymentIntentJson })

export const paymentIntents = {
  ...nothing,
  services: Layer.mergeAll(byId, books, log, contribute(ClosingChecks, closingChecks), contribute(SecondLookActs, approvedRefunds)).pipe(
    Layer.provideMerge(AgentPaymentIntents.layer),
    Layer.provideMerge(PaymentIntents.layer),
    Layer.provideMerge(PaymentIntentRepository.layer)
  ),
  routes: http.layer,
  timers: paymentIntentJobs,
  migrations
}
