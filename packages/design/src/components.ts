/**
 * What pages are made of: small pure functions that give HTML. What they are called in the house is what they are for, not how they look.
 */
import { type Attributes, attributes, type Content, type Html, html } from "./html.ts"
import { backwards, caution, clock, cross, spinner, tick } from "./icons.ts"

export type Tone = "good" | "bad" | "notice" | "plain"

const toned = (name: string, tone: Tone): string =>
  ({ good: `${name} good`, bad: `${name} bad`, notice: name, plain: `${name} plain-tone` })[tone]

export const card = (content: Content): Html => html`<section class="card stack">${content}</section>`

export const badge = (text: string, tone: Tone = "notice"): Html => html`<span class="${toned("badge", tone)}">${text}</span>`

export interface Button {
  readonly label: Content
  readonly kind?: "primary" | "plain" | "danger"
  /** A link that looks like a button; without it, a button that sends its form. */
  readonly href?: string
  readonly wide?: boolean
  readonly attributes?: Attributes
}

export const button = ({ attributes: more = {}, href, kind = "plain", label, wide = false }: Button): Html => {
  const all = attributes({
    class: `button ${kind}${wide ? " wide" : ""}`,
    ...(href === undefined ? { type: "submit" } : { href }),
    ...more
  })
  return href === undefined ? html`<button${all}>${spinner}<span>${label}</span></button>` : html`<a${all}>${label}</a>`
}

export interface Field {
  readonly id: string
  readonly label: string
  readonly error?: string | undefined
  /** Of the input: its type, name, value. */
  readonly attributes: Attributes
}

/** A label, its input, and the place where its error is told. */
export const field = ({ attributes: more, error, id, label }: Field): Html => {
  const input = attributes({ id, "aria-describedby": `${id}-error`, "aria-invalid": error === undefined ? undefined : "true", ...more })
  return html`<div class="field"><label for="${id}">${label}</label><input${input}><span class="error" id="${id}-error">${error}</span></div>`
}

const signs = { good: tick, bad: caution, notice: clock, plain: clock } as const satisfies Record<Tone, Html>

/** Said at once to who listens, when the page is shown. */
export const alert = (title: string, text: Content, tone: Tone = "bad"): Html =>
  html`<div class="${toned("alert", tone)}" role="${tone === "bad" ? "alert" : "status"}">${
    signs[tone]
  }<div><strong>${title}</strong><p>${text}</p></div></div>`

export interface Line {
  readonly name: string
  /** Below the name, such as the quantity. */
  readonly detail?: Content
  /** Money, formatted. */
  readonly amount: string
}

/** More lines than these would push what is below them off a phone's screen. */
const MOST_LINES = 6

/** What is paid for, line by line. Many lines are folded, and `show` is what unfolds them. */
export const summary = (label: string, lines: ReadonlyArray<Line>, show?: string): Html =>
  show === undefined || lines.length <= MOST_LINES
    ? lineList(label, lines)
    : html`<details class="folded"><summary>${show}</summary>${lineList(label, lines)}</details>`

const lineList = (label: string, lines: ReadonlyArray<Line>): Html =>
  html`<ul class="lines" aria-label="${label}">${
    lines.map(({ amount, detail, name }) =>
      html`<li><span><bdi>${name}</bdi>${
        detail === undefined ? null : html`<small>${detail}</small>`
      }</span><span class="num">${amount}</span></li>`
    )
  }</ul>`

export const total = (label: string, amount: string): Html =>
  html`<p class="total"><span>${label}</span><span class="num">${amount}</span></p>`

/** Names and what they are, such as facts of a payment. */
export const list = (pairs: ReadonlyArray<readonly [name: string, value: Content]>): Html =>
  html`<dl class="pairs">${pairs.map(([name, value]) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`)}</dl>`

/** Links to what is agreed to. */
export const legalLinks = (label: string, links: ReadonlyArray<readonly [name: string, url: string]>): Html | null =>
  links.length === 0
    ? null
    : html`<nav class="legal quiet" aria-label="${label}">${links.map(([name, url]) => html`<a href="${url}">${name}</a>`)}</nav>`

export interface Choice {
  readonly name: string
  readonly value: string
  readonly label: string
  readonly detail?: string
  readonly checked: boolean
  readonly attributes?: Attributes
}

export const choice = ({ attributes: more = {}, checked, detail, label, name, value }: Choice): Html =>
  html`<label class="choice"><input${attributes({ type: "radio", name, value, checked, ...more })}><span>${label}${
    detail === undefined ? null : html`<small>${detail}</small>`
  }</span></label>`

export interface Status {
  readonly title: string
  readonly text: Content
  /** `busy` turns. */
  readonly sign: "good" | "bad" | "waiting" | "busy"
}

const drawings = { good: tick, bad: cross, waiting: clock, busy: spinner } as const satisfies Record<Status["sign"], Html>

/** Where something stands, as the whole of a page. */
export const status = ({ sign, text, title }: Status): Html =>
  html`<div class="status"><span class="sign ${sign}">${drawings[sign]}</span><h1>${title}</h1><p>${text}</p></div>`

export const back = (label: string, href: string): Html =>
  html`<div><a class="back" href="${href}">${backwards}<span>${label}</span></a></div>`

export interface Brand {
  readonly name: string
  /** `#rrggbb`; null for the plain one. */
  readonly color: string | null
  readonly logo_url: string | null
}

/** Whose page it is. The mark takes the place of a logo that there is not; the name is always said. */
export const masthead = ({ logo_url, name }: Brand, note?: Html): Html =>
  html`<div class="brand">${
    logo_url === null
      ? html`<span class="mark" aria-hidden="true">${Array.from(name.trim())[0]?.toLocaleUpperCase() ?? ""}</span>`
      : html`<img src="${logo_url}" alt="" height="36" referrerpolicy="no-referrer">`
  }<bdi>${name}</bdi>${note}</div>`
