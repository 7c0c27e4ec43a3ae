/** People come in, go out and prove who they are, in a real browser with a device that keeps passkeys, and at a real identity provider. */
import { assert, it, layer } from "@effect/vitest"
import type { Role } from "@svc/accounts/access/model"
import { People } from "@svc/accounts/people/service"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import type { Page } from "playwright-core"
import { Browser, chromiumPath, MISSING } from "../browser/chromium.ts"
import { judged } from "../browser/judging.ts"
import { openMerchant } from "../contract/service.ts"
import { DESK_URL, layerWithProvider, withDevice } from "./world.ts"

/** A merchant, and a link by which somebody joins it. */
const invited = Effect.fnUntraced(function*(role: Role, email: string | null = null) {
  const { id, key } = yield* openMerchant("Nordlicht Keramik")
  const { secret } = yield* (yield* People).invite({ account_id: id, role, email })
  return { account: id, key, link: `${DESK_URL}/desk/join/${Redacted.value(secret)}` }
})

const opened = Effect.fnUntraced(function*(act: (page: Page) => Promise<void>) {
  const browser = yield* Browser
  yield* Effect.promise(async () => {
    const page = await browser.open()
    const errors: Array<string> = []
    page.on("pageerror", ({ message }) => errors.push(message))
    page.on("console", (message) => {
      if (message.type() === "error" && /Content Security Policy|Refused/u.test(message.text())) errors.push(message.text())
    })
    await act(page)
    await page.context().close()
    assert.deepStrictEqual(errors, [])
  })
})

/** Every proof of who somebody is lies an hour back. */
const grownOld = Effect.gen(function*() {
  const sql = yield* SqlClient.SqlClient
  yield* sql`UPDATE sessions SET confirmed_at = confirmed_at - interval '1 hour'`
})

const join = async (page: Page, link: string, name = "Ada Berg"): Promise<void> => {
  await page.goto(link)
  await page.getByLabel("Your name").fill(name)
  await page.getByRole("button", { name: "Join with a new passkey" }).click()
  await page.waitForURL(`${DESK_URL}/desk`)
}

const atProvider = async (page: Page, email: string): Promise<void> => {
  await page.waitForURL(/127\.0\.0\.1/u)
  await page.locator("input[name=login]").fill(email)
  await page.locator("input[name=password]").fill("any")
  await page.locator("button[type=submit]").click()
}

/** The provider asks once for leave to say who somebody is. */
const consent = (page: Page): Promise<void> => page.locator("button[type=submit]").click()

const sessionCookie = async (page: Page): Promise<string> =>
  (await page.context().cookies()).find(({ name }) => name === "desk")?.value ?? ""

if (chromiumPath() === undefined) it(MISSING, ({ skip }) => skip())
else {layer(layerWithProvider, { excludeTestServices: true, timeout: "120 seconds" })("signing in", (it) => {
    it.effect("people join, sign out, sign in without typing and confirm, with a passkey alone", () =>
      Effect.gen(function*() {
        const { link } = yield* invited("owner")
        const run = Effect.runPromiseWith(yield* Effect.context<SqlClient.SqlClient>())
        yield* opened(async (page) => {
          await withDevice(page)
          await page.goto(link)
          await judged(page, "desk-join")
          // A cookie that somebody planted is nobody's session.
          await page.context().addCookies([{ name: "desk", value: "ses_planted", url: DESK_URL }])
          await join(page, link)
          const [cookie] = (await page.context().cookies()).filter(({ name }) => name === "desk")
          assert.deepInclude(cookie, { httpOnly: true, sameSite: "Strict" })
          assert.notStrictEqual(cookie?.value, "ses_planted")
          // The link worked once.
          assert.strictEqual((await page.goto(link))?.status(), 404)

          await page.goto(`${DESK_URL}/desk`)
          await page.getByRole("button", { name: "Sign out" }).click()
          await page.waitForURL(/sign-out/u)
          await page.goto(`${DESK_URL}/desk/you?tab=1`)
          assert.strictEqual(page.url(), `${DESK_URL}/desk/sign-in?${new URLSearchParams({ to: "/desk/you?tab=1" }).toString()}`)
          await judged(page, "desk-sign-in")
          await page.getByRole("button", { name: "Sign in with a passkey" }).click()
          await page.waitForURL(`${DESK_URL}/desk/you?tab=1`)
          const second = await sessionCookie(page)
          assert.notStrictEqual(second, cookie?.value)
          await judged(page, "desk-you")

          // The last way in stays; what changes it needs a fresh proof, after which it is sent by itself.
          await run(grownOld)
          await page.getByRole("button", { name: "Remove" }).click()
          await page.getByRole("heading", { name: "Confirm that it is you" }).waitFor()
          await judged(page, "desk-confirm")
          await page.getByRole("button", { name: "Confirm with your passkey" }).click()
          await page.getByText("This is your last way in").waitFor()
          assert.notStrictEqual(await sessionCookie(page), second)
        })
      }))

    it.effect("people join, sign in and confirm at their identity provider", () =>
      Effect.gen(function*() {
        const { link } = yield* invited("finance", "ada@example.com")
        yield* opened(async (page) => {
          // Somebody whose address is another one, or is not verified, does not take the invitation.
          for (const email of ["eve@example.com", "unverified@example.com"]) {
            await page.goto(link)
            await page.getByLabel("Your name").fill("Ada Berg")
            await page.getByRole("button", { name: "Sign in with your identity provider" }).click()
            await atProvider(page, email)
            await consent(page)
            await page.getByText("The invitation is for another e-mail address").waitFor()
            await page.context().clearCookies()
          }
          await page.goto(link)
          await page.getByLabel("Your name").fill("Ada Berg")
          await page.getByRole("button", { name: "Sign in with your identity provider" }).click()
          await atProvider(page, "ada@example.com")
          await consent(page)
          await page.waitForURL(`${DESK_URL}/desk`)

          await page.getByRole("button", { name: "Sign out" }).click()
          await page.waitForURL(/sign-out/u)
          await page.goto(`${DESK_URL}/desk/you`)
          await page.getByRole("button", { name: "Sign in with your identity provider" }).click()
          await page.waitForURL(`${DESK_URL}/desk/you`)
          await page.getByText("You can sign in at your identity provider.").waitFor()

          // That the provider still knows somebody confirms nothing: they sign in there anew.
          await page.getByRole("link", { name: "Add a passkey" }).click()
          await page.getByRole("button", { name: "Sign in with your identity provider" }).click()
          await atProvider(page, "ada@example.com")
          await page.waitForURL(`${DESK_URL}/desk/you`)
          await page.getByRole("button", { name: "Add a passkey" }).waitFor()
          await withDevice(page)
          await page.getByRole("button", { name: "Add a passkey" }).click()
          await page.getByRole("button", { name: "Remove" }).waitFor()
        })
      }))

    it.effect("lets nobody in whom the provider knows and nobody here is linked to, whatever their address", () =>
      opened(async (page) => {
        await page.goto(`${DESK_URL}/desk/sign-in`)
        await page.getByRole("button", { name: "Sign in with your identity provider" }).click()
        await atProvider(page, "ada@example.org")
        await consent(page)
        await page.getByText("Nobody signs in here with that").waitFor()
        assert.strictEqual(await sessionCookie(page), "")
      }))

    it.effect("takes no answer of the provider that another browser went for, and each once", () =>
      opened(async (page) => {
        const callbacks: Array<string> = []
        page.on("request", (request) => {
          if (request.url().includes("/desk/provider/callback")) callbacks.push(request.url())
        })
        await page.goto(`${DESK_URL}/desk/sign-in`)
        await page.getByRole("button", { name: "Sign in with your identity provider" }).click()
        await atProvider(page, "mallory@example.com")
        await consent(page)
        await page.getByText("Nobody signs in here with that").waitFor()
        const [callback = ""] = callbacks
        await page.goto(callback)
        await page.getByText("This took too long, or was used before").waitFor()
        await page.context().clearCookies()
        await page.goto(`${DESK_URL}/desk/sign-in`)
        await page.getByRole("button", { name: "Sign in with your identity provider" }).click()
        await page.waitForURL(/127\.0\.0\.1/u)
        await page.goto(callback)
        await page.getByText("This took too long, or was used before").waitFor()
      }))

    it.effect("says that signing in needs a script where there is none, and goes on from a link of another site", () =>
      Effect.gen(function*() {
        const browser = yield* Browser
        const { link } = yield* invited("viewer")
        yield* Effect.promise(async () => {
          const page = await browser.open({ javaScriptEnabled: false })
          await page.goto(link)
          await page.locator("noscript p", { hasText: "Signing in needs JavaScript" }).waitFor()
          await page.context().close()
        })
        yield* opened(async (page) => {
          await withDevice(page)
          await join(page, link)
          // A link in a mail or on another site brings no strict cookie along, and leads to the page all the same.
          await page.route(
            "http://elsewhere.test/",
            (route) => route.fulfill({ contentType: "text/html", body: `<a href="${DESK_URL}/desk/you">You</a>` })
          )
          await page.goto("http://elsewhere.test/")
          await page.getByRole("link").click()
          await page.getByRole("heading", { name: "Passkeys" }).waitFor()
        })
      }))
  })}
