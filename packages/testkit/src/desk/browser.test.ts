/** A list, a detail and a form of the desk in a real browser: under axe-core, on a phone, by keyboard, without a script. */
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { Browser, chromiumPath, MISSING } from "../browser/chromium.ts"
import { judged, phone } from "../browser/judging.ts"
import * as world from "../browser/world.ts"
import { must } from "../contract/service.ts"
import { openWithPayouts } from "./payouts.ts"
import { signedIn } from "./people.ts"

const DESK = "http://svc.test/desk"

/** A browser in which the owner of an account with payouts is signed in. */
const open = Effect.fnUntraced(function*(options: Parameters<Browser["Service"]["open"]>[0] = {}) {
  const merchant = yield* openWithPayouts(2)
  const { secret } = yield* signedIn(merchant.id, "owner")
  const browser = yield* Browser
  const page = yield* Effect.promise(() => browser.open(options))
  yield* Effect.promise(() => page.context().addCookies([{ name: "desk", value: secret, url: "http://svc.test" }]))
  return { ...merchant, page }
})

const act = (page: Page, does: () => Promise<void>) =>
  Effect.promise(async () => {
    await does()
    await page.context().close()
  })

const isWide = "document.documentElement.scrollWidth > innerWidth"

if (chromiumPath() === undefined) it(MISSING, ({ skip }) => skip())
else {layer(world.layer, { excludeTestServices: true, timeout: "120 seconds" })("views of the desk in a browser", (it) => {
    it.effect("have no fault for axe-core: list, detail, form", () =>
      Effect.gen(function*() {
        const { page, payouts: [payout = ""] } = yield* open({ bypassCSP: true })
        yield* act(page, async () => {
          for (const [name, path] of [["list", "payouts?status=pending"], ["detail", `payouts/${payout}`], ["form", "payouts/do/create"]]) {
            await page.goto(`${DESK}/${path}`)
            await judged(page, `desk-${name}`)
          }
        })
      }), { timeout: 180_000 })

    it.effect("are cards on a phone, whose menu unfolds without a script, and where everything can be done", () =>
      Effect.gen(function*() {
        const { destination_id, key, page, payouts } = yield* open({
          viewport: phone,
          javaScriptEnabled: false,
          isMobile: true,
          hasTouch: true
        })
        yield* act(page, async () => {
          await page.goto(DESK)
          await page.getByText("Menu", { exact: true }).click()
          await page.getByRole("link", { name: "Payouts", exact: true }).click()
          assert.isFalse(await page.evaluate(isWide))
          await page.getByRole("link", { name: "$10.01" }).click()
          await page.getByRole("link", { name: "Cancel payout" }).click()
          await page.getByText("This cannot be taken back.").waitFor()
          await page.getByRole("button", { name: "Cancel payout" }).click()
          await page.getByText("Cancel payout: done.").waitFor()
          await page.reload()
          assert.strictEqual(await page.getByText("Cancel payout: done.").count(), 0)
          await page.goto(`${DESK}/payouts/do/create`)
          await page.getByLabel("Amount").fill("7.x")
          await page.getByLabel("Currency").fill("USD")
          await page.getByLabel("Destination").selectOption(destination_id)
          await page.getByRole("button", { name: "Create payout" }).click()
          assert.strictEqual(await page.getByLabel("Amount").getAttribute("aria-invalid"), "true")
          assert.strictEqual(await page.getByLabel("Destination").inputValue(), destination_id)
        })
        assert.strictEqual((yield* must("GET", `/v1/payouts/${payouts[1]}`, { key }))["status"], "cancelled")
      }))

    it.effect("stand in a menu whose sections fold without a script, and of which that of the page is open", () =>
      Effect.gen(function*() {
        const { page } = yield* open({ javaScriptEnabled: false })
        const isShown = (name: string) => page.getByRole("link", { name, exact: true }).isVisible()
        yield* act(page, async () => {
          await page.goto(DESK)
          assert.deepStrictEqual([await isShown("Payouts"), await isShown("API keys")], [true, false])
          await page.locator(".unfolded summary", { hasText: "Developers" }).click()
          assert.isTrue(await isShown("API keys"))
          await page.getByRole("link", { name: "API keys", exact: true }).click()
          await page.getByRole("heading", { name: "API keys" }).waitFor()
          assert.deepStrictEqual([await isShown("Payouts"), await isShown("API keys")], [false, true])
        })
      }))

    it.effect("are gone through by keyboard, and tell what happens meanwhile", () =>
      Effect.gen(function*() {
        const { key, page, payouts: [payout = ""] } = yield* open()
        const complaints: Array<string> = []
        page.on("console", (message) => message.type() === "error" && complaints.push(message.text()))
        yield* Effect.promise(async () => {
          await page.goto(`${DESK}/payouts`)
          await page.keyboard.press("Tab")
          assert.strictEqual(await page.evaluate("document.activeElement.textContent"), "Skip to content")
          await page.keyboard.press("Enter")
          await page.locator("a.open").first().focus()
          await page.keyboard.press("Enter")
          await page.waitForURL(/\/payouts\/po_/u)
          // The stream knows by its answer which events were there before.
          const listening = page.waitForResponse((answer) =>
            answer.url().endsWith("/desk/live") && answer.frame().url() === `${DESK}/payments`
          )
          await Promise.all([listening, page.goto(`${DESK}/payments`)])
        })
        yield* must("POST", "/v1/payment_intents", { key, body: { amount: 4_242, currency: "EUR", idempotency_key: payout } })
        yield* act(page, async () => {
          await page.getByRole("link", { name: "Something has changed" }).click()
          await page.getByText("€42.42").first().waitFor()
          assert.deepStrictEqual(complaints.filter((text) => text.includes("Content Security Policy")), [])
        })
      }))
  })}
