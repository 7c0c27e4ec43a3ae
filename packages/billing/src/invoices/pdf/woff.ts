/**
 * WOFF 1.0 (W3C, 2012) to the font that is packed in it, and the letters that a font has. pdfkit reads WOFF, too, but unpacks a table each time it looks into one: a second
 * for a page of Japanese.
 */
import { inflateSync } from "node:zlib"

const HEADER = 44
const ENTRY = 20
const SIGNATURE = 0x774F_4646

interface Entry {
  readonly tag: number
  readonly checksum: number
  readonly data: Uint8Array
}

/** Throws a RangeError, a defect, for what is no WOFF: the files are those of a package. */
export const unpackWoff = (woff: Buffer): Uint8Array => {
  if (woff.length < HEADER || woff.readUInt32BE(0) !== SIGNATURE) throw new RangeError("this is no WOFF file")
  const count = woff.readUInt16BE(12)
  const entries = Array.from({ length: count }, (_, n): Entry => {
    const at = HEADER + n * ENTRY
    const [offset, packed, length] = [woff.readUInt32BE(at + 4), woff.readUInt32BE(at + 8), woff.readUInt32BE(at + 12)]
    const data = woff.subarray(offset, offset + packed)
    return { tag: woff.readUInt32BE(at), checksum: woff.readUInt32BE(at + 16), data: packed < length ? inflateSync(data, { maxOutputLength: length }) : data }
  })
  const power = 2 ** Math.floor(Math.log2(count))
  const head = Buffer.alloc(12 + 16 * count)
  head.writeUInt32BE(woff.readUInt32BE(4), 0)
  head.writeUInt16BE(count, 4)
  head.writeUInt16BE(16 * power, 6)
  head.writeUInt16BE(Math.log2(power), 8)
  head.writeUInt16BE(16 * (count - power), 10)
  const parts: Array<Uint8Array> = [head]
  let offset = head.length
  for (const [n, { checksum, data, tag }] of entries.entries()) {
    const at = 12 + 16 * n
    head.writeUInt32BE(tag, at)
    head.writeUInt32BE(checksum, at + 4)
    head.writeUInt32BE(offset, at + 8)
    head.writeUInt32BE(data.length, at + 12)
    const padded = Math.ceil(data.length / 4) * 4
    parts.push(data, new Uint8Array(padded - data.length))
    offset += padded
  }
  return Buffer.concat(parts)
}

const CMAP = 0x636D_6170

/** Where the table of letters lies; Noto Sans has one of format 4 or 12. */
const cmapOf = (font: Buffer): Buffer => {
  for (let n = 0; n < font.readUInt16BE(4); n++) {
    const at = 12 + 16 * n
    if (font.readUInt32BE(at) === CMAP) return font.subarray(font.readUInt32BE(at + 8))
  }
  throw new RangeError("the font has no table of letters")
}

/** Segments of the letters up to U+FFFF (OpenType, cmap format 4). */
const ofFormat4 = (table: Buffer, found: Set<number>): void => {
  const size = table.readUInt16BE(6)
  for (let at = 0; at < size; at += 2) {
    const end = table.readUInt16BE(14 + at)
    const start = table.readUInt16BE(16 + size + at)
    const delta = table.readUInt16BE(16 + 2 * size + at)
    const place = 16 + 3 * size + at
    const offset = table.readUInt16BE(place)
    for (let codePoint = start; codePoint <= end && codePoint !== 0xFFFF; codePoint++) {
      const glyph = offset === 0 ? (codePoint + delta) & 0xFFFF : table.readUInt16BE(place + offset + 2 * (codePoint - start))
      if (glyph !== 0) found.add(codePoint)
    }
  }
}

/** Groups of any letters (OpenType, cmap format 12). */
const ofFormat12 = (table: Buffer, found: Set<number>): void => {
  for (let n = 0; n < table.readUInt32BE(12); n++) {
    const at = 16 + 12 * n
    for (let codePoint = table.readUInt32BE(at); codePoint <= table.readUInt32BE(at + 4); codePoint++) found.add(codePoint)
  }
}

/** The code points that the font has a glyph for. */
export const codePointsOf = (bytes: Uint8Array): ReadonlySet<number> => {
  const cmap = cmapOf(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength))
  const found = new Set<number>()
  for (let n = 0; n < cmap.readUInt16BE(2); n++) {
    const table = cmap.subarray(cmap.readUInt32BE(8 + 8 * n))
    const format = table.readUInt16BE(0)
    if (format === 4) ofFormat4(table, found)
    else if (format === 12) ofFormat12(table, found)
  }
  return found
}
