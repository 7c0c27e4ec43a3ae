/** The page while nobody knows what became of a payment. It looks again by itself, and leads to the bank where that asks for a step. */
import type { PaymentIntent } from "@svc/payments/payment-intents/model"
import * as design from "../design/components.ts"
import { attributes, type Html, html } from "../design/html.ts"
import type { Page } from "../design/page.ts"
import { PAGE_SCRIPT } from "../hosted-page/script.ts"
import type { Tongue } from "../i18n/locale.ts"
import { messagesOf } from "../i18n/messages.ts"
import { portalMessagesOf } from "../portal/messages.ts"
import { leadingBack } from "../simulator/way-back.ts"

const AGAIN_SECONDS = 4

export interface Pending extends Pick<Page, "script" | "refresh"> {
  readonly status: design.Status
  /** The link to the bank, where there is a step to take. */
  readonly go: Html | null
  /** What makes the page go on. */
  readonly moved: Html
}

/** `page` is where the outcome is told; with `leads`, the customer is taken to the bank at once. */
export const pendingAt = (tongue: Tongue, intent: PaymentIntent | undefined, page: string, leads = false): Pending => {
  const { checkout: { action } } = messagesOf(tongue)
  const next = intent?.next_action?.url
  if (next === undefined) return { status: { ...portalMessagesOf(tongue).done.pending, sign: "busy" }, go: null, ...goingTo(page, AGAIN_SECONDS) }
  const url = leadingBack(next, page, tongue)
  const go = design.button({ label: action.go, kind: "primary", href: url, wide: true })
  return { status: { ...action, sign: "waiting" }, go, ...(leads ? goingTo(url, 0) : goingTo(page, AGAIN_SECONDS)) }
}

const goingTo = (url: string, seconds: number): Pick<Pending, "moved" | "refresh" | "script"> => ({
  moved: html`<div${attributes({ "data-next": url, "data-after": seconds * 1_000 })}></div>`,
  script: PAGE_SCRIPT,
  refresh: { seconds, url }
})
