/**
 * The simulator behind HTTP: a rail that works as a connector to a real provider does. Its calls act outside this process and may succeed
 * after this process has crashed, so the caller stores each attempt before the call.
 *
 * A failure is `RailUnreachable` only if it certainly happened before the first byte was sent. Any other failure is `RailOutcomeUnknown`,
 * because the call may have reached the provider.
 */
import type { EgressError, EgressResponse } from "@svc/kernel/egress/model"
import { Egress } from "@svc/kernel/egress/service"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { DateTime, type Duration, Effect, Layer, Option, Schema, Stream } from "effect"
import { RailOutcomeUnknown, RailUnreachable } from "./model.ts"
import type { RailName } from "./model.ts"
import { Rails } from "./rail.ts"
import type { Rail } from "./rail.ts"
import {
  Answer,
  AuthorizeCall,
  Confirmation,
  FollowUpCall,
  FoundConfirmation,
  Knowledge,
  LookupCall,
  MAX_BODY_BYTES,
  paths,
  STATEMENT_LINES,
  STATEMENT_PATH,
  StatementCall,
  StatementPart
} from "./remote-protocol.ts"
import type { FollowUpOperation, RemoteOperation } from "./remote-protocol.ts"
import { simulatorRails } from "./simulator.ts"
import type { RailStatement } from "./statement.ts"

export interface RemoteSimulatorOptions {
  /** The address of the provider, for example `http://127.0.0.1:4100`. */
  readonly url: string
  /** The timeout of one whole call; 10 seconds by default. */
  readonly timeout?: Duration.Input
}

const fact = (cause: unknown, name: string): unknown => typeof cause === "object" && cause !== null ? Reflect.get(cause, name) : undefined

/** Whether the connection failed while it was being opened, at every address that was tried. */
const whileConnecting = (cause: unknown): boolean =>
  cause instanceof AggregateError
    ? cause.errors.length > 0 && cause.errors.every(whileConnecting)
    : fact(cause, "syscall") === "connect" || fact(cause, "_tag") === "DnsError"

/** Whether the TLS error is about the certificate, which is checked before anything is sent. Other TLS errors can come at any time. */
const beforeHandshake = (cause: unknown): boolean => !/^(?:EPROTO$|ERR_SSL_|$)/.test(String(fact(cause, "code") ?? ""))

/** Whether this failure certainly happened before the request was sent. */
export const neverSent = ({ cause, reason }: EgressError): boolean => {
  switch (reason) {
    case "invalid_url":
    case "refused_address":
    case "unresolvable":
      return true
    case "connection":
      return whileConnecting(cause)
    case "tls":
      return beforeHandshake(cause)
    case "timeout":
    case "response_too_large":
      return false
  }
}

const REFUSED_UNSEEN = 503

const encodeStatement = Schema.encodeSync(fromJsonText(StatementCall))
const decodeStatement = Schema.decodeUnknownEffect(fromJsonText(StatementPart))

/** The provider's statement, part by part. The statement lists captures and refunds. */
const statementOf = (egress: Egress["Service"], { timeout = "10 seconds", url }: RemoteSimulatorOptions, rail: RailName): RailStatement => {
  const unreachable = (message: string) => new RailUnreachable({ rail, message })
  const part = Effect.fnUntraced(function*(call: typeof StatementCall.Type) {
    const asked = {
      url: url.replace(/\/$/u, "") + STATEMENT_PATH,
      headers: { "content-type": "application/json" },
      body: encodeStatement(call),
      timeout,
      maxResponseBytes: MAX_BODY_BYTES,
      repeatable: true
    }
    const { body, status } = yield* Effect.mapError(egress.post(asked), ({ message }) => unreachable(message))
    if (status !== 200) return yield* unreachable(`The provider answered for its statement with status ${status}`)
    return yield* Effect.mapError(decodeStatement(body), () => unreachable("The provider's statement does not have the agreed form"))
  })
  return {
    covers: ["capture", "refund"],
    lines: ({ from, merchant, to }) =>
      Stream.paginate(
        0,
        (after) =>
          Effect.map(part({ rail, merchant, from: from.epochMilliseconds, to: to.epochMilliseconds, after }), (lines) =>
            [
              lines.map(({ at, ...line }) => ({ ...line, occurred_at: DateTime.makeUnsafe(at) })),
              lines.length < STATEMENT_LINES ? Option.none<number>() : Option.some(after + lines.length)
            ] as const)
      )
  }
}

const remoteRail = (egress: Egress["Service"], options: RemoteSimulatorOptions, like: Rail): Rail => {
  const rail: RailName = like.name
  const base = options.url.replace(/\/$/u, "")
  const timeout = options.timeout ?? "10 seconds"

  const post = (operation: RemoteOperation, key: string, body: string) =>
    egress.post({
      url: base + paths[operation],
      headers: { "content-type": "application/json", "idempotency-key": key },
      body,
      timeout,
      maxResponseBytes: MAX_BODY_BYTES,
      // The provider could refuse a repetition over a new connection, which would hide that the first request arrived.
      repeatable: false
    })

  const unreachable = (message: string) => new RailUnreachable({ rail, message })
  const unknown = (message: string) => new RailOutcomeUnknown({ rail, message })

  /** Makes a call that changes something. Any failure that is not certain is an unknown outcome. */
  const act = <A>(operation: RemoteOperation, key: string, body: string, reply: Schema.Codec<A>) => {
    const decode = Schema.decodeUnknownEffect(fromJsonText(reply))
    return post(operation, key, body).pipe(
      Effect.mapError((error) => neverSent(error) ? unreachable(error.message) : unknown(error.message)),
      Effect.flatMap((response: EgressResponse): Effect.Effect<A, RailUnreachable | RailOutcomeUnknown> => {
        if (response.status === REFUSED_UNSEEN) return Effect.fail(unreachable("The provider refused the call before looking at it"))
        if (response.status !== 200) return Effect.fail(unknown(`The provider answered ${operation} with status ${response.status}`))
        return Effect.mapError(decode(response.body), () => unknown(`The provider's answer to ${operation} does not have the agreed form`))
      })
    )
  }

  /** Makes a call that changes nothing. After any failure the caller may repeat the call. */
  const ask = <A>(operation: RemoteOperation, key: string, body: string, reply: Schema.Codec<A>): Effect.Effect<A, RailUnreachable> =>
    Effect.mapError(act(operation, key, body, reply), (error) => unreachable(error.message))

  const encodeFollowUp = Schema.encodeSync(fromJsonText(FollowUpCall))
  const encodeAuthorize = Schema.encodeSync(fromJsonText(AuthorizeCall))
  const encodeLookup = Schema.encodeSync(fromJsonText(LookupCall))
  const followUp = (operation: FollowUpOperation): Rail["capture"] => (call) =>
    Effect.suspend(() => act(operation, call.key, encodeFollowUp({ rail, call }), Confirmation))

  return {
    name: rail,
    currencies: like.currencies,
    methods: like.methods,
    holdSeconds: like.holdSeconds,
    inline: false,
    authorize: (request) => Effect.suspend(() => act("authorize", request.key, encodeAuthorize({ rail, request }), Answer)),
    capture: followUp("capture"),
    refund: followUp("refund"),
    void: followUp("void"),
    lookup: (request, reference) => Effect.suspend(() => ask("lookup", request.key, encodeLookup({ rail, request, reference }), Knowledge)),
    lookupFollowUp: (call) =>
      Effect.map(
        Effect.suspend(() => ask("lookup_follow_up", call.key, encodeFollowUp({ rail, call }), FoundConfirmation)),
        (found) => found ?? undefined
      ),
    statement: statementOf(egress, options, rail),
    ...(like.settle === undefined ? {} : { settle: like.settle })
  }
}

/** The simulator's rails, each behind the provider at `url`. */
export const remoteSimulatorRails = (options: RemoteSimulatorOptions): Layer.Layer<Rails, never, Egress> =>
  Layer.effect(Rails, Effect.map(Egress, (egress) => Rails.these(simulatorRails.map((like) => remoteRail(egress, options, like)))))
