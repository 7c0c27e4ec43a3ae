/** What leaves the process: the policy, the requests, and the ways they fail. */
import { Data, type Duration, Result, Schema } from "effect"
import * as Host from "effect/net/Host"
import * as IpNetwork from "effect/net/IpNetwork"
import { Reference } from "../values/reference.ts"

const parses = (entry: string): boolean =>
  Result.isSuccess(IpNetwork.fromString(entry)) ||
  Result.isSuccess(Host.hostFromString(entry)) ||
  Result.isSuccess(Host.hostPortFromString(entry))

const message = "Expected a host name, an IP address, either with :port, or a network such as 10.0.0.0/8 with no host bits set"

/** One exception to the guard: `localhost`, `localhost:4242`, `127.0.0.1`, `[::1]:4242` or `10.1.0.0/16`. */
export const AllowEntry = Schema.String.check(Schema.makeFilter(parses, { message })).annotate({ identifier: "EgressAllowEntry" })

/**
 * Which addresses may be called beside the public internet. The list exists for local development and
 * for receivers inside one's own network; empty, nothing but public addresses is ever connected to.
 *
 * - A host name lifts every check from that name: its answers are trusted and any port may be used.
 * - An address lifts every check from URLs that spell it out, and from nothing else: a stranger's name that
 *   resolves to it stays refused.
 * - A network lifts the address check wherever a literal or a DNS answer lies in it; the port rule only for
 *   literals, because the port of a name is judged before it is resolved.
 * - With `:port`, only for that port.
 */
export const EgressPolicy = Schema.Struct({ allow: Schema.Array(AllowEntry) })
export type EgressPolicy = typeof EgressPolicy.Type

/**
 * The policy of this installation, for whoever accepts addresses that are called later. Public addresses only, unless somebody says
 * otherwise.
 */
export class InstalledPolicy extends Reference<EgressPolicy>("@svc/kernel/InstalledPolicy", { defaultValue: () => ({ allow: [] }) }) {}

/** The URL may not be called at all. `message` is fit for the person who entered the URL. */
export class EgressRefusal extends Data.TaggedError("EgressRefusal")<{
  readonly reason: "invalid_url" | "refused_address"
  readonly message: string
}> {}

/**
 * Why no answer came back.
 *
 * - `invalid_url`, `refused_address`: the guard refused; nothing was sent and repeating is pointless.
 * - `unresolvable`: the name does not exist.
 * - `connection`: no connection, or it broke; also a resolver that failed for the moment. May be repeated.
 * - `timeout`: the whole exchange took longer than `timeout`; the receiver may have got the request.
 * - `tls`: no trusted, encrypted connection to that name.
 * - `response_too_large`: the answer began and was cut off.
 */
export class EgressError extends Data.TaggedError("EgressError")<{
  readonly reason: EgressRefusal["reason"] | "unresolvable" | "connection" | "timeout" | "tls" | "response_too_large"
  readonly message: string
  /** The status, where its line arrived before the rest of the answer failed. */
  readonly status?: number
  /** For logs only: it can hold addresses of an inner network. */
  readonly cause?: unknown
}> {}

/** A POST to an address that somebody else chose. */
export interface EgressRequest {
  readonly url: string
  /** `host`, `content-length`, `transfer-encoding`, `connection` and the like are set here and ignored if given. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** For everything together: name, connection, TLS, sending and reading. */
  readonly timeout: Duration.Input
  /** Bytes of the body that are read at most. */
  readonly maxResponseBytes: number
  /**
   * Whether the receiver tells repetitions apart, by a delivery id or an idempotency key. Then a kept
   * connection that turns out closed before any answer is replaced by a fresh one and the request is sent
   * once more, instead of failing with `connection`. False unless given.
   */
  readonly repeatable?: boolean
}

/** What came back, whatever the status; 3xx are answers like any other and are never followed. */
export interface EgressResponse {
  readonly status: number
  /** Names in lower case; repeated headers joined with `, `. */
  readonly headers: Readonly<Record<string, string>>
  /** The body read as UTF-8. */
  readonly body: string
}
