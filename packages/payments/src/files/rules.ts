/** Which bytes are taken for what they are said to be. Pure. */
import type { FileContentType } from "./model.ts"

interface Signature {
  readonly begins: ReadonlyArray<number>
  /** What stands near its end, where a file of this kind that was cut off lacks it. */
  readonly ends: ReadonlyArray<number>
}

const ascii = (text: string): ReadonlyArray<number> => Array.from(Buffer.from(text, "latin1"))

/** ISO 32000-2, 7.5.2 and 7.5.5; PNG (W3C, third edition), 5.2 and 11.2.5; JPEG (ITU T.81), B.1.1.3. */
const signatures: Readonly<Record<FileContentType, Signature>> = {
  "application/pdf": { begins: ascii("%PDF-"), ends: ascii("%%EOF") },
  "image/png": { begins: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a], ends: ascii("IEND") },
  "image/jpeg": { begins: [0xff, 0xd8, 0xff], ends: [0xff, 0xd9] }
}

/** Readers look for the end within the last kilobyte, as software often adds something behind it. */
const TAIL = 1024

/** Why bytes are not the whole file of this type that they are said to be, in words; undefined when they are. */
export const mismatch = (bytes: Uint8Array, type: FileContentType): string | undefined => {
  const { begins, ends } = signatures[type]
  if (bytes.length === 0) return "the body is empty. Send the bytes of the file."
  if (!begins.every((byte, n) => bytes[n] === byte)) {
    return `the body does not begin as ${type} does. Send the file's own type in Content-Type.`
  }
  return Buffer.from(bytes.subarray(-TAIL)).includes(Buffer.from(ends))
    ? undefined
    : `the body ends before a file of ${type} does. Send the whole file.`
}
