import { assert, describe, it } from "@effect/vitest"
import type { Entry } from "@svc/kernel/road/decision"
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { Schema } from "effect"
import { chainOf, entry, hashed } from "../fixture.ts"
import { accounting, wrongEntries } from "./accounting.fixture.ts"
import { eventHash, hashInput } from "./chain.ts"
import type { ChainedEvent } from "./chain.ts"
import { routeNames } from "./routes.ts"
import { beginning, behind, verifyBalances, verifyChain, verifyEnd } from "./verify.ts"
import type { Buckets, ChainRow } from "./verify.ts"

const RUNS = { arbitrary: { runs: 1_000 } }

const Posted = Schema.Struct({
  route: Schema.Literals(routeNames),
  amount: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99_999_999_999 })),
  currency: Schema.Literals(["USD", "EUR", "JPY"]),
  /** Where it may come from either bucket, whether it does from pending. */
  pending: Schema.Boolean
})
const Chain = Schema.Array(Posted).check(Schema.isBetweenLength(2, 30))
const Index = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))

const entries = (posted: typeof Chain.Type): ReadonlyArray<Entry> =>
  posted.map(({ amount, currency, pending, route }) => entry(route, amount, { currency, pending }))

/** The row that an arbitrary number points at. */
const pick = (chain: ReadonlyArray<ChainRow>, index: number): readonly [number, ChainRow] => {
  const at = index % chain.length
  const row = chain[at]
  if (row === undefined) throw new Error("an empty chain has no row")
  return [at, row]
}

const replaced = (chain: ReadonlyArray<ChainRow>, at: number, row: ChainRow) => chain.map((kept, n) => n === at ? row : kept)

const headOf = (chain: ReadonlyArray<ChainRow>) => ({ sequence_id: chain.length, hash: chain.at(-1)?.event_hash ?? beginning.hash })

const sumsOf = (chain: ReadonlyArray<ChainRow>) => {
  const total = (currency: string, delta: "delta_available" | "delta_pending" | "delta_reserved") =>
    chain.filter((row) => row.currency === currency).reduce((sum, row) => sum + row[delta], 0)
  const sums = new Map<string, Buckets>()
  for (const { currency } of chain) {
    sums.set(currency, {
      available: total(currency, "delta_available"),
      pending: total(currency, "delta_pending"),
      reserved: total(currency, "delta_reserved")
    })
  }
  return sums
}

describe("a sound chain", () => {
  it.prop("holds, whatever was posted, and adds up", [Chain], ([posted]) => {
    const chain = chainOf(entries(posted))
    const head = headOf(chain)
    const state = verifyEnd(verifyChain(chain), head)
    assert.deepInclude(state, { first_break: null, checked: chain.length, ...head })
    assert.isNull(verifyBalances(state, sumsOf(chain)).first_break)
  }, RUNS)

  it.prop("can be checked in pieces", [Chain, Index], ([posted, index]) => {
    const chain = chainOf(entries(posted))
    const [at, row] = pick(chain, index)
    const whole = verifyChain(chain)
    assert.deepStrictEqual(verifyChain(chain.slice(at), verifyChain(chain.slice(0, at))), whole)
    // From the middle, the hash of the row before is enough.
    const rest = verifyChain(chain.slice(at), behind(at, row.previous_hash))
    assert.deepInclude(rest, { first_break: null, checked: chain.length - at, hash: whole.hash })
  }, RUNS)

  it("may be empty", () => {
    assert.deepStrictEqual(verifyEnd(verifyChain([]), { sequence_id: 0, hash: beginning.hash }), beginning)
  })
})

const wrongText = (value: string) => value === "x" ? "y" : "x"

/** For every hashed field, another value. */
const edits: Readonly<Record<keyof ChainedEvent, (row: ChainRow) => Partial<ChainRow>>> = {
  id: (row) => ({ id: wrongText(row.id) }),
  merchant_id: (row) => ({ merchant_id: wrongText(row.merchant_id) }),
  sequence_id: (row) => ({ sequence_id: row.sequence_id + 1 }),
  event_type: (row) => ({ event_type: wrongText(row.event_type) }),
  direction: (row) => ({ direction: row.direction === "debit" ? "credit" : "debit" }),
  amount: (row) => ({ amount: row.amount + 1 }),
  currency: (row) => ({ currency: wrongText(row.currency) }),
  delta_available: (row) => ({ delta_available: row.delta_available - 1 }),
  delta_pending: (row) => ({ delta_pending: row.delta_pending + 1 }),
  delta_reserved: (row) => ({ delta_reserved: row.delta_reserved + 1 }),
  idempotency_key: (row) => ({ idempotency_key: wrongText(row.idempotency_key) }),
  resource_type: (row) => ({ resource_type: wrongText(row.resource_type) }),
  resource_id: (row) => ({ resource_id: wrongText(row.resource_id) }),
  previous_hash: (row) => ({ previous_hash: wrongText(row.previous_hash) }),
  created_at: (row) => ({ created_at: wrongText(row.created_at) })
}
const hashedFields = Object.keys(edits) as ReadonlyArray<keyof ChainedEvent>

describe("a chain that was changed", () => {
  it.prop("breaks at the row with an edited field", [Chain, Index, Schema.Literals(hashedFields)], ([posted, index, field]) => {
    const chain = chainOf(entries(posted))
    const [at, row] = pick(chain, index)
    const reason = field === "sequence_id" ? "gap" : field === "previous_hash" ? "prev_mismatch" : "hash_mismatch"
    const state = verifyChain(replaced(chain, at, { ...row, ...edits[field](row) }))
    assert.deepStrictEqual(state.first_break, { sequence_id: at + 1, reason })
    assert.strictEqual(state.checked, at)
  }, RUNS)

  it("breaks at a row hashed by rules that this code does not know", () => {
    const chain = chainOf([entry("payment_captured", 500), entry("fee_charged", 20)])
    const [at, row] = pick(chain, 1)
    assert.deepStrictEqual(verifyChain(replaced(chain, at, { ...row, hash_version: 2 })).first_break, {
      sequence_id: 2,
      reason: "hash_mismatch"
    })
  })

  it.prop("breaks behind a row whose hash was made to fit", [Chain, Index], ([posted, index]) => {
    const chain = chainOf(entries(posted))
    const [at, row] = pick(chain, index)
    const state = verifyChain(replaced(chain, at, hashed({ ...row, idempotency_key: "another" })))
    const last = at === chain.length - 1
    assert.deepStrictEqual(state.first_break, last ? null : { sequence_id: at + 2, reason: "prev_mismatch" })
    if (last) assert.deepStrictEqual(verifyEnd(state, headOf(chain)).first_break, { sequence_id: at + 1, reason: "head_mismatch" })
  }, RUNS)

  it.prop("breaks where a row is missing", [Chain, Index], ([posted, index]) => {
    const chain = chainOf(entries(posted))
    const [at] = pick(chain, index)
    const state = verifyEnd(verifyChain(chain.filter((_, n) => n !== at)), headOf(chain))
    assert.deepStrictEqual(state.first_break, { sequence_id: at + 1, reason: at === chain.length - 1 ? "head_mismatch" : "gap" })
  }, RUNS)

  it.prop("breaks where two rows changed places", [Chain, Index], ([posted, index]) => {
    const chain = chainOf(entries(posted))
    const [at, first] = pick(chain.slice(1), index)
    const second = chain[at]
    if (second === undefined) throw new Error("the row before exists")
    const swapped = chain.map((row, n) =>
      n === at ? { ...first, sequence_id: at + 1 } : n === at + 1 ? { ...second, sequence_id: at + 2 } : row
    )
    assert.deepStrictEqual(verifyChain(swapped).first_break, { sequence_id: at + 1, reason: "prev_mismatch" })
  }, RUNS)

  it.prop("breaks at a row that does not balance, however well it is hashed", [Chain, Index], ([posted, index]) => {
    const chain = chainOf(entries(posted))
    const [at, row] = pick(chain, index)
    const wrong = [
      { ...row, counter_delta: row.counter_delta + 1 },
      { ...row, counter_account: "P.elsewhere" },
      hashed({ ...row, delta_available: row.delta_available - 1 })
    ]
    for (const changed of wrong) {
      assert.deepStrictEqual(verifyChain(replaced(chain, at, changed)).first_break, { sequence_id: at + 1, reason: "balance_mismatch" })
    }
  }, RUNS)
})

describe("the end of a chain", () => {
  const chain = chainOf([entry("payment_captured", 500), entry("fee_charged", 20), entry("settlement_completed", 480)])
  const state = verifyChain(chain)
  const head = { sequence_id: 3, hash: state.hash }

  it("is where the head says", () => {
    assert.deepStrictEqual(verifyEnd(state, { ...head, sequence_id: 4 }).first_break, { sequence_id: 4, reason: "head_mismatch" })
    assert.deepStrictEqual(verifyEnd(state, { ...head, sequence_id: 1 }).first_break, { sequence_id: 2, reason: "head_mismatch" })
    assert.deepStrictEqual(verifyEnd(state, { ...head, hash: "0" }).first_break, { sequence_id: 3, reason: "head_mismatch" })
  })

  it("of a part is where the part ends", () => {
    const part = verifyChain(chain.slice(0, 2))
    assert.isNull(verifyEnd(part, head, 2).first_break)
    assert.deepStrictEqual(verifyEnd(verifyChain(chain.slice(0, 1)), head, 2).first_break, { sequence_id: 2, reason: "gap" })
  })

  it.each(
    [
      ["another sum", [["USD", { available: 481, pending: 0, reserved: 0 }]]],
      ["money in the wrong bucket", [["USD", { available: 0, pending: 480, reserved: 0 }]]],
      ["no such balance", []],
      ["money in a currency that never moved", [["USD", { available: 480, pending: 0, reserved: 0 }], ["EUR", {
        available: 1,
        pending: 0,
        reserved: 0
      }]]]
    ] as const
  )("does not agree with %s", (_, balances) => {
    assert.deepStrictEqual(verifyBalances(state, new Map<string, Buckets>(balances)).first_break, {
      sequence_id: 3,
      reason: "balance_mismatch"
    })
  })

  it("agrees with an empty balance of a currency in which only memos were posted", () => {
    const memo = verifyChain(chainOf([entry("payment_authorized", 100)]))
    assert.isNull(verifyBalances(memo, new Map()).first_break)
    assert.isNull(verifyBalances(memo, new Map([["USD", { available: 0, pending: 0, reserved: 0 }]])).first_break)
  })
})

describe("a row that follows no route", () => {
  /** The three kinds of rows around the one that is judged. */
  const around = (judged: Entry) => verifyChain(chainOf([entry("payment_authorized", 5), judged, entry("payment_captured", 5)])).first_break

  it.each(accounting)("is none that moves what the rules say: $name", ({ entry: judged }) => {
    assert.isNull(around(judged))
  })

  it("is found where it stands, however well it is hashed", () => {
    const missed = wrongEntries.filter(([, wrong]) => {
      const found = around(wrong)
      return found?.sequence_id !== 2 || found.reason !== "balance_mismatch"
    })
    assert.deepStrictEqual(missed.map(([name]) => name), [])
  })
})

describe("the hashed text", () => {
  const Text = Schema.String.check(Schema.isMaxLength(12))
  const Whole = Schema.Int.check(Schema.isBetween({ minimum: -(2 ** 53) + 1, maximum: 2 ** 53 - 1 }))

  it.prop("is the canonical JSON of the public fields, integers as decimal text", [Text, Text, Text, Whole, Whole], ([a, b, c, m, n]) => {
    const [row] = chainOf([entry("payment_captured", 1)])
    if (row === undefined) throw new Error("one entry makes one row")
    const event: ChainedEvent = {
      ...row,
      id: a,
      idempotency_key: b,
      resource_id: c,
      currency: a,
      merchant_id: b,
      amount: m,
      delta_pending: n,
      sequence_id: m
    }
    const { amount, created_at, currency, delta_available, delta_pending, delta_reserved, direction, event_type, id } = event
    const { idempotency_key, merchant_id, previous_hash, resource_id, resource_type, sequence_id } = event
    const text = (value: number) => value.toFixed(0)
    const read = () =>
      canonicalize({
        amount: text(amount),
        created_at,
        currency,
        delta_available: text(delta_available),
        delta_pending: text(delta_pending),
        delta_reserved: text(delta_reserved),
        direction,
        event_type,
        hash_version: 1,
        id,
        idempotency_key,
        merchant_id,
        previous_hash,
        resource_id,
        resource_type,
        sequence_id: text(sequence_id)
      })
    if ([a, b, c].every((value) => value.isWellFormed())) {
      assert.strictEqual(hashInput(event), read())
      assert.match(eventHash(event), /^[0-9a-f]{64}$/)
    } else {
      // Half of a surrogate pair has no UTF-8, so there is nothing to hash.
      assert.throws(() => hashInput(event))
    }
  }, RUNS)
})
