/** POST and GET over node:http and node:https, on connections that are kept and only ever go where the guard looked. */
import { Array as Arr, Cause, Effect, Exit, Result, type Scope } from "effect"
import * as Dns from "effect/net/Dns"
import * as NetAddress from "effect/net/NetAddress"
import * as http from "node:http"
import * as https from "node:https"
import type { LookupFunction } from "node:net"
import { EgressError, type EgressPolicy, type EgressRefusal, type EgressRequest, type EgressResponse } from "./model.ts"
import { checkAnswers, endpointOf } from "./rules.ts"
import { watchStatus } from "./status-line.ts"

const MAX_HEADER_BYTES = 16 * 1024
const MAX_SOCKETS_PER_ORIGIN = 256
// Shorter than the five seconds after which many servers, Node's among them, close a connection at rest.
const IDLE_MILLIS = 4000

// Framing and routing belong to this module; a caller's value could smuggle or redirect.
const ownHeaders = new Set([
  "connection",
  "content-length",
  "expect",
  "host",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade"
])

// Node's own codes, and the names OpenSSL gives the ways a certificate fails.
const tlsCode =
  /^(?:EPROTO$|ERR_TLS_|ERR_SSL_|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_)/

const codeOf = (cause: Error): string => "code" in cause && typeof cause.code === "string" ? cause.code : ""

/** What Node says went wrong, as the failure of a request. */
export const fromNode = (cause: Error, host: string, status?: number): EgressError => {
  if (cause instanceof EgressError) return cause
  const code = codeOf(cause)
  const as = (reason: EgressError["reason"], message: string) =>
    new EgressError({ reason, message, cause, ...(status === undefined ? {} : { status }) })
  if (code === "HPE_HEADER_OVERFLOW") {
    return as("response_too_large", `${host} answered with more than ${MAX_HEADER_BYTES} bytes of headers`)
  }
  return tlsCode.test(code)
    ? as("tls", `No trusted TLS connection to ${host} (${code}). Check its certificate`)
    : as("connection", `The connection to ${host} failed (${code === "" ? "closed" : code})`)
}

/** A refusal of the guard as the failure of a request. */
export const fromRefusal = ({ reason, message }: EgressRefusal): EgressError => new EgressError({ reason, message })

/** The whole exchange took longer than the caller allows. */
export const timedOut = (host: string, status?: number) =>
  Effect.fail(
    new EgressError({
      reason: "timeout",
      message: `No complete answer from ${host} within the time allowed`,
      ...(status === undefined ? {} : { status })
    })
  )

const asError = (cause: unknown): Error => cause instanceof Error ? cause : new Error(String(cause))

const fromDns = (cause: Dns.DnsError): EgressError => {
  const { hostname, reason } = cause
  return reason === "NotFound" || reason === "BadName"
    ? new EgressError({ reason: "unresolvable", message: `The name ${hostname} does not exist`, cause })
    : new EgressError({ reason: "connection", message: `The name ${hostname} could not be resolved just now (${reason})`, cause })
}

const toNode = (answer: NetAddress.IpAddress) => ({
  address: NetAddress.formatIp(answer),
  family: NetAddress.isIpv4Address(answer) ? 4 : 6
})

/** The answers for a name, none of them refused; this runs inside the socket, which then connects to just these. */
const resolve = (dns: Dns.Dns["Service"], host: string, port: number, policy: EgressPolicy) =>
  Effect.flatMap(Effect.mapError(dns.lookup(host), fromDns), (answers) =>
    Effect.fromResult(
      Result.mapBoth(checkAnswers(host, port, answers, policy), {
        onFailure: fromRefusal,
        onSuccess: () => Arr.map(answers, toNode)
      })
    ))

/** Headers of an answer: names in lower case, repeated ones joined. */
export const joined = (headers: http.IncomingHttpHeaders): Record<string, string> => {
  const out: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined) out[name] = typeof value === "string" ? value : value.join(", ")
  }
  return out
}

const withoutOwn = (headers: Readonly<Record<string, string>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !ownHeaders.has(name.toLowerCase())))

interface Agents {
  readonly kept: http.Agent
  /** For the repetition of a request whose kept connection had gone. */
  readonly fresh: http.Agent
}

const keptOptions = { keepAlive: true, maxSockets: MAX_SOCKETS_PER_ORIGIN, timeout: IDLE_MILLIS }
// Given outright, so that no environment variable turns verification off.
const tlsOptions = { rejectUnauthorized: true, minVersion: "TLSv1.2" } as const

const acquireAgents = Effect.acquireRelease(
  Effect.sync((): Readonly<Record<"http" | "https", Agents>> => ({
    http: { kept: new http.Agent(keptOptions), fresh: new http.Agent() },
    https: { kept: new https.Agent({ ...keptOptions, ...tlsOptions }), fresh: new https.Agent(tlsOptions) }
  })),
  (agents) =>
    Effect.sync(() => {
      for (const { kept, fresh } of Object.values(agents)) {
        kept.destroy()
        fresh.destroy()
      }
    })
)

type Outcome = Effect.Effect<EgressResponse, EgressError>

/** What is made of an answer whose headers are there. */
type Reader<A> = (response: http.IncomingMessage, resume: (outcome: Effect.Effect<A, EgressError>) => void) => void

/** Resumes with the body, or with the refusal as soon as it grows beyond the limit. */
const readBody = (limit: number, encoding: BufferEncoding): Reader<EgressResponse> => (response, resume) => {
  const status = response.statusCode ?? 0
  const chunks: Array<Buffer> = []
  let size = 0
  response.on("data", (chunk: Buffer) => {
    size += chunk.length
    chunks.push(chunk)
    if (size <= limit) return
    resume(Effect.fail(new EgressError({ reason: "response_too_large", status, message: `The answer is longer than ${limit} bytes` })))
    response.destroy()
  })
  response.on("end", () => {
    const answer = { status, headers: joined(response.headers), body: Buffer.concat(chunks).toString(encoding) }
    // One tick later the connection is back in the pool, for the very next request to find.
    process.nextTick(() => resume(Effect.succeed(answer)))
  })
}

/** One request over one connection; `again` is what to do when the connection taken from the pool was dead. */
const attempt = <A>(
  { onStatus, ...options }: http.RequestOptions & { readonly host: string; readonly onStatus: (status: number) => void },
  body: string | Uint8Array,
  read: Reader<A>,
  again: Effect.Effect<A, EgressError> | undefined
): Effect.Effect<A, EgressError> =>
  Effect.callback<A, EgressError>((resume) => {
    const client = options.protocol === "https:" ? https : http
    const sent = client.request(options)
    let answered = false
    let status: number | undefined
    const fail = (cause: Error): void => {
      const wasDead = !answered && status === undefined && sent.reusedSocket && ["ECONNRESET", "EPIPE"].includes(codeOf(cause))
      resume(wasDead && again !== undefined ? again : Effect.fail(fromNode(cause, options.host, status)))
    }
    watchStatus(sent, (found) => {
      status = found
      onStatus(found)
    })
    sent.on("error", fail)
    // A server that switches protocols, for one, is hung up on without an error.
    sent.on("close", () => answered || fail(new Error("closed without an answer")))
    sent.on("response", (response) => {
      answered = true
      response.on("error", fail)
      read(response, resume)
    })
    sent.end(body)
    return Effect.sync(() => sent.destroy())
  })

export type EgressMethod = "GET" | "POST" | "PUT" | "DELETE"

/** A request that may carry sound or pictures, both ways. */
export interface SentRequest extends Omit<EgressRequest, "body"> {
  readonly body: string | Uint8Array
  /** How the body of the answer is read: `base64` where it is no text. As UTF-8 unless given. */
  readonly encoding?: "utf8" | "base64" | undefined
}

/** What is sent to a URL that `checkUrl` passed. */
interface Outgoing extends Pick<SentRequest, "body" | "headers" | "repeatable"> {
  readonly url: URL
  readonly method: EgressMethod
  /** Called with the status as soon as its line has come. */
  readonly onStatus?: (status: number) => void
}

/** Sends one request and reads its answer. Interruption closes the connection until the reader has resumed. */
type Exchange = <A>(outgoing: Outgoing, read: Reader<A>) => Effect.Effect<A, EgressError>

/** The transport under a policy; its connections close with the scope. */
export const makeExchange = Effect.fnUntraced(function*(policy: EgressPolicy): Effect.fn.Return<Exchange, never, Dns.Dns | Scope.Scope> {
  const dns = yield* Dns.Dns
  const agents = yield* acquireAgents
  const run = Effect.runCallbackWith(yield* Effect.context<never>())

  const lookupFor = (port: number): LookupFunction => (host, { all }, callback) => {
    run(resolve(dns, host, port, policy), {
      onExit: Exit.match({
        onSuccess: (answers) => {
          const [first] = answers
          if (all === true) callback(null, answers.map(({ address, family }) => ({ address, family })))
          else callback(null, first.address, first.family)
        },
        onFailure: (cause) => callback(asError(Cause.squash(cause)), [])
      })
    })
  }

  return ({ body, headers, method, onStatus = () => {}, repeatable = false, url }, read) => {
    const { host, port } = endpointOf(url)
    const { kept, fresh } = url.protocol === "https:" ? agents.https : agents.http
    const options = {
      protocol: url.protocol,
      host,
      port,
      path: url.pathname + url.search,
      method,
      headers: withoutOwn(headers),
      lookup: lookupFor(port),
      onStatus,
      maxHeaderSize: MAX_HEADER_BYTES
    }
    const again = repeatable ? attempt({ ...options, agent: fresh }, body, read, undefined) : undefined
    return attempt({ ...options, agent: kept }, body, read, again)
  }
})

/** Sends one request to a URL that `checkUrl` passed, and reads the answer whole, in its time. Interruption closes the connection. */
export type Send = (url: URL, request: SentRequest, method?: EgressMethod) => Outcome

export const makeSend = (policy: EgressPolicy): Effect.Effect<Send, never, Dns.Dns | Scope.Scope> =>
  Effect.map(
    makeExchange(policy),
    (exchange) => (url, request, method = "POST") =>
      Effect.suspend(() => {
        let status: number | undefined
        const onStatus = (found: number): void => void (status = found)
        return Effect.timeoutOrElse(
          exchange({ ...request, url, method, onStatus }, readBody(request.maxResponseBytes, request.encoding ?? "utf8")),
          { duration: request.timeout, orElse: () => timedOut(url.host, status) }
        )
      })
  )
