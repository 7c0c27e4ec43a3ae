/** Headings of reStructuredText: a line over a ruler as long as it. Their levels are the order in which rulers first come. */
import { linesWithSpans, through } from "../../lines.ts"
import { type Fact, fact } from "../../model.ts"
import { clip } from "../../text.ts"
import { readerOf } from "../reader.ts"

const RULER = /^([=\-~^"'`#*+.:_])\1{2,}\s*$/u

export const rst = readerOf(/\.rst$/iu, (path, text) => {
  const lines = linesWithSpans(path, text)
  const rulers: Array<string> = []
  const facts: Array<Fact<"heading">> = []
  for (const [at, line] of lines.entries()) {
    const title = lines[at - 1]
    const sign = RULER.exec(line.text)?.[1]
    if (sign === undefined || title === undefined || !/^\S/u.test(title.text) && title.text.trim() === "") continue
    if (RULER.test(title.text) || line.text.trimEnd().length < title.text.trimEnd().length) continue
    const isOverlined = lines[at - 2]?.text.trimEnd() === line.text.trimEnd()
    const ruler = isOverlined ? `${sign}${sign}` : sign
    if (!rulers.includes(ruler)) rulers.push(ruler)
    facts.push(fact("heading", clip(title.text), { level: rulers.indexOf(ruler) + 1 }, through(title.span, line.span)))
  }
  return facts
})
