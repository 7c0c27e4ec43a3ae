/**
 * What a caller names by URL, on the disk of this machine until the scope ends. A download is too large for memory, and is whole before
 * it takes a place among the foreign programs.
 */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import type { StreamedBytes } from "@svc/confined/model"
import type { EgressError } from "@svc/kernel/egress/model"
import * as webEgress from "@svc/kernel/egress/web"
import { FetchFailed, InvalidUrl } from "@svc/tool-kit/services/errors"
import { Site } from "@svc/tool-kit/services/site"
import { Context, Effect, FileSystem, Layer, Stream } from "effect"

export interface Downloaded extends StreamedBytes {
  /** As the server says, or empty. */
  readonly mediaType: string
}

const { WebEgress } = webEgress

/** The same request would end the same. */
const FINAL: ReadonlySet<EgressError["reason"]> = new Set(["unresolvable", "tls", "response_too_large"])

const ofEgress = ({ message, reason }: EgressError): InvalidUrl | FetchFailed =>
  reason === "invalid_url" || reason === "refused_address"
    ? new InvalidUrl({ message })
    : new FetchFailed({ message, retryable: !FINAL.has(reason) })

const isTransient = (status: number): boolean => status >= 500 || status === 408 || status === 429

export const makeDownload = Effect.gen(function*() {
  const fs = yield* FileSystem.FileSystem
  const web = yield* WebEgress
  const { tools_url } = yield* Site
  const objects = `${tools_url}/s3/`
  // Objects of this server may be read, wherever the operator has put it.
  const own = Context.get(yield* Layer.build(webEgress.layer({ allow: [new URL(tools_url).host] })), WebEgress)

  return Effect.fnUntraced(
    function*(url: string, most: number) {
      const path = `${yield* fs.makeTempDirectoryScoped({ prefix: "svc-download-" })}/body`
      const request = { url, headers: { "user-agent": `svc (+${tools_url})` }, timeout: "60 seconds", maxBytes: most } as const
      const keep = Effect.fnUntraced(function*({ body, headers, status }: webEgress.WebAnswer) {
        if (status !== 200) {
          const message = `${new URL(url).host} answers with status ${status}.`
          return yield* new FetchFailed({ message, retryable: isTransient(status) })
        }
        yield* Stream.run(body, fs.sink(path))
        return headers["content-type"] ?? ""
      })
      const mediaType = yield* (URL.parse(url)?.href.startsWith(objects) === true ? own : web).read(request, keep)
      const { size } = yield* fs.stat(path)
      const downloaded: Downloaded = { mediaType, size: Number(size), stream: Stream.orDie(fs.stream(path)) }
      return downloaded
    },
    Effect.catchTags({
      EgressError: (error) => Effect.fail(ofEgress(error)),
      PlatformError: () => Effect.fail(new FetchFailed({ message: "This server has no room for the download now.", retryable: true }))
    })
  )
}).pipe(Effect.provide(NodeFileSystem.layer))
