/** Addresses of pages, so that one page has one. */

/** What links carry to be counted by, and servers give the same page for. */
const COUNTED = /^(?:utm_\w+|gclid|fbclid|msclkid|mc_[ce]id)$/iu

export const normalized = (address: string): string => {
  const url = new URL(address)
  url.hash = ""
  for (const name of Array.from(url.searchParams.keys())) if (COUNTED.test(name)) url.searchParams.delete(name)
  return url.href
}
