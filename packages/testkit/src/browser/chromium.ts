/** The browser that pages are tried in: a Chromium of this machine. Tests that need one are skipped, and say so, where there is none. */
import { fontOf } from "@svc/billing/invoices/pdf/fonts"
import { Context, Effect, Layer } from "effect"
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { type Browser as Playwright, type BrowserContextOptions, chromium, type Page } from "playwright-core"

/** The shell is the same engine without the window around it, and takes half of the processor time. */
const usual = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser", "/usr/bin/google-chrome"]

/** Where it is: `CHROMIUM_PATH`, or where Debian and others put it. Undefined where there is none. */
export const chromiumPath = (): string | undefined =>
  [process.env["CHROMIUM_PATH"] ?? "", ...usual].find((path) => path !== "" && existsSync(path))

/** What is said in the place of the tests. */
export const MISSING =
  "skipped: there is no Chromium here. Install it (apt-get install chromium-headless-shell, or chromium), or name one in CHROMIUM_PATH"

/**
 * A folder with the letters of Japanese, which few machines without a screen have, for pictures that people can read; and how Chromium
 * finds them.
 */
const fonts = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "svc-fonts-"))
    for (const weight of [400, 700] as const) {
      writeFileSync(join(folder, `${weight}.ttf`), fontOf({ name: "noto-sans-jp-japanese" }, weight))
    }
    const config =
      `<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd"><fontconfig><include ignore_missing="yes">/etc/fonts/fonts.conf</include><dir>${folder}</dir></fontconfig>`
    writeFileSync(join(folder, "fonts.conf"), config)
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** Names of hosts, and the ports of this machine that answer for them. */
export type Hosts = Readonly<Record<string, number>>

export class Browser extends Context.Service<Browser, {
  /** A window of its own, without anything that another one has kept. */
  readonly open: (options?: BrowserContextOptions) => Promise<Page>
}>()("@svc/testkit/browser/Browser") {
  /** Started for these hosts, and closed with its windows. */
  static readonly layer = <E, R>(hosts: Effect.Effect<Hosts, E, R>) =>
    Layer.effect(
      Browser,
      Effect.gen(function*() {
        const rules = Object.entries(yield* hosts).map(([host, port]) => `MAP ${host} 127.0.0.1:${port}`)
        const folder = yield* fonts
        const start = () =>
          chromium.launch({
            executablePath: chromiumPath() ?? "",
            env: { ...process.env, FONTCONFIG_FILE: join(folder, "fonts.conf") },
            // Root may not use Chromium's own sandbox; what is shown here is our own.
            args: [
              "--no-sandbox",
              "--disable-gpu",
              "--disable-dev-shm-usage",
              // Processes are started for pages that keep nothing from each other; here all of them are ours.
              "--in-process-gpu",
              "--renderer-process-limit=1",
              "--disable-site-isolation-trials",
              `--host-resolver-rules=${rules.join(",")}`,
              "--font-render-hinting=none"
            ]
          })
        const browser: Playwright = yield* Effect.acquireRelease(Effect.promise(start), (started) => Effect.promise(() => started.close()))
        return Browser.of({ open: async (options = {}) => (await browser.newContext({ locale: "en-US", ...options })).newPage() })
      })
    )
}
