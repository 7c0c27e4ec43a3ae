/** Vectors on a real database, beside cosines computed one by one. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { services } from "@svc/testkit/services"
import { Context, Effect, Layer, Random } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { Turns } from "../turns.ts"
import { VectorMemory } from "./indexes.ts"
import type { StoredVector } from "./model.ts"
import { vectors } from "./resource.ts"
import { Vectors } from "./service.ts"

const openAccount = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account.id
})

/** The same service with a memory of its own. */
const anotherProcess = Effect.map(
  Layer.build(Layer.fresh(vectors.services).pipe(Layer.provide([Layer.fresh(Turns.layer), Layer.succeed(VectorMemory, 512)]))),
  (context) => Context.get(context, Vectors)
)

const cosine = (one: ReadonlyArray<number>, other: ReadonlyArray<number>): number => {
  const product = (a: ReadonlyArray<number>, b: ReadonlyArray<number>) => a.reduce((sum, x, n) => sum + x * (b[n] ?? 0), 0)
  return product(one, other) / Math.sqrt(product(one, one) * product(other, other))
}

const randomVector = (dimensions: number) => Effect.replicateEffect(Random.nextBetween(-10, 10), dimensions)

const randomVectors = (count: number, dimensions: number) =>
  Effect.forEach(
    Array.from({ length: count }, (_, n) => n),
    (n) => Effect.map(randomVector(dimensions), (vector): StoredVector => ({ id: `v${n}`, vector, metadata: { even: n % 2 === 0, n } }))
  )

/** The best of all by brute force. */
const nearest = (vectors: Iterable<StoredVector>, query: ReadonlyArray<number>, count: number) =>
  Array.from(vectors, ({ id, vector }) => ({ id, cosine: cosine(vector, query) })).sort((a, b) => b.cosine - a.cosine).slice(0, count)

const assertSame = (
  found: ReadonlyArray<{ readonly id: string; readonly cosine: number }>,
  expected: ReadonlyArray<{ readonly id: string; readonly cosine: number }>
) => {
  assert.deepStrictEqual(found.map(({ id }) => id), expected.map(({ id }) => id))
  for (const [n, { cosine: value }] of found.entries()) assert.approximately(value, expected[n]?.cosine ?? 2, 1e-6)
}

const tables = ["stored_vectors", "vector_facts", "vector_namespaces"]

/** How many rows an account has in each table. */
const rowsOf = Effect.fnUntraced(function*(account: string) {
  const sql = yield* SqlClient.SqlClient
  return yield* Effect.forEach(
    tables,
    (table) =>
      Effect.map(
        sql.unsafe<{ readonly n: number }>(`SELECT count(*) AS n FROM ${table} WHERE account_id = $1`, [account]),
        ([row]) => row?.n
      )
  )
})

layer(services, { timeout: "60 seconds" })("vectors", (it) => {
  it.effect("are found by exact cosine, whatever was upserted, replaced and deleted before", () =>
    Effect.gen(function*() {
      const vectors = yield* Vectors
      const account = yield* openAccount
      const model = new Map((yield* randomVectors(400, 24)).map((one) => [one.id, one]))
      yield* vectors.upsert(account, "n", [...model.values()], {})
      for (let round = 0; round < 12; round++) {
        const query = yield* randomVector(24)
        assertSame(yield* vectors.query(account, "n", { vector: query }, { count: 7 }), nearest(model.values(), query, 7))
        const changed = yield* Effect.forEach([0, 1, 2], () =>
          Effect.gen(function*() {
            return { id: `v${yield* Random.nextIntBetween(0, 420)}`, vector: yield* randomVector(24), metadata: { round } }
          }))
        for (const one of changed) model.set(one.id, one)
        const { vectors: total } = yield* vectors.upsert(account, "n", changed, {})
        assert.strictEqual(total, model.size)
        const gone = [...model.keys()].slice(round, round + 5)
        for (const id of gone) model.delete(id)
        assert.strictEqual(yield* vectors.remove(account, "n", [...gone, "nobody"]), gone.length)
      }
    }).pipe(Random.withSeed("vectors")))

  it.effect("are filtered before they are ranked", () =>
    Effect.gen(function*() {
      const vectors = yield* Vectors
      const account = yield* openAccount
      const all = yield* randomVectors(200, 8)
      yield* vectors.upsert(account, "n", all, {})
      const query = yield* randomVector(8)
      const even = all.filter(({ metadata }) => metadata?.["even"] === true)
      assertSame(yield* vectors.query(account, "n", { vector: query, filter: { even: true } }, { count: 100 }), nearest(even, query, 100))
      const [one] = yield* vectors.query(account, "n", { vector: query, filter: { n: 77 } }, { count: 10 })
      assert.deepInclude(one, { id: "v77", metadata: { even: false, n: 77 } })
      assert.deepStrictEqual(yield* vectors.query(account, "n", { vector: query, filter: { n: "77" } }, { count: 10 }), [])
    }).pipe(Random.withSeed("filter")))

  it.effect("count half after their half-life, and a score below zero is not raised", () =>
    Effect.gen(function*() {
      const vectors = yield* Vectors
      const account = yield* openAccount
      yield* vectors.upsert(account, "n", [{ id: "old", vector: [1, 0] }, { id: "against", vector: [-1, 0] }], {})
      yield* TestClock.adjust("10 days")
      yield* vectors.upsert(account, "n", [{ id: "new", vector: [0.8, 0.6] }], {})
      const query = { vector: [1, 0] }
      assert.deepStrictEqual((yield* vectors.query(account, "n", query, { count: 3 })).map(({ id }) => id), ["old", "new", "against"])
      const found = yield* vectors.query(account, "n", { ...query, recency_half_life_days: 10 }, { count: 3 })
      assert.deepStrictEqual(found.map(({ id, score }) => [id, Math.round(score * 1_000) / 1_000]), [["new", 0.8], ["old", 0.5], [
        "against",
        -1
      ]])
    }))

  it.effect("take part in another ranking: what both rank high comes first", () =>
    Effect.gen(function*() {
      const vectors = yield* Vectors
      const account = yield* openAccount
      yield* vectors.upsert(account, "n", [{ id: "a", vector: [1, 0] }, { id: "b", vector: [0.9, 0.1] }, { id: "c", vector: [0, 1] }], {})
      const found = yield* vectors.query(account, "n", { vector: [1, 0], sparse_ids: ["b", "nobody", "c"] }, { count: 3 })
      // By hand: b is second and first, c third and second, a first and nowhere. What does not exist takes no place.
      const expected = [["b", 1 / 62 + 1 / 61], ["c", 1 / 63 + 1 / 62], ["a", 1 / 61]] as const
      assert.deepStrictEqual(found.map(({ id }) => id), expected.map(([id]) => id))
      for (const [n, { score }] of found.entries()) assert.approximately(score, expected[n]?.[1] ?? 0, 1e-12)
    }))

  it.effect("that are near duplicates are neither stored nor found when that is asked for", () =>
    Effect.gen(function*() {
      const vectors = yield* Vectors
      const account = yield* openAccount
      const near = [{ id: "a", vector: [1, 0, 0] }, { id: "a2", vector: [1, 0.01, 0] }, { id: "b", vector: [0, 1, 0] }, {
        id: "b2",
        vector: [0, 1, 0.01]
      }]
      yield* vectors.upsert(account, "all", near, {})
      const query = { vector: [1, 0.2, 0] }
      assert.deepStrictEqual((yield* vectors.query(account, "all", query, { count: 2, dedup: 0.97 })).map(({ id }) => id), ["a2", "b"])
      const { duplicates, upserted, vectors: total } = yield* vectors.upsert(account, "few", near, { dedup: 0.97 })
      assert.deepStrictEqual([upserted, total, duplicates.map(({ id, of }) => [id, of])], [2, 2, [["a2", "a"], ["b2", "b"]]])
      // What is replaced is no duplicate of itself.
      assert.strictEqual((yield* vectors.upsert(account, "few", [{ id: "a", vector: [1, 0.001, 0] }], { dedup: 0.97 })).upserted, 1)
      assert.strictEqual(
        (yield* vectors.upsert(account, "few", [{ id: "c", vector: [1, 0.001, 0] }], { dedup: 0.97 })).duplicates[0]?.of,
        "a"
      )
    }))

  it.effect("of one account are never another's, under the same names", () =>
    Effect.gen(function*() {
      const vectors = yield* Vectors
      const [mine, theirs] = [yield* openAccount, yield* openAccount]
      yield* vectors.upsert(mine, "n", [{ id: "x", vector: [1, 0], metadata: { whose: "mine" } }], {})
      assert.deepStrictEqual(yield* vectors.query(theirs, "n", { vector: [1, 0], sparse_ids: ["x"] }, { count: 10 }), [])
      yield* vectors.upsert(theirs, "n", [{ id: "x", vector: [0, 1, 0], metadata: { whose: "theirs" } }], {})
      assert.deepStrictEqual((yield* vectors.query(theirs, "n", { vector: [0, 1, 0] }, { count: 10 })).map(({ metadata }) => metadata), [{
        whose: "theirs"
      }])
      assert.strictEqual(yield* vectors.remove(theirs, "n", ["x"]), 1)
      assert.strictEqual(yield* vectors.removeNamespace(theirs, "n"), 0)
      assert.deepStrictEqual((yield* vectors.query(mine, "n", { vector: [1, 0] }, { count: 10 })).map(({ metadata }) => metadata), [{
        whose: "mine"
      }])
    }))

  it.effect("that were deleted are gone: from answers, from the tables, and from a namespace made anew", () =>
    Effect.gen(function*() {
      const vectors = yield* Vectors
      const account = yield* openAccount
      yield* vectors.upsert(account, "n", [{ id: "x", vector: [1, 0] }, { id: "y", vector: [0, 1] }], {})
      assert.strictEqual((yield* vectors.query(account, "n", { vector: [1, 0] }, { count: 10 })).length, 2)
      yield* vectors.remove(account, "n", ["x"])
      assert.deepStrictEqual((yield* vectors.query(account, "n", { vector: [1, 0] }, { count: 10 })).map(({ id }) => id), ["y"])
      assert.strictEqual(yield* vectors.removeNamespace(account, "n"), 1)
      assert.deepStrictEqual(yield* rowsOf(account), [0, 0, 0])
      yield* vectors.upsert(account, "n", [{ id: "z", vector: [1, 2, 3] }], {})
      assert.deepStrictEqual((yield* vectors.query(account, "n", { vector: [1, 2, 3] }, { count: 10 })).map(({ id }) => id), ["z"])
    }))

  it.effect("that do not fit are refused, nothing of the call is stored, and the field is named", () =>
    Effect.gen(function*() {
      const vectors = yield* Vectors
      const account = yield* openAccount
      const mixed = yield* Effect.flip(vectors.upsert(account, "n", [{ id: "x", vector: [1, 0] }, { id: "y", vector: [1, 0, 0] }], {}))
      assert.strictEqual(mixed._tag, "InvalidFields")
      assert.match(mixed.message, /^vectors\[1\]\.vector: has 3 dimensions/)
      assert.match(
        (yield* Effect.flip(vectors.upsert(account, "n", [{ id: "x", vector: [0, 0] }], {}))).message,
        /^vectors\[0\]\.vector: a vector of zeros/
      )
      assert.deepStrictEqual(yield* rowsOf(account), [0, 0, 0])
      yield* vectors.upsert(account, "n", [{ id: "x", vector: [1, 0] }], {})
      assert.match(
        (yield* Effect.flip(vectors.query(account, "n", { vector: [1] }, { count: 1 }))).message,
        /^query\.vector: has 1 dimensions/
      )
    }))

  it.effect("have limits: of bytes, and of namespaces", () =>
    Effect.gen(function*() {
      const vectors = yield* Vectors
      const sql = yield* SqlClient.SqlClient
      const account = yield* openAccount
      yield* vectors.upsert(account, "n", [{ id: "x", vector: [1, 0] }], {})
      yield* sql`UPDATE vector_namespaces SET vectors = 256 * 1024 * 1024 / 8 WHERE account_id = ${account}`
      assert.strictEqual((yield* Effect.flip(vectors.upsert(account, "n", [{ id: "y", vector: [1, 0] }], {})))._tag, "StorageFull")
      yield* sql`INSERT INTO vector_namespaces (account_id, name, dimensions, vectors, version, pruned, created_at)
      SELECT account_id, 'n' || s, 2, 0, 0, 0, created_at FROM vector_namespaces, generate_series(1, 99) s WHERE account_id = ${account}`
      yield* sql`UPDATE vector_namespaces SET vectors = 1 WHERE account_id = ${account} AND name = 'n'`
      assert.match(
        (yield* Effect.flip(vectors.upsert(account, "another", [{ id: "y", vector: [1, 0] }], {}))).message,
        /at most 100 namespaces/
      )
    }))

  it.effect("that another process writes and deletes are seen at the next query", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* Vectors, yield* anotherProcess]
      const account = yield* openAccount
      const model = new Map((yield* randomVectors(50, 6)).map((vector) => [vector.id, vector]))
      yield* one.upsert(account, "n", [...model.values()], {})
      for (let round = 0; round < 10; round++) {
        const [writer, reader] = round % 2 === 0 ? [one, other] : [other, one]
        const query = yield* randomVector(6)
        assertSame(yield* reader.query(account, "n", { vector: query }, { count: 50 }), nearest(model.values(), query, 50))
        const changed = { id: `v${round * 3}`, vector: yield* randomVector(6) }
        model.set(changed.id, changed)
        yield* writer.upsert(account, "n", [changed], {})
        model.delete(`v${round * 2 + 1}`)
        yield* writer.remove(account, "n", [`v${round * 2 + 1}`])
      }
    }).pipe(Random.withSeed("processes")))

  it.effect("of many writers at once are all there, and counted", () =>
    Effect.gen(function*() {
      const vectors = yield* Vectors
      const account = yield* openAccount
      yield* Effect.forEach(Array.from({ length: 20 }, (_, n) => n), (n) =>
        vectors.upsert(account, "n", [{ id: `a${n}`, vector: [1, n] }, { id: "same", vector: [n + 1, 1] }], {}), { concurrency: 20 })
      assert.strictEqual((yield* vectors.query(account, "n", { vector: [1, 1] }, { count: 100 })).length, 21)
      assert.strictEqual((yield* vectors.upsert(account, "n", [], {})).vectors, 21)
    }))
})
