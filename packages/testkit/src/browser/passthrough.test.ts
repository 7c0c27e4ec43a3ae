/** The passthrough pages in a real browser: filled in as people do, on a phone and in the dark, under axe-core. */
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { must, openMerchant } from "../contract/service.ts"
import { Browser, chromiumPath, MISSING } from "./chromium.ts"
import { complaintsOf } from "./customer.ts"
import { judged } from "./judging.ts"
import * as world from "./world.ts"

const pictures = (name: string) => ({ dark, size }: { readonly dark: boolean; readonly size: string }) =>
  `${name}-${size}${dark ? "-dark" : ""}`

if (chromiumPath() === undefined) it(MISSING, ({ skip }) => skip())
else {layer(world.layer, { excludeTestServices: true, timeout: "120 seconds" })("the passthrough pages", (it) => {
    it.effect("take a bank account and a business from a person, and have no fault", () =>
      Effect.gen(function*() {
        const { key } = yield* openMerchant("Nordlicht Keramik")
        const open = Effect.fnUntraced(function*(flow_kind: string) {
          const { path } = yield* must("POST", "/v1/passthrough_sessions", { key, body: { flow_kind } })
          return `http://svc.test${String(path)}`
        })
        const [bank, business] = [yield* open("payout_bank"), yield* open("business_verify")]
        const browser = yield* Browser
        yield* Effect.promise(async () => {
          // Axe's own script would break the policy of the page.
          const page = await browser.open({ bypassCSP: true })
          await page.route("**/favicon.ico", (route) => route.fulfill({ status: 204 }))
          await page.goto(bank)
          await page.getByLabel("Account holder").fill("Nordlicht Keramik GmbH")
          await page.getByLabel("Country of the bank").selectOption("DE")
          await page.getByLabel("IBAN or account number").fill("DE89 3704 0044 0532 0130 00")
          await page.getByRole("button", { name: "Save bank account" }).click()
          await page.getByText("Choose the currency of the account.").waitFor()
          assert.strictEqual(await page.getByLabel("IBAN or account number").inputValue(), "")
          await judged(page, "bank account, with an error", pictures("passthrough-bank"))
          await page.getByLabel("Currency").selectOption("EUR")
          await page.getByLabel("IBAN or account number").fill("DE89 3704 0044 0532 0130 00")
          await page.getByRole("button", { name: "Save bank account" }).click()
          await page.getByText("Bank account saved").waitFor()
          await page.goto(business)
          await judged(page, "business", pictures("passthrough-business"))
          const send = page.getByRole("button", { name: "Send for review" })
          await page.getByLabel("Full legal name").fill("Ana Nordlicht")
          await page.getByLabel("Country of registration or residence").selectOption("DE")
          await send.click()
          // The link is for one form, so that it is not taken before it holds what the review needs.
          await page.getByText("Enter the street and the number.").first().waitFor()
          const complaints = complaintsOf(page)
          assert.isFalse(await page.getByLabel("Date of birth").isVisible())
          await page.getByText("One person").click()
          assert.isFalse(await page.getByLabel("Number in the register of companies").isVisible())
          await page.getByLabel("Full legal name").fill("Ana Nordlicht")
          await page.getByLabel("Date of birth").fill("1990-12-31")
          await page.getByLabel("Country of registration or residence").selectOption("DE")
          await page.getByLabel("Street and number").fill("Weg 1")
          await page.getByLabel("City").fill("Berlin")
          await send.click()
          await page.getByText("Under review").waitFor()
          await page.context().close()
          assert.deepStrictEqual(complaints, [])
        })
        const { data } = yield* must("GET", "/v1/legal_entities", { key })
        const [entity]: ReadonlyArray<unknown> = Array.isArray(data) ? data : []
        assert.deepInclude(entity, { type: "individual", legal_name: "Ana Nordlicht", birth_date: "1990-12-31", registration_number: null })
      }), 180_000)
  })}
