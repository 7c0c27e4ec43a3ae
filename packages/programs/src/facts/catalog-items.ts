/** Things that are sold, where their identifier and price are written: literals of code, and catalogues in JSON. */
import { posix } from "node:path"
import type { Source } from "./code/language.ts"
import { pattern } from "./code/pattern.ts"
import { type AnyFact, fact, type Reader } from "./model.ts"
import { lineAt, spanBetween } from "./positions.ts"
import { clip } from "./text.ts"

/** An object without others in it. */
const OBJECT = /\{[^{}]{3,600}\}/gu
const IDENTIFIER = /(?<![\w$])["']?(?:sku|product_?id|item_?id|id|slug)["']?\s{0,3}[:=]>?\s{0,3}["']([^"'\n]{1,80})["']/iu
const TITLE = /(?<![\w$])["']?(?:title|name|label)["']?\s{0,3}[:=]>?\s{0,3}["']([^"'\n]{1,120})["']/iu
const PRICE = pattern(
  String.raw`(?<![\w$])["']?((?:unit_?)?(?:price|amount)(?:_?(?:in_?)?(?:cents|`,
  String.raw`minor)(?:_?units?)?)?)["']?\s{0,3}[:=]>?\s{0,3}["']?(\d[\d_]{0,14}(?:\.\d{1,4})?)["']?\s{0,20}[,}\n]`
)
const CURRENCY = /(?<![\w$])["']?currency["']?\s{0,3}[:=]>?\s{0,3}["']([A-Za-z]{3})["']/iu

/** Items of one file. */
const MOST = 100

const isPriced = (small: string): boolean => small.includes("price") || small.includes("amount")

type Searched = Pick<Source, "path" | "text" | "small">

const itemsIn = ({ path, small, text }: Searched, isSkipped: (offset: number) => boolean): ReadonlyArray<AnyFact> => {
  if (!isPriced(small)) return []
  const line = lineAt(text)
  const items: Array<AnyFact> = []
  for (const { 0: object, index } of text.matchAll(OBJECT)) {
    if (items.length === MOST) break
    if (!isPriced(object.toLowerCase())) continue
    const id = IDENTIFIER.exec(object)?.[1]
    const [, name, value] = PRICE.exec(object) ?? []
    if (id === undefined || name === undefined || value === undefined || isSkipped(index)) continue
    const title = TITLE.exec(object)?.[1]
    const currency = CURRENCY.exec(object)?.[1]
    items.push(
      fact("catalog-item", clip(id), {
        title: title === undefined ? null : clip(title),
        price: { name, value: value.replaceAll("_", "") },
        currency: currency === undefined ? null : currency.toUpperCase()
      }, spanBetween(path, line, index, index + object.length))
    )
  }
  return items
}

export const catalogItems = (source: Source): ReadonlyArray<AnyFact> => itemsIn(source, source.commented)

const CATALOG = /product|catalog|item|plan|price|sku|menu|inventory|offer/iu

export const catalogs: Reader = {
  takes: (path) => CATALOG.test(posix.basename(path)) && path.endsWith(".json"),
  read: (path, text) => itemsIn({ path, text, small: text.toLowerCase() }, () => false)
}
