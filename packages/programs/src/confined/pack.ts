/** Named pieces of bytes as one run of bytes, and back: for each two lengths of 32 bits, then the name, then the bytes. */

export interface Piece {
  readonly name: string
  readonly bytes: Uint8Array
}

const HEAD = 8

const headed = ({ bytes, name }: Piece): ReadonlyArray<Uint8Array> => {
  const written = Buffer.from(name)
  const head = Buffer.alloc(HEAD)
  head.writeUInt32BE(written.length, 0)
  head.writeUInt32BE(bytes.length, 4)
  return [head, written, bytes]
}

export const pack = (pieces: ReadonlyArray<Piece>): Buffer => Buffer.concat(pieces.flatMap(headed))

export const unpack = (bytes: Uint8Array): ReadonlyArray<Piece> => {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length)
  const pieces: Array<Piece> = []
  for (let at = 0; at < buffer.length;) {
    const [name, length] = [buffer.readUInt32BE(at), buffer.readUInt32BE(at + 4)]
    const start = at + HEAD + name
    pieces.push({ name: buffer.toString("utf8", at + HEAD, start), bytes: buffer.subarray(start, start + length) })
    at = start + length
  }
  return pieces
}
