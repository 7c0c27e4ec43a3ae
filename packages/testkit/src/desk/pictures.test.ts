/** The pictures of the desk in a real browser: their numbers are the API's, axe-core finds nothing, and they follow what happens. */
import { assert, it, layer } from "@effect/vitest"
import { ClockWorker } from "@svc/kernel/clocks/worker"
import { Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import type { Page } from "playwright-core"
import { Browser, chromiumPath, MISSING } from "../browser/chromium.ts"
import { judged, phone, settle, violationsIn, wanted } from "../browser/judging.ts"
import * as world from "../browser/world.ts"
import { itemsOf, must, openMerchant } from "../contract/service.ts"
import { signedIn } from "./people.ts"

const DESK = "http://svc.test/desk"

/** Four days of a merchant with a clock of its own: payments in two currencies, a refund, a dispute, a subscription that is not paid. */
const open = Effect.gen(function*() {
  const { id, key } = yield* openMerchant("Nordlicht Keramik")
  const get = (path: string) => must("GET", path, { key })
  const post = (path: string, body: object = {}) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
  const pay = Effect.fnUntraced(function*(amount: number, currency: string) {
    const intent = yield* post("/v1/payment_intents", { amount, currency })
    yield* post(`/v1/payment_intents/${String(intent["id"])}/authorize`, { payment_method_id: "tok_visa", capture: true })
    return String(intent["id"])
  })
  const clock = yield* must("POST", "/v1/test_clocks", { key })
  const path = `/v1/test_clocks/${String(clock["id"])}`
  const advance = Effect.fnUntraced(function*(hours: number) {
    const to = new Date(Date.parse(String((yield* get(path))["now"])) + hours * 3_600_000).toISOString()
    yield* must("POST", `${path}/advance`, { key, body: { to } })
    yield* Effect.repeat(Effect.delay(get(path), "50 millis"), { until: ({ status }) => status === "ready" })
  })
  const payment = yield* pay(12_000, "EUR")
  yield* pay(90_000, "JPY")
  yield* advance(24)
  yield* pay(4_550, "EUR")
  const plan = yield* post("/v1/plans", { name: "Professional", amount: 1_900, currency: "EUR", billing_period: "monthly" })
  yield* must("POST", `/v1/plans/${String(plan["id"])}/activate`, { key })
  const subscription = yield* post("/v1/subscriptions", {
    plan_id: plan["id"],
    customer_id: "ana",
    payment_method_id: "tok_insufficient_funds"
  })
  yield* advance(49)
  const dispute = yield* post("/v1/disputes/simulate", { payment_intent_id: payment, amount: 5_000 })
  const refunded = yield* pay(7_700, "EUR")
  yield* post(`/v1/payment_intents/${refunded}/refund`, { amount: 1_234 })
  const { secret } = yield* signedIn(id, "owner")
  return { get, post, secret, payment, refunded, dispute: String(dispute["id"]), subscription: String(subscription["id"]) }
})

/** The rows of a picture's table, whose amounts are read as minor units again. */
const rowsIn = async (page: Page, id: string): Promise<ReadonlyArray<ReadonlyArray<string>>> => {
  const rows = await page.locator(`#${id}-figure tbody tr`).all()
  return Promise.all(rows.map(async (row) => (await row.locator("td").allTextContents()).map((cell) => cell.trim())))
}

const minor = (text: string | undefined): number => Number(text?.replaceAll(/[^\d-]/gu, ""))

const numbersIn = async (page: Page, id: string): Promise<ReadonlyArray<ReadonlyArray<number>>> =>
  (await rowsIn(page, id)).map(([, ...amounts]) => amounts.map(minor))

const fieldsOf = (row: unknown, fields: ReadonlyArray<string>): ReadonlyArray<number> => fields.map((field) => Number(Object(row)[field]))

/** As wide as a phone in both schemes. With SCREENSHOTS=1 it is also looked at on a desktop, and pictures of it are taken. */
const seen = async (page: Page, name: string): Promise<void> => {
  if (wanted) await judged(page, name, ({ dark, size }) => `desk-${name}-${dark ? "dark" : "light"}-${size}`)
  await page.setViewportSize(phone)
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme })
    // Colours go from one scheme to the other in a moment, not at once.
    await settle(page)
    assert.deepStrictEqual(await violationsIn(page.mainFrame()), [], `${name}, ${colorScheme}`)
  }
  assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth), 0, `${name} is wider than its screen`)
}

if (chromiumPath() === undefined) it(MISSING, ({ skip }) => skip())
else {
  layer(ClockWorker.layer.pipe(Layer.provideMerge(world.layer)), { excludeTestServices: true, timeout: "120 seconds" })(
    "pictures of the desk",
    (it) => {
      it.effect("show what the API says, have no fault for axe-core, and follow what happens", () =>
        Effect.gen(function*() {
          const { dispute, get, payment, post, refunded, secret, subscription } = yield* open
          const browser = yield* Browser
          const page = yield* Effect.promise(() => browser.open({ bypassCSP: true }))
          yield* Effect.promise(() => page.context().addCookies([{ name: "desk", value: secret, url: "http://svc.test" }]))
          const go = (path: string) => Effect.promise(() => page.goto(`${DESK}${path}`))
          const judge = (name: string) => Effect.promise(() => seen(page, name))

          yield* go("")
          for (const of of itemsOf(yield* get("/v1/volume"))) {
            const { currency, days } = Object(of)
            const id = `volume-${currency}`
            const expected = Array.from(days, (day) => fieldsOf(day, ["captured", "refunded", "payments"]))
            assert.deepStrictEqual(yield* Effect.promise(() => numbersIn(page, id)), expected, id)
            const bars = yield* Effect.promise(() => page.locator(`#${id}-figure .stretched rect`).count())
            assert.strictEqual(bars, expected.flatMap(([captured, back]) => [captured, back]).filter((amount) => amount !== 0).length)
          }
          for (const of of itemsOf(yield* get("/v1/balance_history"))) {
            const { currency, days, opening } = Object(of)
            assert.deepStrictEqual(
              yield* Effect.promise(() => numbersIn(page, `balances-${currency}`)),
              [opening, ...days].map((day) => fieldsOf(day, ["pending", "available", "reserved"])),
              currency
            )
          }
          yield* Effect.promise(async () => {
            assert.strictEqual(await page.locator("#balances-EUR-figure .stretched path").count(), 3)
            await page.locator(".figure details").evaluateAll((all) => all.forEach((one) => one.setAttribute("open", "")))
          })
          yield* judge("home")

          yield* go(`/payments/${payment}`)
          const entries = [
            payment,
            dispute,
            ...itemsOf(yield* get(`/v1/settlements?payment_intent_id=${payment}`)).map((one) => Object(one).id)
          ]
          const ofPayment: Array<unknown> = []
          for (const id of entries) ofPayment.push(...itemsOf(yield* get(`/v1/financial_events?resource_id=${id}`)))
          const held = ["pending", "available", "reserved"].map((bucket) =>
            ofPayment.reduce<number>((sum, entry) => sum + Number(Object(entry)[`delta_${bucket}`]), 0)
          )
          assert.deepStrictEqual(held.at(-1), 5_000)
          assert.deepStrictEqual(yield* Effect.promise(() => numbersIn(page, "flow")), [held])
          const drawn = yield* Effect.promise(() => page.locator("#flow-figure .strong").allTextContents())
          assert.deepStrictEqual(drawn.map(minor), held)
          const moves = ofPayment.filter((entry) => Object(entry).counter_account !== "MEMO").length
          assert.strictEqual(yield* Effect.promise(() => page.locator("#flow-figure .shaft").count()), moves)
          yield* judge("flow")

          yield* go(`/disputes/${dispute}`)
          const { created_at, evidence_due_by } = yield* get(`/v1/disputes/${dispute}`)
          const times = () =>
            Effect.promise(() => page.locator("#moments-figure time").evaluateAll((all) => all.map((one) => one.getAttribute("datetime"))))
          assert.deepStrictEqual(yield* times(), [created_at, evidence_due_by])

          yield* go(`/subscriptions/${subscription}`)
          const { latest_billing_cycle_id } = yield* get(`/v1/subscriptions/${subscription}`)
          const cycle = yield* get(`/v1/billing_cycles/${String(latest_billing_cycle_id)}`)
          const attempts = itemsOf(yield* get(`/v1/billing_cycles/${String(latest_billing_cycle_id)}/attempts`))
          assert.strictEqual(attempts.length, 3)
          assert.deepStrictEqual(
            yield* times(),
            [cycle["due_date"], ...attempts.map((one) => Object(one).created_at), cycle["next_attempt_at"], cycle["grace_until"]]
          )
          assert.strictEqual(yield* Effect.promise(() => page.locator("#moments-figure svg[role=img] .bad").count()), 3)
          yield* judge("dunning")

          // Two tabs: both follow one refund. A stream knows by its answer which events were there before.
          const home = yield* Effect.promise(() => page.context().newPage())
          const listening = (tab: Page, path: string) =>
            Promise.all([tab.waitForResponse((one) => one.url().endsWith("/desk/live")), tab.goto(`${DESK}${path}`)])
          yield* Effect.promise(() => page.goto("about:blank"))
          yield* Effect.promise(() => listening(page, `/payments/${refunded}`))
          yield* Effect.promise(() => listening(home, ""))
          const arrows = yield* Effect.promise(() => page.locator("#flow-figure .shaft").count())
          yield* Effect.promise(() => home.locator("#volume-EUR-figure details").evaluate((one) => one.setAttribute("open", "")))
          yield* post(`/v1/payment_intents/${refunded}/refund`, { amount: 100 })
          yield* Effect.promise(async () => {
            await page.locator("#flow-figure .shaft").nth(arrows).waitFor({ state: "attached" })
            await home.getByText("€13.34 refunded").first().waitFor()
            assert.strictEqual(await home.locator("#volume-EUR-figure details[open]").count(), 1)
            assert.strictEqual(await home.locator(".fresh").count(), 0)
            await page.context().close()
          })
        }), { timeout: 180_000 })
    }
  )
}
