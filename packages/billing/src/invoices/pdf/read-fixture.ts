/** Reads back what pdfkit wrote, for tests: the tree of tags, and each glyph with its place, its width and the letter it stands for. */
import { create } from "fontkit"
import { inflateSync } from "node:zlib"

/** One glyph on a page, in points from its lower left corner. */
export interface Glyph {
  readonly font: string
  readonly id: string
  /** What it stands for when it is copied. */
  readonly letter: string
  readonly x: number
  readonly y: number
  readonly width: number
  /** Whether it leaves ink on the paper, by its outline in the embedded font. */
  readonly isInk: boolean
}

/** An element of the tree. */
export interface Tagged {
  readonly tag: string
  /** The text that it says it is, where it says so. */
  readonly actual: string | undefined
  readonly scope: string | undefined
  readonly kids: ReadonlyArray<Tagged>
  /** Of a leaf: from 1. */
  readonly page: number
  readonly glyphs: ReadonlyArray<Glyph>
}

interface Marked {
  readonly tag: string
  readonly mcid: number | undefined
  readonly glyphs: Array<Glyph>
}

interface Font {
  readonly name: string
  readonly letters: ReadonlyArray<string>
  readonly widths: ReadonlyArray<number>
  readonly isInk: (glyph: number) => boolean
}

const NO_FONT: Font = { name: "", letters: [], widths: [], isInk: () => false }

/** Which glyphs of an embedded font have an outline. */
const inkIn = (program: string): Font["isInk"] => {
  const known = new Map<number, boolean>()
  const font = create(Buffer.from(program, "latin1"))
  if ("fonts" in font) throw new RangeError("a collection of fonts is embedded")
  return (glyph) => {
    const isInk = known.get(glyph) ?? font.getGlyph(glyph).path.commands.length > 0
    known.set(glyph, isInk)
    return isInk
  }
}

const utf16 = (hex: string): string => String.fromCharCode(...(hex.match(/.{4}/gu) ?? []).map((unit) => Number.parseInt(unit, 16)))

/** A string between parentheses, UTF-16 where it begins with its mark. */
const textOf = (literal: string): string => {
  const bytes = literal.replace(/\\(.)/gsu, (_, escaped: string) => ({ n: "\n", r: "\r", t: "\t", b: "\b", f: "\f" })[escaped] ?? escaped)
  return bytes.startsWith("\u00FE\u00FF") ? Buffer.from(bytes.slice(2), "latin1").swap16().toString("utf16le") : bytes
}

const STRING = String.raw`\(((?:\\[\s\S]|[^\\)])*)\)`
const OPERATORS = new RegExp(
  String
    .raw`/(\w+)(?:\s*<<((?:${STRING}|[^(])*?)>>)?\s+(?:BDC|BMC)|(EMC)|/(F\d+) ([\d.]+) Tf|1 0 0 1 (-?[\d.]+) (-?[\d.]+) Tm|\[((?:<[0-9a-f]*>|[-\d. ])*)\] TJ`,
  "gu"
)

/** The marked pieces of a page, in the order in which they are drawn. */
const drawn = (content: string, fonts: ReadonlyMap<string, Font>): ReadonlyArray<Marked> => {
  const all: Array<Marked> = []
  const open: Array<Marked> = []
  let [font, size, x, y] = ["", 0, 0, 0]
  for (const [, tag, dictionary, , end, named, points, left, up, shown] of content.matchAll(OPERATORS)) {
    if (tag !== undefined) {
      const mcid = /\/MCID (\d+)/u.exec(dictionary ?? "")?.[1]
      const marked: Marked = { tag, mcid: mcid === undefined ? undefined : Number(mcid), glyphs: [] }
      open.push(marked)
      all.push(marked)
    } else if (end !== undefined) open.pop()
    else if (named !== undefined) [font, size] = [named, Number(points)]
    else if (left !== undefined) [x, y] = [Number(left), Number(up)]
    else {
      for (const [, ids, moved] of (shown ?? "").matchAll(/<([0-9a-f]*)>|(-?[\d.]+)/gu)) {
        if (moved !== undefined) x -= Number(moved) / 1000 * size
        for (const id of ids?.match(/.{4}/gu) ?? []) {
          const { isInk, letters, name, widths } = fonts.get(font) ?? NO_FONT
          const at = Number.parseInt(id, 16)
          const width = (widths[at] ?? 0) / 1000 * size
          open.at(-1)?.glyphs.push({ font: name, id, letter: letters[at] ?? "", x, y, width, isInk: isInk(at) })
          x += width
        }
      }
    }
  }
  return all
}

interface Stored {
  readonly dictionary: string
  readonly stream: string
}

const storedIn = (bytes: Uint8Array): ReadonlyMap<number, Stored> => {
  const whole = Buffer.from(bytes)
  return new Map(Array.from(whole.toString("latin1").matchAll(/(?:^|\n)(\d+) 0 obj\n([\s\S]*?)\nendobj/gu), ([, number, body = ""]) => {
    const at = body.indexOf("\nstream\n")
    if (at < 0) return [Number(number), { dictionary: body, stream: "" }] as const
    const packed = Buffer.from(body.slice(at + 8, body.lastIndexOf("\nendstream")), "latin1")
    const stream = body.slice(0, at).includes("/FlateDecode") ? inflateSync(packed) : packed
    return [Number(number), { dictionary: body.slice(0, at), stream: stream.toString("latin1") }] as const
  }))
}

/** A document, as far as tests ask for it. */
export interface ReadPdf {
  readonly catalog: string
  readonly marked: boolean
  readonly title: string
  readonly author: string
  readonly root: Tagged
  readonly pages: ReadonlyArray<{ readonly width: number; readonly height: number; readonly marked: ReadonlyArray<Marked> }>
}

/** Reads a document of pdfkit's. */
export const readPdf = (bytes: Uint8Array): ReadPdf => {
  const stored = storedIn(bytes)
  const at = (number: number): Stored => stored.get(number) ?? { dictionary: "", stream: "" }
  const numberIn = (dictionary: string, name: string): number => Number(new RegExp(`/${name} (\\d+) 0 R`, "u").exec(dictionary)?.[1] ?? 0)
  const follow = (dictionary: string, name: string): Stored => at(numberIn(dictionary, name))
  const kind = (type: string): string =>
    Array.from(stored.values()).find(({ dictionary }) => dictionary.includes(`/Type /${type}\n`))?.dictionary ?? ""
  const fontAt = (number: number): Font => {
    const { dictionary } = at(number)
    const { stream } = follow(dictionary, "ToUnicode")
    const descendant = at(Number(/\/DescendantFonts \[(\d+)/u.exec(dictionary)?.[1])).dictionary
    return {
      name: /\/BaseFont \/\w+\+(\S+)/u.exec(dictionary)?.[1] ?? "",
      letters: Array.from(stream.matchAll(/> \[([^\]]*)\]/gu)).flatMap(([, range = ""]) =>
        Array.from(range.matchAll(/<([0-9a-f ]*)>/gu), ([, hex = ""]) => utf16(hex.replaceAll(" ", "")))
      ),
      widths: (/\/W \[0 \[([^\]]*)\]/u.exec(descendant)?.[1] ?? "").split(" ").map(Number),
      isInk: inkIn(follow(follow(descendant, "FontDescriptor").dictionary, "FontFile2").stream)
    }
  }
  const catalog = kind("Catalog")
  const numbers = Array.from(
    (/\/Kids \[([^\]]*)\]/u.exec(kind("Pages"))?.[1] ?? "").matchAll(/(\d+) 0 R/gu),
    ([, number]) => Number(number)
  )
  const pages = numbers.map((number) => {
    const { dictionary } = at(number)
    const [, width, height] = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]/u.exec(dictionary) ?? []
    const fonts = new Map(
      Array.from(
        follow(dictionary, "Resources").dictionary.matchAll(/\/(F\d+) (\d+) 0 R/gu),
        ([, name = "", font]) => [name, fontAt(Number(font))]
      )
    )
    return { width: Number(width), height: Number(height), marked: drawn(follow(dictionary, "Contents").stream, fonts) }
  })
  const element = (number: number): Tagged => {
    const { dictionary } = at(number)
    const kids = /\/K \[([^\]]*)\]/u.exec(dictionary)?.[1] ?? ""
    const page = numbers.indexOf(numberIn(dictionary, "Pg"))
    const actual = new RegExp(String.raw`/ActualText ${STRING}`, "u").exec(dictionary)?.[1]
    const refs = Array.from(kids.matchAll(/(\d+) 0 R/gu), ([, kid]) => Number(kid))
    const ids = refs.length > 0 ? [] : kids.split(" ").map(Number)
    return {
      tag: /\/S \/(\w+)/u.exec(dictionary)?.[1] ?? "",
      actual: actual === undefined ? undefined : textOf(actual),
      scope: /\/Scope \/(\w+)/u.exec(dictionary)?.[1],
      kids: refs.map(element),
      page: page + 1,
      glyphs: ids.flatMap((id) => pages[page]?.marked.find(({ mcid }) => mcid === id)?.glyphs ?? [])
    }
  }
  const information = at(numberIn(Buffer.from(bytes).toString("latin1").slice(-400), "Info")).dictionary
  const told = (name: string): string => textOf(new RegExp(`^${STRING}$`, "u").exec(follow(information, name).dictionary)?.[1] ?? "")
  const roots = follow(catalog, "StructTreeRoot").dictionary
  return {
    catalog,
    marked: follow(catalog, "MarkInfo").dictionary.includes("/Marked true"),
    title: told("Title"),
    author: told("Author"),
    root: element(Number(/\/K \[(\d+) 0 R\]/u.exec(roots)?.[1] ?? 0)),
    pages
  }
}

/** The leaves of the tree, in the order in which they are read. */
export const leavesOf = (element: Tagged): ReadonlyArray<Tagged> => element.kids.length === 0 ? [element] : element.kids.flatMap(leavesOf)

/** All elements of a tag, in the order in which they are read. */
export const allOf = (
  element: Tagged,
  tag: string
): ReadonlyArray<Tagged> => [...(element.tag === tag ? [element] : []), ...element.kids.flatMap((kid) => allOf(kid, tag))]

/** What is copied of a leaf: its letters, with a space where a line ends. */
export const copied = ({ glyphs }: Pick<Tagged, "glyphs">): string =>
  glyphs.reduce((text, { letter, y }, n) => text + (n > 0 && (glyphs[n - 1]?.y ?? y) - y > 8 ? " " : "") + letter, "")

/** What is read aloud of an element. */
export const said = (element: Tagged): string => leavesOf(element).map((leaf) => leaf.actual ?? copied(leaf)).join(" | ")
