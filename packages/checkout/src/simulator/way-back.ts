/** How a customer comes from the simulator's bank back to the page that led there: in the address of the bank's page. A real bank is told when it is asked. */
import type { Tongue } from "../i18n/locale.ts"

const STEP = /\/sim\/actions\/[^/?]+$/u

/** Paths of this service alone: what somebody else writes into the address leads nowhere else. */
const PAGE = /^(?:\/[\w.~-]+)*\/(?:checkout|portal|invoices)(?:\/[\w.~-]+)+$/u

/** The address of a customer's next step, with the page to come back to; as it is where it is no page of the simulator. */
export const leadingBack = (url: string, page: string, { tag }: Pick<Tongue, "tag">): string =>
  STEP.test(url) ? `${url}?${new URLSearchParams({ back: page, lang: tag }).toString()}` : url

/** The page to come back to, if the address says one. */
export const wayBack = (url: string): string | undefined => {
  const back = new URL(url, "http://localhost").searchParams.get("back")
  return back !== null && PAGE.test(back) ? back : undefined
}
