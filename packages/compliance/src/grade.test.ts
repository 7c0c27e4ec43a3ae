import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import { codeLines } from "./code-lines.ts"
import { checks } from "./grade-signals.ts"
import { grade } from "./grade.ts"

/** One line for each sign, as somebody might write it. */
const lines: Readonly<Record<string, string>> = {
  three_d_secure: "const result = await threeDSecure.start(card)",
  authentication_step: "if (intent.status === \"requires_action\") await stripe.handleNextAction(intent)",
  exemption: "request.sca_exemption = \"low_value\"",
  mandate_type: "def pay(mandate: PaymentMandate):",
  mandate_signature: "verify_signature(mandate)",
  mandate_hash_or_expiry: "if cart_hash != expected: raise",
  provider_token: "await charge({ payment_method_id })",
  network_token: "const token = await network_token(pm)",
  vault: "token = vault.put(card)",
  dispute_event: "case \"charge.dispute.created\":",
  dispute_evidence: "await submitEvidence(dispute)",
  dispute_deadline: "schedule(dispute.evidence_due_by)",
  idempotency_key: "headers[\"Idempotency-Key\"] = key",
  receipt: "await saveReceipt(payment)",
  duplicate_check: "if (alreadyProcessed(event.id)) return",
  device: "order.device_id = req.body.device",
  ip_address: "order.ip = req.headers[\"x-forwarded-for\"]",
  shipping_address: "order.shippingAddress = form.address",
  login: "order.login_id = user.login",
  refund: "await stripe.refunds.create({ charge })",
  cancel: "await cancelSubscription(id)",
  budget: "if (total > spending_limit) throw new Error()",
  negotiation: "headers[\"X-Agent-Budget\"] = budget",
  approval: "if (amount > approvalThreshold) ask()"
}

const file = (path: string, ...content: ReadonlyArray<string>) => ({ path, content: content.join("\n") })
const signs = checks.flatMap(({ id, signs }) => signs.map((sign) => [id, sign.id] as const))
const source = (ids: ReadonlyArray<string>) => file("src/pay.ts", ...ids.map((id) => lines[id] ?? ""))
const everything = source(Object.keys(lines))

describe("the signs", () => {
  it.for(signs)("%s sees %s, and no other check does", ([check, sign]) => {
    const { detected_signals } = grade([file("a.ts", "export {}", lines[sign] ?? "")])
    assert.deepInclude(detected_signals, { check, signal: sign, path: "a.ts", line: 2 })
    assert.isTrue(detected_signals.every((one) => one.check === check), JSON.stringify(detected_signals))
  })

  it("have a line each here", () => {
    assert.sameMembers(signs.map(([, sign]) => sign), Object.keys(lines))
  })

  it.for(
    [
      ["prose", file("README.md", lines["refund"] ?? "", lines["cancel"] ?? "")],
      ["comments", file("a.ts", `// ${lines["refund"]}`, `   * ${lines["cancel"]}`, `# ${lines["cancel"]}`)],
      ["what has nothing to do with it", file("a.c", "#include <stdio.h>", "void main(void) { return; }", "int budget_line = 3;")]
    ] as const
  )("do not see %s", ([, other]) => {
    assert.deepInclude(grade([other]), { grade: "D", score: 0, checks_passed: 0, detected_signals: [] })
  })

  it("find nothing by going back and forth: a long line costs little", () => {
    const line = "mandate verif insert into ".repeat(1900)
    grade(Array.from({ length: 20 }, (_, at) => file(`${at}.ts`, line)))
  })
})

describe("the grade", () => {
  it("weighs 100 in eight checks", () => {
    assert.strictEqual(checks.reduce((sum, { weight }) => sum + weight, 0), 100)
    assert.deepStrictEqual(checks.map(({ id, weight }) => [id, weight]), [
      ["sca_readiness", 18],
      ["ap2_mandate_validity", 16],
      ["tokenization_posture", 16],
      ["dispute_rail_wiring", 14],
      ["idempotency_receipt", 12],
      ["ce3_readiness", 10],
      ["refund_cancel_path", 8],
      ["budget_negotiation", 6]
    ])
    assert.deepInclude(grade([everything]), { grade: "A", score: 100, checks_passed: 8, checks_total: 8 })
  })

  it("gives half for one sign, and says what to do", () => {
    const { checks: results, score } = grade([source(["refund", "budget", "negotiation"])])
    assert.strictEqual(score, 4 + 6)
    const refund = results.find(({ id }) => id === "refund_cancel_path")
    assert.deepInclude(refund, { status: "warn", points: 4, signals: ["refund"] })
    assert.isString(refund?.fix)
    assert.notProperty(results.find(({ id }) => id === "budget_negotiation"), "fix")
  })

  it.for([[["three_d_secure", "exemption", "mandate_type", "vault", "dispute_event", "receipt"], "C", 18 + 8 + 8 + 7 + 6]] as const)(
    "%s is %s",
    ([ids, letter, score]) => {
      assert.deepInclude(grade([source(ids)]), { grade: letter, score })
    }
  )

  it.for([
    "card_number VARCHAR(19) NOT NULL,",
    "  \"pan\" text,",
    "  cardNumber String @unique",
    "card_number = models.CharField(max_length=19)",
    "card_number = db.Column(db.String(19))",
    "  cardNumber: { type: String, required: true },",
    "cvv char(3)",
    "db.query(\"insert into cards (id, card_number) values ($1, $2)\")"
  ])("fails tokenization for %s", (line) => {
    const { checks: results, raw_card_storage, score } = grade([everything, file("schema.sql", "create table cards (", line)])
    assert.strictEqual(score, 84)
    assert.deepInclude(results.find(({ id }) => id === "tokenization_posture"), { status: "fail", points: 0 })
    assert.deepInclude(raw_card_storage[0], { path: "schema.sql", line: 2 })
  })

  it.for([
    "cardNumber: string",
    "const { cardNumber } = form",
    "last4 varchar(4)",
    "span text",
    "company varchar(10)",
    "cardNumberInput.focus()"
  ])("does not fail it for %s", (line) => {
    assert.deepInclude(grade([everything, file("a.ts", line)]), { score: 100, raw_card_storage: [] })
  })

  it.prop("never falls as files are added that keep no cards", [
    Schema.Array(Schema.Literals(Object.keys(lines))),
    Schema.Array(Schema.Literals(Object.keys(lines)))
  ], ([some, more]) => {
    const before = grade([source(some)])
    const after = grade([source(some), { ...source(more), path: "src/more.ts" }])
    assert.isAtLeast(after.score, before.score)
    assert.isAtLeast(after.checks_passed, before.checks_passed)
  }, { arbitrary: { runs: 200 } })
})

describe("the lines", () => {
  it("keep their numbers", () => {
    assert.deepStrictEqual(codeLines([file("a.ts", "// one", "two", "", "four")]).map(({ line }) => line), [2, 3, 4])
  })
})
