/** Refuses archives that grow beyond reason. Every entry is inflated once and counted, because its header may lie about the size. */
import { Readable } from "node:stream"
import { pipeline } from "node:stream/promises"
import { constants, createInflateRaw } from "node:zlib"
import { MIB, Refusal } from "./document.ts"

const MOST_INFLATED = 200 * MIB
const MOST_RATIO = 100
/** Below this much, a high ratio harms nobody. */
const HARMLESS = 4 * MIB
const MOST_ENTRIES = 10_000

// APPNOTE.TXT of PKWARE, sections 4.3.7, 4.3.12 and 4.3.16.
const LOCAL_HEADER = { signature: 0x04034b50, size: 30 }
const CENTRAL_HEADER = { signature: 0x02014b50, size: 46 }
const END = { signature: 0x06054b50, size: 22 }
const LONGEST_COMMENT = 0xffff
const DEFLATED = 8
const ENCRYPTED = 1

const damaged = () => new Refusal("damaged", "The file begins as a ZIP archive and is cut off or damaged. Send it again, whole.")

/** Where the list of entries ends. */
const endOf = (bytes: Buffer): number => {
  const lowest = Math.max(0, bytes.length - END.size - LONGEST_COMMENT)
  for (let at = bytes.length - END.size; at >= lowest; at--) if (bytes.readUInt32LE(at) === END.signature) return at
  throw damaged()
}

/** Counts what an entry inflates to, in pieces of 16 KiB that are thrown away. */
const inflatedSize = async (data: Buffer, most: number): Promise<number> => {
  let size = 0
  await pipeline(
    Readable.from([data]),
    createInflateRaw({ finishFlush: constants.Z_SYNC_FLUSH }),
    async (chunks: AsyncIterable<Buffer>) => {
      for await (const chunk of chunks) {
        size += chunk.length
        if (size > most) return
      }
    }
  ).catch(() => undefined)
  return size
}

/** Returns if the archive may be read. Archives within it are never opened. */
export const checkArchive = async (bytes: Buffer): Promise<void> => {
  const end = endOf(bytes)
  const entries = bytes.readUInt16LE(end + 10)
  const most = Math.min(MOST_INFLATED, Math.max(HARMLESS, bytes.length * MOST_RATIO))
  const tooLarge = new Refusal("too_large", `The document grows to more than ${Math.floor(most / MIB)} MiB when it is opened. Split it.`)
  if (entries > MOST_ENTRIES) throw new Refusal("too_large", `The document holds ${entries} files, and may hold ${MOST_ENTRIES}.`)
  let inflated = 0
  let at = bytes.readUInt32LE(end + 16)
  for (let entry = 0; entry < entries; entry++) {
    if (at + CENTRAL_HEADER.size > bytes.length || bytes.readUInt32LE(at) !== CENTRAL_HEADER.signature) throw damaged()
    const flags = bytes.readUInt16LE(at + 8)
    const method = bytes.readUInt16LE(at + 10)
    const compressed = bytes.readUInt32LE(at + 20)
    const header = bytes.readUInt32LE(at + 42)
    if ((flags & ENCRYPTED) !== 0) throw new Refusal("encrypted", "The archive is encrypted. Send the document without its password.")
    if (header + LOCAL_HEADER.size > bytes.length || bytes.readUInt32LE(header) !== LOCAL_HEADER.signature) throw damaged()
    const begin = header + LOCAL_HEADER.size + bytes.readUInt16LE(header + 26) + bytes.readUInt16LE(header + 28)
    inflated += method === DEFLATED ? await inflatedSize(bytes.subarray(begin, begin + compressed), most - inflated) : compressed
    if (inflated > most) throw tooLarge
    at += CENTRAL_HEADER.size + bytes.readUInt16LE(at + 28) + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
}
