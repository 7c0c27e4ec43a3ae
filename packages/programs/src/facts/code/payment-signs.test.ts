import { assert, describe, it } from "@effect/vitest"
import { linesOf } from "./testing.ts"

const signsOf = (path: string, text: string) => linesOf(path, text, "payment-sign", "text", "within")

/** A source of each language, and its signs. */
const samples: ReadonlyArray<readonly [path: string, text: string, lines: ReadonlyArray<string>]> = [
  [
    "pay.ts",
    `import Stripe from "stripe"
const MAX_AMOUNT_CENTS = 5000
export const pay = (request: Request, amount: number) => {
  if (amount > MAX_AMOUNT_CENTS) throw new RangeError("over the budget of this agent")
  return stripe.paymentIntents.create({ amount }, { idempotencyKey: request.headers.get("Idempotency-Key") })
}
export const refund = (id: string) => fetch(\`\${base}/v1/payment_intents/\${id}/refund\`)
export const hook = (body: string, headers: Record<string, string>) =>
  stripe.webhooks.constructEvent(body, headers["stripe-signature"], secret)
`,
    [
      "spending limit MAX_AMOUNT_CENTS MAX_AMOUNT_CENTS @2",
      "spending limit MAX_AMOUNT_CENTS pay @4",
      "spending limit compared MAX_AMOUNT_CENTS pay @4",
      "payment call stripe.paymentIntents.create pay @5",
      "idempotency key idempotencyKey pay @5",
      "idempotency key Idempotency-Key pay @5",
      "payment address ${base}/v1/payment_intents/${id}/refund refund @7",
      "refund address ${base}/v1/payment_intents/${id}/refund refund @7",
      "signature check stripe.webhooks.constructEvent hook @9",
      "signature header stripe-signature hook @9"
    ]
  ],
  [
    "pay.py",
    `"""Refunds payments, with an idempotency_key and a budget."""
def refund_payment(key):
    # stripe.Refund.create would do
    return stripe.Refund.create(payment_intent=id, idempotency_key=key)
def _old(payload):
    return hmac.compare_digest(payload, expected)
`,
    ["refund call stripe.Refund.create refund_payment @4", "idempotency key idempotency_key refund_payment @4"]
  ],
  [
    "pay.go",
    `package pay
func Hook(w http.ResponseWriter, r *http.Request) {
	event, err := webhook.ConstructEvent(body, r.Header.Get("Stripe-Signature"), secret)
}
func hidden() { refund.New(nil) }
`,
    ["signature check webhook.ConstructEvent Hook @3", "signature header Stripe-Signature Hook @3"]
  ]
]

describe("signs of payments", () => {
  for (const [path, text, lines] of samples) {
    it(`are found in ${path}`, async () => {
      assert.deepStrictEqual(await signsOf(path, text), lines)
    })
  }

  it("are not found in prose, comments or the names of definitions", async () => {
    const text = `// stripe.refunds.create(), idempotencyKey
export const help = "We verify each webhook signature, and send an idempotency key"
export function refundPayment() {}
`
    assert.deepStrictEqual(await signsOf("help.ts", text), [])
  })

  it("are found in private functions that lead somewhere, and in no other", async () => {
    const text = `const refund = () => stripe.refunds.create()
const through = () => refund()
const alone = () => stripe.paymentIntents.cancel()
const caller = () => alone()
app.post("/refund", through)
`
    assert.deepStrictEqual(await signsOf("routes.ts", text), [
      "refund call stripe.refunds.create refund @1",
      "refund address /refund null @5"
    ])
  })

  it("are found behind a letter whose small one is two characters", async () => {
    const text = `export const İİİİ = 1\nexport const refund = () => stripe.refunds.create()\n`
    assert.deepStrictEqual(await signsOf("a.ts", text), ["refund call stripe.refunds.create refund @2"])
  })

  it("take no longer than their text grows", async () => {
    const text = `${"_".repeat(4000)}budget ${"max_amount".repeat(20_000)} "${"payment-".repeat(20_000)}signature"`
    await signsOf("a.ts", `const x = 1 // ${text}\n${"verify_budget_".repeat(10_000)}()`)
  })
})
