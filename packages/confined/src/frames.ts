/**
 * Messages over a pipe between the service and a child. A request is two lengths of 32 bits, then options as V8 serializes
 * values, then bytes; an answer is one length, then JSON.
 */
import type { Schema } from "effect"
import { deserialize, serialize } from "node:v8"

const LENGTH = 4
const EMPTY = Buffer.alloc(0)

/** What goes before as many bytes. */
export const requestHead = (options: Schema.Json, size: number): Buffer => {
  const written = serialize(options)
  const head = Buffer.alloc(2 * LENGTH)
  head.writeUInt32BE(written.length, 0)
  head.writeUInt32BE(size, LENGTH)
  return Buffer.concat([head, written])
}

export const answerFrame = (json: string): Buffer => {
  const bytes = Buffer.from(json)
  const head = Buffer.alloc(LENGTH)
  head.writeUInt32BE(bytes.length)
  return Buffer.concat([head, bytes])
}

/** Takes chunks, and gives the parts of each message that they complete; undefined when a message says it is longer than `most`. */
const frameReader = (parts: number, most: number) => {
  const head = parts * LENGTH
  let chunks: Array<Uint8Array> = []
  let size = 0
  let needed = head
  return (chunk: Uint8Array): ReadonlyArray<ReadonlyArray<Buffer>> | undefined => {
    chunks.push(chunk)
    size += chunk.length
    const messages: Array<ReadonlyArray<Buffer>> = []
    while (size >= needed) {
      const bytes = Buffer.concat(chunks)
      const lengths = Array.from({ length: parts }, (_, index) => bytes.readUInt32BE(index * LENGTH))
      needed = lengths.reduce((sum, length) => sum + length, head)
      if (needed - head > most) return undefined
      chunks = [bytes]
      if (size < needed) break
      let at = head
      messages.push(lengths.map((length) => bytes.subarray(at, at += length)))
      chunks = [bytes.subarray(needed)]
      size -= needed
      needed = head
    }
    return messages
  }
}

export const requestReader = (most: number) => {
  const read = frameReader(2, most)
  return (chunk: Uint8Array) =>
    read(chunk)?.map(([options = EMPTY, bytes = EMPTY]): { readonly options: Schema.Json; readonly bytes: Uint8Array } => ({
      options: deserialize(options),
      bytes
    }))
}

export const answerReader = (most: number) => {
  const read = frameReader(1, most)
  return (chunk: Uint8Array) => read(chunk)?.map(String)
}
