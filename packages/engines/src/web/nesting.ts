/** How deep the elements of a page are nested, told from its text: parsers take minutes for what is nested a hundred thousand times. */

/** HTML 13.1.2: these hold nothing, or end without a tag of their own where the next begins, and so nest by others alone. */
const UNCOUNTED: ReadonlySet<string> = new Set(
  ("area base br col embed hr img input link meta param source track wbr " +
    "body caption colgroup dd dt head html li optgroup option p rb rp rt rtc tbody td tfoot th thead tr").split(" ")
)
/** What stands in these is text. */
const TEXT: ReadonlySet<string> = new Set(["script", "style", "textarea", "title"])
/** Within these, and nowhere else, a slash ends an element where it begins. */
const FOREIGN = ["svg", "math"]

const TAG = /<(?:!--|(\/?)([a-z][^\s/>]*))/giu

/** Whether elements are open within each other so many times anywhere. */
export const isNestedDeeper = (html: string, levels: number): boolean => {
  const text = html.toLowerCase()
  const open: Array<string> = []
  const counts = new Map<string, number>()
  const close = (name: string) => {
    if ((counts.get(name) ?? 0) === 0) return
    for (const ended of open.splice(open.lastIndexOf(name))) counts.set(ended, (counts.get(ended) ?? 0) - 1)
  }
  const after = (sign: string, from: number) => {
    const at = text.indexOf(sign, from)
    return at === -1 ? text.length : at + sign.length
  }
  const tag = new RegExp(TAG)
  for (let found = tag.exec(text); found !== null; found = tag.exec(text)) {
    const [, slash, name] = found
    if (name === undefined) {
      tag.lastIndex = after("-->", tag.lastIndex)
      continue
    }
    if (slash === "/") {
      close(name)
      continue
    }
    const end = after(">", tag.lastIndex)
    tag.lastIndex = end
    if (TEXT.has(name)) tag.lastIndex = after(`</${name}`, end)
    else if (!UNCOUNTED.has(name)) {
      const isForeign = FOREIGN.some((one) => (counts.get(one) ?? 0) > 0)
      if (isForeign && text.charAt(end - 2) === "/") continue
      counts.set(name, (counts.get(name) ?? 0) + 1)
      if (open.push(name) > levels) return true
    }
  }
  return false
}
