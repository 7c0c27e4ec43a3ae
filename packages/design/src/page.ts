/** A whole page: the document, and the policy under which a browser shows it. Nothing is loaded from anywhere but what the page says. */
import { hash } from "node:crypto"
import type { Brand } from "./components.ts"
import { attributes, type Content, type Html, html, raw } from "./html.ts"
import { STYLE } from "./style.ts"
import { brandTokens } from "./tokens.ts"

/** How a page is written. */
export interface Language {
  /** BCP 47. */
  readonly tag: string
  readonly direction: "ltr" | "rtl"
}

export interface Page {
  readonly title: string
  readonly language: Language
  readonly brand: Brand
  readonly main: Content
  /** Beside the main part on a wide screen, above it on a narrow one. Without it the page is one column. */
  readonly side?: Content
  /** Above the main part of a page of one column. */
  readonly header?: Content
  /** Nothing around the main part: for a page in a frame. */
  readonly bare?: boolean
  /** Whether crawlers may list the page: its address is nobody's secret. */
  readonly isListed?: boolean
  /** A script of the project's own, inline. */
  readonly script?: string
  /**
   * Where the browser goes next, and after how many seconds; without a url, the same page again. A page with a script does so by its script,
   * and a browser without scripts by this.
   */
  readonly refresh?: { readonly seconds: number; readonly url?: string }
  /** Origins that frames of the page come from. */
  readonly frames?: ReadonlyArray<string>
  /** Whether its script asks this server. */
  readonly asks?: boolean
  /** Style of this page alone. */
  readonly style?: string
  /** Who may show the page in a frame: `'self'` or nobody. */
  readonly framedBy?: "'self'" | "'none'"
}

const hashed = (text: string): string => `'sha256-${hash("sha256", text, "base64")}'`

const STYLE_HASH = hashed(STYLE)

/** What the browser may do with the page: what is not named, it may not. */
const policyOf = ({ asks = false, brand, framedBy = "'none'", frames = [], script }: Page, ownStyle: string): string =>
  [
    "default-src 'none'",
    `style-src ${STYLE_HASH} ${hashed(ownStyle)}`,
    ...(script === undefined ? [] : [`script-src ${hashed(script)}`]),
    ...(asks ? ["connect-src 'self'"] : []),
    ...(frames.length === 0 ? [] : [`frame-src ${frames.join(" ")}`]),
    ...(brand.logo_url === null ? [] : [`img-src ${new URL(brand.logo_url).origin}`]),
    "form-action 'self'",
    "base-uri 'none'",
    `frame-ancestors ${framedBy}`
  ].join("; ")

const refreshed = ({ seconds, url }: NonNullable<Page["refresh"]>, hasScript: boolean): Html => {
  const meta = html`<meta http-equiv="refresh" content="${url === undefined ? seconds : `${seconds};url=${url}`}">`
  return hasScript ? html`<noscript>${meta}</noscript>` : meta
}

/** The page as text, and the headers that belong to it. */
export const documentOf = (page: Page): { readonly text: string; readonly headers: Readonly<Record<string, string>> } => {
  const { bare = false, brand, header, isListed = false, language, main, refresh, script, side, style = "", title } = page
  const ownStyle = brandTokens(brand.color) + style
  const body = bare
    ? html`<main>${main}</main>`
    : side === undefined
    ? html`<div class="plain"><header>${header}</header><main>${main}</main></div>`
    : html`<div class="split"><header class="side">${side}</header><main>${main}</main></div>`
  const text = html`<!doctype html>
<html${
    attributes({ lang: language.tag, dir: language.direction })
  }><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">${
    isListed ? null : html`<meta name="robots" content="noindex">`
  }<meta name="color-scheme" content="light dark">
${refresh === undefined ? null : refreshed(refresh, script !== undefined)}<title>${title}</title><style>${raw(STYLE)}</style><style>${
    raw(ownStyle)
  }</style></head>
<body>${body}${script === undefined ? null : html`<script>${raw(script)}</script>`}</body></html>
`
  return {
    text: text.text,
    headers: {
      "content-security-policy": policyOf(page, ownStyle),
      // A page shows what is true now, and its address is all that somebody needs to pay.
      "cache-control": "no-store",
      "referrer-policy": "no-referrer",
      "x-content-type-options": "nosniff",
      ...(isListed ? {} : { "x-robots-tag": "noindex" }),
      "cross-origin-opener-policy": "same-origin",
      "permissions-policy": "camera=(), geolocation=(), microphone=()"
    }
  }
}
