/** The home page of the desk in a real browser, for an account that has just begun and for one with things to see to. */
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { Browser, chromiumPath, MISSING } from "../browser/chromium.ts"
import { judged, violationsIn } from "../browser/judging.ts"
import * as world from "../browser/world.ts"
import { type Merchant, must, openMerchant, send } from "../contract/service.ts"
import { signedIn } from "./people.ts"

const HOME = "http://svc.test/desk"

/** A merchant with two payments in two currencies, and a dispute whose evidence is due. */
const openBusiness = Effect.fnUntraced(function*() {
  const merchant = yield* openMerchant("Nordlicht Keramik")
  const post = (path: string, body: object) => must("POST", path, { key: merchant.key, body: { ...body, idempotency_key: randomUUID() } })
  const pay = Effect.fnUntraced(function*(amount: number, currency: string) {
    const { id } = yield* post("/v1/payment_intents", { amount, currency })
    yield* post(`/v1/payment_intents/${String(id)}/authorize`, { payment_method_id: "tok_visa", capture: true })
    return String(id)
  })
  yield* pay(2_500, "EUR")
  const payment_intent_id = yield* pay(123_456, "USD")
  const { id } = yield* post("/v1/disputes/simulate", { payment_intent_id })
  yield* (yield* SqlClient.SqlClient)`UPDATE disputes SET evidence_due_by = now() + interval '2 days' WHERE merchant_id = ${merchant.id}`
  return { merchant, dispute: String(id) }
})

const openHome = Effect.fnUntraced(function*({ id }: Merchant, javaScriptEnabled = true) {
  const { secret } = yield* signedIn(id, "finance")
  const { open } = yield* Browser
  return yield* Effect.promise(async () => {
    const page = await open({ viewport: { width: 1280, height: 800 }, bypassCSP: javaScriptEnabled, javaScriptEnabled })
    await page.context().addCookies([{ name: "desk", value: secret, url: HOME }])
    await page.goto(HOME)
    return page
  })
})

if (chromiumPath() === undefined) it(MISSING, ({ skip }) => skip())
else {
  layer(world.layer, { excludeTestServices: true, timeout: "60 seconds" })("the home page of the desk", (it) => {
    it.effect("shows what needs somebody, what came in, the three buckets and the latest payments", () =>
      Effect.gen(function*() {
        const { dispute, merchant } = yield* openBusiness()
        const page = yield* openHome(merchant)
        yield* Effect.promise(async () => {
          const main = await page.locator(".home").innerText()
          for (const text of ["€25.00", "$1,234.56", "one payment", "Pending", "Available", "Reserved", "A dispute waits"]) {
            assert.include(main, text)
          }
          assert.include(main, "1 of 6 steps are done.")
          assert.notInclude(main, "curl")
          assert.strictEqual(await page.getByText("A dispute waits").getAttribute("href"), `/desk/disputes/${dispute}`)
          assert.strictEqual(await page.locator(".stretched .series-1 rect").count(), 2)
          assert.strictEqual(await page.locator("section:has(h2:text-is('Latest payments')) li").count(), 2)
          await judged(page, "home")
          await page.setViewportSize({ width: 390, height: 844 })
          assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0)
          await page.close()
        })
      }))

    it.effect("shows the same without a script", () =>
      Effect.gen(function*() {
        const { merchant } = yield* openBusiness()
        const page = yield* openHome(merchant, false)
        yield* Effect.promise(async () => {
          const main = await page.locator(".home").innerText()
          assert.include(main, "$1,234.56")
          assert.include(main, "A dispute waits for evidence.")
          await page.close()
        })
      }))

    it.effect("shows the way to live to an account in which nothing has happened", () =>
      Effect.gen(function*() {
        const page = yield* openHome(yield* openMerchant("New"))
        yield* Effect.promise(async () => {
          const main = await page.locator(".home").innerText()
          assert.include(main, "Nothing waits for anybody.")
          assert.include(main, "curl http://svc.test/v1/payment_intents")
          assert.include(main, "0 of 6 steps are done.")
          const steps = page.locator(".checklist>li")
          assert.strictEqual(await steps.count(), 6)
          assert.include(await steps.first().innerText(), "To do")
          assert.deepStrictEqual(await steps.locator("a").evaluateAll((links) => links.map((link) => link.getAttribute("href"))), [
            "/desk/terms",
            "/desk/legal_entities",
            "/desk/transfer_instruments",
            "/desk/webhook_endpoint",
            "/desk/payments",
            "/desk/go_live_requests"
          ])
          assert.deepStrictEqual(await violationsIn(page.mainFrame()), [])
          await page.close()
        })
      }))

    it.effect("shows nobody else's", () =>
      Effect.gen(function*() {
        yield* openBusiness()
        const { cookie } = yield* signedIn((yield* openMerchant("Other")).id, "owner")
        const { status, text } = yield* send("GET", "/desk", { headers: { cookie } })
        assert.strictEqual(status, 200)
        assert.notInclude(text, "1,234.56")
        assert.notInclude(text, "/desk/disputes/")
      }))
  })
}
