/**
 * Uploads: bodies that are no JSON, and larger than JSON may be. Their endpoints declare a payload that is a stream. What stands before
 * the handlers does not read it; the handler does, as it arrives.
 */
import { Context, Effect, Option, Semaphore, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { createHash } from "node:crypto"
import { PayloadTooLarge } from "../resource/errors.ts"
import { AnsweredFor } from "./answered-for.ts"
import { makeGiveWay } from "./giving-way.ts"

/** Whether an endpoint takes the body of this request as an upload: one of a type that it reads as anything else is not. */
export const isUpload = (
  { payload }: Pick<HttpApiEndpoint.Top, "payload">,
  { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">
): boolean => {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "application/json"
  const schema = payload.get(type)
  if (schema !== undefined) return schema.encoding._tag === "Stream"
  for (const { encoding } of payload.values()) if (encoding._tag === "Stream") return true
  return false
}

/** What to say to an upload of more than so many bytes. */
export const tooLarge = (most: number): PayloadTooLarge =>
  new PayloadTooLarge({
    message: `The upload is larger than the ${most / 1024} KiB that are accepted here. Send a smaller file.`,
    details: { limit: most }
  })

/** Bytes that are taken in before others get their turn. */
const PAUSED_AFTER = 512 * 1024

/**
 * The whole upload, of so many bytes at most. For small ones alone: what may be large is read as it comes. A body that breaks off is a
 * defect, as it is everywhere.
 */
export const collected = (body: Stream.Stream<Uint8Array, unknown>, most: number): Effect.Effect<Uint8Array, PayloadTooLarge> =>
  Effect.suspend(() => {
    const chunks: Array<Uint8Array> = []
    const giveWay = makeGiveWay()
    let [size, unpaused] = [0, 0]
    return Stream.orDie(body).pipe(
      Stream.runForEach((chunk) => {
        size += chunk.length
        if (size > most) return Effect.fail(tooLarge(most))
        chunks.push(chunk)
        // A chunk is small: what it takes of this thread is its share of the memory that is cleaned up afterwards.
        unpaused += chunk.length
        if (unpaused < PAUSED_AFTER) return Effect.void
        unpaused = 0
        return giveWay
      }),
      Effect.map(() => Buffer.concat(chunks))
    )
  })

/** What stands for an upload in the fingerprint of its idempotency key: how many bytes it has, and their SHA-256. */
const makeDigest = () => {
  const hash = createHash("sha256")
  let size = 0
  return {
    add: (chunk: Uint8Array) => {
      hash.update(chunk)
      size += chunk.length
      return size
    },
    end: () => `${size} ${hash.digest("hex")}`
  }
}

/** The request with a body that is hashed while it is read, and what stands for it once it was. */
export const digesting = (sent: HttpServerRequest.HttpServerRequest) => {
  const { add, end } = makeDigest()
  const stream = Stream.tap(sent.stream, (chunk) => Effect.sync(() => add(chunk)))
  const request: HttpServerRequest.HttpServerRequest = Object.create(sent, { stream: { value: stream, enumerable: true } })
  return { request, end }
}

/**
 * What stands for the upload of this request. It is read and not kept, and no further than to `most` bytes. A body that breaks off is a
 * defect.
 */
export const digestOf = ({ stream }: Pick<HttpServerRequest.HttpServerRequest, "stream">, most: number): Effect.Effect<string> =>
  Effect.suspend(() => {
    const { add, end } = makeDigest()
    const giveWay = makeGiveWay()
    let pausedAt = 0
    return Stream.orDie(stream).pipe(
      Stream.mapEffect((chunk) => {
        const size = add(chunk)
        if (size - pausedAt < PAUSED_AFTER) return Effect.succeed(size)
        pausedAt = size
        return Effect.as(giveWay, size)
      }),
      Stream.takeUntil((size) => size > most),
      Stream.runDrain,
      Effect.map(end)
    )
  })

/** The requests whose uploads wait for their turn. */
const waiting = new WeakSet<object>()

/**
 * Whether a request waits for an upload before it: that neither its sender nor its handler moves meanwhile is no fault of theirs. Takes
 * what Node calls the request.
 */
export const waitsInTurn = (source: object): boolean => waiting.has(source)

/** What Node calls the request that this fiber answers, or for which one within the process is answered. */
const requestSource = Effect.contextWith((context: Context.Context<never>) =>
  Effect.succeed(
    (Context.get(context, AnsweredFor) ?? Option.getOrUndefined(Context.getOption(context, HttpServerRequest.HttpServerRequest)))?.source
  )
)

/** The requests whose handlers watch how fast their bodies come. */
const watched = new WeakSet<object>()

/** Lets a body take as long as its handler likes, who gives up a sender that stops. Takes what Node calls the request. */
export const watchesItself = (source: object): void => void watched.add(source)

/** Whether the handler of a request watches how fast its body comes. */
export const isWatched = (source: object): boolean => watched.has(source)

/**
 * One upload of each account at a time; its others wait, unread. An upload that comes slowly, or never, holds what it has for as long as
 * the server lets it: what all accounts share must not be held by one of them.
 */
export const makeTurns = () => {
  const turns = new Map<string, { readonly place: Semaphore.Semaphore; waiting: number }>()
  return <A, E, R>(account: string, upload: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.flatMap(requestSource, (source) => {
      const turn = turns.get(account) ?? { place: Semaphore.makeUnsafe(1), waiting: 0 }
      turns.set(account, turn)
      turn.waiting++
      if (source !== undefined) waiting.add(source)
      const begin = Effect.sync(() => {
        if (source !== undefined) waiting.delete(source)
      })
      const leave = Effect.sync(() => {
        if (source !== undefined) waiting.delete(source)
        if (--turn.waiting === 0) turns.delete(account)
      })
      return Effect.ensuring(turn.place.withPermits(1)(Effect.andThen(begin, upload)), leave)
    })
}
