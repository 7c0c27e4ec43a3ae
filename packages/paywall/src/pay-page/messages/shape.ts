/** What the pay page says. Every language has every message, or it does not compile. */
import type { Html } from "@svc/design/html"

/** A heading and the sentence below it. */
export interface Message {
  readonly title: string
  readonly text: string
}

type OfOne = (value: string) => string

export interface Messages {
  readonly testMode: string
  /** Who is paid. */
  readonly title: OfOne
  /** An amount. */
  readonly pay: OfOne
  readonly facts: { readonly sold: string; readonly tool: string; readonly account: string; readonly until: string }
  /** How many. */
  readonly credits: OfOne
  /** A plan, its credits a month, and one of `lengths`. */
  readonly plan: (name: string, credits: string, length: string) => string
  readonly lengths: { readonly endless: string; readonly month: string; readonly months: OfOne }
  /** The name of a tool. */
  readonly callOf: OfOne
  readonly chooseCard: string
  readonly cards: Readonly<Record<"visa" | "mastercard" | "declined" | "poor", string>>
  readonly declined: Message
  readonly paid: {
    readonly title: string
    readonly credits: string
    readonly call: string
    readonly plan: string
    readonly purchase: OfOne
  }
  readonly pending: Message
  readonly failed: Message
  readonly expired: Message
  readonly held: Message
  readonly noCards: Message
  readonly unknown: Message
  readonly unchosen: Message
  readonly tooMany: Message
  /** Of a call that belongs to no account. */
  readonly stranger: {
    readonly title: string
    /** The tool, and an amount. */
    readonly costs: (tool: string, amount: string) => string
    readonly text: string
    readonly open: (accounts: Html, signup: Html) => Html
    readonly again: (header: Html) => Html
    readonly pay: string
  }
}
