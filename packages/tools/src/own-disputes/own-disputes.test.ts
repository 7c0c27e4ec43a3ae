import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { parseJson } from "@svc/kernel/values/json"
import { Disputes as PaymentDisputes } from "@svc/payments/disputes/service"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { services } from "@svc/testkit/services"
import { backend } from "@svc/tool-kit/backend"
import { Disputes } from "@svc/tool-kit/services/disputes"
import { Effect, Layer, Result } from "effect"
import { ownDisputes } from "./resource.ts"

let keys = 0
const keyed = (operation: string) => ({ key: IdempotencyKey.make(`own-disputes-${keys++}`), operation, fingerprint: "0".repeat(64) })
const idIn = (body: string): string => String((parseJson(body) as { readonly id: unknown }).id)

const disputed = Effect.gen(function*() {
  const { account } = yield* (yield* Accounts).create({ name: "Acme", sandbox: true })
  const intents = yield* PaymentIntents
  const payment = idIn(
    (yield* intents.create({ account, keyed: keyed("payment_intent.create"), payload: { amount: 4_900, currency: "USD" } })).body
  )
  yield* intents.authorize({
    account,
    id: payment,
    keyed: keyed("payment_intent.authorize"),
    payload: { payment_method_id: "tok_visa", capture: true }
  })
  const { body } = yield* (yield* PaymentDisputes).simulate({
    account,
    keyed: keyed("dispute.simulate"),
    payload: { payment_intent_id: payment }
  })
  return { account, id: idIn(body) }
})

const evidence = {
  reason_code: "10.4",
  category: "fraudulent",
  documents: [{ field: "shipping_documentation", text: "delivered" }, { field: "other", text: "signed at the door" }],
  compelling_evidence: null,
  missing: [],
  narrative: "We enclose: shipping documentation."
}

layer(ownDisputes.services.pipe(Layer.provideMerge(services)), { timeout: 60_000 })("the disputes of the payments API", (it) => {
  it.effect("are found by their account alone, and answered once for a call", () =>
    Effect.gen(function*() {
      const { account, id } = yield* disputed
      const own = yield* backend(Disputes)
      assert.deepInclude(yield* own.find(account, id), { id, amount: 4_900, reason: "10.4", status: "open" })
      assert.isUndefined(yield* own.find({ id: "acct_01KDVK5D80000000000000000B", sandbox: true }, id))
      const submission = { id, evidence, idempotency_key: "call_1" }
      const [one, again] = [yield* own.submit(account, submission), yield* own.submit(account, submission)]
      assert.deepInclude(one, { id, status: "under_review", evidence_due_by: null })
      assert.deepStrictEqual(again, one)
      assert.deepStrictEqual((yield* (yield* PaymentDisputes).get(account.id, id)).evidence, {
        shipping_documentation: "delivered",
        other: "We enclose: shipping documentation.\n\nsigned at the door"
      })
      const late = yield* Effect.result(own.submit(account, { ...submission, idempotency_key: "call_2" }))
      assert.isTrue(Result.isFailure(late) && late.failure._tag === "DisputeNotOpen")
    }))
})
