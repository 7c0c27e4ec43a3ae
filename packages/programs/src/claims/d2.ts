/** Names and texts in the language of diagrams D2. */
import { clip } from "../facts/text.ts"

/**
 * A single-quoted string: nothing in it is a key's dot, a substitution or the end of a line; a quote in it is written twice. D2's layout
 * puts names between backticks of JavaScript (0.1.33), so what means something there is written otherwise.
 */
export const d2Text = (text: string, most = 160): string =>
  `'${clip(text, most).replaceAll("`", "'").replaceAll("${", "$(").replaceAll("\\", "/").replaceAll("'", "''")}'`
