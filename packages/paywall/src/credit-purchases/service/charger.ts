/**
 * Takes the money of a purchase: an intent of the installation's own merchant account, with keys of its own, so that the same charge is
 * made once however often it is tried.
 */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Keyed } from "@svc/kernel/resource/idempotency"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { parseJson } from "@svc/kernel/values/json"
import { Present, realNow } from "@svc/kernel/values/time"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Effect, Option, Schema } from "effect"
import { hash } from "node:crypto"
import { MerchantAccount } from "../../merchant/merchant-account.ts"
import { PaymentMethods } from "../../merchant/payment-methods.ts"
import { askedAgain } from "../../paid-calls/rules.ts"
import { Facilitator } from "../../payment/facilitator.ts"
import { type StablecoinPayment, validUntil } from "../../payment/model.ts"
import type { CreditPurchase, OpenCharge, PaymentMeans } from "../model.ts"

/** `again`: somebody has tried this before, and what came of it is not known. */
type Transferred = Extract<PaymentMeans, { readonly kind: "stablecoin" }> & { readonly again: boolean }

export type PurchaseChargeOutcome =
  | { readonly _tag: "Taken"; readonly intent: string; readonly reference: string; readonly simulated: boolean }
  /** Nothing was taken, and nothing will be. `reason` is the facilitator's own word. */
  | { readonly _tag: "Declined"; readonly why: string; readonly reason?: string }
  /** Ask again: the same charge is not made twice. */
  | { readonly _tag: "Unknown" }

const unknown: PurchaseChargeOutcome = { _tag: "Unknown" }

const decodeId = Schema.decodeUnknownSync(Schema.Struct({ id: Schema.String }))
const decodeRefusal = Schema.decodeUnknownOption(Schema.Struct({ decline_code: Schema.String }))

/** What the simulator is asked to charge. A shared token stands for a card that is good, or for one that is declined. */
export const simulated = (token: string): string =>
  !token.startsWith("spt_") ? token : token.startsWith("spt_test_decline") ? "tok_generic_decline" : "tok_visa"

const keyedOf = ({ id }: CreditPurchase, { number }: OpenCharge, step: string): Keyed => ({
  key: IdempotencyKey.make(`tool_buy_${id}_${number}_${step}`),
  operation: `payment_intent.${step}`,
  fingerprint: hash("sha256", `${id}\n${number}\n${step}`, "hex")
})

const refusedFor = (why: string) => Effect.succeed({ why })

const stateOf = ({ next_action, state }: PaymentIntent): "taken" | "waits for its payer" | "open" | "declined" => {
  if (state === "captured") return "taken"
  if (state === "pending") return next_action === null ? "open" : "waits for its payer"
  return state === "failed" || state === "blocked" || state === "cancelled" ? "declined" : "open"
}

export const makeCharger = Effect.gen(function*() {
  const intents = yield* PaymentIntents
  const merchantAccount = yield* MerchantAccount
  const methods = yield* PaymentMethods
  const facilitator = yield* Facilitator

  const create = Effect.fnUntraced(
    function*(account: AccountFacts, purchase: CreditPurchase, charge: OpenCharge, metadata: Readonly<Record<string, string>>) {
      const payload = { amount: purchase.amount, currency: "USD" as const, metadata: { credit_purchase: purchase.id, ...metadata } }
      const reply = yield* intents.create({ account, keyed: keyedOf(purchase, charge, "create"), payload })
      return decodeId(parseJson(reply.body)).id
    }
  )

  /** The token that is charged: a card, or the simulator's wallet, by which a transfer that was carried out is booked. */
  const take = Effect.fnUntraced(
    function*(
      account: AccountFacts,
      purchase: CreditPurchase,
      charge: OpenCharge,
      token: string,
      metadata: Readonly<Record<string, string>>
    ) {
      const id = yield* create(account, purchase, charge, metadata)
      const reply = yield* intents.authorize({
        account,
        id,
        keyed: keyedOf(purchase, charge, "authorize"),
        payload: { payment_method_id: token, capture: true }
      })
      const intent = yield* intents.get(account.id, id)
      switch (stateOf(intent)) {
        case "taken":
        case "open":
          return { id, isTaken: intent.state === "captured" }
        case "declined": {
          const refusal = reply.status < 400 ? Option.none() : decodeRefusal(parseJson(reply.body))
          return {
            why: Option.match(refusal, {
              onNone: () => `The payment was ${intent.state}.`,
              onSome: ({ decline_code }) => `The card was declined: ${decline_code.replaceAll("_", " ")}.`
            })
          }
        }
        case "waits for its payer":
          yield* intents.void({ account, id, keyed: keyedOf(purchase, charge, "void"), payload: {} })
          return { why: "The card asks its holder to confirm the payment, which cannot be done here." }
      }
    }
  )

  const byCard = Effect.fnUntraced(
    function*(account: AccountFacts, purchase: CreditPurchase, charge: OpenCharge, token: string): Effect.fn.Return<PurchaseChargeOutcome> {
      const done = yield* take(account, purchase, charge, token, {}).pipe(
        // Before anybody was asked for the money; the same charge would be refused for ever.
        Effect.catchTags({
          ValidationError: ({ code, message }) =>
            refusedFor(
              code === "payment_method_id"
                ? "The card cannot be charged: no such payment method."
                : `The payment cannot be made: ${message}`
            ),
          AmountTooLarge: ({ message }) => refusedFor(`The payment cannot be made: ${message}`),
          AccountSuspended: (refused) =>
            Effect.andThen(
              Effect.logWarning("the installation's own merchant account takes no charges", refused),
              refusedFor("This installation takes no payments at the moment.")
            )
        }),
        Effect.result
      )
      // What may change by itself, such as a provider that is away or another process at the same charge: the timer asks again.
      if (done._tag === "Failure") {
        return yield* Effect.as(
          Effect.logWarning("a purchase of credits could not be charged, and is charged again later", done.failure),
          unknown
        )
      }
      if ("why" in done.success) return { _tag: "Declined", why: done.success.why }
      return !done.success.isTaken
        ? unknown
        : { _tag: "Taken", intent: done.success.id, reference: done.success.id, simulated: account.sandbox }
    }
  )

  const byTransfer = Effect.fnUntraced(
    function*(
      account: AccountFacts,
      purchase: CreditPurchase,
      charge: OpenCharge,
      means: Transferred
    ): Effect.fn.Return<PurchaseChargeOutcome> {
      const { stablecoin } = methods.of(account.sandbox)
      if (stablecoin === undefined) return unknown
      const payment: StablecoinPayment = { _tag: "Stablecoin", protocol: means.protocol, signed: means.signed, signature: means.signature }
      const answer = yield* facilitator.settle({ payment, stablecoin, cents: purchase.amount }, purchase.amount)
      const settled = means.again
        ? askedAgain(answer, { at: yield* realNow, nonce: means.signed.authorization.nonce, until: validUntil(payment) })
        : answer
      if (settled._tag === "Unknown" || settled._tag === "Used") return unknown
      if (settled._tag === "Refused") {
        return { _tag: "Declined", why: `The transfer was not carried out: ${settled.reason}.`, reason: settled.reason }
      }
      if (settled._tag === "Lost") return { _tag: "Declined", why: "The transfer was not carried out in its time." }
      const booked = yield* Effect.result(take(account, purchase, charge, "tok_usdc", { transaction: settled.transaction }))
      // The money has come: the intent that says so in the books may follow a moment later, as its rail does.
      const intent = booked._tag === "Success" && !("why" in booked.success) ? booked.success.id : undefined
      return intent === undefined ? unknown : { _tag: "Taken", intent, reference: settled.transaction, simulated: settled.simulated }
    }
  )

  /**
   * Makes the charge that has begun, or finds out what became of it. The merchant lives by the world's time, also where the buyer has a
   * clock.
   */
  return Effect.fnUntraced(
    function*(
      purchase: CreditPurchase,
      charge: OpenCharge,
      { again, sandbox }: { readonly sandbox: boolean; readonly again: boolean }
    ): Effect.fn.Return<PurchaseChargeOutcome> {
      const account = yield* merchantAccount.merchant(sandbox)
      const { means } = charge
      return yield* means.kind === "card"
        ? byCard(account, purchase, charge, means.token)
        : byTransfer(account, purchase, charge, { ...means, again })
    },
    Effect.provideService(Present, undefined)
  )
})
