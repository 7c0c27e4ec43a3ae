/** Entries of a gzipped tar, one after another. What the archive may grow to is counted while it is read. */
import { createTarDecoder } from "modern-tar"
import { Readable } from "node:stream"
import { buffer } from "node:stream/consumers"
import { createGunzip } from "node:zlib"
import { MIB, Refusal } from "./refusal.ts"

const MOST_INFLATED = 250 * MIB
const MOST_RATIO = 100
/** Below this much, a high ratio harms nobody. */
const HARMLESS = 4 * MIB
const MOST_ENTRIES = 20_000

export interface TarEntry {
  readonly name: string
  /** Such as `file` or `symlink`. */
  readonly type: string
  readonly size: number
  /** May be called once. An entry that is not read is passed over. */
  readonly read: () => Promise<Buffer>
}

const inflated = async function*(tarball: Uint8Array): AsyncGenerator<Uint8Array> {
  const most = Math.min(MOST_INFLATED, Math.max(HARMLESS, tarball.length * MOST_RATIO))
  let size = 0
  for await (const chunk of Readable.from([tarball]).pipe(createGunzip())) {
    size += chunk.length
    if (size > most) throw new Refusal("too_large", `The archive grows to more than ${Math.floor(most / MIB)} MiB when it is opened.`)
    yield chunk
  }
}

const streamOf = (chunks: AsyncGenerator<Uint8Array>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    pull: async (controller) => {
      const { done, value } = await chunks.next()
      if (done === true) controller.close()
      else controller.enqueue(value)
    }
  })

/** What the archive's stream failed with: the decoder passes on errors of the stream that it reads, as they are. */
const refusalOf = (error: unknown): Refusal =>
  error instanceof Refusal ? error : new Refusal("damaged", "The archive is cut off or damaged, or is no gzipped tar.")

export const tarEntries = async function*(tarball: Uint8Array): AsyncGenerator<TarEntry> {
  let entries = 0
  try {
    const decoded = streamOf(inflated(tarball)).pipeThrough(createTarDecoder({ strict: true }))
    for await (const { body, header: { name, size, type = "file" } } of decoded) {
      if (++entries > MOST_ENTRIES) throw new Refusal("too_large", `The archive holds more than ${MOST_ENTRIES} entries.`)
      let isRead = false
      const read = async (): Promise<Buffer> => {
        isRead = true
        return buffer(body).catch((error: unknown) => {
          throw refusalOf(error)
        })
      }
      yield { name, type, size, read }
      if (!isRead) await body.cancel()
    }
  } catch (error) {
    throw refusalOf(error)
  }
}
