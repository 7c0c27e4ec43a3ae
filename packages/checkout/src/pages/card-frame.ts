/** The frame that a card is typed into: the simulator's for sandbox accounts, the provider's for others. */
import type { Account } from "@svc/accounts/accounts/model"
import * as design from "@svc/design/components"
import { attributes, type Html, html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import { isSimulatorToken } from "@svc/payments/rails/instruments"
import { messagesOf } from "../i18n/messages.ts"
import { brandOf } from "./brand.ts"

export interface CardFields {
  readonly url: string
  /** What its messages come from: an origin, or `null` for a frame that may not have one. */
  readonly origin: string
  /** What the page lets into a frame. */
  readonly source: string
  readonly sandbox: string
}

/** Pixels of the frame before it says how high it is: its fields, without an error. */
const HEIGHT = 212

/** Of a page that a card is typed on; what is before it is where the service is, empty at the root. */
const PAGE = /\/(?:checkout\/[^/]+\/[^/]+|portal\/[^/]+\/[^/]+|invoices\/[^/]+)$/u

/**
 * `path` is that of the page, without a slash at the end; `providerUrl` the fields of live accounts, undefined where cards are not taken.
 */
export const fieldsFor = (account: Account, { tag }: PageLocale, path: string, providerUrl: string | undefined): CardFields | undefined => {
  const { color } = brandOf(account)
  const query = new URLSearchParams({ lang: tag, ...(color === null ? {} : { color }) }).toString()
  // Without an origin of its own, the frame has no way to anything of this server.
  if (account.sandbox) {
    return { url: `${path.replace(PAGE, "")}/sim/fields?${query}`, origin: "null", source: "'self'", sandbox: "allow-scripts" }
  }
  if (providerUrl === undefined) return undefined
  const { href, origin } = new URL(providerUrl)
  return {
    url: `${href}${href.includes("?") ? "&" : "?"}${query}`,
    origin,
    source: origin,
    sandbox: "allow-scripts allow-same-origin allow-forms"
  }
}

/**
 * What a form has for the card; it sends the provider's token alone. Without a script it is a notice, and a form of the class `card-only`
 * shows nothing else.
 */
export const cardFrame = (pageLocale: PageLocale, { origin, sandbox, url }: CardFields): Html => {
  const { card, cardFields, needsScript } = messagesOf(pageLocale).checkout
  const frame = attributes({
    class: "fields",
    title: cardFields,
    src: url,
    sandbox,
    height: HEIGHT,
    "data-origin": origin,
    allow: "payment 'none'"
  })
  return html`<div><input type="hidden" name="token" value=""><noscript>${
    design.alert(card, needsScript, "notice")
  }</noscript><iframe${frame}></iframe></div>`
}

/** What a provider's fields give: printable, and no name of a method that a merchant keeps. */
const TOKEN = /^(?!pm_)[\x21-\x7e]{1,255}$/u

/** Whether it can be the token of a card: one of those that the simulator publishes, or what the provider's own fields gave. */
export const isToken = ({ sandbox }: Pick<Account, "sandbox">, text: string): boolean =>
  TOKEN.test(text) && (!sandbox || isSimulatorToken(text))
