/** The reference of the API in a real browser: a person finds an operation from its introduction, on a screen and on a phone. */
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { layer as service } from "../contract/service.ts"
import { Browser, chromiumPath, MISSING } from "./chromium.ts"
import { judged } from "./judging.ts"

if (chromiumPath() === undefined) it(MISSING, ({ skip }) => skip())
else {layer(service, { excludeTestServices: true, timeout: "60 seconds" })("the reference", (it) => {
    it.effect("leads from the introduction to an operation and the object that it answers, and reads well in every size", () =>
      Effect.gen(function*() {
        const { address } = yield* HttpServer.HttpServer
        const { open } = yield* Browser
        yield* Effect.promise(async () => {
          const page = await open()
          const requested: Array<string> = []
          page.on("request", (request) => requested.push(new URL(request.url()).pathname))
          await page.goto(`${HttpServer.formatAddress(address)}/docs`)
          assert.strictEqual(await page.locator("html").getAttribute("lang"), "en")
          await judged(page, "docs", ({ dark, size }) => `docs-${size}${dark ? "-dark" : ""}`)
          await page.getByRole("link", { name: "Create a payment intent" }).click()
          assert.match(page.url(), /\/docs\/payment-intents#payment_intents\.create$/)
          const operation = page.locator("[id='payment_intents.create']")
          await operation.getByText("Example", { exact: true }).click()
          assert.include(await operation.innerText(), `"state": "authorized"`)
          await operation.getByRole("link", { name: "PaymentIntent" }).first().click()
          assert.match(page.url(), /#PaymentIntent$/)
          await judged(page, "docs-operation", ({ dark, size }) => `docs-operation-${size}${dark ? "-dark" : ""}`)
          await page.context().close()
          assert.deepStrictEqual(requested, ["/docs", "/docs/payment-intents"])
        })
      }).pipe(Effect.provide(Browser.layer(Effect.succeed({})))))
  })}
