/** The answer of a search is cut from the caller's documents, whatever stands in them. */
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { answerOf } from "./excerpts.ts"
import { tokensOf } from "./tokens.ts"

const Piece = Schema.Union([
  Schema.Literals(["Refunds arrive", " within five days", ". ", "! ", "\n", "。", " 😀", "\u00a0", "…", "  ", "Émile pays"]),
  Schema.String
])
const Documents = Schema.Array(Schema.Array(Piece).check(Schema.isMaxLength(30))).check(Schema.isMinLength(1), Schema.isMaxLength(4))

it.prop("every quotation is the text between its offsets, in its document and in the answer", { pieces: Documents }, ({ pieces }) => {
  const sources = pieces.map((one, index) => ({ doc_id: String(index), content: one.join("") }))
  const words = [...tokensOf("refunds within days émile"), ...tokensOf(sources[0]?.content ?? "").slice(0, 3)]
  const { answer, citations } = answerOf(sources, new Map(words.map((word, index) => [word, 1 + index])))
  for (const { doc_id, end, source_end, source_start, start } of citations) {
    const quoted = answer.slice(start, end)
    assert.isNotEmpty(quoted)
    assert.strictEqual(sources[Number(doc_id)]?.content.slice(source_start, source_end), quoted)
  }
  assert.strictEqual(citations.map(({ end, start }) => answer.slice(start, end)).join(" "), answer)
})
