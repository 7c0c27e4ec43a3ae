/** How much of a list one answer holds: a page of a hundred items is small, unless somebody fills every field of each to its limit. */

/** Bytes of JSON text. An item alone may take more. */
export const MAX_PAGE_BYTES = 4 * 1024 * 1024

/** What a number, a time or the like takes at most, and what stands around a value. */
const SCALAR = 26
const AROUND = 4

type Measure = (text: string) => number
/** A control character becomes six bytes. */
const atMost: Measure = (text) => 6 * text.length
const exactly: Measure = (text) => Buffer.byteLength(JSON.stringify(text))

const hasFields = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null

/** About as many bytes as the value takes as JSON; only text can be large, and is measured as it is told. */
const bytesOf = (value: unknown, measure: Measure): number => {
  if (typeof value === "string") return measure(value)
  if (!hasFields(value)) return SCALAR
  let bytes = AROUND
  for (const name of Object.keys(value)) bytes += name.length + AROUND + bytesOf(value[name], measure)
  return bytes
}

/** How many of the items, from the first on, fit into a page: one at least. */
export const fitting = (items: ReadonlyArray<unknown>): number => {
  // Nearly always this is enough to know, and it costs much less than to encode the page.
  if (bytesOf(items, atMost) <= MAX_PAGE_BYTES) return items.length
  let bytes = 0
  const beyond = items.findIndex((item, at) => {
    bytes += bytesOf(item, exactly)
    return at > 0 && bytes > MAX_PAGE_BYTES
  })
  return beyond === -1 ? items.length : beyond
}
