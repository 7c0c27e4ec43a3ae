/**
 * Every state of the pages, light and dark, from left to right and from right to left: axe finds nothing, and nothing is cut off at 320
 * pixels. With SCREENSHOTS=1 it also writes pictures into `screenshots`, a folder that git ignores.
 */
import { assert, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { must } from "../contract/service.ts"
import { Browser, chromiumPath, MISSING } from "./chromium.ts"
import { fieldsOn, payButton, payWith } from "./customer.ts"
import { desktop, phone, picture, settle, violationsIn, wanted } from "./judging.ts"
import * as world from "./world.ts"
import { type Asked, openCheckout, type Opened } from "./world.ts"

/** A page that a customer meets, how it is come by, and what it is called among the pictures, if it is one of them. */
interface State {
  readonly name: string
  readonly asked?: Asked
  readonly reach: (page: Page, opened: Opened) => Promise<unknown>
  readonly picture?: string
}

const dollars = { session: { currency: "USD", customer_email: null } }

const states: ReadonlyArray<State> = [
  { name: "a payment", picture: "checkout", reach: (page) => fieldsOn(page).locator("#number").waitFor() },
  {
    name: "a choice of methods",
    picture: "checkout-methods",
    asked: { branding: { color: "#1f5eff" }, ...dollars },
    reach: (page) => fieldsOn(page).locator("#number").waitFor()
  },
  { name: "the list of test cards", picture: "checkout-test-cards", reach: (page) => fieldsOn(page).locator("summary").click() },
  {
    name: "something to correct",
    picture: "checkout-errors",
    reach: async (page) => {
      await payButton(page).click()
      await fieldsOn(page).locator("[aria-invalid=true]").first().waitFor()
    }
  },
  {
    name: "no address",
    asked: { branding: { color: "#ffd400" }, ...dollars },
    reach: async (page) => {
      await payButton(page).click()
      await page.locator("#email[aria-invalid=true]").waitFor()
    }
  },
  {
    name: "a decline",
    picture: "checkout-declined",
    reach: async (page) => {
      await payWith(page, "tok_insufficient_funds")
      await page.getByRole("alert").waitFor()
      await fieldsOn(page).locator("#number").waitFor()
    }
  },
  {
    name: "the bank",
    picture: "checkout-bank",
    reach: async (page) => {
      await payWith(page, "tok_requires_action")
      await page.waitForURL(/\/sim\/actions\//u)
    }
  },
  {
    name: "a step that is left to do",
    reach: async (page, { url }) => {
      await payWith(page, "tok_requires_action")
      await page.waitForURL(/\/sim\/actions\//u)
      await page.goto(url)
      await page.locator("main a.button").waitFor()
    }
  },
  {
    name: "a transfer",
    picture: "checkout-transfer",
    asked: { branding: { color: "#1f5eff" }, ...dollars, session: { currency: "USD" } },
    reach: async (page) => {
      await page.locator("input[value=usdc]").click()
      await payButton(page).click()
      await page.locator(".pairs").waitFor()
    }
  },
  {
    name: "an answer that is late",
    asked: { session: { metadata: { "sim.outcome": "late_success" } } },
    reach: async (page) => {
      await payWith(page, "tok_visa")
      await page.locator(".status").waitFor()
    }
  },
  {
    name: "the thanks",
    picture: "checkout-paid",
    reach: async (page, { url }) => {
      await payWith(page, "tok_visa")
      await page.waitForURL(/shop\.test/u)
      await page.goto(url)
    }
  },
  { name: "no such page", reach: (page, { url }) => page.goto(url.slice(0, -1)) }
]

/** What people see of it; pictures of the dark and of the Arabic page are kept of one state each. */
const take = async (page: Page, state: State, locale: string, dark: boolean) => {
  const name = state.picture
  if (!wanted || name === undefined) return
  for (const [size, viewport] of Object.entries({ desktop, phone })) {
    await page.setViewportSize(viewport)
    if (locale === "en" && !dark) await picture(page, `${name}-${size}`)
    if (locale === "en" && dark && name === "checkout-methods") await picture(page, `${name}-dark-${size}`)
    if (locale === "ar" && !dark && name === "checkout-declined") await picture(page, `${name}-arabic-${size}`)
  }
}

const check = async (page: Page, state: State, opened: Opened, locale: string) => {
  await page.goto(opened.url)
  await state.reach(page, opened)
  // The thanks lead on to the shop: what is looked at stays.
  for (const dark of [false, true]) {
    await page.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" })
    await page.setViewportSize(desktop)
    await settle(page)
    assert.strictEqual(await page.evaluate(() => document.documentElement.dir), locale === "ar" ? "rtl" : "ltr")
    for (const frame of page.frames()) {
      assert.deepStrictEqual(await violationsIn(frame), [], `${state.name}, ${locale}, ${dark ? "dark" : "light"}, ${frame.url()}`)
    }
    await take(page, state, locale, dark)
  }
  await page.setViewportSize({ width: 320, height: 640 })
  for (const frame of page.frames()) {
    assert.isAtMost(
      await frame.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      0,
      `${state.name} at 320 pixels, ${frame.url()}`
    )
  }
}

if (chromiumPath() === undefined) it(MISSING, ({ skip }) => skip())
else {layer(world.layer, { excludeTestServices: true, timeout: "60 seconds" })("the pages", (it) => {
    for (const locale of ["en", "ar"]) {
      it.effect.each(states.map((state) => [state.name, state] as const))(
        `can be used by everybody: %s, ${locale}`,
        ([, state]) =>
          Effect.gen(function*() {
            const { asked = {} } = state
            const opened = yield* openCheckout({ ...asked, session: { ...asked.session, locale } })
            const browser = yield* Browser
            yield* Effect.promise(async () => {
              const page = await browser.open({ locale })
              await check(page, state, opened, locale)
              await page.context().close()
            })
          }),
        { timeout: 180_000 }
      )
    }

    it.effect("can be used by everybody: a page whose time is over", () =>
      Effect.gen(function*() {
        const expired = yield* openCheckout()
        yield* must("POST", `/v1/checkout/sessions/${expired.id}/expire`, { key: expired.key })
        const browser = yield* Browser
        yield* Effect.promise(async () => {
          const page = await browser.open()
          await check(page, { name: "a page whose time is over", reach: () => page.locator(".status").waitFor() }, expired, "en")
        })
      }))
  })}
