/** Written pages of the desk in a real browser: under axe-core, light and dark, as wide as a phone, and without a script. */
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServer } from "effect/http"
import { randomUUID } from "node:crypto"
import { mkdirSync } from "node:fs"
import type { Page } from "playwright-core"
import { Browser, chromiumPath, MISSING } from "../browser/chromium.ts"
import { desktop, FOLDER, phone, violationsIn, wanted } from "../browser/judging.ts"
import * as world from "../browser/world.ts"
import { toolCalls } from "../contract/resources.ts"
import { must, openMerchant, send } from "../contract/service.ts"
import { signedIn } from "./people.ts"

/** Browsers say whose form it is where the address is safe: https, or this. */
const site = Effect.map(
  HttpServer.HttpServer,
  ({ address }) => `http://localhost:${new URL(HttpServer.formatAddress(address)).port}`
)

/** A merchant with a declined payment, a disputed one and a report that does not agree; and an owner at the desk. */
const open = Effect.gen(function*() {
  const { id, key } = yield* openMerchant("Nordlicht Keramik")
  const person = yield* signedIn(id, "owner")
  const post = (path: string, body: object = {}) => must("POST", path, { key, body: { ...body, idempotency_key: randomUUID() } })
  const pay = Effect.fnUntraced(function*(token: string, metadata: object = {}) {
    const intent = yield* post("/v1/payment_intents", { amount: 12_999, currency: "EUR", customer_id: "ana", metadata })
    const path = `/v1/payment_intents/${String(intent["id"])}`
    yield* send("POST", `${path}/authorize`, { key, body: { payment_method_id: token, capture: true, idempotency_key: randomUUID() } })
    return yield* must("GET", path, { key })
  })
  const declined = yield* pay("tok_insufficient_funds", { order: "6735" })
  const paid = yield* pay("tok_visa", { "sim.statement": "twice" })
  const dispute = yield* post("/v1/disputes/simulate", { payment_intent_id: paid["id"], reason: "13.1" })
  const day = (days: number) => new Date(Date.parse(String(paid["updated_at"])) + days * 86_400_000).toISOString()
  const report = yield* must("POST", "/v1/reconciliation/reports", { key, body: { source: "card_a", from: day(-1), to: day(1) } })
  yield* must("POST", "/v1/test_clocks", { key })
  const { row: call } = yield* toolCalls({ id, key }, "search")
  return {
    at: `${yield* site}/desk`,
    key,
    call: String(call["id"]),
    person,
    declined: String(declined["id"]),
    paid: String(paid["id"]),
    dispute: String(dispute["id"]),
    report: String(report["id"])
  }
})

const shown = async (page: Page, name: string): Promise<void> => {
  assert.deepStrictEqual(await violationsIn(page.mainFrame()), [], name)
  assert.isAtMost(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), 0, `${name} is wider than its screen`)
  assert.deepStrictEqual(
    await page.locator(".table").evaluateAll((all) => all.filter((one) => one.scrollWidth > one.clientWidth)),
    [],
    name
  )
  if (!wanted) return
  mkdirSync(FOLDER, { recursive: true })
  await page.screenshot({ path: `${FOLDER}desk-${name}.png`, animations: "disabled", fullPage: true })
}

if (chromiumPath() === undefined) it(MISSING, ({ skip }) => skip())
else {layer(world.layer, { excludeTestServices: true, timeout: "120 seconds" })("written pages of the desk", (it) => {
    const views = [
      ["light-desktop", { viewport: desktop, colorScheme: "light" }],
      ["dark-phone", { viewport: phone, colorScheme: "dark", isMobile: true, hasTouch: true }]
    ] as const

    it.effect.each(views)("have no fault: %s", ([name, options]) =>
      Effect.gen(function*() {
        const { at, call, declined, dispute, paid, person, report } = yield* open
        const browser = yield* Browser
        yield* Effect.promise(async () => {
          // Without the page's policy, under which axe-core's own script does not run.
          const page = await browser.open({ ...options, bypassCSP: true })
          await page.context().addCookies([{ name: "desk", value: person.secret, url: at }])
          for (
            const [path, of] of [
              [`payments/${name === "dark-phone" ? declined : paid}`, "payment"],
              ["payments", "payments"],
              ["search?q=ana", "search"],
              ...(name === "dark-phone" || wanted
                ? [["reconciliation", "runs"], ["test-clocks", "clock"], ["tool-calls", "usage"], [`tool-calls/${call}`, "call"]] as const
                : []),
              ...(name === "light-desktop" || wanted
                ? [[`disputes/${dispute}`, "dispute"], [`reconciliation/${report}`, "mismatches"], ["ledger/verify", "ledger"]] as const
                : [])
            ] as const
          ) {
            await page.goto(`${at}/${path}`)
            await shown(page, `${of}-${name}`)
          }
          // A key leads to the search, but not while somebody writes.
          await page.keyboard.press("/")
          await page.keyboard.type("an/a")
          assert.strictEqual(await page.getByLabel("Search everything").inputValue(), "an/a")
          await page.context().close()
        })
      }))

    it.effect("work without a script: evidence with a file, a mismatch resolved", () =>
      Effect.gen(function*() {
        const { at, dispute, key, person, report } = yield* open
        const browser = yield* Browser
        yield* Effect.promise(async () => {
          const page = await browser.open({ viewport: phone, javaScriptEnabled: false })
          await page.context().addCookies([{ name: "desk", value: person.secret, url: at }])
          await page.goto(`${at}/search`)
          await page.getByLabel("Search everything").fill("ana")
          await page.getByRole("search").getByRole("button").click()
          await page.getByRole("heading", { name: "Payments" }).waitFor()
          await page.goto(`${at}/disputes/${dispute}`)
          await page.getByLabel("How and when it was delivered").fill("Carrier X, parcel 12345")
          await page.getByLabel("Add files").setInputFiles({
            name: "receipt.pdf",
            mimeType: "application/pdf",
            buffer: Buffer.from("%PDF-1.4\n%%EOF\n")
          })
          await page.getByRole("button", { name: "Save evidence" }).click()
          await page.getByRole("link", { name: "receipt.pdf" }).waitFor()
          await page.goto(`${at}/reconciliation/${report}`)
          await page.getByRole("checkbox").first().check()
          await page.getByLabel("Note for who reads the books later").fill("Seen")
          await page.getByRole("button", { name: "Resolve what is chosen" }).click()
          await page.getByText("Seen").first().waitFor()
          await page.context().close()
        })
        const { evidence } = yield* must("GET", `/v1/disputes/${dispute}`, { key })
        assert.match(JSON.stringify(evidence), /parcel 12345.*file_/u)
      }))
  })}
