/**
 * The hosted checkout of a subscription in a real browser: with and without a trial, declined, and with the bank's step.
 * With SCREENSHOTS=1 it also writes pictures into `screenshots`, a folder that git ignores.
 */
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { must } from "../contract/service.ts"
import { Browser, chromiumPath, MISSING } from "./chromium.ts"
import { complaintsOf, fieldsOn, payButton, payWith, typeCard } from "./customer.ts"
import { judged } from "./judging.ts"
import * as world from "./world.ts"
import { type AskedPlan, type Opened, openSubscription, paymentsOf, sessionOf, subscriptionsOf } from "./world.ts"

const THANKS = /^http:\/\/shop\.test\/thanks/u

/** Opens the page of a new session, watches it, and does this on it. */
const subscribing = (asked: AskedPlan, act: (page: Page, opened: Opened) => Promise<void>) =>
  Effect.gen(function*() {
    const opened = yield* openSubscription(asked)
    const browser = yield* Browser
    yield* Effect.promise(async () => {
      const page = await browser.open()
      const complaints = complaintsOf(page)
      await page.goto(opened.url)
      await act(page, opened)
      await page.context().close()
      assert.deepStrictEqual(complaints, [])
    })
    return opened
  })

/** The subscription as the merchant sees it, found by the session. */
const boughtBy = Effect.fnUntraced(function*(opened: Opened) {
  const session = yield* sessionOf(opened)
  assert.deepInclude(session, { mode: "subscription", status: "complete", payment_status: "paid" })
  return yield* must("GET", `/v1/subscriptions/${String(session["subscription_id"])}`, { key: opened.key })
})

const languages = { en: "english", ar: "arabic", ja: "japanese" } as const

if (chromiumPath() === undefined) it(MISSING, ({ skip }) => skip())
else {layer(world.layer, { excludeTestServices: true, timeout: "60 seconds" })("the hosted checkout of a subscription", (it) => {
    it.effect("charges the first period, says that it has started, and sends the customer back", () =>
      Effect.gen(function*() {
        const opened = yield* subscribing({}, async (page, { id }) => {
          await page.getByRole("heading", { name: "Subscribe to" }).waitFor()
          await page.locator(".side").getByText("per month").waitFor()
          await typeCard(page, "4242424242424242")
          assert.strictEqual(await payButton(page).innerText(), "Subscribe")
          await payButton(page).click()
          await page.getByText("Your subscription has started").waitFor()
          await page.waitForURL(`http://shop.test/thanks?session=${id}`)
        })
        assert.deepInclude(yield* boughtBy(opened), { status: "active", customer_id: "ana@example.com" })
        assert.deepStrictEqual(yield* paymentsOf(opened), [["captured", 1_900]])
      }))

    it.effect("begins a trial without a charge, and says from when it costs what", () =>
      Effect.gen(function*() {
        const opened = yield* subscribing({ trial: 14 }, async (page) => {
          await page.locator(".amount", { hasText: "14 days free" }).waitFor()
          await page.getByText("Then \u2068€19.00\u2069 per month", { exact: true }).waitFor()
          assert.match(await page.locator(".total").innerText(), /Due today\s*€0\.00/u)
          await typeCard(page, "4242424242424242")
          assert.strictEqual(await payButton(page).innerText(), "Start trial")
          await payButton(page).click()
          await page.waitForURL(THANKS)
        })
        assert.deepInclude(yield* boughtBy(opened), { status: "trialing" })
        assert.deepStrictEqual(yield* paymentsOf(opened), [])
      }))

    it.effect("says why a card was declined, and takes another; a double click subscribes once", () =>
      Effect.gen(function*() {
        const opened = yield* subscribing({}, async (page) => {
          await payWith(page, "tok_insufficient_funds")
          const alert = page.getByRole("alert")
          await alert.waitFor()
          assert.include(await alert.innerText(), "There is not enough money on the card.")
          await page.reload()
          await alert.waitFor()
          await fieldsOn(page).locator("summary").click()
          await fieldsOn(page).locator("[data-token=tok_visa]").click()
          await payButton(page).dblclick()
          await page.waitForURL(THANKS)
        })
        assert.deepInclude(yield* boughtBy(opened), { status: "active" })
        assert.deepStrictEqual(yield* subscriptionsOf(opened), ["canceled", "active"])
        assert.sameDeepMembers(yield* paymentsOf(opened), [["failed", 0], ["captured", 1_900]])
      }))

    it.effect("leads through the bank's step and back to its own page", () =>
      Effect.gen(function*() {
        const opened = yield* subscribing({ session: { locale: "de" } }, async (page) => {
          await payWith(page, "tok_requires_action")
          await page.getByRole("button", { name: "Ablehnen" }).click()
          await page.getByRole("alert").waitFor()
          assert.deepStrictEqual(new URL(page.url()).pathname.split("/")[1], "checkout")
          await payWith(page, "tok_requires_action")
          await page.getByRole("button", { name: "Zahlung bestätigen" }).click()
          await page.waitForURL(THANKS)
        })
        assert.deepInclude(yield* boughtBy(opened), { status: "active" })
        assert.sameDeepMembers(yield* paymentsOf(opened), [["failed", 0], ["captured", 1_900]])
      }))

    it.effect.each(Object.entries(languages))("can be used by everybody: in %s", ([locale, language]) =>
      Effect.gen(function*() {
        for (const trial of [0, 14]) {
          yield* subscribing({ trial, session: { locale } }, async (page, { url }) => {
            const name = `subscribe${trial === 0 ? "" : "-trial"}`
            const frame = () => fieldsOn(page).locator("#number").waitFor()
            await frame()
            assert.strictEqual(await page.evaluate(() => document.documentElement.dir), locale === "ar" ? "rtl" : "ltr")
            await judged(page, `${name}, ${language}`, ({ dark, size }) =>
              trial === 0 ? undefined : `${name}-${language}${dark ? "-dark" : ""}-${size}`)
            if (trial === 0) {
              await payWith(page, "tok_insufficient_funds")
              await page.getByRole("alert").waitFor()
              await frame()
              await judged(page, `${name}, declined, ${language}`, ({ dark, size }) =>
                dark || size === "desktop" ? undefined : `${name}-declined-${language}-${size}`)
            }
            await payWith(page, "tok_visa")
            await page.waitForURL(THANKS)
            await page.goto(url)
            await page.locator(".status").waitFor()
            await judged(page, `${name}, started, ${language}`, ({ dark, size }) =>
              dark || trial === 14 ? undefined : `subscribe-started-${language}-${size}`)
          })
        }
      }), { timeout: 600_000 })
  })}
