/** Decides on a final answer to an authorization, including an approval of a wrong amount. */
import { failPointsAround } from "@svc/kernel/parts/fail-points"
import { Effect } from "effect"
import type { RailAnswer } from "../../rails/model.ts"
import { type Rail, type RailFollowUp, recordsOf } from "../../rails/rail.ts"
import type { PaymentIntent } from "../model.ts"
import type { OpenCall } from "../model/attempts.ts"
import { askAgain, decideOnAnswer, unknownOutcome } from "../rules/answers.ts"
import type { OpenAuthorization } from "../rules/answers.ts"
import type { IntentDecision, IntentFacts } from "../rules/decision.ts"
import { fail } from "../rules/ending.ts"
import { followUpOf, providerKey } from "./requests.ts"

const giving = failPointsAround("give_back")

/** An authorization that waits for an answer, with its rail. */
export interface RailAuthorization extends OpenAuthorization {
  readonly rail: Rail
}

type Approval = Extract<RailAnswer, { _tag: "Approved" }>

const returnOf = (intent: PaymentIntent, call: OpenCall, { amount, reference }: Approval): RailFollowUp => ({
  ...followUpOf(intent, call),
  key: `${providerKey(call)}_back`,
  reference,
  amount
})

/**
 * Reverses an approval of a wrong amount: voids an authorization, refunds a capture. The call determines the key, so that repeated calls
 * have one effect.
 */
const reverseWrongAmount = (intent: PaymentIntent, { call, rail }: RailAuthorization, answer: Approval) => {
  const about = returnOf(intent, call, answer)
  return (answer.captured ? rail.refund(about) : rail.void(about)).pipe(
    Effect.match({
      onSuccess: (confirmation) => confirmation._tag === "Done" ? undefined : confirmation.reason,
      onFailure: (error) => error.message
    }),
    Effect.tap((why) =>
      why === undefined
        ? Effect.void
        : Effect.logWarning("an approval of another amount could not be given back yet", { rail: rail.name, intent: intent.id, why })
    ),
    Effect.map((why) => why === undefined)
  )
}

/**
 * The decision on a final answer. An approval of a wrong amount is reversed, and the intent fails: the books must never follow a provider's
 * mistake. Until the reversal succeeds, the intent stays pending and the timer tries again.
 */
export const decideAnswer = Effect.fnUntraced(function*(
  intent: PaymentIntent,
  facts: IntentFacts,
  asked: RailAuthorization,
  answer: RailAnswer
): Effect.fn.Return<IntentDecision> {
  if (answer._tag !== "Approved" || answer.amount === intent.amount) return decideOnAnswer(intent, facts, asked, answer)
  const { attempts, call, payment_method_id, routing } = asked
  giving.before()
  const back = yield* reverseWrongAmount(intent, asked, answer)
  giving.after()
  if (!back) {
    return intent.state === "pending" && call.request === null ? askAgain(intent, call, facts.at) : unknownOutcome(intent, facts, asked)
  }
  const failed = fail(intent, facts.at, { failure_reason: "amount_mismatch", decline_code: null }, {
    attempts,
    routing,
    payment_method_id,
    selected_rail: call.rail,
    provider_reference: answer.reference
  })
  const returned = { operation: answer.captured ? "refund" as const : "void" as const, call: returnOf(intent, call, answer), fee: 0 }
  return {
    ...failed,
    records: recordsOf(asked.rail, { ...returned, merchant: intent.merchant_id, at: facts.at, metadata: intent.metadata })
  }
})
