import { assert, describe, it } from "@effect/vitest"
import { type AnyFact, fact } from "./model.ts"
import { factsFromText, factsText } from "./stored.ts"

const at = (start_line: number, end_line = start_line) => ({ path: "src/pay.ts", start_line, end_line })

const listen: AnyFact = {
  kind: "listen",
  subject: "app.listen",
  value: { port: null, variable: "PORT", host: null },
  evidence: [at(7, 9), at(3)]
}

const facts: ReadonlyArray<AnyFact> = [
  fact("file", "src/pay.ts", { language: "TypeScript", role: "source", lines: 9, bytes: 200 }, at(1, 9)),
  fact("call", "create", { callee: "stripe.refunds.create", caller: "say \"no\"" }, at(4)),
  listen
]

describe("facts as text", () => {
  it("come back as they were, with each of their places", () => {
    assert.deepStrictEqual(factsFromText("src/pay.ts", factsText(facts)), { path: "src/pay.ts", facts })
  })

  it("name the path once for all, and no member of a fact", () => {
    const text = factsText(facts)
    assert.notMatch(text, /evidence|subject|start_line/u)
    assert.strictEqual(text.split("src/pay.ts").length - 1, 1)
  })
})
