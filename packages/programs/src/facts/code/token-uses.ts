/** Custom properties of CSS that code uses: `var(--ink)`. */
import { type AnyFact, fact } from "../model.ts"
import { clip } from "../text.ts"
import { componentAround } from "./components.ts"
import type { Source } from "./language.ts"

const USE = /var\(\s{0,9}(--[\w-]{1,80})/gu
const MOST = 500

export const tokenUses = (source: Source): ReadonlyArray<AnyFact> =>
  source.text.includes("var(--")
    ? Array.from(source.text.matchAll(USE)).slice(0, MOST).flatMap(({ 0: whole, 1: name = "", index }) => {
      if (source.commented(index)) return []
      const scope = clip(componentAround(source, index)?.name ?? "")
      return [fact("token-use", name, { property: null, scope }, source.span({ start: index, end: index + whole.length }))]
    })
    : []
