/**
 * The pages of the tool server in a real browser: the one on which people pay for a call, in each language, and the list of tools.
 * With SCREENSHOTS=1 it also writes pictures into `screenshots`, a folder that git ignores.
 */
import { assert, it, layer } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { listen } from "@svc/server/listener"
import * as tools from "@svc/server/tools"
import { Context, Effect, Layer, Schema } from "effect"
import { HttpServer } from "effect/http"
import { randomUUID } from "node:crypto"
import { servicesWith } from "../services.ts"
import { Browser, chromiumPath, MISSING } from "./chromium.ts"
import { complaintsOf } from "./customer.ts"
import { judged } from "./judging.ts"

/** The address of the tool server on this machine. */
class Origin extends Context.Service<Origin, { readonly url: string }>()("@svc/testkit/browser/Origin") {}

const browsing = Layer.unwrap(Effect.map(HttpServer.HttpServer, ({ address }) => {
  const url = HttpServer.formatAddress(address)
  return Layer.merge(Layer.succeed(Origin, { url }), Browser.layer(Effect.succeed({ "svc.test": Number(new URL(url).port) })))
}))

const serving = browsing.pipe(
  Layer.provideMerge(listen(tools.layer, { port: 0, host: "127.0.0.1", variable: "TOOLS_PORT" })),
  Layer.provide(tools.listening),
  Layer.provideMerge(servicesWith({ environment: { TOOLS_SIGNUPS_PER_HOUR: "1000" } }))
)

const decodeAccount = Schema.decodeUnknownSync(Schema.Struct({ api_key: Schema.String }))
const decodeDemand = Schema.decodeUnknownSync(Schema.Struct({ checkout_url: Schema.String }))

const post = Effect.fnUntraced(function*(path: string, body: object, key?: string) {
  const { url } = yield* Origin
  return yield* Effect.promise(async () => {
    const headers = { "content-type": "application/json", ...(key === undefined ? {} : { "x-svc-key": key }) }
    const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) })
    return parseJson(await response.text())
  })
})

const openAccount = Effect.map(
  Effect.suspend(() => post("/v1/accounts", { email: `${randomUUID()}@example.com`, name: "Ada" })),
  (account) => decodeAccount(account).api_key
)

/** The page that an unpaid call names. */
const payPage = Effect.fnUntraced(function*(key?: string) {
  const call = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ping_payment", arguments: {} } }
  return `http://svc.test${new URL(decodeDemand(yield* post("/mcp", call, key)).checkout_url).pathname}`
})

/** What the button says in each language, the amount aside. */
const languages = {
  en: ["Pay $0.01", "Paid"],
  de: ["0,01 $ bezahlen", "Bezahlt"],
  fr: ["Payer 0,01 $US", "Payé"],
  es: ["Pagar 0,01 US$", "Pagado"],
  ja: ["$0.01を支払う", "支払済み"],
  ar: ["ادفع 0.01 US$", "تم الدفع"]
} as const

/** Text without marks of direction, and with plain spaces. */
const plain = (text: string): string => text.replace(/[\u200e\u200f\u2066-\u2069\u061c]/gu, "").replace(/[\u00a0\u202f]/gu, " ").trim()

if (chromiumPath() === undefined) it(MISSING, ({ skip }) => skip())
else {layer(serving, { excludeTestServices: true, timeout: "120 seconds" })("the pages of the tool server", (it) => {
    it.effect.each(Object.entries(languages))(
      "say who is paid and for what, and take a card: %s",
      ([locale, [button, paid]]) =>
        Effect.gen(function*() {
          const url = yield* payPage(yield* openAccount)
          const browser = yield* Browser
          yield* Effect.promise(async () => {
            const page = await browser.open({ locale, javaScriptEnabled: true })
            const complaints = complaintsOf(page)
            await page.goto(url)
            assert.deepStrictEqual(await page.evaluate(() => [document.documentElement.lang, document.documentElement.dir]), [
              locale,
              locale === "ar" ? "rtl" : "ltr"
            ])
            assert.strictEqual(plain(await page.locator("button").innerText()), button)
            assert.include(await page.locator(".pairs").innerText(), "ping_payment")
            await judged(page, `pay page, ${locale}`, ({ dark, size }) => `pay-page-${locale}${dark ? "-dark" : ""}-${size}`)
            await page.locator("input[value=poor]").click()
            await page.locator("button").click()
            await page.getByRole("alert").waitFor()
            await page.locator("input[value=visa]").click()
            await page.locator("button").click()
            await page.getByRole("heading", { name: paid }).waitFor()
            await judged(
              page,
              `pay page, paid, ${locale}`,
              ({ dark, size }) => dark || size === "desktop" ? undefined : `pay-page-paid-${locale}-${size}`
            )
            assert.deepStrictEqual(complaints, [])
          })
        }),
      { timeout: 180_000 }
    )

    it.effect("tell who called without a key what to do, and list the tools", () =>
      Effect.gen(function*() {
        const browser = yield* Browser
        const url = yield* payPage()
        yield* Effect.promise(async () => {
          const page = await browser.open()
          await page.goto(url)
          await page.getByRole("heading", { name: "This call belongs to no account" }).waitFor()
          await judged(page, "pay page, nobody's", ({ dark, size }) => `pay-page-nobody${dark ? "-dark" : ""}-${size}`)
          await page.goto("http://svc.test/v1/docs")
          await page.locator("#ping_payment").waitFor()
          await judged(page, "list of tools")
        })
      }), { timeout: 180_000 })
  })}
