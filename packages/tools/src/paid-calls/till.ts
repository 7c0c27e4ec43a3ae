/** Where the money of a paid call goes: an intent of the installation's own merchant account, held before the run and taken after it. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { type Keyed, IdempotencyKey } from "@svc/kernel/idempotency"
import { parseJson } from "@svc/kernel/json"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Context, Data, Effect, Layer, Redacted, Schema } from "effect"
import { hash } from "node:crypto"
import type { Cents } from "../call.ts"

/** The card was not charged: it was declined, or could not be reached. Nothing was taken. */
export class NotHeld extends Data.TaggedError("NotHeld")<{ readonly why: string }> {}

const Intent = Schema.Struct({ id: Schema.String, state: Schema.String })
const decodeIntent = Schema.decodeUnknownSync(Intent)
const decodeRefusal = Schema.decodeUnknownSync(Schema.Struct({ message: Schema.String }))

/** What a sandbox's shared token stands for at the simulator: `spt_test_decline…` is declined. */
const simulated = (token: string): string => token.startsWith("spt_test_decline") ? "tok_generic_decline" : "tok_visa"

/** Each step of a call has its own key, so that a repeated one happens once. */
const keyedOf = (call: string, step: string): Keyed => ({
  key: IdempotencyKey.make(`tool_pay_${call}_${step}`),
  operation: `payment_intent.${step}`,
  fingerprint: hash("sha256", `${call}\n${step}`, "hex")
})

export class Till extends Context.Service<Till, {
  /** Holds the price on a card; the id of the intent. */
  readonly hold: (house: AccountFacts, call: string, cents: Cents, token: Redacted.Redacted<string>) => Effect.Effect<string, NotHeld>
  /** Takes what was held, or less. */
  readonly take: (house: AccountFacts, call: string, intent: string, cents: Cents) => Effect.Effect<void>
  /** Lets go of it. */
  readonly letGo: (house: AccountFacts, call: string, intent: string) => Effect.Effect<void>
  /** Books what a facilitator has carried out; the id of the intent. */
  readonly book: (house: AccountFacts, call: string, cents: Cents, transaction: string) => Effect.Effect<string>
}>()("@svc/tools/Till") {
  static readonly layer = Layer.effect(Till, Effect.gen(function*() {
    const intents = yield* PaymentIntents
    const intentIn = ({ body }: { readonly body: string }) => decodeIntent(parseJson(body))

    const create = Effect.fnUntraced(function*(account: AccountFacts, call: string, amount: Cents, metadata: Record<string, string>) {
      return intentIn(yield* intents.create({ account, keyed: keyedOf(call, "create"), payload: { amount, currency: "USD", metadata: { tool_call: call, ...metadata } } })).id
    })

    const hold = Effect.fnUntraced(function*(account: AccountFacts, call: string, cents: Cents, token: Redacted.Redacted<string>) {
      const id = yield* Effect.orDie(create(account, call, cents, {}))
      const payload = { payment_method_id: simulated(Redacted.value(token)), capture: false }
      const reply = yield* Effect.orDie(intents.authorize({ account, id, keyed: keyedOf(call, "authorize"), payload }))
      if (reply.status >= 400) return yield* new NotHeld({ why: decodeRefusal(parseJson(reply.body)).message })
      const { state } = intentIn(reply)
      return state === "authorized" ? id : yield* new NotHeld({ why: `The card's payment is ${state}, and a call cannot wait for it. Pay with another card.` })
    })

    return Till.of({
      hold,
      take: (account, call, id, amount) => Effect.asVoid(Effect.orDie(intents.capture({ account, id, keyed: keyedOf(call, "capture"), payload: { amount } }))),
      letGo: (account, call, id) => Effect.asVoid(Effect.orDie(intents.void({ account, id, keyed: keyedOf(call, "void"), payload: {} }))),
      book: Effect.fnUntraced(function*(account: AccountFacts, call: string, cents: Cents, transaction: string) {
        const id = yield* create(account, call, cents, { transaction })
        yield* intents.authorize({ account, id, keyed: keyedOf(call, "authorize"), payload: { payment_method_id: "tok_usdc", capture: true } })
        return id
      }, Effect.orDie)
    })
  }))
}
