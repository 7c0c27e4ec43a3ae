/** What somebody needs before the first operation: keys, a payment, test tokens, pages, keys against repetition, refusals. */
import { type Content, type Html, html } from "@svc/design/html"
import { testInstruments } from "@svc/payments/rails/instruments"
import { paragraphs } from "./fields.ts"

const command = (text: string): Html => html`<pre tabindex="0"><code>${text}</code></pre>`

const outcomes: Readonly<Record<string, string>> = {
  approve: "approved",
  accept: "accepted, and confirmed later",
  require_action: "asks the customer to confirm (3DS)",
  block: "blocked as fraud"
}

const tokens = html`<ul class="tokens">${
  testInstruments.map(({ answers, number, token }) => {
    const [answer = ""] = Object.values(answers)
    const meaning = token === "tok_dispute" ? "approved, and disputed after the capture" : outcomes[answer] ?? `declined: ${answer}`
    return html`<li><code>${token}</code> ${meaning} <small>${number}</small></li>`
  })
}</ul>`

interface Part {
  readonly id: string
  readonly title: string
  readonly text: Content
}

const words = (...lines: ReadonlyArray<string>): Content => paragraphs(lines.join(" "))

const parts = (description: string): ReadonlyArray<Part> => [
  {
    id: "keys",
    title: "Keys",
    text: [
      words(
        "Send a key with each request: `Authorization: Bearer …`. `sk_test_` keys reach a sandbox account, where no money moves,",
        "and `sk_live_` keys a live one. A restricted key (`rk_`) may do what its scopes name.",
        "`npm start` writes a sandbox key and the address of the API to `.data/credentials.json`:"
      ),
      command(`API=$(node -p "require('./.data/credentials.json').base_url")
KEY=$(node -p "require('./.data/credentials.json').secret_key")`)
    ]
  },
  {
    id: "first-payment",
    title: "The first payment",
    text: [
      command(`curl -sS $API/v1/payment_intents -H "Authorization: Bearer $KEY" \\
  -H 'Content-Type: application/json' -H 'Idempotency-Key: first-payment' \\
  -d '{"amount": 2499, "currency": "USD", "payment_method_id": "tok_visa", "capture": true}'`),
      words(
        "The answer says `\"state\":\"captured\"`. Amounts are minor units: 2499 is 24.99 USD, and 2499 JPY is 2499 yen.",
        "Times are UTC with milliseconds."
      )
    ]
  },
  {
    id: "test-tokens",
    title: "Test tokens",
    text: [
      words(
        "In a sandbox account a token stands for a card or a bank account, and decides what happens.",
        "The number beside it is what the card fields of a checkout take."
      ),
      tokens
    ]
  },
  {
    id: "pages",
    title: "Pages of a list",
    text: [
      words(
        "A list answers `data`, `has_more` and `total`, newest first, 20 items a page; `?per_page=100` is the most.",
        "Read on with `?after=` and the last id that you have, or count pages with `?page=2`.",
        "To miss nothing that happens, list the events with `after_seq`."
      )
    ]
  },
  {
    id: "repetition",
    title: "Sending again",
    text: [
      words(
        "Give each write a fresh random `Idempotency-Key`, in the header, or as `idempotency_key` where the body has that field.",
        "When no answer came, send the same request with the same key: it takes effect once, and the first answer is given again,",
        "with `Idempotent-Replayed: true`. Another request with that key is refused.",
        "To change what you have read and nothing newer, send its `version` as `If-Match`."
      )
    ]
  },
  {
    id: "refusals",
    title: "Refusals",
    text: [
      words(
        "Every refusal has one shape. Switch on `error`; on a 400 `code` names the field, on a 402 `decline_code` says why.",
        "The message says what happened, why, and what to do next. `GET /v1/error_codes` explains each code."
      ),
      command(`{"error": "validation_error", "code": "currency", "message": "…", "request_id": "req_…"}`),
      words(
        "Send the same request again after 408, 429 and 5xx, after 409 `idempotency_in_progress`, and when no answer came;",
        "wait as long as `Retry-After` says. Other refusals stay what they are."
      )
    ]
  },
  { id: "rules", title: "Rules of all operations", text: paragraphs(description) }
]

/** The introduction. `description` is the contract's own. */
export const introduction = (description: string): Html =>
  html`${parts(description).map(({ id, text, title }) => html`<section class="part" id="${id}"><h2>${title}</h2>${text}</section>`)}`

export const introductionLinks = (description: string): ReadonlyArray<readonly [href: string, title: string]> =>
  parts(description).map(({ id, title }) => [`/docs#${id}`, title])
