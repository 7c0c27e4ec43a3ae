import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { behind, FinancialEventJson, verifyChain } from "./model.ts"

it("the example of the documentation verifies: whoever tries the recipe on it gets its hash", () => {
  const [shown] = Schema.resolveAnnotations(FinancialEventJson)?.examples ?? []
  const example = Schema.decodeUnknownSync(Schema.toEncoded(FinancialEventJson))(shown)
  const { checked, first_break } = verifyChain([example], behind(example.sequence_id - 1, example.previous_hash))
  assert.deepStrictEqual({ checked, first_break }, { checked: 1, first_break: null })
})
