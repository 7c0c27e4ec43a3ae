/** Lines of HTML, whose places stand in comments. Nothing that a repository says ends an attribute, an element or a comment. */
import { clip } from "../facts/text.ts"
import type { CodeLine } from "./comments.ts"
import type { Evidence } from "./model.ts"
import { placesOf } from "./places.ts"

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", "\"": "&quot;", "'": "&#39;" }

/** Text within an element or a quoted attribute, on one line. */
export const htmlText = (text: string, most = 600): string => clip(text, most).replaceAll(/[&<>"']/gu, (sign) => ENTITIES[sign] ?? sign)

/** A comment must hold neither `--` nor `>` at its beginning. */
export const htmlComment = (text: string): string => `<!-- ${clip(text, 600).replaceAll(/-(?=-|$)|[<>]/gu, "_")} -->`

export const htmlLine = (text: string, evidence?: Evidence): CodeLine =>
  evidence === undefined ? { text } : { text: `${text} ${htmlComment(placesOf(evidence).join(", "))}`, evidence }
