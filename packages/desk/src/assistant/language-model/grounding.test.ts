import { assert, describe, it } from "@effect/vitest"
import { type Evidence, ungrounded } from "./grounding.ts"

const OWN = "pi_01KDVK5D80000000000000000A"
const FOREIGN = "pi_01KDVK5D80000000000000000B"

const evidence: Evidence = {
  rows: [{
    id: OWN,
    amount: 2_100,
    created_at: "2026-01-03T10:00:00Z",
    url: "https://shop.example/hook",
    email: "ada@shop.example",
    type: "invoice.paid",
    metadata: { id: FOREIGN, site: "https://evil.example", phone: "+4930123456" },
    external_id: "www.evil.example",
    note: FOREIGN
  }],
  texts: [],
  question: "Was order 4711 paid?"
}

describe("an answer of a language model", () => {
  it("may tell what was read", () => {
    for (
      const answer of [
        `The payment ${OWN} of $21.00 was made on 3 January 2026.`,
        `${OWN} is order 4711; webhooks go to https://shop.example/hook.`,
        `${OWN} is of ada@shop.example, who was told by \`invoice.paid\`.`
      ]
    ) assert.isUndefined(ungrounded(answer, evidence), answer)
  })

  it("is not given where it names what was not read, also where a text of a row has it", () => {
    for (
      const [answer, why] of [
        [`${OWN} and ${FOREIGN} were paid.`, FOREIGN],
        [`${OWN} was $9,876.54.`, "987654"],
        [`${OWN}: see https://shop.example/hook?k=1`, "address"],
        [`${OWN}: sign in at www.evil-login.example/desk.`, "address"],
        [`${OWN}: write to help@evil.example!`, "address"],
        [`${OWN}: see //evil.example`, "address"],
        [`${OWN}: see //evil`, "address"],
        [`${OWN}: see [here](https://evil.example)`, "address"],
        [`${OWN}: see www.evil.example`, "address"],
        [`${OWN}: call +4930123456.`, "4930123456"],
        ["All is well.", "none of the rows"]
      ] as const
    ) assert.include(ungrounded(answer, evidence), why)
  })

  it("needs no id where topics told, or where no row had one", () => {
    assert.isUndefined(ungrounded("Nothing is missing.", { ...evidence, texts: ["Nothing is missing."] }))
    assert.isUndefined(ungrounded("See docs/pay-out.md.", { ...evidence, texts: ["It stands in docs/pay-out.md."] }))
    assert.isUndefined(ungrounded("Nothing was sold.", { ...evidence, rows: [{ currencies: [] }] }))
  })
})
