/** Where the money of a paid call goes: an intent of the installation's own merchant account, held before the run and taken after it. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Idempotency, type Keyed } from "@svc/kernel/resource/idempotency"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { parseJson } from "@svc/kernel/values/json"
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import type { Cents } from "@svc/tool-kit/call"
import { Context, Effect, Layer, Redacted, Schema } from "effect"
import { hash } from "node:crypto"

/** What holding a price on a card came to. */
export type HoldOutcome =
  | { readonly _tag: "Held" }
  /** Declined, or nobody could be reached. Nothing is held. */
  | { readonly _tag: "Declined"; readonly why: string }
  /** The price may be held: the rail has not answered. */
  | { readonly _tag: "Unknown" }

/** What taking money that was held came to. */
export type TakeOutcome =
  | { readonly _tag: "Settled"; readonly reference: string }
  | { readonly _tag: "Refused"; readonly reason: string }
  | { readonly _tag: "Unknown" }

const Intent = Schema.Struct({ id: Schema.String, state: Schema.String, pending_reason: Schema.NullOr(Schema.String) })
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

/** Whether whoever holds the money has yet to say what became of it. */
const isOpen = ({ pending_reason, state }: { readonly pending_reason: string | null; readonly state: string }): boolean =>
  state === "pending" && (pending_reason === "unknown_outcome" || pending_reason === "async_rail")

export class PlatformPayments extends Context.Service<PlatformPayments, {
  /** Holds the price on a card. */
  readonly hold: (merchantAccount: AccountFacts, call: string, cents: Cents, token: Redacted.Redacted<string>) => Effect.Effect<HoldOutcome>
  /** Takes what was held, or less. May be repeated. */
  readonly take: (merchantAccount: AccountFacts, call: string, cents: Cents) => Effect.Effect<TakeOutcome>
  /** Lets go of what is held, if anything is. False as long as that is not known. May be repeated. */
  readonly letGo: (merchantAccount: AccountFacts, call: string) => Effect.Effect<boolean>
  /** The intent by which a transfer stands in the books, and its transaction. */
  readonly booked: (
    merchantAccount: AccountFacts,
    call: string
  ) => Effect.Effect<{ readonly intent: string; readonly transaction: string } | undefined>
  /** Books what a facilitator has carried out. May be repeated, with the same transaction. */
  readonly book: (merchantAccount: AccountFacts, call: string, cents: Cents, transaction: string) => Effect.Effect<void>
}>()("@svc/paywall/PlatformPayments") {
  static readonly layer = Layer.effect(
    PlatformPayments,
    Effect.gen(function*() {
      const intents = yield* PaymentIntents
      const idempotency = yield* Idempotency
      const intentIn = ({ body }: { readonly body: string }) => decodeIntent(parseJson(body))

      const create = Effect.fnUntraced(function*(account: AccountFacts, call: string, amount: Cents, metadata: Record<string, string>) {
        return intentIn(
          yield* intents.create({
            account,
            keyed: keyedOf(call, "create"),
            payload: { amount, currency: "USD", metadata: { tool_call: call, ...metadata } }
          })
        ).id
      }, Effect.orDie)

      /** The intent of a call, if it has one. */
      const find = Effect.fnUntraced(function*(account: AccountFacts, call: string): Effect.fn.Return<PaymentIntent | undefined> {
        const made = yield* idempotency.find(account.id, keyedOf(call, "create").key)
        return made === undefined ? undefined : yield* Effect.orDie(intents.get(account.id, made.resource_id))
      })

      const letGo = Effect.fnUntraced(function*(account: AccountFacts, call: string) {
        const intent = yield* find(account, call)
        if (intent === undefined || intent.state === "cancelled" || intent.state === "failed") return true
        if (isOpen(intent)) return false
        return yield* intents.void({ account, id: intent.id, keyed: keyedOf(call, "void"), payload: {} }).pipe(
          Effect.map(({ status }) => status < 400),
          Effect.catchTags({
            ProviderUnavailable: () => Effect.succeed(false),
            PaymentInFlight: () => Effect.succeed(false),
            IdempotencyInProgress: () => Effect.succeed(false)
          }),
          Effect.orDie
        )
      })

      const hold = Effect.fnUntraced(function*(account: AccountFacts, call: string, cents: Cents, token: Redacted.Redacted<string>) {
        const id = yield* create(account, call, cents, {})
        const payload = { payment_method_id: simulated(Redacted.value(token)), capture: false }
        return yield* intents.authorize({ account, id, keyed: keyedOf(call, "authorize"), payload }).pipe(
          Effect.map((reply): HoldOutcome => {
            if (reply.status >= 400) return { _tag: "Declined", why: decodeRefusal(parseJson(reply.body)).message }
            const intent = intentIn(reply)
            if (intent.state === "authorized") return { _tag: "Held" }
            return isOpen(intent)
              ? { _tag: "Unknown" }
              : { _tag: "Declined", why: `The card's payment is ${intent.state}, and a call cannot wait for it. Pay with another card.` }
          }),
          Effect.catchTags({
            ProviderUnavailable: ({ message }) => Effect.succeed<HoldOutcome>({ _tag: "Declined", why: message }),
            PaymentInFlight: () => Effect.succeed<HoldOutcome>({ _tag: "Unknown" })
          }),
          Effect.orDie
        )
      })

      const take = Effect.fnUntraced(function*(account: AccountFacts, call: string, amount: Cents): Effect.fn.Return<TakeOutcome> {
        const intent = yield* find(account, call)
        if (intent === undefined) return { _tag: "Refused", reason: "nothing is held for it" }
        const unknown = Effect.succeed<TakeOutcome>({ _tag: "Unknown" })
        return yield* intents.capture({ account, id: intent.id, keyed: keyedOf(call, "capture"), payload: { amount } }).pipe(
          Effect.map(({ body, status }): TakeOutcome =>
            status < 400 ? { _tag: "Settled", reference: intent.id } : { _tag: "Refused", reason: decodeRefusal(parseJson(body)).message }
          ),
          Effect.catchTags({
            ProviderUnavailable: () => unknown,
            PaymentInFlight: () => unknown,
            IdempotencyInProgress: () => unknown,
            InvalidState: ({ message }) => Effect.succeed<TakeOutcome>({ _tag: "Refused", reason: message })
          }),
          Effect.orDie
        )
      })

      const booked = Effect.fnUntraced(function*(account: AccountFacts, call: string) {
        const intent = yield* find(account, call)
        const transaction = intent?.metadata["transaction"]
        return intent === undefined || transaction === undefined ? undefined : { intent: intent.id, transaction }
      })

      const book = Effect.fnUntraced(function*(account: AccountFacts, call: string, cents: Cents, transaction: string) {
        const id = yield* create(account, call, cents, { transaction })
        // The rail of stablecoins answers later, and its own timer hears it.
        yield* intents.authorize({
          account,
          id,
          keyed: keyedOf(call, "authorize"),
          payload: { payment_method_id: "tok_usdc", capture: true }
        })
      }, Effect.orDie)

      return PlatformPayments.of({ hold, take, letGo, booked, book })
    })
  )
}
