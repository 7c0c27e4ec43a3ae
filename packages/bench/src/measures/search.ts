/** How long a search of many documents takes. */
import { search as resource } from "@svc/stores/search/resource"
import { Search } from "@svc/stores/search/service"
import { Turns } from "@svc/stores/turns"
import { Effect, Layer } from "effect"
import { accountId } from "../merchants.ts"
import { settleAfterLoad } from "../postgres.ts"
import type { Row } from "../report.ts"
import { Stage } from "../stage.ts"
import { chance, connections, timed, within } from "./stored.ts"

const DATABASE = "bench_search"
const VOCABULARY = 50_000
const WORDS = 100
const ASKED = 3
const AT_ONCE = 1_000
const MILLIS = 50

/** Words by Zipf's law: the second is half as frequent as the first. */
const zipf = (next: () => number): () => string => {
  const sums = new Float64Array(VOCABULARY)
  for (let n = 0, sum = 0; n < VOCABULARY; n++) sums[n] = sum += 1 / (n + 1)
  return () => {
    const wanted = next() * (sums[VOCABULARY - 1] ?? 0)
    let low = 0
    for (let high = VOCABULARY - 1; low < high;) {
      const middle = (low + high) >> 1
      if ((sums[middle] ?? 0) < wanted) low = middle + 1
      else high = middle
    }
    return `word${low}`
  }
}

export const search = Effect.gen(function*() {
  const { plan } = yield* Stage
  const word = zipf(chance(1))
  const words = (count: number) => Array.from({ length: count }, word).join(" ")
  const measured = Effect.gen(function*() {
    const store = yield* Search
    const account = accountId(0)
    for (let n = 0; n < plan.stored; n += AT_ONCE) {
      yield* store.index(
        account,
        "bench",
        Array.from(
          { length: AT_ONCE },
          (_, m) => ({ doc_id: `d${n + m}`, url: `https://s${m % 50}.example.com/${n + m}`, content: words(WORDS) })
        )
      )
    }
    yield* settleAfterLoad(DATABASE)
    const latency = yield* timed(
      plan.questions,
      () => Effect.suspend(() => store.search(account, "bench", { query: words(ASKED), count: 10, snippets: true, answer: false }))
    )
    return [
      within(
        `search for ${ASKED} words in ${plan.stored.toLocaleString("en")} documents of ${WORDS}, BM25, top 10 with snippets`,
        latency,
        MILLIS
      )
    ] satisfies ReadonlyArray<Row>
  })
  const services = resource.services.pipe(Layer.provide(Turns.layer), Layer.provide(connections(DATABASE)))
  return yield* Effect.provide(measured, services)
}).pipe(Effect.scoped)
