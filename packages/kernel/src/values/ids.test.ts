import { assert, describe, it } from "@effect/vitest"
import { Arbitrary, Effect, Random, Result, Schema } from "effect"
import { TestClock } from "effect/testing"
import { randomFillSync } from "node:crypto"
import { idSchema, IdSource, makeId, makeIdSource, nextId, type Prefix, timeOf, ulidFloor } from "./ids.ts"

const runs = { arbitrary: { runs: 1000 } }
const allPrefixes: ReadonlyArray<Prefix> = ["acct", "att", "billcycle", "evt", "fe", "pm", "ref", "whq"]
const Millis = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 2 ** 48 - 1 }))
const AnyPrefix = Schema.Literals(allPrefixes)
const CROCKFORD = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
const AT = Date.parse("2026-01-01T00:00:00.000Z")

const ascending = (ids: ReadonlyArray<string>): boolean => ids.every((id, i) => i === 0 || (ids[i - 1] ?? "") < id)

describe("makeId", () => {
  it.for(allPrefixes)("makes a well-formed %s id", (prefix) => {
    const decode = Schema.decodeUnknownResult(idSchema(prefix, "TestId"))
    assert.isTrue(Result.isSuccess(decode(makeId(prefix, AT))))
  })

  it("writes the time as the ULID specification's example does", () => {
    assert.strictEqual(makeId("pi", 1_469_918_176_385).slice(0, 13), "pi_01ARYZ6S41")
    assert.strictEqual(makeId("pi", 2 ** 48 - 1).slice(0, 13), "pi_7ZZZZZZZZZ")
  })

  it("is unique and in order within one millisecond", () => {
    const ids = Array.from({ length: 100_000 }, () => makeId("evt", AT))
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.isTrue(ascending(ids))
  })

  it("keeps the order of a clock that stands still while another runs", () => {
    const still: Array<string> = []
    for (let tick = 1; tick <= 5000; tick++) {
      still.push(makeId("evt", AT))
      if (tick % 7 === 0) makeId("evt", AT + tick)
    }
    assert.isTrue(ascending(still))
  })

  it("makes all 80 bits of a new millisecond random", () => {
    const random = (id: string) => Array.from(id.slice(-16), (char) => CROCKFORD.indexOf(char).toString(2).padStart(5, "0")).join("")
    const samples = Array.from({ length: 400 }, (_, i) => random(makeId("pi", AT + i)))
    for (let bit = 0; bit < 80; bit++) {
      const ones = samples.filter((bits) => bits[bit] === "1").length
      // Six standard deviations around 200.
      assert.isTrue(ones > 140 && ones < 260, `bit ${bit} was 1 in ${ones} of 400`)
    }
  })

  it("leaves gaps nobody can guess between the ids of one millisecond", () => {
    const value = (id: string) => Array.from(id.slice(-16)).reduce((sum, char) => sum * 32n + BigInt(CROCKFORD.indexOf(char)), 0n)
    const ids = Array.from({ length: 1000 }, () => value(makeId("pi", AT)))
    const gaps = ids.slice(1).map((id, i) => id - (ids[i] ?? id))
    assert.strictEqual(new Set(gaps).size, gaps.length)
    assert.strictEqual(new Set(gaps.map((gap) => gap % 2n ** 40n)).size, gaps.length)
  })

  it("carries from the low half into the high one", () => {
    // Steps of about half the low range, and none of the high one.
    const make = makeIdSource((bytes) =>
      bytes.forEach((_, i) => {
        bytes[i] = i % 10 < 5 ? 0x7f : 0
      })
    )
    assert.isTrue(ascending(Array.from({ length: 5000 }, () => make("fe", AT))))
  })

  it("goes on when one millisecond is used up, and starts its order over", () => {
    let isFirst = true
    const make = makeIdSource((bytes) => {
      randomFillSync(bytes)
      if (isFirst) bytes.fill(0xff, 0, 5)
      isFirst = false
    })
    const ids = Array.from({ length: 10_000 }, () => make("fe", AT))
    assert.strictEqual(new Set(ids).size, ids.length)
    assert.strictEqual(ids.filter((id, i) => id < (ids[i - 1] ?? "")).length, 1)
    assert.isTrue(ids.every((id) => /^fe_[0-9A-HJKMNP-TV-Z]{26}$/.test(id) && timeOf(id) === AT))
  })

  it("orders a frozen millisecond for a million ids", () => {
    const make = makeIdSource((bytes) => bytes.fill(0x7f))
    let last = ""
    for (let i = 0; i < 1_000_000; i++) {
      const id = make("fe", AT)
      if (id <= last) assert.fail(`id ${i} did not sort after the one before`)
      last = id
    }
  })

  it.for([-1, 0.5, 2 ** 48, Number.NaN, Number.POSITIVE_INFINITY])("refuses the time %d", (millis) => {
    assert.throws(() => makeId("pi", millis), /whole Unix milliseconds/)
  })

  it.prop("carries its time, and sorts by it", [AnyPrefix, Millis, Millis], ([prefix, one, other]) => {
    const [a, b] = [makeId(prefix, one), makeId(prefix, other)]
    assert.deepStrictEqual([timeOf(a), timeOf(b)], [one, other])
    if (one !== other) assert.strictEqual(a < b, one < other)
  }, runs)
})

describe("ulidFloor", () => {
  it.prop(
    "is at most every id of its millisecond and above every id before",
    [AnyPrefix, Millis.check(Schema.isGreaterThan(0))],
    ([prefix, millis]) => {
      const floor = ulidFloor(prefix, millis)
      assert.isTrue(floor <= makeId(prefix, millis))
      assert.isTrue(makeId(prefix, millis - 1) < floor)
      assert.strictEqual(timeOf(floor), millis)
    },
    runs
  )

  it.for([[-1, 0], [Number.NEGATIVE_INFINITY, 0], [2 ** 48, 2 ** 48 - 1], [Number.POSITIVE_INFINITY, 2 ** 48 - 1]])(
    "takes %d for the nearest time an id can carry",
    ([millis = 0, nearest]) => {
      assert.strictEqual(timeOf(ulidFloor("pi", millis)), nearest)
    }
  )
})

describe("timeOf", () => {
  it.for(["", "pi_", "pi_01ARYZ6S4", "pi_01ARYZ!S41TSV4RRFFQ69G5FAV", "01ARYZ6S41TSV4RRFFQ69G5FA", "pi_uuuuuuuuuuuuuuuuuuuuuuuuuu"])(
    "refuses %j",
    (id) => {
      assert.throws(() => timeOf(id), /does not end in a ULID/)
    }
  )
})

describe("idSchema", () => {
  const PaymentIntentId = idSchema("pi", "PaymentIntentId")
  const decode = Schema.decodeUnknownResult(PaymentIntentId)

  it.for(
    [
      ["another kind", "po_01ARYZ6S41TSV4RRFFQ69G5FAV"],
      ["no prefix", "01ARYZ6S41TSV4RRFFQ69G5FAV"],
      ["small letters", "pi_01aryz6s41tsv4rrffq69g5fav"],
      ["a letter Crockford left out", "pi_01ARYZ6S41TSV4RRFFQ69G5FAI"],
      ["25 characters", "pi_01ARYZ6S41TSV4RRFFQ69G5FA"],
      ["27 characters", "pi_01ARYZ6S41TSV4RRFFQ69G5FAVX"],
      ["a line end", "pi_01ARYZ6S41TSV4RRFFQ69G5FAV\n"],
      ["a number", 1],
      ["nothing", null]
    ] as const
  )("refuses %s and names what it wants", ([, value]) => {
    const result = decode(value)
    assert.isTrue(Result.isFailure(result))
    if (Result.isFailure(result)) {
      assert.match(result.failure.message, /Expected the id of a payment intent: pi_ and 26 characters, for example pi_[0-9A-Z]{26}$/)
    }
  })

  it("is a named component of the JSON Schema", () => {
    const document = Schema.toJsonSchemaDocument(PaymentIntentId)
    assert.deepStrictEqual(document.schema, { $ref: "#/$defs/PaymentIntentId" })
    assert.strictEqual(document.definitions["PaymentIntentId"]?.["pattern"], "^pi_[0-9A-HJKMNP-TV-Z]{26}$")
  })

  it.prop("generates ids it accepts", [PaymentIntentId], ([id]) => {
    assert.isTrue(Result.isSuccess(decode(id)))
  }, runs)
})

describe("nextId", () => {
  it.effect("takes the time of Effect's Clock", () =>
    Effect.gen(function*() {
      yield* TestClock.setTime(AT)
      assert.strictEqual(timeOf(yield* nextId("cus")), AT)
      yield* TestClock.adjust("1500 millis")
      assert.strictEqual(timeOf(yield* nextId("cus")), AT + 1500)
    }))

  it.effect("draws from the source in use, so a seed replays the same ids", () =>
    Effect.gen(function*() {
      const seeded = (seed: string) =>
        Effect.gen(function*() {
          const bytes = yield* Effect.map(
            Arbitrary.sampleEffect(Arbitrary.schema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 255 }))), { count: 64, seed }),
            (values) => Uint8Array.from(values)
          )
          const make = makeIdSource((pool) =>
            pool.forEach((_, i) => {
              pool[i] = bytes[i % bytes.length] ?? 0
            })
          )
          return yield* Effect.all([nextId("pi"), nextId("pi"), nextId("fe")]).pipe(Effect.provideService(IdSource, make))
        }).pipe(Random.withSeed(seed))
      assert.deepStrictEqual(yield* seeded("one"), yield* seeded("one"))
      assert.notDeepEqual(yield* seeded("one"), yield* seeded("two"))
    }))
})
