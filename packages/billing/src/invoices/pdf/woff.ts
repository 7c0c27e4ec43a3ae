/**
 * WOFF 1.0 (W3C, 2012) to the font that is packed in it. fontkit reads WOFF, too, but unpacks a table each time it looks into one: a second
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
    return {
      tag: woff.readUInt32BE(at),
      checksum: woff.readUInt32BE(at + 16),
      data: packed < length ? inflateSync(data, { maxOutputLength: length }) : data
    }
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
