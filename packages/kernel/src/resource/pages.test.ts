import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Fiber, Queue, Result, Schema } from "effect"
import { makeId } from "../values/ids.ts"
import type { Prefix } from "../values/ids.ts"
import type { Page, PageRequest } from "./pages.ts"
import { checkPage, COUNT_CAP, listOwn, offsetOf, pageQueryOf, paginate, PaginatedList } from "./pages.ts"

const runs = { arbitrary: { runs: 1000 } }
const Query = Schema.Struct(pageQueryOf("pi"))
// The codec HttpApi puts around a query: every value arrives as text.
const decode = Schema.decodeUnknownResult(Schema.toCodecStringTree(Query))
const check = (query: Record<string, string>) => checkPage(Result.getOrThrow(decode(query)))
const decodeOf = (prefix: Prefix) => Schema.decodeUnknownResult(Schema.toCodecStringTree(Schema.Struct(pageQueryOf(prefix))))
const kinds: ReadonlyArray<Prefix> = ["acct", "billcycle", "evt", "pi", "pm"]
const [one, other] = ["pi_01ARYZ6S41TSV4RRFFQ69G5FAV", "pi_01ARYZ6S41TSV4RRFFQ69G5FAW"]

describe("the query of a list", () => {
  it.for(
    [
      [{}, { per_page: 20 }],
      [{ page: "3", per_page: "50" }, { page: 3, per_page: 50 }],
      [{ page: "1" }, { page: 1, per_page: 20 }],
      [{ per_page: "100" }, { per_page: 100 }],
      [{ after: one }, { per_page: 20, after: one }]
    ] as const
  )("%j is %j", ([query, expected]) => {
    assert.deepStrictEqual(decode(query), Result.succeed(expected))
  })

  it.for(
    [
      [{ page: "0" }, /page number from 1/],
      [{ page: "-1" }, /page number from 1/],
      [{ page: "1.5" }, /page number from 1/],
      [{ page: "10001" }, /use the after cursor/],
      [{ page: "one" }, /number/],
      [{ page: "" }, /number/],
      [{ page: "NaN" }, /number/],
      [{ per_page: "0" }, /1 to 100 items/],
      [{ per_page: "101" }, /1 to 100 items/],
      [{ after: "" }, /cursor: the id/],
      [{ before: "a b" }, /cursor: the id/],
      [{ after: "x".repeat(256) }, /cursor: the id/],
      [{ after: "pi_1" }, /cursor: the id/],
      [{ before: one.toLowerCase() }, /cursor: the id/],
      [{ after: `${one}0` }, /cursor: the id/],
      [{ after: ` ${one}` }, /cursor: the id/]
    ] as const
  )("refuses %j", ([query, message]) => {
    const result = decode(query)
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) assert.match(result.failure.message, message)
  })
})

describe("pageQueryOf", () => {
  it.for(kinds)("takes ids of kind %s as cursors, and no others", (prefix) => {
    const read = decodeOf(prefix)
    const id = makeId(prefix, 1_767_225_600_000)
    for (const side of ["after", "before"]) {
      assert.deepStrictEqual(read({ [side]: id }), Result.succeed({ per_page: 20, [side]: id }))
      for (
        const wrong of [
          makeId(prefix === "pi" ? "pm" : "pi", 0),
          `x${id}`,
          id.slice(0, -1),
          `${id}\n`,
          `${id.slice(0, -1)}U`,
          prefix,
          "%00",
          "1"
        ]
      ) {
        const result = read({ [side]: wrong })
        assert.isTrue(Result.isFailure(result), wrong)
        if (Result.isFailure(result)) {
          assert.include(
            result.failure.message,
            `Expected a cursor: the id of an item of this list, ${prefix}_ and 26 characters, for example ${prefix}_`
          )
        }
      }
    }
  })
})

describe("checkPage", () => {
  it.for([
    { page: "1" },
    { page: "500", per_page: "20" },
    { page: "100", per_page: "100" },
    { page: "10000", per_page: "1" },
    { per_page: "100", after: one },
    { before: one }
  ])("passes %j", (query) => {
    assert.isTrue(Result.isSuccess(check(query)))
  })

  it.for(
    [
      [{ page: "501" }, "page"],
      [{ page: "101", per_page: "100" }, "page"],
      [{ page: "5001", per_page: "2" }, "page"],
      [{ after: one, before: other }, "before"],
      // Even page 1, which is the default.
      [{ page: "1", after: one }, "page"],
      [{ page: "2", after: one }, "page"],
      [{ page: "9999", per_page: "100", after: one }, "page"],
      [{ page: "1", after: one, before: other }, "before"]
    ] as const
  )("refuses %j and names %s", ([query, code]) => {
    const result = check(query)
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) {
      assert.strictEqual(result.failure.code, code)
      assert.match(result.failure.message, /after/)
    }
  })

  it.prop("lets through only pages that are named once and whose last row is among the first COUNT_CAP", [Query], ([query]) => {
    const fits = offsetOf(query) + query.per_page <= COUNT_CAP
    const places = [query.page, query.after, query.before].filter((place) => place !== undefined)
    assert.strictEqual(Result.isSuccess(checkPage(query)), fits && places.length <= 1)
  }, runs)
})

describe("listOwn", () => {
  const found = paginate({ per_page: 2 }, [1, 2, 3], 3)
  const list = Effect.succeed(found)
  const none = { data: [], total: 0, page: 1, per_page: 2, has_more: false }

  it.effect.each(
    [
      ["without an owner", undefined, found],
      ["of the caller", "acct_1", found],
      ["of somebody else", "acct_2", none],
      ["of nobody", "x", none]
    ] as const
  )("a list %s", ([, merchant_id, expected]) =>
    Effect.gen(function*() {
      const request = { per_page: 2, ...(merchant_id === undefined ? {} : { merchant_id }) }
      assert.deepStrictEqual<unknown>(yield* listOwn("acct_1", request, list), expected)
    }))

  it.effect("of somebody else refuses what any list refuses", () =>
    Effect.gen(function*() {
      const refused = yield* Effect.flip(listOwn("acct_1", { per_page: 2, merchant_id: "acct_2", page: 1, after: one }, list))
      assert.strictEqual(refused.code, "page")
    }))
})

describe("a page of items that are large", () => {
  /** Three fit. */
  const large = (id: number) => ({ id, text: "x".repeat(1024 ** 2) })
  const all = Array.from({ length: 10 }, (_, id) => large(id))
  const read = (request: PageRequest) => {
    const after = request.after === undefined ? 0 : Number(request.after) + 1
    const before = request.before === undefined ? all.length : Number(request.before)
    const rows = request.before === undefined
      ? all.slice(after, after + request.per_page + 1)
      : all.slice(0, before).slice(-request.per_page - 1)
    return listOwn("acct_1", request, Effect.succeed(paginate(request, rows, all.length)))
  }
  const ids = (page: Page<{ readonly id: number }>) => page.data.map(({ id }) => id)

  it.effect("ends early and says that there is more, and the cursors go on from there in both directions", () =>
    Effect.gen(function*() {
      const first = yield* read({ per_page: 100 })
      assert.deepStrictEqual([ids(first), first.has_more, first.per_page, first.total], [[0, 1, 2], true, 100, 10])
      const forwards = [ids(first)]
      for (let last = 2, more = true; more;) {
        const page = yield* read({ per_page: 4, after: String(last) })
        forwards.push(ids(page))
        last = ids(page).at(-1) ?? NaN
        more = page.has_more
      }
      assert.deepStrictEqual(forwards, [[0, 1, 2], [3, 4, 5], [6, 7, 8], [9]])
      const backwards = yield* read({ per_page: 100, before: "8" })
      assert.deepStrictEqual([ids(backwards), backwards.has_more], [[5, 6, 7], true])
      const start = yield* read({ per_page: 100, before: "3" })
      assert.deepStrictEqual([ids(start), start.has_more], [[0, 1, 2], false])
    }))

  it.effect("is refused by its number, as the next number would leave out what it lacks", () =>
    Effect.gen(function*() {
      const { code, message } = yield* Effect.flip(read({ per_page: 4, page: 1 }))
      assert.strictEqual(code, "page")
      assert.match(message, /4 MiB.*per_page.*after/)
      assert.deepStrictEqual(ids(yield* read({ per_page: 3, page: 1 })), [0, 1, 2])
    }))
})

describe("lists that are read at one time", () => {
  it.effect("are few, and the accounts take turns", () =>
    Effect.gen(function*() {
      let atOnce = 0
      let most = 0
      const order: Array<string> = []
      const list = (account: string) =>
        listOwn(
          account,
          { per_page: 1 },
          Effect.gen(function*() {
            most = Math.max(most, ++atOnce)
            order.push(account)
            yield* Effect.yieldNow
            atOnce--
            return paginate({ per_page: 1 }, [], 0)
          })
        )
      yield* Effect.forEach([...Array.from({ length: 50 }, () => "greedy"), "modest"], list, { concurrency: "unbounded" })
      assert.strictEqual(order.length, 51)
      assert.isAtMost(most, 3)
      assert.isBelow(order.indexOf("modest"), 8)
    }))
})

describe("a list that nobody waits for any more", () => {
  it.effect("keeps its place until it was read, and those behind it that nobody waits for are not read", () =>
    Effect.gen(function*() {
      const [may, begun] = [yield* Deferred.make<void>(), yield* Queue.unbounded<number>()]
      const list = (n: number) =>
        listOwn(
          "acct_1",
          { per_page: 1 },
          Effect.as(Effect.andThen(Queue.offer(begun, n), Deferred.await(may)), paginate({ per_page: 1 }, [], 0))
        )
      const fibers = yield* Effect.forEach(Array.from({ length: 20 }, (_, n) => n), (n) =>
        Effect.forkChild(list(n), { startImmediately: true }))
      const gone = yield* Effect.forkChild(Fiber.interruptAll(fibers.slice(0, 19)), { startImmediately: true })
      yield* Deferred.succeed(may, undefined)
      yield* Fiber.join(gone)
      assert.deepStrictEqual(yield* Fiber.join(fibers[19]!), paginate({ per_page: 1 }, [], 0))
      assert.deepStrictEqual(yield* Queue.clear(begun), [0, 1, 2, 19])
    }))
})

describe("paginate", () => {
  const Rows = Schema.Array(Schema.Int)

  it.for(
    [
      ["the middle", { page: 2, per_page: 3 }, [4, 5, 6, 7], 9, { data: [4, 5, 6], total: 9, page: 2, per_page: 3, has_more: true }],
      ["the end", { page: 3, per_page: 3 }, [7, 8], 8, { data: [7, 8], total: 8, page: 3, per_page: 3, has_more: false }],
      ["an empty list, without a page number", { per_page: 3 }, [], 0, { data: [], total: 0, page: 1, per_page: 3, has_more: false }],
      ["before a cursor, with more before", { per_page: 2, before: "c" }, [3, 4, 5], 9, {
        data: [4, 5],
        total: 9,
        page: 1,
        per_page: 2,
        has_more: true
      }],
      ["before a cursor, at the start", { per_page: 2, before: "c" }, [1, 2], 9, {
        data: [1, 2],
        total: 9,
        page: 1,
        per_page: 2,
        has_more: false
      }],
      ["exactly as long as is counted", { page: 1, per_page: 1 }, [1, 2], COUNT_CAP, {
        data: [1],
        total: COUNT_CAP,
        page: 1,
        per_page: 1,
        has_more: true
      }],
      ["longer than is counted", { page: 1, per_page: 1 }, [1, 2], COUNT_CAP + 1, {
        data: [1],
        total: COUNT_CAP,
        page: 1,
        per_page: 1,
        has_more: true,
        total_is_estimate: true
      }]
    ] as const
  )("%s", ([, request, rows, counted, expected]) => {
    assert.deepStrictEqual(paginate<number>(request, rows, counted), expected)
  })

  it.prop(
    "walking the pages of a list gives the list",
    [Rows, Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 5 }))],
    ([rows, per_page]) => {
      const seen: Array<number> = []
      for (let page = 1, more = true; more; page++) {
        const request = { page, per_page }
        const start = offsetOf(request)
        const answer = paginate(request, rows.slice(start, start + per_page + 1), rows.length)
        seen.push(...answer.data)
        more = answer.has_more
      }
      assert.deepStrictEqual(seen, [...rows])
    },
    runs
  )

  it("encodes as the list schema, the estimate flag only when it is true", () => {
    const List = PaginatedList(Schema.Int, "IntList")
    const encode = Schema.encodeUnknownSync(Schema.toCodecJson(List))
    assert.deepStrictEqual(encode(paginate({ page: 1, per_page: 1 }, [1, 2], 2)), {
      data: [1],
      total: 2,
      page: 1,
      per_page: 1,
      has_more: true
    })
    assert.deepStrictEqual(Schema.toJsonSchemaDocument(List).schema, { $ref: "#/$defs/IntList" })
  })
})

describe("the last numbered page", () => {
  const rows = Array.from({ length: 101 }, (_, n) => n)
  it.each(
    [
      [{ page: 99, per_page: 100 }, true],
      [{ page: 100, per_page: 100 }, false],
      [{ page: 333, per_page: 30 }, false],
      [{ page: 332, per_page: 30 }, true],
      [{ per_page: 100, after: one }, true]
    ] as const
  )("%o says of more only what the next page answers", (request, more) => {
    assert.strictEqual(paginate(request, rows.slice(0, request.per_page + 1), COUNT_CAP + 1).has_more, more)
    const next = "page" in request ? { ...request, page: request.page + 1 } : request
    assert.strictEqual(Result.isSuccess(checkPage(next)), more)
  })
})
