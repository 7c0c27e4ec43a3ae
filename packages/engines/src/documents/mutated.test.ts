/** Documents with bytes changed, cut and repeated: each is read or refused, and none holds the parser up. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Random } from "effect"
import { engine } from "./parser.ts"
import * as produced from "./producers.fixture.ts"

const PER_FORMAT = 25
/** What a mutation may take here, on a machine that has other work. */
const SECONDS = 60

const formats = [
  ["pdf", () => produced.pdfOfPdfLib()],
  ["docx", produced.docxOfDocx],
  ["pptx", produced.pptxOfPptxGen],
  ["xlsx", async () => produced.spreadsheetOfSheetJs("xlsx")],
  ["ods", async () => produced.spreadsheetOfSheetJs("ods")],
  ["odt", async () => produced.odtByHand()],
  ["rtf", async () => Buffer.from("{\\rtf1\\ansi{\\b Invoice 17}\\par\\trowd\\cellx100 Hat\\cell\\row}")],
  ["html", async () => Buffer.from("<!doctype html><table><tr><th>Item<td>Price</table><p>Invoice <b>17")]
] as const

const mutated = Effect.fnUntraced(function*(bytes: Buffer) {
  const copy = Buffer.from(bytes)
  const changes = yield* Random.nextIntBetween(1, 12)
  for (let change = 0; change < changes; change++) {
    copy[yield* Random.nextIntBetween(0, copy.length)] = yield* Random.nextIntBetween(0, 256)
  }
  const at = yield* Random.nextIntBetween(0, copy.length)
  switch (yield* Random.nextIntBetween(0, 4)) {
    case 0:
      return copy.subarray(0, at)
    case 1:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(Math.floor(at / 2))])
    default:
      return copy
  }
})

/** Its answer, its refusal, or the failure that the service takes for damage. */
const outcome = (bytes: Buffer) =>
  Effect.promise(async () => {
    try {
      const answer = await engine(bytes, { media_type: "", chunks: true, json_schema: null })
      return typeof answer === "object" && answer !== null ? Object.keys(answer)[0] : "nothing"
    } catch {
      return "failed"
    }
  })

describe("a broken document", () => {
  it.live.each(formats)(`in %s, of ${PER_FORMAT}, is read or refused`, ([, make]) =>
    Effect.gen(function*() {
      const bytes = yield* Effect.promise(make)
      for (let time = 0; time < PER_FORMAT; time++) {
        const done = yield* Effect.timeout(Effect.flatMap(mutated(bytes), outcome), SECONDS * 1000)
        assert.include(["format", "refused", "picture", "failed"], done)
      }
    }).pipe(Random.withSeed("documents")), 120_000)
})
