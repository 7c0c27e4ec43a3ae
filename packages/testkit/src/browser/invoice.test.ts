/**
 * The page of an invoice in a real browser: an overdue one is paid there, once.
 * With SCREENSHOTS=1 it also writes pictures into `screenshots`, a folder that git ignores.
 */
import { assert, it, layer } from "@effect/vitest"
import { testInstruments } from "@svc/payments/rails/instruments"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { must } from "../contract/service.ts"
import { Browser, chromiumPath, MISSING } from "./chromium.ts"
import { chooseCard, complaintsOf, fieldsOn, payButton, payWith, typeCard } from "./customer.ts"
import { judged, settle } from "./judging.ts"
import * as world from "./world.ts"
import { openOverdue, type OverdueInvoice, paymentsOf, World } from "./world.ts"

/** Opens the page of an overdue invoice, watches it, and does this on it. */
const visiting = (locale: string, act: (page: Page, opened: OverdueInvoice) => Promise<void>) =>
  Effect.gen(function*() {
    const opened = yield* openOverdue(locale)
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

const toForm = async (page: Page) => {
  await page.locator("a.button.primary").click()
  await fieldsOn(page).locator("#number").waitFor()
}

/** What the merchant sees of it now. */
const standing = Effect.fnUntraced(function*({ id, key, subscription }: OverdueInvoice) {
  const invoice = yield* must("GET", `/v1/invoices/${id}`, { key })
  const { status } = yield* must("GET", `/v1/subscriptions/${subscription}`, { key })
  return [invoice["status"], status]
})

const THANKS = "Thank you, your payment was received"

if (chromiumPath() === undefined) it(MISSING, ({ skip }) => skip())
else {layer(world.layer, { excludeTestServices: true, timeout: "60 seconds" })("the page of an invoice", (it) => {
    it.effect(
      "takes another card when one is declined, says why, and is paid; back and reload pay nothing again",
      () =>
        Effect.gen(function*() {
          const opened = yield* visiting("en", async (page, { url }) => {
            await toForm(page)
            await payWith(page, "tok_expired_card")
            const alert = page.getByRole("alert")
            await alert.waitFor()
            assert.include(await alert.innerText(), "The card has expired. Use another card. You were not charged.")
            await page.reload()
            await alert.waitFor()
            await typeCard(page, "4242424242424242")
            // Chromium sends a click to where a frame was before the page was scrolled, until it has drawn the page anew.
            await payButton(page).scrollIntoViewIfNeeded()
            await settle(page)
            await payButton(page).click()
            await page.getByText(THANKS).waitFor()
            await page.reload()
            await page.getByText(THANKS).waitFor()
            await page.goBack()
            await page.getByText(THANKS).waitFor()
            await page.goto(url)
            await page.getByText("Paid on").waitFor()
            assert.strictEqual(await page.locator("a.button[href$='/pay']").count(), 0)
          })
          assert.deepStrictEqual(yield* standing(opened), ["paid", "active"])
          assert.sameDeepMembers(yield* paymentsOf(opened), [["failed", 0], ["failed", 0], ["captured", 1_900]])
        }),
      { timeout: 180_000 }
    )

    it.effect("is paid once from two tabs at one moment, and by a double click", () =>
      Effect.gen(function*() {
        const tabs = yield* visiting("en", async (one) => {
          await toForm(one)
          const other = await one.context().newPage()
          await other.goto(one.url())
          // A tab behind another is not drawn, and its frame does not grow.
          await one.bringToFront()
          await chooseCard(one, "tok_visa")
          await other.bringToFront()
          await chooseCard(other, "tok_mastercard")
          await Promise.all([one, other].map(async (page) => {
            await payButton(page).click()
            await page.getByText(THANKS).waitFor()
          }))
        })
        const double = yield* visiting("en", async (page) => {
          await toForm(page)
          await chooseCard(page, "tok_visa")
          await payButton(page).dblclick()
          await page.getByText(THANKS).waitFor()
        })
        for (const opened of [tabs, double]) {
          assert.deepStrictEqual(yield* standing(opened), ["paid", "active"])
          assert.sameDeepMembers(yield* paymentsOf(opened), [["failed", 0], ["captured", 1_900]])
        }
      }))

    it.effect("leads through the bank's step and back; a refusal can be followed by another card", () =>
      Effect.gen(function*() {
        const opened = yield* visiting("fr", async (page) => {
          await toForm(page)
          await payWith(page, "tok_requires_action")
          await page.getByRole("button", { name: "Refuser" }).click()
          await page.getByRole("alert").waitFor()
          await payWith(page, "tok_requires_action")
          await page.getByRole("button", { name: "Confirmer" }).click()
          await page.getByText("Merci").waitFor()
        })
        assert.deepStrictEqual(yield* standing(opened), ["paid", "active"])
      }))

    it.effect("is found again where the bank's step was left, and in another tab", () =>
      Effect.gen(function*() {
        const opened = yield* visiting("en", async (page, { url }) => {
          await toForm(page)
          await payWith(page, "tok_requires_action")
          await page.getByRole("button", { name: "Refuse" }).waitFor()
          await page.goto(`${url}/pay`)
          await page.getByRole("link", { name: "Continue to your bank" }).click()
          await page.getByRole("button", { name: "Confirm payment" }).click()
          await page.getByText(THANKS).waitFor()
        })
        assert.deepStrictEqual(yield* standing(opened), ["paid", "active"])
      }))

    it.effect("lets no digit of a card reach the server", () =>
      Effect.gen(function*() {
        const numbers = testInstruments.flatMap(({ number }) => number ?? []).slice(0, 4)
        for (const number of numbers) {
          yield* visiting("en", async (page) => {
            await toForm(page)
            await typeCard(page, number, "1234", "987")
            await payButton(page).click()
            await Promise.race([
              page.getByRole("alert").waitFor(),
              page.getByText(THANKS).waitFor(),
              page.getByText("Confirm your payment").waitFor()
            ])
          })
        }
        const { logged, received } = yield* World
        const sql = yield* SqlClient.SqlClient
        const rows = yield* Effect.forEach(["payment_intents", "payment_methods", "billing_cycles", "invoices"], (name) =>
          sql.unsafe<{ readonly row: string }>(`SELECT t::text AS row FROM ${name} t`))
        const places = [
          received(),
          logged(),
          rows.flat().map(({ row }) =>
            row
          ).join("\n")
        ]
        assert.include(places.join(""), "tok_visa")
        for (const number of numbers) for (const place of places) assert.notInclude(place.replaceAll(/[^\w]/gu, ""), number)
      }), { timeout: 600_000 })

    it.effect.each([["en", "english"], ["ar", "arabic"], ["ja", "japanese"]] as const)(
      "can be used by everybody: in %s",
      ([locale, language]) =>
        Effect.gen(function*() {
          yield* visiting(locale, async (page, { url }) => {
            const named = (name: string) => ({ dark, size }: { readonly dark: boolean; readonly size: string }) =>
              dark && language !== "english" ? undefined : `${name}-${language}${dark ? "-dark" : ""}-${size}`
            assert.strictEqual(await page.evaluate(() => document.documentElement.dir), locale === "ar" ? "rtl" : "ltr")
            await judged(page, `invoice, ${language}`, named("invoice"))
            await toForm(page)
            await judged(page, `paying, ${language}`, named("invoice-pay"))
            await payWith(page, "tok_insufficient_funds")
            await page.getByRole("alert").waitFor()
            await fieldsOn(page).locator("#number").waitFor()
            await judged(
              page,
              `declined, ${language}`,
              ({ dark, size }) => dark || size === "desktop" ? undefined : `invoice-declined-${language}-${size}`
            )
            await payWith(page, "tok_visa")
            await page.locator(".sign.good").waitFor()
            await judged(
              page,
              `thanks, ${language}`,
              ({ dark, size }) => dark || size === "desktop" ? undefined : `invoice-thanks-${language}-${size}`
            )
            await page.goto(url)
            await judged(page, `paid, ${language}`)
          })
        }),
      { timeout: 600_000 }
    )
  })}
