/** Texts as raw deflate and back, in the threads of Node. */
import { Effect } from "effect"
import { promisify } from "node:util"
import { deflateRaw, inflateRaw } from "node:zlib"

const [deflate, inflate] = [promisify(deflateRaw), promisify(inflateRaw)]

export const deflated = (text: string): Effect.Effect<Uint8Array> => Effect.promise(() => deflate(text))

/** `most`: how many bytes it may become. More is a defect. */
export const inflated = (bytes: Uint8Array, most: number): Effect.Effect<string> =>
  Effect.promise(async () => (await inflate(bytes, { maxOutputLength: Math.max(1, most) })).toString("utf8"))
