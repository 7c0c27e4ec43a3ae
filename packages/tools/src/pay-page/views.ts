/** What the pay page says in each state. Pure. */
import { DateTime } from "effect"
import type { CreditPurchase } from "../credit-purchases/model.ts"
import { isOver } from "../credit-purchases/rules.ts"
import { dollars } from "../payment/model.ts"
import { CREDITS_A_CENT, plans } from "../plans.ts"
import { type Content, escaped, paragraph, rows } from "./html.ts"
import type { Offer } from "./offer.ts"

/** The cards of the simulator, by the names that the form sends: what a card's number is, nobody types here. */
export const cards = {
  visa: { label: "Visa, approved", token: "tok_visa" },
  mastercard: { label: "Mastercard, approved", token: "tok_mastercard" },
  declined: { label: "A card that is declined", token: "tok_generic_decline" },
  poor: { label: "A card without enough money", token: "tok_insufficient_funds" }
} as const satisfies Record<string, { readonly label: string; readonly token: string }>
export type CardName = keyof typeof cards

export const isCardName = (name: string | undefined): name is CardName => name !== undefined && Object.hasOwn(cards, name)

/** What is known of an offer when its page is shown. */
export interface Seen {
  readonly offer: Offer
  readonly purchase: CreditPurchase | undefined
  readonly at: DateTime.Utc
  /** Whether a card can pay it here. */
  readonly payable: boolean
  /** The plan is held already, and has no end. */
  readonly held: boolean
  readonly tools_url: string
}

const masked = (account: string): string => `${account.slice(0, 7)}…${account.slice(-4)}`

const soldOf = ({ cents, plan }: Pick<Offer, "cents" | "plan">): string => {
  if (plan === null) return `${cents * CREDITS_A_CENT} credits`
  const { allowance, months } = plans[plan]
  const length = months === null ? "paid once, without an end" : months === 1 ? "for one month" : `for ${months} months`
  return `The plan ${plan}: ${allowance * CREDITS_A_CENT} credits a month, ${length}`
}

const minute = (at: DateTime.Utc): string => `${DateTime.formatIso(at).slice(0, 16).replace("T", " ")} UTC`

const facts = ({ offer }: Seen, account: string): string =>
  rows([
    ["For", soldOf(offer)],
    ["Price", `${dollars(offer.cents)} USD`],
    ...(offer.tool === null ? [] : [["Asked for by", `a call of ${offer.tool}`] as const]),
    ["Account", masked(account)],
    ["Can be paid until", minute(offer.expires_at)]
  ])

const form = (cents: number): string => [
  "<form method=\"post\"><fieldset><legend>Sandbox: no money moves. Choose a card</legend>",
  ...Object.entries(cards).map(([name, { label }], n) => `<label><input type="radio" name="card" value="${name}"${n === 0 ? " checked" : ""} required> ${escaped(label)}</label>`),
  `</fieldset><button type="submit">Pay ${escaped(dollars(cents))} USD</button></form>`
].join("")

const stranger = ({ offer: { cents, plan, tool }, tools_url }: Seen): Content => ({
  title: "This call belongs to no account",
  body: paragraph(`${plan === null ? `${tool ?? "The call"} costs ${dollars(cents)} USD.` : soldOf({ cents, plan })} It was called without a key, so nobody knows for which account to pay. Nothing was charged.`) +
    `<ol><li>Open an account: <code>POST ${escaped(tools_url)}/v1/accounts</code> with <code>email</code> and <code>name</code>, or let an agent sign up: <code>POST ${escaped(tools_url)}/v1/agents/signup</code>.</li>` +
    "<li>Send the same call with the key in <code>X-Svc-Key</code>.</li><li>Open the page that its answer names, or pay with a wallet as the answer says.</li></ol>"
})

const thanks = ({ offer }: Seen): string =>
  offer.tool === null
    ? "The credits are on the account now."
    : offer.plan === null
    ? "Send the identical request again: it is paid from the account's credits."
    : "Send the identical request again: the plan's credits pay for it."

/** The page, and its status. */
export const view = (seen: Seen): { readonly content: Content; readonly status: number } => {
  const { at, held, offer, payable, purchase } = seen
  const { account } = offer
  if (account === undefined) return { status: 200, content: stranger(seen) }
  const shown = facts(seen, account)
  const page = (title: string, text: string, status = 200) => ({ status, content: { title, body: shown + paragraph(text) } })
  if (purchase?.state === "paid") return page("Paid", `${thanks(seen)} The purchase is ${purchase.id}.`)
  if (purchase !== undefined && purchase.charge !== null) {
    return { status: 200, content: { title: "Being paid", refresh: 2, body: shown + paragraph("It is not known yet whether the money came. This page looks again by itself; nothing is charged twice.") } }
  }
  if (purchase?.state === "failed") return page("Not paid", `${purchase.failure_reason ?? "The card was declined."} This page takes no more cards. Nothing was charged: make the call again to have a new one.`, 410)
  if (purchase === undefined ? DateTime.isLessThanOrEqualTo(offer.expires_at, at) : isOver(purchase, at)) {
    return page("Expired", "The time to pay here is over, and nothing was charged. Make the call again to have a new page.", 410)
  }
  if (held) return page("Nothing to pay", "The account is on this plan already, and it has no end.", 409)
  if (!payable) return page("Cards are not taken here", "This installation takes no cards for live accounts. The answer that named this page says how a wallet pays the call.", 501)
  const declined = purchase?.failure_reason ?? null
  return { status: 200, content: { title: `Pay ${dollars(offer.cents)} USD`, body: shown + (declined === null ? "" : paragraph(`${declined} Nothing was charged. Choose another card.`, "bad")) + form(offer.cents) } }
}

export const unknown: Content = { title: "No such page", body: paragraph("The address is not one that this server has made, or a part of it is missing. Make the call again: its answer names a page.") }
export const unchosen: Content = { title: "No card was chosen", body: paragraph("Go back and choose one of the cards. Nothing was charged.") }
