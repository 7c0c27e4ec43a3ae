/** Payments by agents, under the policy and the budgets of the agent's key. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { AccountSuspended } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { CardNumberNotAccepted, type InvalidState, type NotFound, notFound, ValidationError } from "@svc/kernel/resource/errors"
import { Idempotency, type Keyed } from "@svc/kernel/resource/idempotency"
import type { KeyedFailure } from "@svc/kernel/resource/keyed-verbs"
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { containsCardNumber } from "@svc/kernel/values/card-numbers"
import { now } from "@svc/kernel/values/time"
import { Approvals } from "@svc/payments/approvals/service"
import type { AgentBudgetExceeded, AmountTooLarge, PaymentInFlight, ProviderUnavailable } from "@svc/payments/payment-intents/errors"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { AgentPaymentIntents } from "@svc/payments/payment-intents/service/agent-payment-intents"
import { PaymentMethods } from "@svc/payments/payment-methods/service"
import { Rails } from "@svc/payments/rails/rail"
import { route } from "@svc/payments/rails/routing"
import { Rates } from "@svc/payments/rates/rates"
import { Context, Effect, Layer } from "effect"
import { hash } from "node:crypto"
import { type AgentPayment, type AgentPaymentState, NotAllowed, type PayingAgent } from "./model.ts"
import { amountAllowed, currenciesAllowed, railsAllowed, termsOf } from "./rules.ts"

/** Each step of a payment has a key of its own. The agent's own is hashed with its key's id, so that no other agent meets it. */
const keyedOf = ({ account, id }: PayingAgent, payment: AgentPayment, step: "create" | "authorize"): Keyed => ({
  key: `agent_${step}_${hash("sha256", `${account}\n${id}\n${payment.idempotency_key}`, "hex")}`,
  operation: `agent_payment.${step}`,
  fingerprint: hash("sha256", canonicalize(payment), "hex")
})

/** What a payment can be refused with. What a rail says of it is no refusal: it is how the payment stands. */
export type PaymentRefused =
  | NotAllowed
  | AgentBudgetExceeded
  | KeyedFailure
  | ValidationError
  | CardNumberNotAccepted
  | AmountTooLarge
  | AccountSuspended
  | NotFound
  | InvalidState
  | PaymentInFlight
  | ProviderUnavailable

/** What looks like a card number is not accepted anywhere, and metadata is kept for ever. */
const cardNumber = new CardNumberNotAccepted({
  code: "metadata",
  message: "The arguments hold what looks like a card number. Send the id or the token of a payment method."
})

export class AgentPayments extends Context.Service<AgentPayments, {
  /**
   * Pays, once a key of the agent's; called again with that key, goes on where it stopped and says how the payment stands now. What was
   * begun is told whatever the policy says since.
   */
  readonly pay: (payer: PayingAgent, payment: AgentPayment) => Effect.Effect<AgentPaymentState, PaymentRefused>
}>()("@svc/tools/AgentPayments") {
  static readonly layer = Layer.effect(
    AgentPayments,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const agentIntents = yield* AgentPaymentIntents
      const approvals = yield* Approvals
      const idempotency = yield* Idempotency
      const intents = yield* PaymentIntents
      const methods = yield* PaymentMethods
      const rails = yield* Rails
      const rates = yield* Rates

      const standing = Effect.fnUntraced(function*(account: string, id: string): Effect.fn.Return<AgentPaymentState, NotFound> {
        const [intent, approval] = yield* Effect.all([intents.get(account, id), approvals.ofIntent(account, id)], { concurrency: 2 })
        return { intent, approval }
      })

      const installed = (name: string | undefined) =>
        name === undefined || rails.byName(name) !== undefined
          ? Effect.void
          : Effect.fail(
            new ValidationError({
              code: "provider",
              message: `provider: there is no ${name} here. There are ${
                rails.all.map((rail) => rail.name).join(", ")
              }; leave it out to have one chosen.`
            })
          )

      /** The names of the rails that take such a payment. */
      const ableFor = Effect.fnUntraced(
        function*(account: AccountFacts, { amount, currency, metadata = {}, payment_method_id }: AgentPayment) {
          const { type: method } = yield* methods.tokenFor(account, payment_method_id, null)
          return route({ amount, currency, country: null, method, metadata }, account.settings.routing, rails.all).rails.map(({ rail }) =>
            rail.name
          )
        }
      )

      /** Dollars for one unit of the currency, where some budget has to know. */
      const rateFor = Effect.fnUntraced(function*({ chain }: PayingAgent, { currency }: AgentPayment) {
        if (chain.every(({ budgets }) => Object.keys(budgets).length === 0)) return undefined
        const { ratio } = yield* Effect.mapError(rates.between(currency, "USD"), () =>
          new NotAllowed({
            code: "AGENT_CURRENCY_NOT_ALLOWED",
            detail: `There is no rate for ${currency} now, so it cannot be counted against the budgets of the key, which are in dollars.`
          }))
        return ratio
      })

      const begin = Effect.fnUntraced(function*(account: AccountFacts, payer: PayingAgent, payment: AgentPayment) {
        const { policy } = payer
        if (containsCardNumber(payment)) {
          return yield* cardNumber
        }
        yield* Effect.fromResult(currenciesAllowed(policy, payment.currency))
        yield* Effect.fromResult(amountAllowed(policy, payment.amount))
        yield* installed(payment.provider)
        const able = yield* ableFor(account, payment)
        const allowed = yield* Effect.fromResult(railsAllowed(policy, payment.provider, able))
        const terms = termsOf(payer, payment, { rails: allowed, rate: yield* rateFor(payer, payment), at: yield* now })
        const { amount, currency, metadata = {} } = payment
        return yield* agentIntents.create({
          account,
          keyed: keyedOf(payer, payment, "create"),
          payload: { payment: { amount, currency, metadata }, terms }
        })
      })

      const pay = Effect.fn("AgentPayments.pay")(
        function*(payer: PayingAgent, payment: AgentPayment): Effect.fn.Return<AgentPaymentState, PaymentRefused> {
          const account = yield* accounts.facts(payer.account)
          const keyed = keyedOf(payer, payment, "create")
          const known = Effect.map(idempotency.begin(account.id, keyed), (begun) => begun._tag === "First" ? undefined : begun.resource_id)
          const id = (yield* known) ?? (yield* Effect.andThen(begin(account, payer, payment), known)) ?? (yield* notFound("payment intent"))
          const { intent } = yield* standing(account.id, id)
          if (intent.state === "created") {
            const { payment_method_id } = payment
            const authorized = intents.authorize({
              account,
              id,
              keyed: keyedOf(payer, payment, "authorize"),
              payload: { payment_method_id, capture: true }
            })
            // Agents pay in one currency: nothing of theirs is exchanged.
            yield* Effect.catchTag(authorized, ["QuoteExpired", "RatesUnavailable"], Effect.die)
          }
          return yield* standing(account.id, id)
        }
      )

      return AgentPayments.of({ pay })
    })
  )
}
