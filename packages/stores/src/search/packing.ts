/**
 * Postings in few bytes: for each document of a block that holds a term the distance to the one before, how often it holds it, and how many
 * words it has, as LEB128 numbers. A common word takes three bytes a document, so its 100,000 documents are read in a few milliseconds.
 */

/** Documents of a block, by number. Smaller ones make more rows to read, larger ones more bytes to write when a document joins. */
export const BLOCK = 4_096

export interface Posting {
  /** Within its block. */
  readonly at: number
  readonly count: number
  /** Words of the document. */
  readonly length: number
}

export const pack = (postings: ReadonlyArray<Posting>): Uint8Array => {
  const bytes: Array<number> = []
  const write = (value: number): void => {
    let rest = value
    for (; rest >= 0x80; rest >>>= 7) bytes.push((rest & 0x7f) | 0x80)
    bytes.push(rest)
  }
  let before = 0
  for (const { at, count, length } of postings) {
    write(at - before)
    write(count)
    write(length)
    before = at
  }
  return Uint8Array.from(bytes)
}

/** Calls back for each, in the order of documents. No object is made of any: a query reads hundreds of thousands. */
export const each = (bytes: Uint8Array, take: (at: number, count: number, length: number) => void): void => {
  let offset = 0
  const read = (): number => {
    let value = 0
    for (let shift = 0;; shift += 7) {
      const byte = bytes[offset++] ?? 0
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  for (let at = 0; offset < bytes.length;) {
    at += read()
    const count = read()
    take(at, count, read())
  }
}

/** How many documents they are: each has three numbers, and each number one byte below 128. */
export const sizeOf = (bytes: Uint8Array): number => {
  let numbers = 0
  for (const byte of bytes) if (byte < 0x80) numbers++
  return numbers / 3
}

export const unpack = (bytes: Uint8Array): ReadonlyArray<Posting> => {
  const postings: Array<Posting> = []
  each(bytes, (at, count, length) => postings.push({ at, count, length }))
  return postings
}
