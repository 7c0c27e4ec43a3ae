/** The frame that a card is typed into: the simulator's for sandbox accounts, the provider's for others. */
import type { Account } from "@svc/accounts/accounts/model"
import { brandOf } from "../brand.ts"
import type { Tongue } from "../i18n/locale.ts"

export interface Fields {
  readonly url: string
  /** What its messages come from: an origin, or `null` for a frame that may not have one. */
  readonly origin: string
  /** What the page lets into a frame. */
  readonly source: string
  readonly sandbox: string
  /** Pixels, before it says how high it is. */
  readonly height: number
}

const HEIGHT = 196

/** `base` is the path of the service, empty at the root; `providerUrl` the fields of live accounts, undefined where there are none. */
export const fieldsFor = (account: Account, { tag }: Tongue, base: string, providerUrl: string | undefined): Fields | undefined => {
  const { color } = brandOf(account)
  const query = new URLSearchParams({ lang: tag, ...(color === null ? {} : { color }) }).toString()
  // Without an origin of its own, the frame has no way to anything of this server.
  if (account.sandbox) return { url: `${base}/sim/fields?${query}`, origin: "null", source: "'self'", sandbox: "allow-scripts", height: HEIGHT }
  if (providerUrl === undefined) return undefined
  const { href, origin } = new URL(providerUrl)
  return { url: `${href}${href.includes("?") ? "&" : "?"}${query}`, origin, source: origin, sandbox: "allow-scripts allow-same-origin allow-forms", height: HEIGHT }
}
