/** Decides payments by gift card: the merchant already has the money, held for the card. No rail is called. */
import { change } from "@svc/kernel/resource/change"
import { ValidationError } from "@svc/kernel/resource/errors"
import { post } from "@svc/ledger/financial-events/routes"
import { Result } from "effect"
import { captureMade, EXPIRES } from "../model.ts"
import type { PaymentIntent } from "../model.ts"
import { spendBudgets } from "./agents.ts"
import { about, amend, decisionOf, timer } from "./decision.ts"
import type { IntentDecision, IntentFacts } from "./decision.ts"
import { exchangeTarget } from "./exchange.ts"
import { may, refuse } from "./refusals.ts"
import type { IntentRefusal } from "./refusals.ts"
import { needsApproval } from "./review.ts"

/** The rail name of payments by gift card. No rail of an installation has this name. */
const GIFT_CARD = "gift_card"

export const isPaidByGiftCard = ({ selected_rail }: Pick<PaymentIntent, "selected_rail">): boolean => selected_rail === GIFT_CARD

/** The payment that a gift card is to pay. */
export interface GiftCardPayment {
  readonly currency: string
  /** Minor units; undefined for the whole payment. */
  readonly amount: number | undefined
}

const unfit = (code: string, message: string) => Result.fail(new ValidationError({ code, message: `${code}: ${message}` }))

export const mayPayByGiftCard = (
  intent: PaymentIntent,
  { amount, currency }: GiftCardPayment,
  facts: IntentFacts
): Result.Result<void, IntentRefusal> =>
  Result.flatMap(may(intent, "authorize"), (): Result.Result<void, IntentRefusal> => {
    if (intent.currency !== currency) {
      return unfit(
        "payment_intent_id",
        `the payment is in ${intent.currency} and the card in ${currency}. Take a card in ${intent.currency}.`
      )
    }
    if (amount !== undefined && amount !== intent.amount) {
      return unfit("amount", `the payment is of ${intent.amount}; a gift card pays it whole. Leave the amount out, or send that.`)
    }
    if (exchangeTarget(intent) !== undefined) {
      return unfit(
        "payment_intent_id",
        `the payment is to be settled in ${intent.destination_currency}, and what a gift card holds is not exchanged. Make one without ` +
          "destination_currency."
      )
    }
    return needsApproval(intent, facts)
      ? Result.fail(refuse(intent, "authorize", "somebody has to approve it, which a gift card does not wait for"))
      : Result.void
  })

/** Captures the payment at once: the money that was held for the card becomes available. */
export const paidByGiftCard = (intent: PaymentIntent, card: string, facts: IntentFacts): IntentDecision => {
  const { amount } = intent
  const held = change(intent, facts.at, {
    state: "authorized",
    authorized_amount: amount,
    selected_rail: GIFT_CARD,
    payment_method_id: card
  })
  const capturedIntent = amend(held, { state: "captured", captured_amount: amount })
  const on = about(capturedIntent)
  return decisionOf(capturedIntent, {
    entries: [post("payment_authorized", { ...on, amount }), post("gift_card_redeemed", { ...on, amount })],
    events: [{ type: "authorized", intent: held }, { type: "captured", intent: capturedIntent }],
    clear: [timer(EXPIRES, capturedIntent)],
    moments: [captureMade.of({ account: facts.account, intent: capturedIntent })],
    counters: spendBudgets(capturedIntent)
  })
}
