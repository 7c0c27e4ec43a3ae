/** The language of a page: that of its session, else the one that the browser asks for, by the lookup of RFC 4647, section 3.4. */

/** The languages that the pages are written in. */
export const locales = ["en", "de", "fr", "es", "ja", "ar"] as const
export type Locale = typeof locales[number]

const isLocale = (tag: string): tag is Locale => (locales as ReadonlyArray<string>).includes(tag)

/** Languages that are written from right to left. */
const rightToLeft: ReadonlySet<string> = new Set<Locale>(["ar"])

/** The language of texts, and the conventions of numbers and dates. */
export interface PageLocale {
  readonly locale: Locale
  /** The language with its region, such as `de-AT`, for numbers and dates. */
  readonly tag: string
  readonly direction: "ltr" | "rtl"
}

const pageLocaleOf = (locale: Locale, tag: string): PageLocale => ({ locale, tag, direction: rightToLeft.has(locale) ? "rtl" : "ltr" })

export const defaultLocale: PageLocale = pageLocaleOf("en", "en")

const canonical = (range: string): string | undefined => {
  try {
    return Intl.getCanonicalLocales(range)[0]
  } catch {
    return undefined
  }
}

/** From `de-CH-1996` to `de-CH` to `de`; a subtag of one character goes with the one after it. */
const shortened = (tag: string): string => {
  const parts = tag.split("-").slice(0, -1)
  return (parts.at(-1)?.length === 1 ? parts.slice(0, -1) : parts).join("-")
}

/** Extensions could ask for another calendar or other digits than the words around them. */
const plain = (tag: string): string => new Intl.Locale(tag).baseName

/** The language of one range, such as `de-AT`; undefined when the pages are not written in it. */
export const matched = (range: string): PageLocale | undefined => {
  const tag = canonical(range)
  for (let rest = tag ?? ""; rest !== ""; rest = shortened(rest)) {
    if (isLocale(rest)) return pageLocaleOf(rest, plain(tag ?? rest))
  }
  return undefined
}

/** More ranges than any browser sends. */
const MAX_RANGES = 32

/**
 * The ranges of an `Accept-Language` (RFC 9110, section 12.5.4), the most wanted first. Those with a weight of 0 are refused, so they are
 * left out.
 */
export const rangesOf = (header: string): ReadonlyArray<string> =>
  header.slice(0, 1024).split(",").slice(0, MAX_RANGES).flatMap((part) => {
    const [range = "", ...parameters] = part.split(";").map((text) => text.trim())
    const weight = parameters.map((text) => /^q=([01](?:\.\d{0,3})?)$/iu.exec(text)?.[1]).find((text) => text !== undefined)
    const quality = Number(weight ?? 1)
    return range === "" || quality === 0 ? [] : [{ range, quality }]
  }).toSorted((one, other) => other.quality - one.quality).map(({ range }) => range)

/** The first language that the pages are written in: the chosen one, then those that the browser asks for, then English. */
export const pageLocaleFor = (chosen: string | null, acceptLanguage: string | undefined): PageLocale => {
  const ranges = [...chosen === null ? [] : [chosen], ...rangesOf(acceptLanguage ?? "")]
  for (const range of ranges) {
    const locale = matched(range)
    if (locale !== undefined) return locale
  }
  return defaultLocale
}
