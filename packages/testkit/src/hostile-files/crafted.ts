/** Two hundred files that somebody made to hurt who reads them, as the few lines that make each. */
import { strToU8, type Zippable, zipSync } from "fflate"
import { constants, deflateRawSync, deflateSync } from "node:zlib"

export interface CraftedFile {
  readonly name: string
  readonly make: () => Buffer
  /** As the one who sends it calls it. */
  readonly mediaType?: string
}

const MIB = 1024 ** 2

const file = (name: string, make: () => Buffer | string, mediaType?: string): CraftedFile => ({
  name,
  make: () => Buffer.from(make()),
  ...(mediaType === undefined ? {} : { mediaType })
})

const zip = (entries: Zippable): Buffer => Buffer.from(zipSync(entries))

const NS = `xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"`
const TYPES = (part: string, type: string) =>
  `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="xml" ContentType="application/xml"/>` +
  `<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
  `<Override PartName="/${part}" ContentType="application/vnd.openxmlformats-officedocument.${type}.main+xml"/></Types>`

/** The part that a reader opens first, in each format that is an archive. */
const parts = {
  docx: { part: "word/document.xml", type: "wordprocessingml.document" },
  xlsx: { part: "xl/workbook.xml", type: "spreadsheetml.sheet" },
  pptx: { part: "ppt/presentation.xml", type: "presentationml.presentation" }
} as const
const openDocuments = { odt: "text", ods: "spreadsheet", odp: "presentation" } as const

const office = (format: keyof typeof parts, xml: string, more: Zippable = {}): Buffer => {
  const { part, type } = parts[format]
  return zip({ "[Content_Types].xml": strToU8(TYPES(part, type)), [part]: strToU8(xml), ...more })
}
const openDocument = (format: keyof typeof openDocuments, xml: string, more: Zippable = {}): Buffer =>
  zip({
    mimetype: [strToU8(`application/vnd.oasis.opendocument.${openDocuments[format]}`), { level: 0 }],
    "content.xml": strToU8(xml),
    ...more
  })

const archives = {
  docx: (xml: string, more?: Zippable) => office("docx", xml, more),
  xlsx: (xml: string, more?: Zippable) => office("xlsx", xml, more),
  pptx: (xml: string, more?: Zippable) => office("pptx", xml, more),
  odt: (xml: string, more?: Zippable) => openDocument("odt", xml, more),
  ods: (xml: string, more?: Zippable) => openDocument("ods", xml, more)
}
type ArchiveFormat = keyof typeof archives
const archiveFormats = Object.keys(archives) as ReadonlyArray<ArchiveFormat>

const word = (body: string): string => `<w:document ${NS}><w:body>${body}</w:body></w:document>`

// Zip bombs.

/** An archive by hand: what its headers say of an entry need not be so. */
const rawZip = (
  entries: ReadonlyArray<{ readonly name: string; readonly data: Buffer; readonly size: number; readonly at?: number }>
): Buffer => {
  const bodies: Array<Buffer> = []
  const central: Array<Buffer> = []
  let offset = 0
  for (const { at, data, name, size } of entries) {
    const local = Buffer.alloc(30)
    local.writeUInt32LE(0x04034b50, 0)
    local.writeUInt16LE(8, 8)
    local.writeUInt32LE(data.length, 18)
    local.writeUInt32LE(size, 22)
    local.writeUInt16LE(name.length, 26)
    const head = Buffer.alloc(46)
    head.writeUInt32LE(0x02014b50, 0)
    head.writeUInt16LE(8, 10)
    head.writeUInt32LE(data.length, 20)
    head.writeUInt32LE(size, 24)
    head.writeUInt16LE(name.length, 28)
    head.writeUInt32LE(at ?? offset, 42)
    central.push(head, Buffer.from(name))
    if (at !== undefined) continue
    bodies.push(local, Buffer.from(name), data)
    offset += local.length + name.length + data.length
  }
  const list = Buffer.concat(central)
  const end = Buffer.alloc(22)
  end.writeUInt32LE(0x06054b50, 0)
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 8)
  end.writeUInt16LE(Math.min(entries.length, 0xffff), 10)
  end.writeUInt32LE(list.length, 12)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...bodies, list, end])
}

/** A text of 1 MiB, deflated so often: blocks that end on whole bytes can be repeated (RFC 1951), which takes less time. */
const deflated = (mib: number, text = "\0"): Buffer => {
  const block = deflateRawSync(Buffer.alloc(MIB, text), { finishFlush: constants.Z_FULL_FLUSH })
  const LAST = Buffer.from([3, 0])
  return Buffer.concat([...Array.from({ length: mib }, () => block), LAST])
}

const EMPTY = Buffer.from([3, 0])

const zipBombs: ReadonlyArray<CraftedFile> = [
  ...[...Object.values(parts).map(({ part }) => part), "content.xml"].flatMap((part) =>
    [10, 100, 300].map((mib) =>
      file(`a bomb of ${mib} MiB in ${part}`, () => rawZip([{ name: part, data: deflated(mib), size: mib * MIB }]))
    )
  ),
  ...[1, 1000, 0xffffffff].map((size) =>
    file(`a bomb whose headers say ${size} bytes`, () => rawZip([{ name: "word/document.xml", data: deflated(250), size }]))
  ),
  ...[100, 5_000, 60_000].map((count) =>
    file(`${count} entries that are one and the same`, () => {
      const first = { name: "a", data: deflated(10), size: 10 * MIB }
      return rawZip([first, ...Array.from({ length: count }, (_, n) => ({ ...first, name: `a${n}`, at: 0 }))])
    })
  ),
  ...[9_000, 12_000].map((count) =>
    file(`${count} empty entries`, () => rawZip(Array.from({ length: count }, (_, n) => ({ name: `n${n}`, data: EMPTY, size: 0 }))))
  ),
  file(
    "an entry at an offset outside",
    () => rawZip([{ name: "a", data: deflated(1), size: 1 }, { name: "b", data: deflated(1), size: 1, at: 2 ** 31 }])
  ),
  file("a name of 65,000 characters", () => rawZip([{ name: "../".repeat(21_000), data: EMPTY, size: 0 }]))
]

// Archives within archives.

const nested = (depth: number, inner: Buffer): Buffer =>
  Array.from({ length: depth }).reduce<Buffer>((within, _, level) => zip({ [`${level}.zip`]: [within, { level: 9 }] }), inner)

const nestedArchives: ReadonlyArray<CraftedFile> = [
  ...[1, 5, 20, 100].map((depth) => file(`${depth} archives within each other`, () => nested(depth, Buffer.from("core")))),
  ...archiveFormats.map((format) =>
    file(`a bomb within an archive within ${format}`, () => archives[format](word(""), { "inner.zip": nested(3, deflated(200)) }))
  ),
  ...archiveFormats.map((format) =>
    file(`${format} within itself`, () => archives[format](word(""), { "word/embeddings/a.docx": archives[format](word("")) }))
  )
]

// Entities.

const ENTITIES: Readonly<Record<string, string>> = {
  "a file of the machine": `<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]>`,
  "a page of the network": `<!DOCTYPE a [<!ENTITY x SYSTEM "http://169.254.169.254/latest/meta-data/">]>`,
  "a parameter entity": `<!DOCTYPE a [<!ENTITY % p SYSTEM "file:///etc/hostname"><!ENTITY x "%p;">]>`,
  "a billion laughs": `<!DOCTYPE a [<!ENTITY a0 "ha">${
    Array.from({ length: 9 }, (_, n) => `<!ENTITY a${n + 1} "${`&a${n};`.repeat(10)}">`).join("")
  }<!ENTITY x "&a9;">]>`,
  "one long entity many times": `<!DOCTYPE a [<!ENTITY x "${"a".repeat(50_000)}">]>`,
  "an entity of itself": `<!DOCTYPE a [<!ENTITY x "&y;"><!ENTITY y "&x;">]>`
}

const xmlAttacks: ReadonlyArray<CraftedFile> = Object.entries(ENTITIES).flatMap(([what, doctype]) => [
  ...archiveFormats.map((format) =>
    file(
      `${what} in ${format}`,
      () => archives[format](`<?xml version="1.0"?>${doctype}${word(`<w:p><w:r><w:t>${"&x;".repeat(100)}</w:t></w:r></w:p>`)}`)
    )
  ),
  file(`${what} in HTML`, () => `${doctype}<html><body><p>${"&x;".repeat(1000)}</p></body></html>`, "text/html")
])

// Depth.

const deep = (open: string, close: string, count: number): string => open.repeat(count) + "x" + close.repeat(count)

const nesting: ReadonlyArray<CraftedFile> = [
  ...([["div", 300_000], ["table", 50_000], ["ul", 100_000], ["b", 300_000], ["svg", 100_000]] as const).flatMap(([tag, count]) => [
    file(`${count} ${tag} in each other`, () => `<!doctype html>${deep(`<${tag}>`, `</${tag}>`, count)}`),
    file(`${count} ${tag} that are never closed`, () => `<!doctype html>${`<${tag} a=1>`.repeat(count)}text`)
  ]),
  ...[1_000, 100_000, 1_000_000].map((count) => file(`${count} groups of RTF`, () => `{\\rtf1 ${deep("{\\b ", "}", count)}}`)),
  ...[1_000, 100_000, 1_000_000].map((count) => file(`${count} brackets of JSON`, () => deep("[", "]", count), "application/json")),
  ...[1_000, 30_000].map((count) =>
    file(`${count} tables in Word`, () => archives.docx(word(deep("<w:tbl><w:tr><w:tc>", "</w:tc></w:tr></w:tbl>", count))))
  ),
  ...[1_000, 30_000].map((count) =>
    file(
      `${count} lists in OpenDocument`,
      () => archives.odt(`<a><b>${deep("<text:list><text:list-item>", "</text:list-item></text:list>", count)}</b></a>`)
    )
  ),
  ...[1_000, 300_000].map((count) => file(`${count} quotes of Markdown`, () => `# a\n${"> ".repeat(count)}x`, "text/markdown")),
  ...[10_000, 500_000].map((count) => file(`${count} columns`, () => `${"a,".repeat(count)}\n${"1,".repeat(count)}`, "text/csv")),
  file("a field that is never closed", () => `a,"${"b,\n".repeat(500_000)}`, "text/csv"),
  file("a million rows", () => "a,b\n".repeat(1_000_000), "text/csv")
]

// PDF.

const pdf = (objects: ReadonlyArray<string>, trailer = "/Root 1 0 R"): Buffer => {
  const bodies = ["%PDF-1.7\n", ...objects.map((object, n) => `${n + 1} 0 obj\n${object}\nendobj\n`)]
  let at = 0
  const starts = bodies.map((body) => (at += Buffer.byteLength(body, "latin1")) - Buffer.byteLength(body, "latin1")).slice(1)
  const table = starts.map((start) => `${String(start).padStart(10, "0")} 00000 n \n`).join("")
  const size = objects.length + 1
  return Buffer.from(
    `${bodies.join("")}xref\n0 ${size}\n0000000000 65535 f \n${table}trailer\n<< /Size ${size} ${trailer} >>\nstartxref\n${at}\n%%EOF`,
    "latin1"
  )
}
const CATALOG = "<< /Type /Catalog /Pages 2 0 R >>"
const ONE_PAGE = "<< /Type /Pages /Count 1 /Kids [3 0 R] >>"
const pageWith = (content: string, more = "") =>
  pdf([CATALOG, ONE_PAGE, `<< /Type /Page /Parent 2 0 R /Contents 4 0 R ${more} >>`, content])
const stream = (data: Buffer, filter: string) =>
  `<< /Length ${data.length} /Filter ${filter} >>\nstream\n${data.toString("latin1")}\nendstream`

/** With the head of RFC 1950; readers pass over a checksum that is missing. */
const zlib = (data: Buffer): Buffer => Buffer.concat([Buffer.from([0x78, 0x9c]), data])

const pdfs: ReadonlyArray<CraftedFile> = [
  ...[6_000, 200_000].map((count) =>
    file(
      `${count} pages`,
      () => pdf([CATALOG, `<< /Type /Pages /Count ${count} /Kids [${"3 0 R ".repeat(count)}] >>`, "<< /Type /Page /Parent 2 0 R >>"])
    )
  ),
  file(
    "a count of pages that lies",
    () => pdf([CATALOG, "<< /Type /Pages /Count 4000 /Kids [3 0 R] >>", "<< /Type /Page /Parent 2 0 R >>"])
  ),
  file("a negative count of pages", () => pdf([CATALOG, "<< /Type /Pages /Count -1 /Kids [3 0 R] >>", "<< /Type /Page /Parent 2 0 R >>"])),
  file("pages that hold themselves", () => pdf([CATALOG, "<< /Type /Pages /Count 9 /Kids [2 0 R 2 0 R] >>"])),
  file(
    "pages under a page of their own",
    () => pdf([CATALOG, "<< /Type /Pages /Count 9 /Kids [3 0 R] >>", "<< /Type /Pages /Count 9 /Kids [2 0 R] >>"])
  ),
  file("a catalog that is a page", () => pdf(["<< /Type /Catalog /Pages 1 0 R /Kids [1 0 R] /Count 5 >>"])),
  file(
    "a table that follows itself",
    () => Buffer.concat([pdf([CATALOG, ONE_PAGE]), Buffer.from("\nxref\n0 0\ntrailer\n<< /Root 1 0 R /Prev 9 >>\nstartxref\n9\n%%EOF")])
  ),
  file("a length that is its own", () => pageWith("<< /Length 4 0 R >>\nstream\nBT ET\nendstream")),
  ...[10, 100, 300].map((mib) =>
    file(
      `a page of ${mib} MiB once inflated`,
      () => pageWith(stream(zlib(deflated(mib, "BT (a) Tj ET ")), "/FlateDecode"))
    )
  ),
  file("a bomb in a bomb", () => pageWith(stream(deflateSync(zlib(deflated(200))), "[/FlateDecode /FlateDecode]"))),
  file("fifty filters", () => pageWith(stream(deflateSync(Buffer.from("a")), `[${"/FlateDecode ".repeat(50)}]`))),
  file("a filter that nobody knows", () => pageWith(stream(Buffer.from("a"), "/NoSuch"))),
  file("a hundred thousand arrays", () => pageWith("<< /Length 0 >>\nstream\n\nendstream", `/A ${deep("[", "]", 100_000)}`)),
  file(
    "a form that draws itself",
    () =>
      pdf([
        CATALOG,
        ONE_PAGE,
        "<< /Type /Page /Parent 2 0 R /Contents 4 0 R /Resources << /XObject << /X 5 0 R >> >> >>",
        "<< /Length 6 >>\nstream\n/X Do \nendstream",
        "<< /Type /XObject /Subtype /Form /BBox [0 0 9 9] /Resources << /XObject << /X 5 0 R >> >> /Length 6 >>\nstream\n/X Do \nendstream"
      ])
  ),
  file("a page larger than the world", () => pageWith("<< /Length 0 >>\nstream\n\nendstream", "/MediaBox [0 0 1e38 1e38]")),
  file(
    "numbers of a thousand digits",
    () => pageWith("<< /Length 0 >>\nstream\n\nendstream", `/MediaBox [0 0 ${"9".repeat(1000)} -${"9".repeat(1000)}]`)
  ),
  file(
    "a password that is no password",
    () =>
      pdf([CATALOG, ONE_PAGE, "<< /Type /Page /Parent 2 0 R >>"], "/Root 1 0 R /Encrypt << /Filter /Standard /V 9 /R 9 >> /ID [<00> <00>]")
  ),
  file("a million objects that are null", () => pdf([CATALOG, ...Array.from({ length: 200_000 }, () => "null")])),
  file("a hundred thousand endings", () => `%PDF-1.7\n${"startxref\n0\n%%EOF\n".repeat(100_000)}`),
  file("a head alone", () => "%PDF-1.7"),
  file(
    "a script that opens a file",
    () =>
      pdf([
        "<< /Type /Catalog /Pages 2 0 R /OpenAction << /S /JavaScript /JS (app.launchURL\\('file:///etc/passwd'\\)) >> >>",
        ONE_PAGE,
        "<< /Type /Page /Parent 2 0 R >>"
      ])
  )
]

// Files that are several things at once.

const heads: Readonly<Record<string, () => Buffer>> = {
  PDF: () => Buffer.from("%PDF-1.7\n"),
  PNG: () => Buffer.from("89504e470d0a1a0a0000000d49484452ffffffffffffffff0806000000", "hex"),
  GIF: () => Buffer.from("GIF89a\xff\xff\xff\xff\x80\0\0", "latin1"),
  TIFF: () => Buffer.from("49492a000800000001000001030001000000ffff000008000000", "hex"),
  RTF: () => Buffer.from("{\\rtf1 "),
  HTML: () => Buffer.from("<!doctype html><p>"),
  CFB: () => Buffer.from(`d0cf11e0a1b11ae1${"00".repeat(600)}`, "hex"),
  ZIP: () => Buffer.from("PK\x03\x04")
}
const tails: Readonly<Record<string, () => Buffer>> = {
  "an archive": () => zip({ "a.txt": strToU8("a") }),
  "a document": () => archives.docx(word("<w:p/>")),
  "a PDF": () => pdf([CATALOG, ONE_PAGE, "<< /Type /Page /Parent 2 0 R >>"]),
  "a bomb": () => rawZip([{ name: "word/document.xml", data: deflated(250), size: 1 }]),
  "groups of RTF": () => Buffer.from(`{\\rtf1 ${deep("{", "}", 10_000)}}`),
  "a megabyte of nothing": () => Buffer.alloc(MIB),
  "an end of an archive": () => Buffer.from(`504b0506${"ff".repeat(18)}`, "hex"),
  "a page": () => Buffer.from("<html><body><script>while(1);</script>text</body></html>")
}
const polyglots: ReadonlyArray<CraftedFile> = Object.entries(heads).flatMap(([head, begin]) =>
  Object.entries(tails).map(([tail, end]) => file(`${head} before ${tail}`, () => Buffer.concat([begin(), end()])))
)

// Text.

const texts: ReadonlyArray<CraftedFile> = [
  file("comments that never end", () => "<!--".repeat(500_000), "text/html"),
  file("tags that never end", () => "<a ".repeat(500_000), "text/html"),
  file("attributes without number", () => `<html><body ${Array.from({ length: 200_000 }, (_, n) => `a${n}=1`).join(" ")}>x`, "text/html"),
  file("references without number", () => `<p>${"&#x1F600;".repeat(300_000)}`, "text/html"),
  file("a line of 20 MiB", () => "a".repeat(20 * MIB), "text/plain"),
  file("lines without a letter", () => "\n".repeat(5 * MIB), "text/plain"),
  file("halves of characters", () => Buffer.from("\ufeff" + "\ud800".repeat(10_000) + "text", "utf16le")),
  file("directions of text", () => `a${"\u202e\u202d".repeat(100_000)}b`, "text/plain"),
  file("marks upon marks", () => `a${"\u0301".repeat(500_000)}`, "text/plain"),
  file("digits like cards", () => "4111111111111111 ".repeat(60_000), "text/plain"),
  file("digits without an end", () => "4".repeat(2 * MIB), "text/plain"),
  file("labels without number", () => "Total: 1\n".repeat(100_000), "text/plain"),
  file("tables without an end", () => "| a | b |\n|---|---|\n".repeat(50_000), "text/markdown"),
  file("links in links", () => "[".repeat(100_000) + "](a)".repeat(1000), "text/markdown"),
  file("a charset that is none", () => "text", "text/plain; charset=no-such"),
  file("UTF-7", () => "+ADw-script+AD4-alert(1)+ADw-/script+AD4-", "text/html; charset=utf-7")
]

export const crafted: ReadonlyArray<CraftedFile> = [
  ...zipBombs,
  ...nestedArchives,
  ...xmlAttacks,
  ...nesting,
  ...pdfs,
  ...polyglots,
  ...texts
]
