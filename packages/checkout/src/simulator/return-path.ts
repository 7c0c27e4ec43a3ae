/**
 * The way of a customer from the simulator's bank back to the page that led there: a parameter in the address of the bank's page. A real
 * bank gets this address with the request for the step.
 */
import type { PageLocale } from "@svc/design/locale"

const STEP = /\/sim\/actions\/[^/?]+$/u

/** Paths of this service alone: an address that a stranger wrote leads to no other site. */
const PAGE = /^(?=[^]*\/(?:checkout|portal|invoices)\/)(?:\/[\w.~-]+)+$/u

/** The address of the customer's next step, with the page to come back to. An address outside the simulator stays as it is. */
export const leadingBack = (url: string, page: string, { tag }: Pick<PageLocale, "tag">): string =>
  STEP.test(url) ? `${url}?${new URLSearchParams({ back: page, lang: tag }).toString()}` : url

/** The page to come back to, if the address says one. */
export const wayBack = (url: string): string | undefined => {
  const back = new URL(url, "http://localhost").searchParams.get("back")
  return back !== null && PAGE.test(back) ? back : undefined
}
