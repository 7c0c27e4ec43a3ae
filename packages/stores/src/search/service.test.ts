/** Search on a real database, beside BM25 as the formula says it, document by document. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { services } from "@svc/testkit/services"
import { Effect, Random } from "effect"
import { SqlClient } from "effect/sql"
import type { SearchDocument } from "./model.ts"
import { Search, type SearchRequest } from "./service.ts"

const openAccount = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account.id
})

const asked = (query: string, more: Partial<SearchRequest> = {}): SearchRequest => ({
  query,
  count: 10,
  snippets: true,
  answer: false,
  ...more
})

/** Written from the formula, and sharing nothing with the code: words by spaces, counts by loops, nothing stored. */
const naive = (
  documents: ReadonlyArray<SearchDocument>,
  query: string
): ReadonlyArray<{ readonly doc_id: string; readonly score: number }> => {
  const words = documents.map(({ content, doc_id, title = "" }) => ({
    doc_id,
    words: `${title} ${content}`.split(" ").filter((word) => word !== "")
  }))
  const average = words.reduce((total, { words: all }) => total + all.length, 0) / words.length
  return words.map(({ doc_id, words: all }) => {
    let score = 0
    for (const term of query.split(" ")) {
      const holding = words.filter(({ words: of }) => of.includes(term)).length
      const f = all.filter((word) => word === term).length
      score += Math.log(1 + (words.length - holding + 0.5) / (holding + 0.5)) * f * 2.2 / (f + 1.2 * (0.25 + 0.75 * all.length / average))
    }
    return { doc_id, score }
  }).filter(({ score }) => score > 0).sort((one, other) => other.score - one.score)
}

/** Of few words, so that most stand in many documents; the first are the most frequent. */
const word = Effect.map(Random.next, (x) => `w${Math.floor(40 * x ** 3)}`)

const randomText = (most: number) =>
  Effect.gen(function*() {
    return (yield* Effect.replicateEffect(word, yield* Random.nextIntBetween(0, most))).join(" ")
  })

const randomDocument = (doc_id: string) =>
  Effect.gen(function*() {
    return { doc_id, title: yield* randomText(4), content: yield* randomText(120) } satisfies SearchDocument
  })

const assertRanked = (
  hits: ReadonlyArray<{ readonly doc_id: string; readonly score: number }>,
  expected: ReadonlyArray<{ readonly doc_id: string; readonly score: number }>
) => {
  assert.strictEqual(hits.length, expected.length)
  const scores = new Map(expected.map(({ doc_id, score }) => [doc_id, score]))
  for (const [n, { doc_id, score }] of hits.entries()) {
    assert.approximately(score, expected[n]?.score ?? -1, 1e-9, `place ${n}`)
    assert.approximately(score, scores.get(doc_id) ?? -1, 1e-9, doc_id)
  }
}

const rowsOf = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(
    ["search_documents", "search_postings", "search_namespaces"],
    (table) =>
      Effect.map(
        sql.unsafe<{ readonly n: number }>(`SELECT count(*) AS n FROM ${table} WHERE account_id = $1`, [account]),
        ([row]) => row?.n
      )
  )
})

layer(services, { timeout: "60 seconds" })("search", (it) => {
  it.effect("ranks as BM25 says, whatever was indexed, replaced and deleted before", () =>
    Effect.gen(function*() {
      const search = yield* Search
      const account = yield* openAccount
      const model = new Map<string, SearchDocument>()
      for (let round = 0; round < 15; round++) {
        const joining = yield* Effect.forEach(Array.from({ length: 12 }), () =>
          Effect.flatMap(Random.nextIntBetween(0, 90), (n) => randomDocument(`d${n}`)))
        for (const one of joining) {
          model.set(one.doc_id, one)
        }
        assert.strictEqual(yield* search.index(account, "n", joining), model.size)
        for (const id of [...model.keys()].slice(round % 5, round % 5 + 3)) {
          model.delete(id)
          assert.strictEqual(yield* search.remove(account, "n", id), 1)
        }
        assert.strictEqual(yield* search.remove(account, "n", "nobody"), 0)
        assert.strictEqual(yield* search.count(account, "n"), model.size)
        for (const words of [1, 2, 3, 5]) {
          // A word that is asked twice counts twice.
          const query = (yield* Effect.replicateEffect(word, words)).join(" ")
          const { hits } = yield* search.search(account, "n", asked(query, { count: 50 }))
          const expected = naive([...model.values()], query)
          assertRanked(hits, expected.slice(0, 50))
          assertRanked((yield* search.search(account, "n", asked(query, { count: 3 }))).hits, expected.slice(0, 3))
        }
      }
    }).pipe(Random.withSeed("bm25")))

  it.effect("ranks across blocks of postings", () =>
    Effect.gen(function*() {
      const search = yield* Search
      const sql = yield* SqlClient.SqlClient
      const account = yield* openAccount
      const model = yield* Effect.forEach(Array.from({ length: 60 }, (_, n) => n), (n) => randomDocument(`d${n}`))
      for (const [n, one] of model.entries()) {
        yield* search.index(account, "n", [one])
        // Numbers that lie apart as those of thousands of documents between them would.
        yield* sql`UPDATE search_namespaces SET next_number = ${(n + 1) * 1_000} WHERE account_id = ${account}`
      }
      const [blocks] = yield* sql<
        { readonly n: number }
      >`SELECT count(DISTINCT block) AS n FROM search_postings WHERE account_id = ${account}`
      assert.strictEqual(blocks?.n, 15)
      for (const query of ["w0", "w1 w7", "w30", "w2 w3 w4 w5"]) {
        assertRanked((yield* search.search(account, "n", asked(query, { count: 50 }))).hits, naive(model, query).slice(0, 50))
      }
    }).pipe(Random.withSeed("blocks")))

  it.effect("of a site finds it and what is below it, and no other that ends alike", () =>
    Effect.gen(function*() {
      const search = yield* Search
      const account = yield* openAccount
      const urls = [
        "https://example.com/a",
        "http://www.example.com:8080/b",
        "https://a.b.Example.COM./c",
        "https://notexample.com/d",
        "https://example.com.evil.org/e",
        "https://example-com.org",
        "https://xn--exmple-cua.com/f"
      ]
      yield* search.index(account, "n", [...urls.map((url, n) => ({ doc_id: `d${n}`, url, content: "same words" })), {
        doc_id: "none",
        content: "same words"
      }])
      const of = (site?: string) =>
        Effect.map(search.search(account, "n", asked("words", { site })), ({ hits }) => hits.map(({ doc_id }) => doc_id))
      assert.deepStrictEqual(yield* of("example.com"), ["d0", "d1", "d2"])
      assert.deepStrictEqual(yield* of("HTTPS://Example.com/whatever"), ["d0", "d1", "d2"])
      assert.deepStrictEqual(yield* of("b.example.com"), ["d2"])
      assert.deepStrictEqual(yield* of("exämple.com"), ["d6"])
      assert.deepStrictEqual(yield* of("com.evil.org"), ["d4"])
      assert.strictEqual((yield* of()).length, 8)
      assert.match((yield* Effect.flip(of("not a host"))).message, /^site: /)
      assert.match(
        (yield* Effect.flip(search.index(account, "n", [{ doc_id: "x", url: "ftp://example.com", content: "" }]))).message,
        /^documents\[0\]\.url: /
      )
    }))

  it.effect("shows the passage that it found, and quotes word for word", () =>
    Effect.gen(function*() {
      const search = yield* Search
      const account = yield* openAccount
      const filler = "Nothing of interest stands in this sentence. ".repeat(30)
      const documents: ReadonlyArray<SearchDocument> = [
        {
          doc_id: "long",
          url: "https://example.com/long",
          title: "Manual",
          content: `${filler}A refund reaches the card within five days! ${filler}`
        },
        { doc_id: "short", content: "Cards are accepted. A refund of a card payment costs nothing.\nAsk us." },
        { doc_id: "other", content: "Wholly unrelated text about gardens." }
      ]
      yield* search.index(account, "n", documents)
      const { answer = "", citations = [], hits } = yield* search.search(account, "n", asked("Refund CARD days", { answer: true }))
      assert.deepStrictEqual(hits.map(({ doc_id }) => doc_id).toSorted(), ["long", "short"])
      const snippet = hits.find(({ doc_id }) => doc_id === "long")?.snippet ?? ""
      assert.match(snippet, /^….*A refund reaches the card within five days!.*…$/)
      assert.isAtMost(snippet.length, 242)
      assert.include(answer, "A refund reaches the card within five days!")
      assert.isNotEmpty(citations)
      for (const { doc_id, end, source_end, source_start, start } of citations) {
        const quoted = answer.slice(start, end)
        assert.isNotEmpty(quoted)
        assert.strictEqual(documents.find((one) => one.doc_id === doc_id)?.content.slice(source_start, source_end), quoted)
      }
      assert.strictEqual(citations.map(({ end, start }) => answer.slice(start, end)).join(" "), answer)
      assert.strictEqual(citations[0]?.url, "https://example.com/long")
      const none = yield* search.search(account, "n", asked("zebra", { answer: true }))
      assert.deepStrictEqual(none, { hits: [], answer: "", citations: [] })
    }))

  it.effect("finds words of any script, in any case and normal form", () =>
    Effect.gen(function*() {
      const search = yield* Search
      const account = yield* openAccount
      const texts = {
        german: "Die STRASSE führt nach Köln",
        greek: "Η ΟΔΟΣ",
        japanese: "東京都の天気",
        wide: "Ｗｉｄｅ letters",
        decomposed: "cafe\u0301 noir",
        emoji: "👍 fine"
      }
      yield* search.index(account, "n", Object.entries(texts).map(([doc_id, content]) => ({ doc_id, content })))
      const of = (query: string) => Effect.map(search.search(account, "n", asked(query)), ({ hits }) => hits.map(({ doc_id }) => doc_id))
      assert.deepStrictEqual(yield* of("KÖLN"), ["german"])
      assert.deepStrictEqual(yield* of("京都"), ["japanese"])
      assert.deepStrictEqual(yield* of("天気"), ["japanese"])
      assert.deepStrictEqual(yield* of("wide"), ["wide"])
      assert.deepStrictEqual(yield* of("café"), ["decomposed"])
      assert.deepStrictEqual(yield* of("!!! …"), [])
    }))

  it.effect("of one account never finds another's, under the same names", () =>
    Effect.gen(function*() {
      const search = yield* Search
      const [mine, theirs] = [yield* openAccount, yield* openAccount]
      yield* search.index(mine, "n", [{ doc_id: "x", url: "https://example.com", content: "secret words of mine" }])
      const nothing = { hits: [], answer: "", citations: [] }
      assert.deepStrictEqual(yield* search.search(theirs, "n", asked("secret", { answer: true })), nothing)
      yield* search.index(theirs, "n", [{ doc_id: "x", url: "https://example.com", content: "words of theirs" }])
      assert.deepStrictEqual(yield* search.search(theirs, "n", asked("secret", { answer: true })), nothing)
      const { hits } = yield* search.search(theirs, "n", asked("words", { site: "example.com" }))
      assert.deepStrictEqual(hits.map(({ snippet }) => snippet), ["words of theirs"])
      // Nor do its words weigh: alone in its namespace, a document scores as if there were no other.
      assertRanked(hits, naive([{ doc_id: "x", content: "words of theirs" }], "words"))
      assert.strictEqual(yield* search.remove(theirs, "n", "x"), 1)
      assert.strictEqual(yield* search.removeNamespace(theirs, "n"), 0)
      assert.strictEqual((yield* search.search(mine, "n", asked("secret"))).hits.length, 1)
    }))

  it.effect("finds nothing of what was deleted, and leaves nothing of it in the tables", () =>
    Effect.gen(function*() {
      const search = yield* Search
      const sql = yield* SqlClient.SqlClient
      const account = yield* openAccount
      yield* search.index(account, "n", [{ doc_id: "a", content: "alpha common" }, { doc_id: "b", content: "beta common" }])
      yield* search.index(account, "n", [{ doc_id: "a", content: "gamma common" }])
      assert.deepStrictEqual((yield* search.search(account, "n", asked("alpha"))).hits, [])
      yield* search.remove(account, "n", "a")
      const terms = yield* sql<{ readonly term: string }>`SELECT term FROM search_postings WHERE account_id = ${account} ORDER BY term`
      assert.deepStrictEqual(terms.map(({ term }) => term), ["beta", "common"])
      assert.strictEqual(yield* search.removeNamespace(account, "n"), 1)
      assert.deepStrictEqual(yield* rowsOf(account), [0, 0, 0])
      yield* search.index(account, "n", [{ doc_id: "c", content: "common" }])
      assert.deepStrictEqual((yield* search.search(account, "n", asked("common beta"))).hits.map(({ doc_id }) => doc_id), ["c"])
    }))

  it.effect("refuses what is more than an account may keep, and stores nothing of it", () =>
    Effect.gen(function*() {
      const search = yield* Search
      const sql = yield* SqlClient.SqlClient
      const account = yield* openAccount
      yield* search.index(account, "n", [{ doc_id: "a", content: "one" }])
      yield* sql`UPDATE search_namespaces SET documents = 200000 WHERE account_id = ${account}`
      assert.match((yield* Effect.flip(search.index(account, "n", [{ doc_id: "b", content: "two" }]))).message, /200000 documents/)
      // What takes the place of another one is no more than before.
      yield* search.index(account, "n", [{ doc_id: "a", content: "one again" }])
      yield* sql`UPDATE search_namespaces SET documents = 1, bytes = 1073741800 WHERE account_id = ${account}`
      assert.match((yield* Effect.flip(search.index(account, "n", [{ doc_id: "b", content: "two" }]))).message, /bytes of documents/)
      assert.deepStrictEqual((yield* search.search(account, "n", asked("two"))).hits, [])
    }))

  it.effect("counts right when many write at once", () =>
    Effect.gen(function*() {
      const search = yield* Search
      const account = yield* openAccount
      const documents = Array.from({ length: 20 }, (_, n): SearchDocument => ({ doc_id: `d${n}`, content: `common word${n}` }))
      yield* Effect.forEach(documents, (one) => search.index(account, "n", [one, { doc_id: "same", content: "common" }]), {
        concurrency: 20
      })
      assert.strictEqual(yield* search.count(account, "n"), 21)
      assertRanked(
        (yield* search.search(account, "n", asked("common", { count: 50 }))).hits,
        naive([...documents, { doc_id: "same", content: "common" }], "common")
      )
    }))
})
