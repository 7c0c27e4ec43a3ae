/**
 * The public benchmark of article extraction, for who has it: `ARTICLE_BENCHMARK=<folder> npm test -- packages/engines/src/web`, where the
 * folder is a clone of `scrapinghub/article-extraction-benchmark`.
 */
import { assert, it } from "@effect/vitest"
import { readFileSync } from "node:fs"
import { gunzipSync } from "node:zlib"
import { readHtml } from "./article.ts"
import { decodeText } from "./charset.ts"
import { plain, score } from "./f1.fixture.ts"

/** What its authors measured for Readability. */
const READABILITY_F1 = 0.922

const folder = process.env["ARTICLE_BENCHMARK"]

type Truth = Readonly<Record<string, { readonly articleBody: string; readonly url?: string }>>

const scoresOf = (folder: string) => {
  const truth: Truth = JSON.parse(readFileSync(`${folder}/ground-truth.json`, "utf8"))
  return Object.entries(truth).map(([id, { articleBody, url = "https://example.com/" }]) => {
    const html = decodeText(gunzipSync(readFileSync(`${folder}/html/${id}.html.gz`)), "text/html; charset=utf-8")
    return score(plain(readHtml(html, { url, onlyMainContent: true }).markdown), articleBody)
  })
}

it.skipIf(folder === undefined)(
  folder === undefined
    ? "skipped: ARTICLE_BENCHMARK names no clone of scrapinghub/article-extraction-benchmark"
    : "finds articles as Readability does",
  { timeout: 600_000 },
  () => {
    const scores = scoresOf(folder ?? "")
    const mean = (of: "f1" | "precision" | "recall") => scores.reduce((sum, one) => sum + one[of], 0) / scores.length
    // The benchmark takes the mean of precision and of recall over pages, and F1 of the two.
    const [precision, recall] = [mean("precision"), mean("recall")]
    const f1 = 2 * precision * recall / (precision + recall)
    console.log(`F1 ${f1.toFixed(3)} over ${scores.length} pages; Readability's is ${READABILITY_F1}`)
    assert.isAbove(f1, 0.85)
  }
)
