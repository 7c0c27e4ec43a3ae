/**
 * The path that the simulator's bank page returns the customer to, as a parameter of that page's address. A real bank receives the return
 * address with the request for the step.
 */
import type { PageLocale } from "@svc/design/locale"

const STEP = /\/sim\/actions\/[^/?]+$/u

/** Only paths of this service: a forged address cannot lead to another site. */
const PAGE = /^(?=[^]*\/(?:checkout|portal|invoices)\/)(?:\/[\w.~-]+)+$/u

/** The address of the customer's next step, with the return path. An address outside the simulator stays unchanged. */
export const withReturnPath = (url: string, page: string, { tag }: Pick<PageLocale, "tag">): string =>
  STEP.test(url) ? `${url}?${new URLSearchParams({ back: page, lang: tag }).toString()}` : url

/** The return path of this address, if it has a valid one. */
export const returnPathOf = (url: string): string | undefined => {
  const back = new URL(url, "http://localhost").searchParams.get("back")
  return back !== null && PAGE.test(back) ? back : undefined
}
