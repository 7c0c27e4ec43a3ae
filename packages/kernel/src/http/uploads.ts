/**
 * Uploads: bodies that are no JSON, and larger than JSON may be. Their endpoints declare a payload that is a stream. What stands before
 * the handlers does not read it; the handler does, as it arrives.
 */
import { Context, Effect, Option, Semaphore, Stream } from "effect"
import { HttpServerRequest } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { PayloadTooLarge } from "../errors.ts"
import { makeGiveWay } from "./giving-way.ts"

/** Whether an endpoint takes the body of this request as an upload: one of a type that it reads as anything else is not. */
export const isUpload = ({ payload }: Pick<HttpApiEndpoint.Top, "payload">, { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">): boolean => {
  const type = headers["content-type"]?.split(";")[0]?.trim().toLowerCase() ?? "application/json"
  const known = payload.get(type)
  if (known !== undefined) return known.encoding._tag === "Stream"
  for (const { encoding } of payload.values()) if (encoding._tag === "Stream") return true
  return false
}

/** What to say to an upload of more than so many bytes. */
export const tooLarge = (most: number): PayloadTooLarge =>
  new PayloadTooLarge({ message: `The upload is larger than the ${most / 1024} KiB that are accepted here. Send a smaller file.`, details: { limit: most } })

/** Bytes that are taken in before others get their turn. */
const PAUSED_AFTER = 512 * 1024

/** The whole upload, of so many bytes at most. For small ones alone: what may be large is read as it comes. A body that breaks off is a defect, as it is everywhere. */
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

/** The requests whose uploads wait for their turn. */
const waiting = new WeakSet<object>()

/** Whether a request waits for an upload before it: that neither its sender nor its handler moves meanwhile is no fault of theirs. Takes what Node calls the request. */
export const waitsInTurn = (source: object): boolean => waiting.has(source)

/** What Node calls the request that this fiber answers. */
const requestSource = Effect.contextWith((context: Context.Context<never>) =>
  Effect.succeed(Option.getOrUndefined(Context.getOption(context, HttpServerRequest.HttpServerRequest))?.source))

/**
 * One upload of each account at a time; its others wait, unread. An upload that comes slowly, or never, holds what it has for as long as the server
 * lets it: what all accounts share must not be held by one of them.
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
