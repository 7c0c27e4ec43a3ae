/** Text of strangers, made fit to be quoted: on one line, clipped, without signs that nobody sees. */

/** Controls but for tabs and ends of lines, directions of text, joiners, tags: what changes how text is read and is not seen. */
const INVISIBLE = /(?![\t\n])\p{Cc}|\p{Cf}|\p{Default_Ignorable_Code_Point}/gu

/** Most texts consist of ASCII's visible signs, tabs and ends of lines: nothing has to be taken out of them. */
const PLAIN = /^[\t\n -~]*$/u

export const visible = (text: string): string => PLAIN.test(text) ? text : text.toWellFormed().replaceAll(INVISIBLE, "")

/** Visible signs of ASCII with single spaces between them. */
const WORDS = /^(?:[!-~]+(?: [!-~]+)*)?$/u

/** At most so many characters on one line; `…` marks what was cut. */
export const clip = (text: string, most = 200): string => {
  // Most names and sentences are such words already.
  if (text.length <= most && WORDS.test(text)) return text
  const line = visible(text).replaceAll(/\s+/gu, " ").trim()
  return line.length <= most ? line : `${line.slice(0, most - 1).toWellFormed().replace(/\ufffd$/u, "")}…`
}

/** The end of a text that consists of such characters alone; `part` matches one. */
export const ending = (text: string, part: RegExp): string => {
  let start = text.length
  while (start > 0 && part.test(text.charAt(start - 1))) start--
  return text.slice(start)
}
