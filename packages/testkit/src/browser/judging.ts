/**
 * What axe-core finds on a page, and pictures of it: with SCREENSHOTS=1 they are written into `screenshots`, a folder that git ignores.
 * Pages show some of them, copied to docs/screenshots.
 */
import { assert } from "@effect/vitest"
import { mkdirSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import type { Frame, Page } from "playwright-core"

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8")

declare global {
  var axe: {
    readonly run: (
      context: Document,
      options: object
    ) => Promise<
      {
        readonly violations: ReadonlyArray<
          { readonly id: string; readonly nodes: ReadonlyArray<{ readonly html: string; readonly failureSummary?: string }> }
        >
      }
    >
  }
}

export const FOLDER = new URL("../../../../screenshots/", import.meta.url).pathname

/** Whether pictures are wanted. */
export const wanted = process.env["SCREENSHOTS"] === "1"

export const desktop = { width: 1280, height: 800 }
export const phone = { width: 390, height: 844 }

export const violationsIn = async (frame: Frame): Promise<ReadonlyArray<string>> => {
  // It stays as long as its document: the dark look is judged by the axe of the light one.
  if (!await frame.evaluate(() => "axe" in globalThis)) await frame.evaluate(axe)
  return frame.evaluate(async () => {
    const { violations } = await globalThis.axe.run(document, {
      runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"] },
      iframes: false,
      resultTypes: ["violations"]
    })
    return violations.map(({ id, nodes }) =>
      `${id}: ${nodes.map(({ failureSummary = "", html }) => `${html.slice(0, 200)} ${failureSummary}`).join(" | ")}`
    )
  })
}

/** How large the page is, and whether each frame has the room on the page that its own document was laid out for. */
const layoutOf = async (page: Page): Promise<{ readonly fits: boolean; readonly size: string }> => {
  const all = await Promise.all(
    page.frames().map(async (frame) => {
      const { height, width } = await frame.evaluate(() =>
        new Promise<{ readonly height: number; readonly width: number }>((resolve) =>
          requestAnimationFrame(() =>
            requestAnimationFrame(() => resolve({ height: document.body.getBoundingClientRect().height, width: innerWidth }))
          )
        )
      )
      const box = frame === page.mainFrame() ? null : await (await frame.frameElement()).boundingBox()
      return {
        size: `${width}x${height}`,
        fits: box === null || (Math.abs(box.width - width) < 2 && Math.abs(box.height - Math.ceil(height)) < 2)
      }
    })
  )
  return { fits: all.every(({ fits }) => fits), size: all.map(({ size }) => size).join(" ") }
}

/** Until nothing moves any more: a slow machine takes its time to lay out a frame of another process. */
export const settle = async (page: Page): Promise<void> => {
  await page.mouse.move(0, 0)
  let before = ""
  for (let n = 0; n < 600; n++) {
    await page.waitForTimeout(50)
    const { fits, size } = await layoutOf(page)
    if (fits && size === before) return
    before = size
  }
}

/** `whole`: with what would have to be scrolled to. */
export const picture = async (page: Page, name: string, whole = false): Promise<void> => {
  mkdirSync(FOLDER, { recursive: true })
  await settle(page)
  const shown = page.viewportSize()
  if (whole && shown !== null) {
    await page.setViewportSize({
      width: shown.width,
      height: Math.max(shown.height, await page.evaluate(() => document.documentElement.scrollHeight))
    })
    await settle(page)
  }
  await page.screenshot({ path: `${FOLDER}${name}.png`, animations: "disabled" })
  if (whole && shown !== null) await page.setViewportSize(shown)
}

/** Axe finds nothing in the page and its frames, light and dark, and nothing is cut off at 320 pixels. `taken` sees each look of it. */
export const judged = async (
  page: Page,
  name: string,
  taken: (look: { readonly size: "desktop" | "phone"; readonly dark: boolean }) => string | undefined = () => undefined
): Promise<void> => {
  for (const dark of [false, true]) {
    await page.emulateMedia({ colorScheme: dark ? "dark" : "light", reducedMotion: "reduce" })
    await page.setViewportSize(desktop)
    await settle(page)
    for (const frame of page.frames()) {
      assert.deepStrictEqual(await violationsIn(frame), [], `${name}, ${dark ? "dark" : "light"}, ${frame.url()}`)
    }
    for (const [size, viewport] of [["desktop", desktop], ["phone", phone]] as const) {
      const called = taken({ size, dark })
      if (!wanted || called === undefined) continue
      await page.setViewportSize(viewport)
      await picture(page, called, true)
    }
  }
  await page.emulateMedia({ colorScheme: "light" })
  await page.setViewportSize({ width: 320, height: 640 })
  for (const frame of page.frames()) {
    assert.isAtMost(
      await frame.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
      0,
      `${name} at 320 pixels, ${frame.url()}`
    )
  }
  await page.setViewportSize(desktop)
  // A click that comes sooner can be sent to where a frame was before.
  await settle(page)
}
