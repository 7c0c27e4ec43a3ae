/**
 * Uploads: bodies that are no JSON, and larger than JSON may be. Their endpoints declare a payload that is a stream. What stands before
 * the handlers does not read it; the handler does, as it arrives.
 */
import { Effect, Stream } from "effect"
import type { HttpServerRequest } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { PayloadTooLarge } from "../errors.ts"

/** Whether the body of this request is an upload, which the endpoint reads as it comes. */
export const isUpload = ({ payload }: Pick<HttpApiEndpoint.Top, "payload">, { headers }: Pick<HttpServerRequest.HttpServerRequest, "headers">): boolean =>
  payload.get(headers["content-type"]?.split(";", 1)[0]?.trim().toLowerCase() ?? "")?.encoding._tag === "Stream"

/** What to say to an upload of more than so many bytes. */
export const tooLarge = (most: number): PayloadTooLarge =>
  new PayloadTooLarge({ message: `The upload is larger than the ${most / 1024} KiB that are accepted here. Send a smaller file.`, details: { limit: most } })

/** The whole upload, of so many bytes at most. For small ones alone: what may be large is read as it comes. A body that breaks off is a defect, as it is everywhere. */
export const collected = (body: Stream.Stream<Uint8Array, unknown>, most: number): Effect.Effect<Uint8Array, PayloadTooLarge> =>
  Stream.orDie(body).pipe(
    Stream.runFoldEffect(
      (): { readonly chunks: ReadonlyArray<Uint8Array>; readonly size: number } => ({ chunks: [], size: 0 }),
      ({ chunks, size }, chunk) => size + chunk.length > most ? Effect.fail(tooLarge(most)) : Effect.succeed({ chunks: [...chunks, chunk], size: size + chunk.length })
    ),
    Effect.map(({ chunks }) => Buffer.concat(chunks))
  )
