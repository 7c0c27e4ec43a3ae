/**
 * Reading what callers name: pages, documents, recordings. Redirects are followed, and each is judged like the first URL. What comes is
 * counted as it is after decompression.
 */
import * as NodeDns from "@effect/platform-node/NodeDns"
import * as NodeStream from "@effect/platform-node/NodeStream"
import { Context, type Duration, Effect, Layer, Result, type Scope, Stream } from "effect"
import type * as Dns from "effect/net/Dns"
import type * as http from "node:http"
import { pipeline, type Readable, type Transform } from "node:stream"
import * as zlib from "node:zlib"
import { EgressError, type EgressPolicy } from "./model.ts"
import { checkUrl } from "./rules.ts"
import { fromNode, fromRefusal, joined, makeExchange, timedOut } from "./transport.ts"

/** As many as RFC 9309 asks of whoever reads a robots.txt. */
const MOST_REDIRECTS = 5
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

/** One GET. */
export interface WebRequest {
  readonly url: string
  /** Sent to every host on the way: nothing secret belongs here. */
  readonly headers: Readonly<Record<string, string>>
  /** The header `authorization` of the first request: never sent on to where it redirects. */
  readonly authorization?: string
  /** For everything together, redirects and reading included. */
  readonly timeout: Duration.Input
  /** Bytes of the body that are read at most, decompressed. */
  readonly maxBytes: number
}

/** What the last redirect led to, whatever the status. */
export interface WebAnswer {
  readonly url: string
  readonly status: number
  /** Names in lower case; repeated headers joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** Decompressed. Fails with `response_too_large` where it passes the limit. */
  readonly body: Stream.Stream<Uint8Array, EgressError>
}

export class WebEgress extends Context.Service<WebEgress, {
  /** Sends a GET, and keeps the connection while `use` reads the answer. `permit` is asked before each address on the way is called. */
  read<A, E, R, E2 = never, R2 = never>(
    request: WebRequest,
    use: (answer: WebAnswer) => Effect.Effect<A, E, R>,
    permit?: (url: string) => Effect.Effect<void, E2, R2>
  ): Effect.Effect<A, E | E2 | EgressError, R | R2>
}>()("@svc/kernel/WebEgress") {}

const decompressors: Readonly<Record<string, () => Transform>> = {
  gzip: zlib.createUnzip,
  "x-gzip": zlib.createUnzip,
  deflate: zlib.createUnzip,
  br: zlib.createBrotliDecompress
}

const ACCEPTED = "gzip, deflate, br"

/** The body without its compression. One that is packed twice is refused: nobody does that but to harm. */
const unpacked = (response: http.IncomingMessage, host: string): Result.Result<Readable, EgressError> => {
  const encoding = (response.headers["content-encoding"] ?? "identity").trim().toLowerCase()
  if (encoding === "identity" || encoding === "") return Result.succeed(response)
  const decompressor = decompressors[encoding]?.()
  if (decompressor === undefined) {
    return Result.fail(
      new EgressError({ reason: "connection", message: `${host} answers in the encoding ${encoding}, not in ${ACCEPTED}` })
    )
  }
  // Failures reach whoever reads the decompressor.
  return Result.succeed(pipeline(response, decompressor, () => {}))
}

const bodyOf = (readable: Readable, host: string, { maxBytes }: WebRequest, status: number): WebAnswer["body"] => {
  let size = 0
  return NodeStream.fromReadable<Uint8Array, EgressError>({
    evaluate: () => readable,
    onError: (cause) => fromNode(cause instanceof Error ? cause : new Error(String(cause)), host)
  }).pipe(Stream.tap((chunk) => {
    size += chunk.length
    return size <= maxBytes
      ? Effect.void
      : Effect.fail(new EgressError({ reason: "response_too_large", status, message: `The answer is longer than ${maxBytes} bytes` }))
  }))
}

/** Where an answer sends its reader. */
const targetOf = ({ headers: { location }, statusCode = 0 }: http.IncomingMessage, from: URL): string | undefined =>
  location === undefined || !REDIRECTS.has(statusCode) ? undefined : URL.parse(location, from)?.href ?? location

const makeRead = Effect.fnUntraced(function*(policy: EgressPolicy) {
  const exchange = yield* makeExchange(policy)

  /** The answer of one URL; its connection closes with the scope. */
  const open = (url: URL, headers: WebRequest["headers"]): Effect.Effect<http.IncomingMessage, EgressError, Scope.Scope> =>
    Effect.acquireRelease(
      exchange<http.IncomingMessage>(
        { url, method: "GET", headers: { ...headers, "accept-encoding": ACCEPTED }, body: "", repeatable: true },
        (response, resume) => resume(Effect.succeed(response))
      ),
      (response) => Effect.sync(() => response.destroy()),
      { interruptible: true }
    )

  const follow = <E, R>(
    request: WebRequest,
    permit: (url: string) => Effect.Effect<void, E, R>,
    redirects = 0
  ): Effect.Effect<WebAnswer, E | EgressError, R | Scope.Scope> =>
    Effect.gen(function*() {
      const url = yield* Effect.fromResult(Result.mapError(checkUrl(request.url, policy), fromRefusal))
      yield* permit(url.href)
      const { authorization, ...following } = request
      const response = yield* open(url, authorization === undefined ? request.headers : { ...request.headers, authorization })
      const target = targetOf(response, url)
      if (target === undefined) {
        const status = response.statusCode ?? 0
        const readable = yield* Effect.fromResult(unpacked(response, url.host))
        return { url: url.href, status, headers: joined(response.headers), body: bodyOf(readable, url.host, request, status) }
      }
      response.destroy()
      if (redirects === MOST_REDIRECTS) {
        return yield* new EgressError({ reason: "connection", message: `${url.host} redirects more than ${MOST_REDIRECTS} times` })
      }
      return yield* follow({ ...following, url: target }, permit, redirects + 1)
    })

  return WebEgress.of({
    read: (request, use, permit = () => Effect.void) =>
      Effect.flatMap(follow(request, permit), use).pipe(
        Effect.scoped,
        Effect.timeoutOrElse({ duration: request.timeout, orElse: () => timedOut(URL.parse(request.url)?.host ?? "the host") })
      )
  })
})

/** Under a policy, on a resolver of your choice. A policy with an invalid entry is a defect. */
export const layerNoDeps = (policy: EgressPolicy): Layer.Layer<WebEgress, never, Dns.Dns> => Layer.effect(WebEgress, makeRead(policy))

/** Under a policy, on the operating system's resolver. */
export const layer = (policy: EgressPolicy): Layer.Layer<WebEgress> => Layer.provide(layerNoDeps(policy), NodeDns.layer)
