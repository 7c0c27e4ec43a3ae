import { assert, describe, it } from "@effect/vitest"
import { AccountId } from "@svc/accounts/accounts/model"
import { type StatementType, statementTypes } from "@svc/payments/rails/statement"
import { makeChance } from "@svc/testkit/simulation/chance"
import { DateTime, Result } from "effect"
import { type Mismatch, MismatchId, type MismatchType, mismatchTypes, ReportId, resolutions, type Side } from "./model.ts"
import { differences, entriesOf, resolve, reverse } from "./rules.ts"

const at = DateTime.makeUnsafe("2026-03-01T00:00:00.000Z")
const side = (amount: number, currency = "USD"): Side => ({ amount, currency, occurred_at: at })

const mismatch = (type: MismatchType, line_type: StatementType, expected: Side | null, actual: Side | null): Mismatch => ({
  id: MismatchId.make("rm_01KDVK5D80000000000000000A"),
  merchant_id: AccountId.make("acct_01KDVK5D80000000000000000A"),
  report_id: ReportId.make("rr_01KDVK5D80000000000000000A"),
  type,
  line_type,
  source: "card_a",
  provider_reference: "a",
  expected,
  actual,
  financial_event_id: expected === null ? null : "fe_01KDVK5D80000000000000000A",
  sequence_id: expected === null ? null : 7,
  corrects: null,
  booked: null,
  subject: "a",
  status: "open",
  resolution: null,
  note: null,
  resolved_by: null,
  resolved_at: null,
  superseded_by: null,
  created_at: at,
  updated_at: at,
  version: 1
})

/** What entries do to what the merchant has, by currency. */
const effect = (entries: ReturnType<typeof entriesOf>) => {
  const sums: Record<string, number> = {}
  for (const { currency, delta_available, delta_pending, delta_reserved } of entries) {
    sums[currency] = (sums[currency] ?? 0) + delta_available + delta_pending + delta_reserved
  }
  return sums
}

describe("what the merchant has more by the provider's books", () => {
  it.each(
    [
      ["amount", "capture", side(100), side(103), { USD: 3 }],
      ["amount", "capture", side(103), side(100), { USD: -3 }],
      ["amount", "refund", side(100), side(103), { USD: -3 }],
      ["amount", "refund", side(103), side(100), { USD: 3 }],
      ["amount", "fee", side(100), side(103), { USD: -3 }],
      ["amount", "fee_refund", side(100), side(103), { USD: 3 }],
      ["currency", "capture", side(100), side(90, "EUR"), { USD: -100, EUR: 90 }],
      ["missing_internal", "capture", null, side(100), { USD: 100 }],
      ["missing_internal", "dispute", null, side(100), { USD: -100 }],
      ["missing_internal", "dispute_reversal", null, side(100), { USD: 100 }],
      ["missing_external", "capture", side(100), null, { USD: -100 }],
      ["missing_external", "refund", side(100), null, { USD: 100 }],
      ["duplicate", "refund", null, side(100), { USD: -100 }],
      ["timing", "capture", side(100), side(100), {}]
    ] as const
  )("%s of a %s", (type, line_type, expected, actual, result) => {
    assert.deepStrictEqual(
      Object.fromEntries(differences(mismatch(type, line_type, expected, actual))),
      { ...result } as Record<string, number>
    )
  })
})

/** Any mismatch of any kind of movement. */
const any = (seed: string): Mismatch => {
  const chance = makeChance(seed)
  const type = chance.pick(mismatchTypes)
  const [amount, other] = [chance.between(1, 1_000), chance.between(1, 1_000)]
  const lacksOwn = type === "missing_internal" || type === "duplicate"
  const actual = type === "missing_external" ? null : type === "currency" ? side(other, "EUR") : side(type === "timing" ? amount : other)
  return mismatch(type, chance.pick(statementTypes), lacksOwn ? null : side(amount), actual)
}

const seeds = Array.from({ length: 1_000 }, (_, n) => `mismatch-${n}`)

describe("resolving any mismatch", () => {
  it("with accept_external leaves the merchant with what the provider says, and with any other with what it had", () => {
    for (const seed of seeds) {
      const found = any(seed)
      for (const resolution of resolutions) {
        const sums = Object.fromEntries(Object.entries(effect(entriesOf(found, resolution))).filter(([, sum]) => sum !== 0))
        assert.deepStrictEqual(
          sums,
          resolution === "accept_external" ? Object.fromEntries(differences(found)) : {},
          `${seed} ${resolution}`
        )
      }
    }
  })

  it("posts entries that balance, about the mismatch, and leave nothing pending or reserved", () => {
    for (const seed of seeds) {
      const found = any(seed)
      for (const resolution of resolutions) {
        const entries = entriesOf(found, resolution)
        for (const { counter_delta, delta_available, delta_pending, delta_reserved, resource_id } of entries) {
          assert.strictEqual(delta_available + delta_pending + delta_reserved + counter_delta, 0)
          assert.strictEqual(resource_id, found.id)
        }
        assert.deepStrictEqual(entries.reduce((sums, entry) => [sums[0]! + entry.delta_pending, sums[1]! + entry.delta_reserved], [0, 0]), [
          0,
          0
        ], `${seed} ${resolution}`)
      }
    }
  })

  it("happens once: the same again is nothing, another way is refused", () => {
    for (const seed of seeds.slice(0, 100)) {
      for (const resolution of resolutions) {
        const decided = resolve(any(seed), { resolution, note: null, by: "key_1", sandbox: true, at })
        if (Result.isFailure(decided)) continue
        const resolved = decided.success?.mismatch ?? assert.fail("an open mismatch is resolved")
        for (const other of resolutions) {
          const again = resolve(resolved, { resolution: other, note: "again", by: "key_2", sandbox: true, at })
          assert.strictEqual(Result.isSuccess(again) && again.success === undefined, other === resolution, `${seed} ${resolution} ${other}`)
        }
      }
    }
  })

  it("of a live account never leaves it with more, or the platform with less", () => {
    for (const seed of seeds) {
      for (const resolution of resolutions) {
        const decided = resolve(any(seed), { resolution, note: null, by: "key_1", sandbox: false, at })
        if (Result.isFailure(decided)) continue
        const { entries = [] } = decided.success ?? {}
        for (const sum of Object.values(effect(entries))) assert.isAtMost(sum, 0, `${seed} ${resolution}`)
        if (resolution === "write_off") assert.isEmpty(entries, seed)
      }
    }
  })
})

/** A second mismatch of the same movement, compared with it as the first has corrected it. */
const following = (first: Mismatch, actual: Side): Mismatch => ({
  ...first,
  id: MismatchId.make("rm_01KDVK5D80000000000000000B"),
  type: "amount",
  expected: first.actual,
  actual,
  booked: first.expected,
  corrects: first.id,
  status: "open",
  resolution: null,
  resolved_by: null,
  resolved_at: null,
  version: 1
})

const sumsOf = (...entries: ReadonlyArray<ReturnType<typeof entriesOf>>) =>
  Object.fromEntries(Object.entries(effect(entries.flat())).filter(([, sum]) => sum !== 0))

describe("two corrections of one movement", () => {
  it("come to what the second says, whoever bears what, and to nothing when a file disproves them", () => {
    const corrections = ["accept_external", "write_off"] as const
    for (const seed of seeds) {
      const first = any(seed)
      for (const one of corrections) {
        const decided = resolve(first, { resolution: one, note: null, by: "key_1", sandbox: true, at })
        if (Result.isFailure(decided)) continue
        const { entries, mismatch: standing } = decided.success ?? assert.fail("an open mismatch is resolved")
        for (const other of corrections) {
          const second = following(standing, side(makeChance(`${seed} again`).between(1, 1_000), first.actual?.currency))
          const again = resolve(second, { resolution: other, note: null, by: "key_1", sandbox: true, at }, standing)
          if (Result.isFailure(again)) continue
          const next = again.success ?? assert.fail("an open mismatch is resolved")
          assert.strictEqual(next.superseded?.superseded_by, second.id)
          const expected = other === "write_off"
            ? {}
            : Object.fromEntries(differences({ line_type: first.line_type, expected: first.expected, actual: second.actual }))
          assert.deepStrictEqual(sumsOf(entries, next.entries), expected, `${seed} ${one} ${other}`)
          const reversal = reverse(next.mismatch, "rr_01KDVK5D80000000000000000A", at)
          assert.deepStrictEqual(sumsOf(entries, next.entries, reversal.entries), {}, `${seed} ${one} ${other} reversed`)
          const counters = [...entries, ...next.entries, ...reversal.entries].reduce<Record<string, number>>(
            (sums, { counter_account, counter_delta, currency }) => ({
              ...sums,
              [`${counter_account} ${currency}`]: (sums[`${counter_account} ${currency}`] ?? 0) + counter_delta
            }),
            {}
          )
          assert.deepStrictEqual(Object.values(counters).filter((sum) => sum !== 0), [], `${seed} ${one} ${other} platform`)
        }
      }
    }
  })
})
