/**
 * The card fields of the sandbox, as a provider would serve them: a page in a frame of its own origin. What is typed there stays in the
 * browser: the page may send nothing anywhere, takes the simulator's published numbers alone, and hands a token to the page around it.
 */
import { attributes, type Html, html } from "@svc/design/html"
import { pageLocaleFor } from "@svc/design/locale"
import type { Page } from "@svc/design/page"
import { type TestInstrument, testInstruments } from "@svc/payments/rails/instruments"
import { Option } from "effect"
import { UrlParams } from "effect/http"
import { messagesOf } from "../i18n/messages.ts"
import type { Messages } from "../i18n/messages/shape.ts"
import { languageOf, noBrand } from "../pages/message-page.ts"
import { FIELDS_SCRIPT } from "./card-fields-script.ts"

interface TestCard extends TestInstrument {
  readonly number: string
}

const isCard = (instrument: TestInstrument): instrument is TestCard => instrument.number !== null

const testCards = testInstruments.filter(isCard)

/** As it stands on a card: in groups of four, or as American Express has it. */
export const grouped = (number: string): string =>
  number.length === 15 ? number.replace(/^(.{4})(.{6})(.{5})$/u, "$1 $2 $3") : number.replace(/(.{4})(?=.)/gu, "$1 ")

const outcomeOf = ({ answers: { card_a, card_b }, token }: TestCard, { fields: { outcomes } }: Messages): string => {
  if (token === "tok_dispute") return outcomes.dispute
  if (card_a === "approve" || card_a === "require_action" || card_a === "block") return outcomes[card_a]
  if (card_b === "approve") return outcomes.elsewhere
  return `${outcomes.declined} (${card_a ?? ""})`
}

const brands: Readonly<Record<string, string>> = { visa: "Visa", mastercard: "Mastercard", amex: "American Express" }

const cardOf = (card: TestCard, messages: Messages): Html => {
  const data = attributes({ "data-number": grouped(card.number), "data-token": card.token })
  return html`<li><button type="button" class="test"${data}><span class="num" dir="ltr">${grouped(card.number)}</span> <small>${
    brands[card.brand ?? ""]
  } · ${outcomeOf(card, messages)}</small></button></li>`
}

const input = (id: string, label: string, more: Readonly<Record<string, string | number>>): Html =>
  html`<div class="field"><label for="${id}">${label}</label><input${
    attributes({ id, type: "text", inputmode: "numeric", dir: "ltr", spellcheck: "false", "aria-describedby": `${id}-error`, ...more })
  }><span class="error" id="${id}-error" aria-live="polite"></span></div>`

// No form and no names: there is nothing that a browser could submit.
const STYLE = "body{min-block-size:0;padding:5px}main{display:flex;flex-direction:column;gap:var(--space-3)}" +
  "details{font-size:var(--type-small)}summary{color:var(--muted)}" +
  ".list{margin-block-start:var(--space-2);border:1px solid var(--line);border-radius:var(--radius);overflow:clip}" +
  ".list li+li{border-block-start:1px solid var(--line)}" +
  ".test{display:block;inline-size:100%;min-block-size:2.75rem;padding:var(--space-2) var(--space-3);" +
  "border:0;background:var(--surface);text-align:start;cursor:pointer}" +
  ".test:hover{background:var(--ground)}.test:focus-visible{outline-offset:-3px}" +
  "input[dir=ltr]{text-align:start}[dir=rtl] input[dir=ltr]{text-align:end}"

const COLOUR = /^#[0-9a-f]{6}$/iu

/** The card fields in the language and with the colour that the address names. */
export const cardFieldsPage = (url: string): Page => {
  const query = UrlParams.fromInput(new URL(url, "http://localhost").searchParams)
  const first = (name: string) => Option.getOrUndefined(UrlParams.getFirst(query, name))
  const pageLocale = pageLocaleFor(first("lang") ?? null, undefined)
  const messages = messagesOf(pageLocale)
  const { cvc, cvcInvalid, expiry, expiryHint, expiryInvalid, number, numberMissing, numberUnknown, testCards: heading, testCardsHint } =
    messages.fields
  const color = first("color") ?? ""
  const errors = attributes({
    "data-missing": numberMissing,
    "data-unknown": numberUnknown,
    "data-expiry": expiryInvalid,
    "data-cvc": cvcInvalid
  })
  return {
    title: messages.checkout.cardFields,
    language: languageOf(pageLocale),
    brand: { ...noBrand, color: COLOUR.test(color) ? color : null },
    bare: true,
    framedBy: "'self'",
    style: STYLE,
    script: FIELDS_SCRIPT,
    main: html`<h1 class="sr">${messages.checkout.cardFields}</h1>
<div id="fields" class="stack tight"${errors}>${input("number", number, { autocomplete: "cc-number", maxlength: 23 })}
<div class="row">${input("expiry", expiry, { autocomplete: "cc-exp", maxlength: 7, placeholder: expiryHint })}${
      input("cvc", cvc, { autocomplete: "cc-csc", maxlength: 4 })
    }</div></div>
<details><summary>${heading}</summary><p class="quiet">${testCardsHint}</p><ul class="list">${
      testCards.map((card) => cardOf(card, messages))
    }</ul></details>`
  }
}
