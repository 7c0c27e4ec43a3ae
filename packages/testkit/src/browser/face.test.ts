/**
 * What customers with long names, many items, other languages or no JavaScript meet. With SCREENSHOTS=1 it also writes pictures into
 * `screenshots`, a folder that git ignores.
 */
import * as NodeServices from "@effect/platform-node/NodeServices"
import { assert, it, layer } from "@effect/vitest"
import { listOutbox, outboxIn } from "@svc/platform/email/outbox"
import { Context, Effect, Layer } from "effect"
import { randomUUID } from "node:crypto"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { Locator, Page } from "playwright-core"
import { must, Service } from "../contract/service.ts"
import { Browser, chromiumPath, MISSING } from "./chromium.ts"
import { fieldsOn, payButton, payWith, typeCard } from "./customer.ts"
import { desktop, FOLDER, settle, wanted } from "./judging.ts"
import * as world from "./world.ts"
import { openCheckout, type Opened, openOverdue, openSubscription, sessionOf } from "./world.ts"

/** Sixty letters. */
const NAME = "Nordlichtkeramikmanufakturgesellschaft Süderbrarup und Söhne"
const LOGO = "https://logo.test/wide.svg"
const SVG = `<svg xmlns="http://www.w3.org/2000/svg" width="600" height="60"><rect width="600" height="60" fill="#0b5d4e"/></svg>`
const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

const items = Array.from({ length: 40 }, (_, n) => ({ name: `Ceramic mug, number ${n + 1}`, quantity: 1, unit_amount: 1_800 }))

/** Each language, with its words for a paid invoice. */
const languages = {
  de: ["Bezahlt", "Rechnung"],
  fr: ["Payée", "Facture"],
  es: ["Pagada", "Factura"],
  ja: ["支払済み", "請求書"],
  ar: ["مدفوعة", "فاتورة"],
  en: ["Paid", "Invoice"]
} as const

/** The folder in which mails lie. */
class Mails extends Context.Service<Mails, { readonly folder: string }>()("@svc/testkit/browser/Mails") {}

const dataFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "svc-face-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

const serving = Layer.unwrap(
  Effect.map(
    dataFolder,
    (folder) =>
      Layer.mergeAll(Layer.succeed(Mails, { folder: outboxIn(folder) }), world.layerWith({ DATA_DIR: folder }), NodeServices.layer)
  )
)

type Options = Parameters<Browser["Service"]["open"]>[0]

/** Opens the page in a window of its own, and does this on it. */
const onPage = <A>(url: string, options: Options, act: (page: Page) => Promise<A>) =>
  Effect.flatMap(Browser, (browser) =>
    Effect.promise(async () => {
      const page = await browser.open(options)
      await page.route("https://logo.test/**", (route) => route.fulfill({ contentType: "image/svg+xml", body: SVG }))
      await page.goto(url)
      const result = await act(page)
      await page.context().close()
      return result
    }))

const shot = async (page: Page, name: string): Promise<void> => {
  if (wanted) await page.screenshot({ path: `${FOLDER}${name}.png`, animations: "disabled", fullPage: true })
}

const boxOf = async (locator: Locator) => (await locator.boundingBox()) ?? assert.fail("it is not shown")

/** Badges are one line of text, arrows whole, and nothing is wider than the page. */
const assertWhole = async (page: Page): Promise<void> => {
  await settle(page)
  for (const badge of await page.locator(".brand .badge").all()) assert.isBelow((await boxOf(badge)).height, 30)
  for (const arrow of await page.locator(".back svg").all()) assert.isAtLeast((await boxOf(arrow)).width, 16)
  // At least three letters a line.
  assert.isAtLeast((await boxOf(page.locator(".brand bdi"))).width, 100)
  assert.isAtMost(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth), 0)
}

/** The customer portal of the address that paid. */
const openPortal = Effect.fnUntraced(function*({ key }: Pick<Opened, "key">, customer_id = "ana@example.com") {
  const { url } = yield* must("POST", "/v1/customer_portal/sessions", {
    key,
    body: { customer_id, return_url: "http://shop.test/account", idempotency_key: randomUUID() }
  })
  return String(url)
})

const invoiceOf = Effect.fnUntraced(function*({ key }: Pick<Opened, "key">) {
  const { data } = yield* must("GET", "/v1/invoices", { key })
  const [invoice] = (Array.isArray(data) ? data : []).map(({ hosted_url, id }: { readonly id: string; readonly hosted_url: string }) => ({
    id,
    url: hosted_url
  }))
  return invoice ?? assert.fail("there is no invoice")
})

if (chromiumPath() === undefined) it(MISSING, ({ skip }) => skip())
else {layer(serving, { excludeTestServices: true, timeout: "120 seconds" })("what customers see", (it) => {
    for (const [size, options] of [["phone", phone], ["desktop", { viewport: desktop }]] as const) {
      it.effect.each([["a wide logo", { name: NAME, logo_url: LOGO }], ["a long name", { name: NAME }]] as const)(
        `leaves room for the rest beside %s, on a ${size}`,
        ([what, branding]) =>
          Effect.gen(function*() {
            const opened = yield* openSubscription({ branding })
            yield* onPage(opened.url, options, async (page) => {
              await assertWhole(page)
              await shot(page, `face-checkout-${what.replaceAll(" ", "-")}-${size}`)
              await payWith(page, "tok_visa")
              await page.waitForURL(/shop\.test/u)
            })
            yield* onPage(yield* openPortal(opened), options, async (page) => {
              await assertWhole(page)
              await shot(page, `face-portal-${what.replaceAll(" ", "-")}-${size}`)
            })
            yield* onPage((yield* invoiceOf(opened)).url, options, async (page) => {
              await assertWhole(page)
              await shot(page, `face-invoice-${what.replaceAll(" ", "-")}-${size}`)
            })
          })
      )
    }

    it.effect("folds many items, so that the card is near, and unfolds them", () =>
      Effect.gen(function*() {
        const { url } = yield* openCheckout({ session: { line_items: items } })
        yield* onPage(url, phone, async (page) => {
          await fieldsOn(page).locator("#number").waitFor()
          assert.isBelow((await boxOf(page.locator("iframe.fields"))).y, 844)
          await shot(page, "face-forty-items-folded-phone")
          await page.getByText("Show 40 items").tap()
          await page.getByText("Ceramic mug, number 40").waitFor()
          await shot(page, "face-forty-items-phone")
        })
      }))

    it.effect("is small: each page weighs at most 17 kB, with its style and script", () =>
      Effect.gen(function*() {
        const [checkout, overdue] = [yield* openCheckout({ session: { currency: "USD" } }), yield* openOverdue("de")]
        const portal = yield* openPortal(overdue, "ana")
        const wire = yield* Service
        for (const url of [checkout.url, portal, `${portal}/payment-methods`, overdue.url, `${overdue.url}/pay`]) {
          const { text } = yield* wire.send({ method: "GET", target: new URL(url).pathname, headers: [] })
          assert.isAtMost(Buffer.byteLength(text), 17_000, url)
        }
      }))

    it.effect("has no dead fields without JavaScript: the notice stands alone", () =>
      Effect.gen(function*() {
        const { url } = yield* openCheckout({ session: { currency: "JPY", customer_email: null } })
        const { key, ...overdue } = yield* openOverdue("en")
        for (const address of [url, `${overdue.url}/pay`, `${yield* openPortal({ key }, "ana")}/payment-methods`]) {
          yield* onPage(address, { ...phone, javaScriptEnabled: false }, async (page) => {
            await shot(page, `face-no-script-${new URL(address).pathname.split("/")[1] ?? ""}`)
            await page.locator("noscript .alert").waitFor()
            for (const dead of await page.locator("form[data-pay] :is(iframe,button,input:not([type=hidden]))").all()) {
              assert.isFalse(await dead.isVisible(), await dead.evaluate((element) => element.outerHTML))
            }
          })
        }
      }))

    it.effect("names all empty fields at the first press", () =>
      Effect.gen(function*() {
        const { url } = yield* openCheckout({ session: { customer_email: null } })
        yield* onPage(url, phone, async (page) => {
          await fieldsOn(page).locator("#number").waitFor()
          await payButton(page).click()
          await page.getByText("Enter an email address").waitFor()
          await fieldsOn(page).getByText("Enter the card number.").waitFor()
          await fieldsOn(page).getByText("Enter the 3 or 4 digits on the card.").waitFor()
          assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "email")
          await shot(page, "face-empty-phone")
          await page.locator("#email").fill("ana@example.com")
          await typeCard(page, "4242424242424242")
          await payButton(page).click()
          await page.waitForURL(/shop\.test/u)
        })
      }))

    it.effect.each(Object.entries(languages))(
      "stays in the language of who paid, from checkout to the mail: %s",
      ([locale, [paid, word]]) =>
        Effect.gen(function*() {
          const opened = yield* openSubscription()
          const languageOn = (page: Page) => page.evaluate(() => document.documentElement.lang)
          yield* onPage(opened.url, { ...phone, locale }, async (page) => {
            assert.strictEqual(await languageOn(page), locale)
            await shot(page, `face-subscribe-${locale}-phone`)
            await payWith(page, "tok_visa")
            await page.waitForURL(/shop\.test/u)
          })
          assert.deepInclude(yield* sessionOf(opened), { locale })
          // The merchant's links are opened in another browser.
          const english = { ...phone, locale: "en-US" }
          yield* onPage(yield* openPortal(opened), english, async (page) => {
            assert.strictEqual(await languageOn(page), locale)
            await shot(page, `face-portal-${locale}-phone`)
          })
          const { id, url } = yield* invoiceOf(opened)
          yield* onPage(url, english, async (page) => {
            assert.strictEqual(await languageOn(page), locale)
            assert.include(await page.locator(".brand .badge").last().innerText(), paid)
            // Who paid is named, and nothing that the merchant alone knows.
            await page.getByText("ana@example.com").first().waitFor()
            await shot(page, `face-invoice-${locale}-phone`)
          })
          const wire = yield* Service
          const pdf = yield* wire.send({ method: "GET", target: `${new URL(url).pathname}/pdf`, headers: [["Accept-Language", "en-US"]] })
          assert.include(pdf.text, `/Lang (${locale})`)
          yield* must("POST", `/v1/invoices/${id}/send`, { key: opened.key, body: {} })
          const [mail] = yield* listOutbox((yield* Mails).folder)
          assert.include(mail?.headers.get("subject") ?? "", word)
        })
    )

    it.effect("shows an invoice of somebody whose language nobody knows in that of the browser", () =>
      Effect.gen(function*() {
        const { url } = yield* openOverdue(null)
        yield* onPage(url, { ...phone, locale: "ja-JP" }, async (page) => {
          assert.strictEqual(await page.evaluate(() => document.documentElement.lang), "ja")
          await page.getByText("テストモード").waitFor()
        })
      }))

    it.effect("prints no reference of the merchant's on an invoice", () =>
      Effect.gen(function*() {
        const opened = yield* openSubscription({ session: { customer_email: null, customer_id: "crm-4711" } })
        yield* onPage(opened.url, phone, async (page) => {
          await page.locator("#email").fill("ana@example.com")
          await payWith(page, "tok_visa")
          await page.waitForURL(/shop\.test/u)
        })
        yield* onPage((yield* invoiceOf(opened)).url, phone, async (page) => {
          await page.getByText("ana@example.com").waitFor()
          assert.notInclude(await page.locator("body").innerText(), "crm-4711")
        })
      }))

    it.effect("says what is agreed to by subscribing, and links to it", () =>
      Effect.gen(function*() {
        const opened = yield* openSubscription({ trial: 14 })
        const links = { terms_url: "https://example.com/terms", privacy_url: "https://example.com/privacy", imprint_url: null }
        yield* must("PATCH", "/v1/account", { key: opened.key, body: { settings: { legal: links } } })
        const first = new Intl.DateTimeFormat("en", { dateStyle: "long", timeZone: "UTC" }).format(Date.now() + 14 * 86_400_000)
        yield* onPage(opened.url, phone, async (page) => {
          const text = (await page.locator("form[data-pay]").innerText()).replace(/[\u2066-\u2069]/gu, "")
          assert.include(text, `Nothing is charged today. €19.00 is charged on ${first}, and then €19.00 per month until you cancel.`)
          assert.strictEqual(await page.getByRole("link", { name: "Terms" }).getAttribute("href"), links.terms_url)
          assert.strictEqual(await page.getByRole("link", { name: "Privacy" }).getAttribute("href"), links.privacy_url)
          assert.strictEqual(await page.getByRole("link", { name: "Imprint" }).count(), 0)
          await shot(page, "face-agreement-phone")
          await payWith(page, "tok_visa")
          await page.waitForURL(/shop\.test/u)
          await page.goto(opened.url)
          const done = (await page.locator(".status").innerText()).replace(/[\u2066-\u2069]/gu, "")
          assert.include(done, `Nothing was charged. Nordlicht Studio charges €19.00 on ${first}, unless you cancel before.`)
          await shot(page, "face-trial-started-phone")
        })
      }))

    it.effect("takes a bank transfer where a rail takes it, and offers none elsewhere", () =>
      Effect.gen(function*() {
        const { url } = yield* openCheckout()
        yield* onPage(url, { ...phone, javaScriptEnabled: false }, async (page) => {
          await page.locator("label", { hasText: "Bank transfer" }).click()
          await payButton(page).click()
          await page.getByText("Waiting for confirmation").waitFor()
          assert.include(await page.locator(".pairs").innerText(), "Bank transfer")
        })
        const yen = yield* openCheckout({ session: { currency: "JPY" } })
        yield* onPage(yen.url, phone, async (page) => assert.strictEqual(await page.getByText("Bank transfer").count(), 0))
      }))

    it.effect("shows the card of a test token in the portal, and the customer, who may correct the details", () =>
      Effect.gen(function*() {
        const opened = yield* openSubscription()
        const post = (path: string, body: object) =>
          must("POST", path, { key: opened.key, body: { ...body, idempotency_key: randomUUID() } })
        const { plan_id } = yield* sessionOf(opened)
        yield* post("/v1/customers", { customer_id: "bo", name: "Bo Berg", email: "bo@example.com" })
        yield* post("/v1/subscriptions", { plan_id, customer_id: "bo", payment_method_id: "tok_mastercard" })
        const url = yield* openPortal(opened, "bo")
        yield* onPage(url, phone, async (page) => {
          await page.getByText("Mastercard ending in").waitFor()
          await page.getByText("Bo Berg").waitFor()
          assert.strictEqual(await page.getByRole("link", { name: "Change details" }).count(), 0)
          assert.strictEqual((await page.goto(`${url}/details`))?.status(), 403)
          await page.goto(`${url}/payment-methods`)
          await page.getByText("Mastercard ending in").waitFor()
        })
        yield* must("PATCH", "/v1/account", { key: opened.key, body: { settings: { portal_settings: { actions: ["update_details"] } } } })
        yield* onPage(url, { ...phone, javaScriptEnabled: false }, async (page) => {
          await page.getByRole("link", { name: "Change details" }).click()
          await page.getByLabel("Email").fill("nowhere")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("Enter an email address").waitFor()
          await shot(page, "face-details-phone")
          await page.getByLabel("Email").fill("bo@example.org")
          await page.getByRole("button", { name: "Save" }).click()
          await page.getByText("bo@example.org").waitFor()
        })
        assert.deepInclude(yield* must("GET", "/v1/customers/bo", { key: opened.key }), { name: "Bo Berg", email: "bo@example.org" })
      }))

    it.effect("writes amounts of every currency, and texts of each language, as its readers do", () =>
      Effect.gen(function*() {
        for (const [locale, currency] of [["ar", "KWD"], ["ar", "USD"], ["ja", "JPY"], ["de", "EUR"]] as const) {
          const { url } = yield* openCheckout({ session: { locale, currency, line_items: items.slice(0, 3) } })
          yield* onPage(url, phone, async (page) => {
            await fieldsOn(page).locator("#number").waitFor()
            const style = await page.locator(".total .num").evaluate((element) => {
              const { hyphens, unicodeBidi } = getComputedStyle(element)
              return { hyphens, unicodeBidi }
            })
            assert.deepStrictEqual(style, { hyphens: locale === "de" ? "auto" : "manual", unicodeBidi: "isolate" })
            if (locale === "ja") {
              assert.notMatch(await page.locator("body").innerText(), /[\u3040-\u30ff\u4e00-\u9fff] [\u3040-\u30ff\u4e00-\u9fff]/u)
            }
            // The letters and the sign of US$ stay in this order between Arabic words.
            if (currency === "USD") assert.include(await page.locator(".total .num").innerText(), "\u2066US$\u2069")
            await shot(page, `face-${currency}-${locale}-phone`)
          })
        }
      }))
  })}
