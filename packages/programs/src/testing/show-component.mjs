/**
 * Shows a component of React in a page without a browser, presses its first button, and prints the page before and after as JSON.
 * Arguments: the file of the component, its name, its properties as JSON.
 */
import { parseJson } from "@svc/kernel/values/json"
import { parseHTML } from "linkedom"
import { readFileSync, writeFileSync } from "node:fs"
import { pathToFileURL } from "node:url"
import { transformWithOxc } from "vite"

const [file, name, properties] = process.argv.slice(2)
const { document, window } = parseHTML("<!doctype html><html><body><main></main></body></html>")
// React looks for a page when it is loaded.
Object.assign(globalThis, { window, document })

const script = `${file}.mjs`
const { code } = await transformWithOxc(readFileSync(file, "utf8"), file, { jsx: { runtime: "automatic" } })
writeFileSync(script, code)
const { createElement } = await import("react")
const { createRoot } = await import("react-dom/client")
const { [name]: Component } = await import(pathToFileURL(script).href)

const page = document.querySelector("main")

/** The page once it differs from what it was, or after two seconds. */
const next = async (before) => {
  for (let turn = 0; turn < 100 && page.innerHTML === before; turn++) await new Promise((resolve) => setTimeout(resolve, 20))
  return page.innerHTML
}

createRoot(page).render(createElement(Component, parseJson(properties)))
const empty = await next("")
const shown = await next(empty)
const button = document.querySelector("button")
if (button !== null) button.dispatchEvent(new window.Event("click", { bubbles: true }))
const pressed = button === null ? shown : await next(shown)
process.stdout.write(JSON.stringify({ shown, pressed }))
process.exit(0)
