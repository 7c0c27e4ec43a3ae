import { html } from "@svc/design/html"
import type { Messages } from "./shape.ts"

export const en: Messages = {
  testMode: "Test mode",
  title: (merchant) => `Pay ${merchant}`,
  pay: (amount) => `Pay ${amount}`,
  facts: { sold: "For", tool: "Asked for by", account: "Account", until: "Can be paid until" },
  credits: (count) => `${count} credits`,
  plan: (name, credits, length) => `The plan ${name}: ${credits} credits a month, ${length}`,
  lengths: { endless: "paid once, without an end", month: "for one month", months: (count) => `for ${count} months` },
  callOf: (tool) => `a call of ${tool}`,
  chooseCard: "No money moves here. Choose a test card",
  cards: {
    visa: "Visa, approved",
    mastercard: "Mastercard, approved",
    declined: "A card that is declined",
    poor: "A card without enough money"
  },
  declined: { title: "The card was declined", text: "Nothing was charged. Choose another card." },
  paid: {
    title: "Paid",
    credits: "The credits are on the account now.",
    call: "Send the identical request again: it is paid from the account's credits.",
    plan: "Send the identical request again: the plan's credits pay for it.",
    purchase: (id) => `The purchase is ${id}.`
  },
  pending: {
    title: "Confirming your payment",
    text: "It is not known yet whether the money came. This page looks again by itself; nothing is charged twice."
  },
  failed: {
    title: "Not paid",
    text: "The cards were declined, and this page takes no more cards. Nothing was charged: make the call again to have a new page."
  },
  expired: { title: "Expired", text: "The time to pay here is over, and nothing was charged. Make the call again to have a new page." },
  held: { title: "Nothing to pay", text: "The account is on this plan already, and it has no end." },
  noCards: {
    title: "Cards are not taken here",
    text: "This installation takes no cards for live accounts. The answer that named this page says how a wallet pays the call."
  },
  unknown: {
    title: "No such page",
    text: "The address is not one that this server has made, or a part of it is missing. Make the call again: its answer names a page."
  },
  unchosen: { title: "No card was chosen", text: "Go back and choose one of the cards. Nothing was charged." },
  tooMany: { title: "Too many payments", text: "Your network tries too many payments. Wait a while; nothing was charged." },
  stranger: {
    title: "This call belongs to no account",
    costs: (tool, amount) => `${tool} costs ${amount}.`,
    text: "It was called without a key, so nobody knows for which account to pay. Nothing was charged.",
    open: (accounts, signup) => html`Open an account with ${accounts}, or let an agent sign up with ${signup}.`,
    again: (header) => html`Send the same call with the key in ${header}.`,
    pay: "Open the page that its answer names, or pay with a wallet as the answer says."
  }
}
