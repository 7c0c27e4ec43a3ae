/** What a customer does on the page. */
import type { FrameLocator, Page } from "playwright-core"

export const fieldsOn = (page: Page): FrameLocator => page.frameLocator("iframe.fields")

export const payButton = (page: Page) => page.locator("form[data-pay] button[type=submit]")

/** Types a card, key by key. */
export const typeCard = async (page: Page, number: string, expiry = "1234", cvc = "123"): Promise<void> => {
  const fields = fieldsOn(page)
  await fields.locator("#number").pressSequentially(number)
  await fields.locator("#expiry").pressSequentially(expiry)
  await fields.locator("#cvc").pressSequentially(cvc)
}

/**
 * Until the frame of the card fields is as high as what is in it, and drawn there, or ten seconds: Chromium sends a click to where a frame
 * was before.
 */
const steady = async (page: Page): Promise<void> => {
  let before = ""
  for (let n = 0; n < 100; n++) {
    const [frame, inside] = await Promise.all([
      page.locator("iframe.fields").evaluate((element) => `${element.getBoundingClientRect().top} ${element.clientHeight}`),
      fieldsOn(page).locator("body").evaluate((body) => Math.ceil(body.getBoundingClientRect().height))
    ])
    if (frame === before && frame.endsWith(` ${inside}`)) return
    before = frame
    await page.waitForTimeout(100)
  }
}

/** Unfolds the list of test cards. A click that Chromium sent to where the frame was before did not: then it is clicked again. */
const unfoldCards = async (page: Page): Promise<void> => {
  const list = fieldsOn(page).locator("details")
  for (let tries = 30; tries > 0; tries--) {
    await steady(page)
    if (await list.evaluate((details) => details.hasAttribute("open"))) return
    await list.locator("summary").click()
  }
}

/** Chooses a test card from the list. */
export const chooseCard = async (page: Page, token: string): Promise<void> => {
  const fields = fieldsOn(page)
  await unfoldCards(page)
  await fields.locator(`[data-token=${token}]`).click()
  await steady(page)
}

export const payWith = async (page: Page, token: string): Promise<void> => {
  await chooseCard(page, token)
  await payButton(page).click()
}

/** What must not happen anywhere: errors of scripts, and what the policy of a page forbids. */
export const complaintsOf = (page: Page): ReadonlyArray<string> => {
  const complaints: Array<string> = []
  page.on("pageerror", ({ message }) => complaints.push(message))
  page.on("console", (message) => {
    // Without TLS, which tests do without, a browser does not heed this header.
    if (message.type() === "error" && !message.text().includes("Cross-Origin-Opener-Policy") && !message.text().includes("favicon")) {
      complaints.push(message.text())
    }
  })
  page.on("request", (request) => {
    if (!/^http:\/\/(?:svc|shop)\.test\//u.test(request.url())) complaints.push(`asked ${request.url()}`)
  })
  return complaints
}
