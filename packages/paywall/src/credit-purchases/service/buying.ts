/** Buying by a request: at once with a token, or by the page that the answer names. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Reply } from "@svc/kernel/http/reply"
import { RequestId } from "@svc/kernel/parts/request-id"
import { Forbidden, InvalidState, ValidationError, type VersionConflict } from "@svc/kernel/resource/errors"
import { Idempotency, keyDone, type Keyed, keyHeld, LEASE_SECONDS, once } from "@svc/kernel/resource/idempotency"
import type { Command, KeyedFailure } from "@svc/kernel/resource/keyed-verbs"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { KeyWrite, StoredReply } from "@svc/kernel/road/decision"
import { nextId } from "@svc/kernel/values/ids"
import { now, realNow } from "@svc/kernel/values/time"
import { plans } from "@svc/metering/plans/model"
import { isSimulatorToken } from "@svc/payments/rails/instruments"
import { Context, DateTime, Duration, Effect, Layer, Schema } from "effect"
import { hash } from "node:crypto"
import { PaymentMethods } from "../../merchant/payment-methods.ts"
import { PurchaseDeclined } from "../errors.ts"
import { type BuyCreditsRequest, type CreditPurchase, CreditPurchaseId, CreditPurchaseJson, LEAST, MOST } from "../model.ts"
import { expiryFrom, type NewPurchase, open, openCharged } from "../rules.ts"
import { simulated } from "./charger.ts"
import { CreditPurchases } from "./purchases.ts"

type Buy = Command<AccountFacts, BuyCreditsRequest>
type Refused = ValidationError | InvalidState | Forbidden

const encodeShown = Schema.encodeSync(CreditPurchaseJson)
const encodeDeclined = Schema.encodeSync(PurchaseDeclined)

const refused = (code: string, message: string) => new ValidationError({ code, message: `${code}: ${message}` })

const resourceOf = ({ id }: Pick<CreditPurchase, "id">) => ({ type: "credit_purchase", id })

/** Keys of the tool server are an account's own: no other account's key stands in their way, and none of the payments API's. */
const ownKey = ({ account: { id }, keyed }: Buy): Keyed => ({
  ...keyed,
  key: `tool_purchase_${hash("sha256", `${id}\n${keyed.key}`, "hex")}`
})

export class Buying extends Context.Service<Buying, {
  readonly buy: (command: Buy) => Effect.Effect<Reply, Refused | KeyedFailure>
}>()("@svc/paywall/Buying") {
  static readonly layer = Layer.effect(
    Buying,
    Effect.gen(function*() {
      const purchases = yield* CreditPurchases
      const idempotency = yield* Idempotency
      const methods = yield* PaymentMethods

      const mayBuy = Effect.fnUntraced(
        function*(
          { id, sandbox, status }: AccountFacts,
          { amount, payment_method_id, plan }: BuyCreditsRequest
        ): Effect.fn.Return<void, Refused> {
          if ((amount === undefined) === (plan === undefined)) {
            return yield* refused("amount", `give either amount, ${LEAST} to ${MOST} cents, or plan: starter, pro or growth`)
          }
          if (status === "suspended" || status === "closed") {
            return yield* new Forbidden({ message: `The account is ${status} and buys nothing. Ask the operator of this installation.` })
          }
          if (methods.of(sandbox).card === undefined) {
            return yield* new InvalidState({
              message:
                "This installation takes no cards for live accounts, so credits cannot be bought here. Pay calls when you make them: a 402 says how.",
              details: { allowed: [] }
            })
          }
          if (payment_method_id !== undefined && !sandbox) {
            return yield* refused(
              "payment_method_id",
              "simulator tokens are for sandbox accounts. Leave it out, and pay on the page that the answer names"
            )
          }
          if (payment_method_id !== undefined && !isSimulatorToken(simulated(payment_method_id))) {
            return yield* refused(
              "payment_method_id",
              "no such payment method. Send a simulator token such as tok_visa, or a shared token such as spt_test_1; or leave it out, and pay on the page that the answer names"
            )
          }
          if (plan !== undefined && (yield* purchases.isHeldForEver(id, plan))) {
            return yield* new InvalidState({
              message: `The account is on the plan ${plan} already, which is paid once and has no end.`,
              details: { state: plan, allowed: [] }
            })
          }
        }
      )

      const wantedBy = Effect.fnUntraced(
        function*({ account, payload: { amount, plan } }: Buy, at: DateTime.Utc): Effect.fn.Return<NewPurchase> {
          const id = CreditPurchaseId.make(yield* nextId("cpur"))
          return {
            id,
            account_id: account.id,
            amount: plan === undefined ? amount ?? 0 : plans[plan].price,
            plan: plan ?? null,
            tool: null,
            pays_for: null,
            expires_at: expiryFrom(at)
          }
        }
      )

      /** What is answered: what was bought, or why not. */
      const replyOf = Effect.fnUntraced(function*(purchase: CreditPurchase): Effect.fn.Return<StoredReply> {
        if (purchase.state !== "failed") return { status: 201, body: JSON.stringify(encodeShown(yield* purchases.shown(purchase))) }
        const request_id = yield* RequestId
        const message = `${
          purchase.failure_reason ?? "The card was declined."
        } Nothing was granted. Buy again with another card and a fresh idempotency key.`
        return {
          status: 402,
          body: JSON.stringify(
            encodeDeclined(
              new PurchaseDeclined({
                message,
                ...(request_id === undefined ? {} : { request_id }),
                details: { credit_purchase_id: purchase.id }
              })
            )
          )
        }
      })

      const finished = Effect.fnUntraced(function*({ account }: Buy, keyed: Keyed, begun: CreditPurchase, again: boolean) {
        const keyOf = (purchase: CreditPurchase): Effect.Effect<KeyWrite> =>
          Effect.map(replyOf(purchase), (reply) => keyDone(keyed, resourceOf(purchase), reply, "finish"))
        const { purchase } = yield* purchases.finish(account, begun, { again, keyOf })
        return yield* replyOf(purchase)
      })

      const first = Effect.fnUntraced(
        function*(command: Buy, keyed: Keyed): Effect.fn.Return<StoredReply, Refused | CommitRefused | VersionConflict> {
          const { account, payload } = command
          yield* mayBuy(account, payload)
          const at = yield* now
          const wanted = yield* wantedBy(command, at)
          const token = payload.payment_method_id
          if (token === undefined) {
            const decision = open(wanted, at)
            const reply = yield* replyOf(decision.purchase)
            yield* purchases.begin(decision, keyDone(keyed, resourceOf(wanted), reply))
            return reply
          }
          const until = DateTime.addDuration(yield* realNow, Duration.seconds(LEASE_SECONDS))
          const decision = openCharged(wanted, { kind: "card", token: simulated(token) }, at, true)
          return yield* finished(command, keyed, yield* purchases.begin(decision, keyHeld(keyed, resourceOf(wanted), until)), false)
        }
      )

      const again = (command: Buy, keyed: Keyed, id: string) =>
        Effect.flatMap(Effect.orDie(purchases.get(command.account.id, id)), (purchase) => finished(command, keyed, purchase, true))

      return Buying.of({
        buy: Effect.fn("Buying.buy")(function*(command: Buy) {
          const keyed = ownKey(command)
          const carriedOut = once(
            idempotency,
            command.account.id,
            keyed,
            (begun): Effect.Effect<StoredReply, Refused | CommitRefused | VersionConflict> =>
              begun._tag === "Resume" ? again(command, keyed, begun.resource_id) : first(command, keyed)
          )
          return { ...yield* idempotency.toTheEnd(carriedOut), key: command.keyed.key }
        })
      })
    })
  )
}
