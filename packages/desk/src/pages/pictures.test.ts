import { assert, describe, it } from "@effect/vitest"
import { html } from "@svc/design/html"
import { defaultLocale } from "@svc/design/locale"
import { DateTime } from "effect"
import { balancesPicture, volumePicture } from "./days.ts"
import { flowPicture, heldOf } from "./flow.ts"
import { homeView } from "./home.ts"
import { cycleMoments, disputeMoments, momentsPicture, payoutMoments, settlementMoments } from "./moments.ts"
import type { Json } from "./values.ts"
import type { Visit } from "./visit.ts"

const page = { pageLocale: defaultLocale }

const visit: Visit = {
  ...page,
  person: { id: "usr_1", role: "owner", session_id: "ses_1", confirmed_at: 0, account: null, clocked: false, scopes: new Set() },
  name: "Ada",
  account_name: null,
  form_token: "",
  public_url: "https://svc.test"
}

const cellsOf = (markup: string | undefined): ReadonlyArray<ReadonlyArray<string>> =>
  Array.from(
    (markup ?? "").matchAll(/<tr>(.*?)<\/tr>/gu),
    ([, row = ""]) => Array.from(row.matchAll(/<td[^>]*>(.*?)<\/td>/gu), ([, cell = ""]) => cell.replaceAll(/<[^>]+>/gu, "").trim())
  ).filter((cells) => cells.length > 0)

const answer = { from: "2026-03-27T00:00:00.000Z", to: "2026-03-31T09:00:00.000Z" }

const entry = (event_type: string, moved: Readonly<Record<string, number>>, currency = "EUR"): Json => ({
  event_type,
  currency,
  amount: Math.max(...Object.values(moved).map(Math.abs)),
  delta_available: 0,
  delta_pending: 0,
  delta_reserved: 0,
  ...moved
})

describe("amounts by day", () => {
  it.each([
    ["JPY", 1_500, "¥1,500"],
    ["USD", 1_500, "$15.00"],
    ["KWD", 1_500, "KWD\u00a01.500"],
    ["USD", 90_071_992_547_409, "$900,719,925,474.09"]
  ])("have the digits of %s", (currency, captured, text) => {
    const day = { day: "2026-03-29", captured, refunded: 0, payments: 1 }
    const { text: markup } = volumePicture(page, { answer, of: { currency, captured, refunded: 0, days: [day] } })
    assert.deepStrictEqual(cellsOf(markup).map(([, first]) => first), [text])
    // The third of five days, also where clocks are changed on it.
    assert.include(markup, "<rect x=\"252\"")
  })

  it("hold a balance over days on which nothing moved, from what was there before, also below zero", () => {
    const { text } = balancesPicture(page, {
      answer,
      of: {
        currency: "EUR",
        opening: { available: 300, pending: 0, reserved: 0 },
        days: [{ day: "2026-03-29", available: -100, pending: 0, reserved: 0 }]
      }
    })
    assert.include(text, "d=\"M0 0H120V0H240V160H360V160H480V160H600\"")
    assert.deepStrictEqual(cellsOf(text).map((cells) => cells[2]), ["€3.00", "-€1.00"])
    assert.include(text, "On the last day €0.00 pending, -€1.00 available and €0.00 reserved.")
  })

  it.each([[true, 1, false], [false, 0, true]])("are drawn of balances once all entries are added up: %s", (is_complete, drawn, says) => {
    const history = { ...answer, is_complete, currencies: [{ currency: "EUR", opening: {}, days: [] }] }
    const balances = [{ currency: "EUR", pending: 0, available: 0, reserved: 0 }]
    const { text } = homeView(visit, {
      attention: undefined,
      volume: undefined,
      payments: undefined,
      run: undefined,
      balances,
      history
    })
    assert.strictEqual(text.match(/role="img"/gu)?.length ?? 0, drawn)
    assert.strictEqual(text.includes("still being added up"), says)
  })

  it("draw four currencies, those with the most days, and say the numbers of all", () => {
    const days = (count: number) => Array.from({ length: count }, (_, n) => ({ day: `2026-03-${27 + n}` }))
    const currencies = ["AUD", "CAD", "EUR", "GBP", "JPY", "USD"].map((currency, n) => ({ currency, opening: {}, days: days(n % 5) }))
    const history = { ...answer, is_complete: true, currencies }
    const balances = currencies.map(({ currency }) => ({ currency, pending: 0, available: 0, reserved: 0 }))
    const { text } = homeView(visit, {
      attention: undefined,
      volume: undefined,
      payments: undefined,
      run: undefined,
      balances,
      history
    })
    assert.deepStrictEqual(Array.from(text.matchAll(/id="balances-(\w+)-figure"/gu), ([, currency]) => currency), [
      "CAD",
      "EUR",
      "GBP",
      "JPY"
    ])
    for (const { currency } of currencies) assert.include(text, `<h3>${currency}</h3>`)
  })

  it("of four currencies over a month leave room for the rest of the home page", () => {
    const days = Array.from({ length: 30 }, (_, n) => ({
      day: `2026-03-${String(n + 1).padStart(2, "0")}`,
      captured: 123_456_789 + n,
      refunded: 12_345_678,
      payments: 1_234,
      available: 123_456_789,
      pending: 123_456_789,
      reserved: 123_456_789
    }))
    const month = { from: "2026-03-01T00:00:00.000Z", to: "2026-03-30T09:00:00.000Z" }
    const asked = { answer: month, of: { currency: "EUR", captured: 1, refunded: 1, opening: {}, days } }
    const { text } = html`${Array.from({ length: 4 }, () => [volumePicture(page, asked), balancesPicture(page, asked)])}`
    assert.isBelow(Buffer.byteLength(text), 110_000)
  })
})

describe("the money of a payment", () => {
  const captured = entry("payment_captured", { delta_pending: 1_000 })

  it.each<readonly [string, ReadonlyArray<Json>, ReadonlyArray<string>, number]>([
    ["captured, and its fee", [captured, entry("fee_charged", { delta_pending: -30 })], ["EUR", "€9.70", "€0.00", "€0.00"], 2],
    ["settled", [captured, entry("settlement_completed", { delta_pending: -1_000, delta_available: 1_000 })], [
      "EUR",
      "€0.00",
      "€10.00",
      "€0.00"
    ], 2],
    ["refunded out of two buckets", [captured, entry("payment_refunded", { delta_pending: -400, delta_available: -200 })], [
      "EUR",
      "€6.00",
      "-€2.00",
      "€0.00"
    ], 3]
  ])("%s", (_name, entries, held, arrows) => {
    const text = flowPicture(page, [entry("payment_authorized", {}), ...entries])?.text
    assert.deepStrictEqual(cellsOf(text), [held])
    assert.strictEqual(text?.match(/class="shaft"/gu)?.length, arrows)
  })

  it("is told by currency, and of the last movements where there are many", () => {
    assert.deepStrictEqual(heldOf([captured, entry("conversion_executed", { delta_pending: 900 }, "USD")]), [
      ["EUR", [1_000, 0, 0]],
      ["USD", [900, 0, 0]]
    ])
    const many = flowPicture(page, [captured, ...Array.from({ length: 20 }, () => entry("payment_refunded", { delta_pending: -1 }))])?.text
    assert.strictEqual(many?.match(/class="shaft"/gu)?.length, 12)
    assert.include(many, "9 earlier movements")
    assert.include(many, "€9.80")
    assert.isNull(flowPicture(page, [entry("payment_authorized", {})]))
  })
})

describe("moments", () => {
  const [one, two, three] = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z"]
  const now = DateTime.makeUnsafe(two)

  const told = [
    ["an open dispute", disputeMoments(page, { status: "open", created_at: one, evidence_due_by: three }), ["done", "due"]],
    ["a dispute under review", disputeMoments(page, { status: "under_review", created_at: one, evidence_submitted_at: two }), [
      "done",
      "done"
    ]],
    ["a won dispute", disputeMoments(page, { status: "won", created_at: one, evidence_submitted_at: two, closed_at: three }), [
      "done",
      "done",
      "good"
    ]],
    ["an expired dispute", disputeMoments(page, { status: "expired", created_at: one, closed_at: three }), ["done", "bad"]],
    [
      "a cycle that is tried again",
      cycleMoments(page, { status: "pending", due_date: one, next_attempt_at: three, grace_until: three }, [
        { number: 1, outcome: "failed", created_at: one }
      ], now),
      ["done", "bad", "planned", "due"]
    ],
    [
      "a cycle that is paid",
      cycleMoments(
        page,
        { status: "charged", due_date: one, grace_until: three },
        [{ number: 1, outcome: "succeeded", created_at: one }],
        now
      ),
      ["done", "good"]
    ],
    ["a settlement that waits", settlementMoments(page, { status: "queued", created_at: one, due_at: three }), ["done", "planned"]],
    ["a payout that arrived", payoutMoments(page, { status: "completed", created_at: one, submit_at: two, completed_at: three }), [
      "done",
      "done",
      "good"
    ]],
    ["a payout that failed", payoutMoments(page, { status: "failed", created_at: one, submit_at: two, updated_at: three }), [
      "done",
      "bad"
    ]],
    ["a cancelled payout", payoutMoments(page, { status: "cancelled", created_at: one, submit_at: three, updated_at: two }), [
      "done",
      "done"
    ]]
  ] as const

  it.each(told)("of %s have their states, drawn and in the table", (_name, all, states) => {
    const text = momentsPicture(page, now, all)?.text ?? ""
    const drawn = text.slice(0, text.indexOf("</svg>"))
    assert.deepStrictEqual(Array.from(drawn.matchAll(/class="moment (\w+)"/gu), ([, state]) => state), [...states])
    assert.deepStrictEqual(cellsOf(text).map(([number]) => number), states.map((_, n) => String(n + 1)))
  })

  it("need two to be drawn", () => {
    assert.isNull(momentsPicture(page, now, [{ at: one, state: "done", what: "Created" }, { at: "", state: "due", what: "Due" }]))
  })
})
