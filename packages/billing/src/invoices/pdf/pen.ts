/** Writes text of any script into a PDF: at a place, in one line or in as many as it needs. */
import type PDFDocument from "pdfkit"
import { hasRightToLeft, type Piece, piecesOf, readsRightToLeft } from "./direction.ts"
import type { Fonts, InFont, Weight } from "./fonts.ts"

export interface Style {
  /** Points. */
  readonly size: number
  readonly weight: Weight
  readonly color: string
}

/** A column of the page, in points from its left edge. */
export interface Column {
  readonly x: number
  readonly width: number
  readonly align: "left" | "right"
}

interface Run extends Piece, InFont {
  readonly width: number
}

/** Of the font's size: from one line of text to the next, and from the top of a line to what its letters stand on. */
const LEADING = 1.4
const BASELINE = 1.05

export const makePen = (doc: InstanceType<typeof PDFDocument>, inFonts: Fonts) => {
  const registered = new Set<string>()
  const use = ({ subset }: InFont, { color, size, weight }: Style) => {
    const name = `${subset.name}-${weight}`
    if (!registered.has(name)) {
      // pdfkit takes it as it is; the types know Buffers alone.
      doc.registerFont(name, Buffer.from(subset.font(weight)))
      registered.add(name)
    }
    return doc.font(name).fontSize(size).fillColor(color)
  }

  // With a list of features, though an empty one, words are shaped together: else each word of Arabic would stand alone, and in the wrong
  // place.
  const options = ({ rightToLeft }: Piece) => ({ lineBreak: false, ...(rightToLeft ? { features: [] } : {}) })

  const undrawn = new Set<number>()

  const drawable = (text: string): ReadonlyArray<InFont> => {
    const found = inFonts(text)
    for (const codePoint of found.undrawn) undrawn.add(codePoint)
    return found.parts
  }

  const measured = new Map<string, ReadonlyArray<Run>>()

  const sized = (run: Omit<Run, "width">, style: Style): Run => ({ ...run, width: use(run, style).widthOfString(run.text, options(run)) })

  /** fontkit fails to shape some words. Their letters are drawn one by one. */
  const runsIn = (run: Omit<Run, "width">, style: Style): ReadonlyArray<Run> => {
    try {
      return [sized(run, style)]
    } catch {
      return Array.from(run.text, (text) => sized({ ...run, text }, style))
    }
  }

  const measure = (text: string, style: Style): ReadonlyArray<Run> =>
    piecesOf(text, readsRightToLeft(text), (piece) =>
      drawable(piece.text).flatMap((part) => {
        // Signs alone are shaped from left to right, whatever stands around them.
        const isShaped = piece.rightToLeft && hasRightToLeft(part.text)
        const run = {
          ...part,
          rightToLeft: isShaped,
          text: piece.rightToLeft && !isShaped ? Array.from(part.text).reverse().join("") : part.text
        }
        return runsIn(run, style)
      }))

  /** From left to right. A line is measured for its height, and again when it is written. */
  const runsOf = (text: string, style: Style): ReadonlyArray<Run> => {
    const key = `${style.size} ${style.weight} ${text}`
    const known = measured.get(key)
    if (known !== undefined) return known
    const runs = measure(text, style)
    measured.set(key, runs)
    return runs
  }

  const widthOf = (text: string, style: Style): number => runsOf(text, style).reduce((sum, { width }) => sum + width, 0)

  /** Cuts between words, and within one that is wider than the column, as those of scripts without spaces are. */
  const linesOf = (text: string, width: number, style: Style): ReadonlyArray<string> => {
    if (widthOf(text, style) <= width) return [text]
    const lines: Array<string> = []
    let line = ""
    const put = (piece: string): void => {
      if (widthOf(line + piece.trimEnd(), style) <= width) line += piece
      else if (line !== "") {
        lines.push(line.trimEnd())
        line = ""
        put(piece)
      } else {
        const characters = Array.from(piece)
        if (characters.length <= 1) {
          line = piece
          return
        }
        let fits = 1
        while (fits < characters.length && widthOf(characters.slice(0, fits + 1).join(""), style) <= width) fits++
        lines.push(characters.slice(0, fits).join(""))
        put(characters.slice(fits).join(""))
      }
    }
    for (const word of text.match(/\S+\s*|\s+/gu) ?? []) put(word)
    if (line.trim() !== "" || lines.length === 0) lines.push(line.trimEnd())
    return lines
  }

  const drawLine = (text: string, top: number, { align, width, x }: Column, style: Style): void => {
    const runs = runsOf(text, style)
    let at = align === "left" ? x : x + width - runs.reduce((sum, run) => sum + run.width, 0)
    for (const run of runs) {
      use(run, style).text(run.text, at, top + style.size * BASELINE, { ...options(run), baseline: "alphabetic" })
      at += run.width
    }
  }

  return {
    /** Whether its glyphs do not lie as its letters are read, or some have none: then whoever reads it aloud needs the text itself. */
    isShownOtherwise: (text: string): boolean => hasRightToLeft(text) || inFonts(text).undrawn.length > 0,
    /** The code points, of all that was written, that no font has. */
    undrawn,
    /** Points that the text takes in the column. */
    height: (text: string, { width }: Column, style: Style): number => linesOf(text, width, style).length * style.size * LEADING,
    /** Answers the points below the page's top at which the next line begins. */
    write: (text: string, top: number, column: Column, style: Style): number => {
      let at = top
      for (const line of linesOf(text, column.width, style)) {
        drawLine(line, at, column, style)
        at += style.size * LEADING
      }
      return at
    }
  }
}

export type Pen = ReturnType<typeof makePen>
