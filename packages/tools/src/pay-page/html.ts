/** The pay page as a browser shows it: without a script, loading nothing, readable by anybody who was sent the address. */
import { hash } from "node:crypto"

const STYLE = "body{font:1rem/1.5 system-ui,sans-serif;max-width:30rem;margin:3rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}dl{display:grid;grid-template-columns:max-content 1fr;gap:.25rem 1rem}dt{color:#555}dd{margin:0}" +
  "fieldset{border:1px solid #bbb;border-radius:.4rem;margin:1rem 0;padding:.5rem 1rem}label{display:block;padding:.25rem 0}button{font:inherit;padding:.6rem 1.2rem}code{font:.9rem ui-monospace,monospace}.bad{color:#a40000}" +
  "@media(prefers-color-scheme:dark){body{color:#e8e8e8;background:#161616}dt{color:#aaa}.bad{color:#ff8a80}}"

/** The one style is known by its hash, so that none could be smuggled in. */
export const POLICY = `default-src 'none'; style-src 'sha256-${hash("sha256", STYLE, "base64")}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`

export const escaped = (text: string): string => text.replace(/[&<>"']/gu, (character) => `&#${character.charCodeAt(0)};`)

export interface Content {
  readonly title: string
  /** HTML; whoever makes it escapes what comes from elsewhere. */
  readonly body: string
  /** Seconds after which the browser asks again. */
  readonly refresh?: number
}

export const documentOf = ({ body, refresh, title }: Content): string => [
  "<!doctype html>",
  `<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">`,
  ...(refresh === undefined ? [] : [`<meta http-equiv="refresh" content="${refresh}">`]),
  `<title>${escaped(title)}</title><style>${STYLE}</style></head><body><main>`,
  `<h1>${escaped(title)}</h1>`,
  body,
  "</main></body></html>",
  ""
].join("\n")

export const rows = (entries: ReadonlyArray<readonly [name: string, value: string]>): string =>
  `<dl>${entries.map(([name, value]) => `<dt>${escaped(name)}</dt><dd>${escaped(value)}</dd>`).join("")}</dl>`

export const paragraph = (text: string, kind?: "bad"): string => `<p${kind === undefined ? "" : ` class="${kind}" role="alert"`}>${escaped(text)}</p>`
