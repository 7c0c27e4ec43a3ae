/** The view of a payment whose outcome is not known. It looks again by itself, and leads to the bank where the bank asks for a step. */
import * as design from "@svc/design/components"
import { attributes, type Html, html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import type { Page } from "@svc/design/page"
import { messagesOf } from "../i18n/messages.ts"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import { PAGE_SCRIPT } from "../pages/script.ts"
import { withReturnPath } from "../simulator/return-path.ts"
import type { CyclePayment } from "./model.ts"

const REFRESH_SECONDS = 4

export interface PendingView extends Pick<Page, "script" | "refresh"> {
  readonly status: design.Status
  /** The link to the bank, where there is a step to take. */
  readonly bankLink: Html | null
  /** Tells the script of the page where it goes next, and when. */
  readonly redirection: Html
}

/** `resultPath` is the page that tells the outcome; with `opensBank` the customer is taken to the bank at once. */
export const pendingView = (
  pageLocale: PageLocale,
  intent: CyclePayment["intent"],
  resultPath: string,
  opensBank = false
): PendingView => {
  const { checkout: { action } } = messagesOf(pageLocale)
  const step = intent?.next_action?.url
  if (step === undefined) {
    const { pending } = portalMessagesOf(pageLocale).done
    return { status: { ...pending, sign: "busy" }, bankLink: null, ...goingTo(resultPath, REFRESH_SECONDS) }
  }
  const url = withReturnPath(step, resultPath, pageLocale)
  const bankLink = design.button({ label: action.go, kind: "primary", href: url, wide: true })
  return { status: { ...action, sign: "waiting" }, bankLink, ...(opensBank ? goingTo(url, 0) : goingTo(resultPath, REFRESH_SECONDS)) }
}

const goingTo = (url: string, seconds: number): Pick<PendingView, "redirection" | "refresh" | "script"> => ({
  redirection: html`<div${attributes({ "data-next": url, "data-after": seconds * 1_000 })}></div>`,
  script: PAGE_SCRIPT,
  refresh: { seconds, url }
})
