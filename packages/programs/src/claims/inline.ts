/** Names and texts of strangers within a sentence. */
import { clip } from "../facts/text.ts"

/** A span of code in Markdown: on one line, clipped, and nothing in it ends the span. */
export const code = (text: string, most = 100): string => `\`${clip(text, most).replaceAll("`", "'")}\``

/** `a, b and c`. */
export const list = (items: ReadonlyArray<string>): string =>
  items.length < 2 ? items.join("") : `${items.slice(0, -1).join(", ")} and ${items.at(-1)}`

/** As a heading begins. */
export const capitalized = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}`
