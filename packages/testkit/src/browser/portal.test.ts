/**
 * The customer portal in a real browser: what customers do there, by mouse and by keyboard, and its pages under axe-core.
 * With SCREENSHOTS=1 it also writes pictures into `screenshots`, a folder that git ignores.
 */
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { createRequire } from "node:module"
import type { Page } from "playwright-core"
import { must, openMerchant } from "../contract/service.ts"
import { Browser, chromiumPath, MISSING } from "./chromium.ts"
import { complaintsOf, payWith } from "./customer.ts"
import * as world from "./world.ts"

const AXE = createRequire(import.meta.url).resolve("axe-core/axe.min.js")
const FOLDER = new URL("../../../../screenshots/", import.meta.url).pathname
const wanted = process.env["SCREENSHOTS"] === "1"

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true, bypassCSP: true }
const desktop = { viewport: { width: 1280, height: 800 }, bypassCSP: true }

/** A merchant with two plans, a subscriber of the smaller one, and the address of the portal. */
const openPortal = Effect.fnUntraced(function*({ locale, token = "tok_visa" }: { readonly locale?: string; readonly token?: string } = {}) {
  const { key } = yield* openMerchant("Nordlicht Studio")
  const post = (path: string, body: object) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
  yield* must("PATCH", "/v1/account", {
    key,
    body: {
      settings: {
        branding: { color: "#0b5d4e" },
        portal_settings: { actions: ["cancel", "change_plan", "update_payment_method", "pause"], plans: null }
      }
    }
  })
  const sell = Effect.fnUntraced(function*(name: string, amount: number) {
    const { id } = yield* post("/v1/plans", {
      name,
      amount,
      currency: "EUR",
      billing_period: "monthly",
      description: `${name} for your studio`
    })
    yield* must("POST", `/v1/plans/${String(id)}/activate`, { key })
    return String(id)
  })
  const [basic, pro] = [yield* sell("Basic", 900), yield* sell("Professional", 2_900)]
  const { id: method } = yield* post("/v1/payment_methods", { type: "card", token, customer_id: "ana" })
  const { id: sub } = yield* post("/v1/subscriptions", { plan_id: basic, customer_id: "ana", payment_method_id: method })
  const { url } = yield* post("/v1/customer_portal/sessions", {
    customer_id: "ana",
    return_url: "http://shop.test/account",
    ...(locale === undefined ? {} : { locale })
  })
  return { key, basic, pro, sub: String(sub), url: String(url) }
})

const judged = async (page: Page, name: string): Promise<void> => {
  await page.addScriptTag({ path: AXE })
  const found = await page.evaluate(
    "axe.run(document, { iframes: false }).then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')))"
  )
  assert.deepStrictEqual(found, [], name)
  if (wanted) await page.screenshot({ path: `${FOLDER}${name}.png`, animations: "disabled", fullPage: true })
}

const onPage = (url: string, options: Parameters<Browser["Service"]["open"]>[0], act: (page: Page) => Promise<void>) =>
  Effect.flatMap(Browser, (browser) =>
    Effect.promise(async () => {
      const page = await browser.open(options)
      const complaints = complaintsOf(page)
      // Without the page's policy, which axe-core's own script would break, a browser asks for a picture of the site.
      await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }))
      await page.goto(url)
      await act(page)
      await page.context().close()
      assert.deepStrictEqual(complaints, [])
    }))

if (chromiumPath() === undefined) it(MISSING, ({ skip }) => skip())
else {layer(world.layer, { excludeTestServices: true, timeout: "120 seconds" })("the customer portal", (it) => {
    it.effect.each([["phone", phone], ["desktop", desktop]] as const)(
      "has pages without a fault, on a %s",
      ([size, options]) =>
        Effect.gen(function*() {
          const { pro, sub, url } = yield* openPortal()
          yield* onPage(url, options, async (page) => {
            await judged(page, `portal-overview-${size}`)
            for (
              const [place, name] of [
                ["/invoices", "invoices"],
                ["/payment-methods", "methods"],
                [`/subscriptions/${sub}/plan`, "plans"],
                [`/subscriptions/${sub}/plan/${pro}`, "preview"],
                [`/subscriptions/${sub}/cancel`, "cancel"],
                [`/subscriptions/${sub}/pause`, "pause"]
              ] as const
            ) {
              await page.goto(`${url}${place}`)
              await judged(page, `portal-${name}-${size}`)
            }
          })
        })
    )

    it.effect("is dark where that is asked for, and runs from right to left in Arabic", () =>
      Effect.gen(function*() {
        const { pro, sub, url } = yield* openPortal({ locale: "ar" })
        yield* onPage(url, { ...desktop, colorScheme: "dark" }, (page) => judged(page, "portal-overview-arabic-dark-desktop"))
        yield* onPage(`${url}/subscriptions/${sub}/plan/${pro}`, phone, (page) => judged(page, "portal-preview-arabic-phone"))
      }))

    it.effect("changes the plan, cancels and takes that back, by keyboard alone", () =>
      Effect.gen(function*() {
        const { key, pro, sub, url } = yield* openPortal()
        const press = async (page: Page, name: string) => {
          const target = page.getByRole("main").getByText(name, { exact: true }).first()
          // The page before may still be there.
          await target.waitFor()
          for (let n = 0; n < 30; n++) {
            await page.keyboard.press("Tab")
            if (await target.evaluate((element) => element.ownerDocument.activeElement?.contains(element) ?? false)) break
          }
          await page.keyboard.press("Enter")
        }
        yield* onPage(url, desktop, async (page) => {
          await press(page, "Change plan")
          await page.getByText("Choose your plan").waitFor()
          await page.getByRole("radio").focus()
          await page.keyboard.press("Space")
          await page.keyboard.press("Enter")
          await page.getByText("Change to").first().waitFor()
          await press(page, "Confirm change")
          await page.getByText("Your plan was changed").waitFor()
          await judged(page, "portal-changed-desktop")
          await press(page, "Back to the overview")
          await page.waitForURL(url)
          await press(page, "Cancel subscription")
          await page.getByText("Until then you can change your mind").waitFor()
          await press(page, "Cancel subscription")
          await page.getByText("Your subscription is cancelled").waitFor()
          await judged(page, "portal-cancelled-desktop")
          await press(page, "Keep subscription")
          await page.getByText("Your subscription goes on").waitFor()
        })
        assert.deepInclude(yield* must("GET", `/v1/subscriptions/${sub}`, { key }), { plan_id: pro, cancel_at_end: false })
      }), 180_000)

    it.effect("pays what is overdue with a new card, and says so", () =>
      Effect.gen(function*() {
        const { key, sub, url } = yield* openPortal({ token: "tok_insufficient_funds" })
        assert.deepInclude(yield* must("GET", `/v1/subscriptions/${sub}`, { key }), { status: "past_due" })
        yield* onPage(url, phone, async (page) => {
          await page.getByRole("alert").waitFor()
          await judged(page, "portal-overdue-phone")
          await page.getByRole("link", { name: "Update card" }).click()
          await payWith(page, "tok_mastercard")
          await page.getByText("Your card was saved and the payment went through").waitFor()
          await judged(page, "portal-card-paid-phone")
        })
        assert.deepInclude(yield* must("GET", `/v1/subscriptions/${sub}`, { key }), { status: "active" })
      }))
  })}
