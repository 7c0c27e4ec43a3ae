/** The hosted checkout in a real browser. */
import { assert, it, layer } from "@effect/vitest"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { testInstruments } from "@svc/payments/rails/instruments"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { Service } from "../contract/service.ts"
import { Browser, chromiumPath, MISSING } from "./chromium.ts"
import { chooseCard, complaintsOf, fieldsOn, payButton, payWith, typeCard } from "./customer.ts"
import * as world from "./world.ts"
import { eventsOf, openCheckout, paymentsOf, sessionOf, World } from "./world.ts"

const THANKS = /^http:\/\/shop\.test\/thanks/u

/** Opens the page of a new session, watches it, and does this on it. */
const visiting = (
  asked: world.Asked,
  act: (page: Page, opened: world.Opened) => Promise<void>,
  options: Parameters<Browser["Service"]["open"]>[0] = {}
) =>
  Effect.gen(function*() {
    const opened = yield* openCheckout(asked)
    const browser = yield* Browser
    yield* Effect.promise(async () => {
      const page = await browser.open(options)
      const complaints = complaintsOf(page)
      await page.goto(opened.url)
      await act(page, opened)
      await page.context().close()
      assert.deepStrictEqual(complaints, [])
    })
    return opened
  })

const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

if (chromiumPath() === undefined) it(MISSING, ({ skip }) => skip())
else {layer(world.layer, { excludeTestServices: true, timeout: "60 seconds" })("the hosted checkout", (it) => {
    it.effect.each([["on a desktop", {}], ["on a phone", phone]] as const)(
      "takes a payment and sends the customer back, %s",
      ([, options]) =>
        Effect.gen(function*() {
          const opened = yield* visiting({}, async (page, { id }) => {
            await typeCard(page, "4242424242424242")
            await payButton(page).click()
            await page.getByText("Thank you").waitFor()
            await page.waitForURL(`http://shop.test/thanks?session=${id}`)
          }, options)
          assert.deepInclude(yield* sessionOf(opened), { status: "complete", payment_status: "paid" })
          assert.deepStrictEqual(yield* paymentsOf(opened), [["captured", 4_090]])
          assert.deepStrictEqual(yield* eventsOf(opened), [
            "payment_intent.created",
            "payment_intent.authorized",
            "payment_intent.captured",
            "checkout.session.completed"
          ])
        })
    )

    it.effect("says in plain words why a card was declined, and takes another", () =>
      Effect.gen(function*() {
        const opened = yield* visiting({ session: { locale: "de" } }, async (page) => {
          await payWith(page, "tok_insufficient_funds")
          const alert = page.getByRole("alert")
          await alert.waitFor()
          assert.include(await alert.innerText(), "Auf der Karte ist nicht genug Guthaben.")
          assert.include(await alert.innerText(), "Es wurde nichts abgebucht.")
          await payWith(page, "tok_visa")
          await page.waitForURL(THANKS)
        })
        assert.sameDeepMembers(yield* paymentsOf(opened), [["failed", 0], ["captured", 4_090]])
      }))

    it.effect("leads through the bank's step and back; a refusal can be followed by another card", () =>
      Effect.gen(function*() {
        const opened = yield* visiting({}, async (page) => {
          await payWith(page, "tok_requires_action")
          await page.getByRole("button", { name: "Refuse" }).click()
          await page.getByText("The payment was not confirmed with your bank.").waitFor()
          await payWith(page, "tok_requires_action")
          await page.getByRole("button", { name: "Confirm payment" }).click()
          await page.waitForURL(THANKS)
        })
        assert.sameDeepMembers(yield* paymentsOf(opened), [["failed", 0], ["captured", 4_090]])
      }))

    it.effect("finds what was left at the bank's step", () =>
      Effect.gen(function*() {
        const browser = yield* Browser
        const opened = yield* visiting({}, async (page) => {
          await payWith(page, "tok_requires_action")
          await page.getByRole("button", { name: "Refuse" }).waitFor()
        })
        yield* Effect.promise(async () => {
          const page = await browser.open()
          await page.goto(opened.url)
          await page.getByRole("link", { name: "Continue to your bank" }).click()
          await page.getByRole("button", { name: "Confirm payment" }).click()
          await page.waitForURL(THANKS)
        })
        assert.deepStrictEqual(yield* paymentsOf(opened), [["captured", 4_090]])
      }))

    it.effect("is left and returned to", () =>
      Effect.gen(function*() {
        const browser = yield* Browser
        const opened = yield* visiting({}, async (page) => {
          await typeCard(page, "4242")
          await page.getByRole("link", { name: /Back to/u }).click()
          await page.waitForURL("http://shop.test/cart")
        })
        assert.deepInclude(yield* sessionOf(opened), { status: "open", payment_status: "unpaid" })
        yield* Effect.promise(async () => {
          const page = await browser.open()
          await page.goto(opened.url)
          await payWith(page, "tok_visa")
          await page.waitForURL(THANKS)
        })
        assert.deepStrictEqual(yield* paymentsOf(opened), [["captured", 4_090]])
      }))

    it.effect("is paid once from two tabs at one moment", () =>
      Effect.gen(function*() {
        const opened = yield* visiting({}, async (one, { url }) => {
          const other = await one.context().newPage()
          await other.goto(url)
          // A tab behind another is not drawn, and its frame does not grow.
          await one.bringToFront()
          await chooseCard(one, "tok_visa")
          await other.bringToFront()
          await chooseCard(other, "tok_mastercard")
          await Promise.all([one, other].map(async (page) => {
            await payButton(page).click()
            await page.waitForURL(THANKS)
          }))
        })
        assert.deepStrictEqual(yield* paymentsOf(opened), [["captured", 4_090]])
      }))

    it.effect("is paid once by a double click", () =>
      Effect.gen(function*() {
        const opened = yield* visiting({}, async (page) => {
          await chooseCard(page, "tok_visa")
          await payButton(page).dblclick()
          await page.waitForURL(THANKS)
        })
        assert.deepStrictEqual(yield* paymentsOf(opened), [["captured", 4_090]])
      }))

    it.effect("pays nothing again by the back button and by a reload", () =>
      Effect.gen(function*() {
        const opened = yield* visiting({}, async (page, { url }) => {
          await payWith(page, "tok_insufficient_funds")
          await page.getByRole("alert").waitFor()
          await page.reload()
          await page.getByRole("alert").waitFor()
          await payWith(page, "tok_visa")
          await page.waitForURL(THANKS)
          await page.goBack()
          assert.notMatch(page.url(), THANKS)
          await page.goto(url)
          await page.getByText("Thank you").waitFor()
          await page.reload()
          await page.getByRole("link", { name: /Return to/u }).click()
          await page.waitForURL(THANKS)
        })
        assert.sameDeepMembers(yield* paymentsOf(opened), [["failed", 0], ["captured", 4_090]])
      }))

    it.effect("is paid by the keyboard alone, which shows where it is", () =>
      Effect.gen(function*() {
        const opened = yield* visiting({ session: { customer_email: null, currency: "USD" } }, async (page) => {
          // The frame of the fields is another process: it has the focus a moment after the key.
          const focusIsSeen = () =>
            page.waitForFunction(
              () => {
                const { outlineStyle, outlineWidth } = getComputedStyle(document.activeElement ?? document.body)
                return document.activeElement?.tagName === "IFRAME" || (outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2)
              }
            )
          const tab = async () => {
            await page.keyboard.press("Tab")
            await focusIsSeen()
          }
          await fieldsOn(page).locator("#number").waitFor()
          await tab() // back to the shop
          await tab()
          await page.keyboard.type("not an address")
          await tab() // the methods
          await tab()
          await page.keyboard.type("4242424242424242")
          await tab()
          await page.keyboard.type("1234")
          await tab()
          await page.keyboard.type("123")
          // Enter sends the form from within the frame, too.
          await page.keyboard.press("Enter")
          await page.getByText("Enter an email address").waitFor()
          assert.strictEqual(await page.evaluate(() => document.activeElement?.id), "email")
          await page.keyboard.press("Control+A")
          await page.keyboard.type("ana@example.com")
          await page.keyboard.press("Enter")
          await page.waitForURL(THANKS)
        })
        assert.deepInclude(yield* sessionOf(opened), { status: "complete", customer_email: "ana@example.com" })
      }))

    it.effect("tells in the fields what has to be corrected, and asks nobody", () =>
      Effect.gen(function*() {
        const opened = yield* visiting({}, async (page) => {
          await payButton(page).click()
          const number = fieldsOn(page).locator("#number")
          await fieldsOn(page).getByText("Enter the card number.").waitFor()
          assert.strictEqual(await number.getAttribute("aria-invalid"), "true")
          assert.isNull(await payButton(page).getAttribute("aria-disabled"))
          await typeCard(page, "4111111111111111", "0120", "12")
          await payButton(page).click()
          await fieldsOn(page).getByText("Only the test numbers below").waitFor()
          await fieldsOn(page).getByText("Enter a month and year that are not over.").waitFor()
          await fieldsOn(page).getByText("Enter the 3 or 4 digits on the card.").waitFor()
        })
        assert.deepStrictEqual(yield* paymentsOf(opened), [])
      }))

    const dollars = { session: { currency: "USD" } }

    /** The provider answers two seconds later, by its own clock, and a worker asks it; none runs here. */
    const confirmTransfer = Effect.fnUntraced(function*({ account }: world.Opened) {
      const intents = yield* PaymentIntents
      yield* Effect.sleep("2 seconds")
      const { data: [intent] } = yield* intents.list(account, {}, { page: 1, per_page: 1 })
      yield* Effect.orDie(intents.askProvider(account, intent?.id ?? ""))
    })

    it.effect("follows a transfer of dollar tokens until it is confirmed, with and without scripts", () =>
      Effect.gen(function*() {
        const browser = yield* Browser
        for (const javaScriptEnabled of [true, false]) {
          const opened = yield* openCheckout(dollars)
          const page = yield* Effect.promise(async () => {
            const shown = await browser.open({ javaScriptEnabled })
            await shown.goto(opened.url)
            await shown.locator("label", { hasText: "USDC" }).click()
            await payButton(shown).click()
            await shown.getByText("Waiting for confirmation").waitFor()
            return shown
          })
          assert.deepInclude(yield* sessionOf(opened), { status: "open", payment_status: "processing" })
          yield* confirmTransfer(opened)
          yield* Effect.promise(() => page.waitForURL(THANKS))
          assert.deepStrictEqual(yield* paymentsOf(opened), [["captured", 4_090]])
        }
      }))

    it.effect("is quick: little to load, nothing that moves, nothing from elsewhere", () =>
      Effect.gen(function*() {
        const opened = yield* openCheckout({ branding: { color: "#0a7cff" }, session: { currency: "USD", customer_email: null } })
        const browser = yield* Browser
        yield* Effect.promise(async () => {
          const page = await browser.open()
          let bytes = 0
          page.on("response", (response) =>
            void response.body().then((body) => {
              bytes += body.length
            }, () => {}))
          const slow = await page.context().newCDPSession(page)
          await slow.send("Emulation.setCPUThrottlingRate", { rate: 12 })
          await page.addInitScript(() => {
            const shifts: Array<number> = []
            Object.assign(document, { shifts })
            new PerformanceObserver((list) => list.getEntries().forEach((entry) => shifts.push("value" in entry ? Number(entry.value) : 1)))
              .observe({ type: "layout-shift", buffered: true })
          })
          const complaints = complaintsOf(page)
          await page.goto(opened.url, { waitUntil: "networkidle" })
          await fieldsOn(page).locator("#number").waitFor()
          assert.isBelow(bytes, 60_000)
          assert.isAbove(bytes, 20_000)
          const shifts: unknown = await page.evaluate(() => "shifts" in document ? document.shifts : undefined)
          // Less is a line of text that is drawn a fraction of a pixel further: nobody sees that.
          assert.deepStrictEqual(Array.isArray(shifts) ? shifts.filter((score) => score >= 0.0001) : shifts, [])
          assert.deepStrictEqual(complaints, [])
        })
      }))

    it.effect("answers with pages, whatever is asked for", () =>
      Effect.gen(function*() {
        const opened = yield* openCheckout()
        const browser = yield* Browser
        const wire = yield* Service
        yield* Effect.promise(async () => {
          const page = await browser.open({ locale: "fr-FR" })
          for (
            const wrong of [
              opened.url.slice(0, -1),
              `${opened.url.slice(0, -1)}/wait`,
              "http://svc.test/checkout/cs_1",
              "http://svc.test/checkout/x/y"
            ]
          ) {
            assert.strictEqual((await page.goto(wrong))?.status(), 404)
            await page.getByRole("heading", { name: "Cette page n’existe pas" }).waitFor()
          }
          await page.goto(`${opened.url}/pay`)
          await payButton(page).waitFor()
        })
        for (
          const form of [
            "",
            "try=1",
            "try=1&token=pm_01KDVK5D80000000000000000A",
            "try=1&token=tok_nothing",
            `try=1&token=${"x".repeat(9_000)}`
          ]
        ) {
          const target = `${new URL(opened.url).pathname}/pay`
          const answer = yield* wire.send({
            method: "POST",
            target,
            headers: [["Content-Type", "application/x-www-form-urlencoded"]],
            body: Buffer.from(form)
          })
          assert.include([303, 400], answer.status, form)
        }
        assert.deepStrictEqual(yield* paymentsOf(opened), [])
      }))

    it.effect("lets no digit of a card reach the server: no request, no row and no line of the log has it", () =>
      Effect.gen(function*() {
        const numbers = [...testInstruments.flatMap(({ number }) => number ?? []), "4111111111111111", "5105105105105100"]
        for (const number of numbers) {
          yield* visiting({ session: { success_url: null } }, async (page) => {
            await typeCard(page, number, "1234", "987")
            await payButton(page).click()
            await Promise.race([
              page.getByRole("alert").waitFor(),
              page.getByText("Thank you").waitFor(),
              page.getByText("Confirm your payment").waitFor(),
              fieldsOn(page).getByText("Only the test numbers below").waitFor()
            ])
          })
        }
        const { logged, received } = yield* World
        const sql = yield* SqlClient.SqlClient
        const tables = yield* sql<
          { readonly name: string }
        >`SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')`
        const rows = yield* Effect.forEach(
          tables,
          ({ name }) => sql.unsafe<{ readonly row: string }>(`SELECT t::text AS row FROM ${name} t`)
        )
        const places = { requests: received(), rows: rows.flat().map(({ row }) => row).join("\n"), log: logged() }
        // What is looked for can be found: the tokens are there.
        assert.include(places.requests, "tok_visa")
        assert.include(places.rows, "tok_insufficient_funds")
        assert.isAbove(places.rows.length, 50_000)
        for (const number of numbers) {
          const written = new RegExp(Array.from(number).join("[^0-9A-Za-z]{0,3}"), "u")
          const encoded = [Buffer.from(number).toString("base64").slice(0, 16), Buffer.from(number).toString("hex")]
          for (const [place, text] of Object.entries(places)) {
            assert.notMatch(text, written, `${number} in the ${place}`)
            for (const code of encoded) assert.notInclude(text, code, `${number}, encoded, in the ${place}`)
          }
        }
        assert.notMatch(places.requests, /(?:cvc|expiry|number)=/u)
      }), { timeout: 180_000 })
  })}
