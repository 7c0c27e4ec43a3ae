/**
 * What a tool is: a procedure (`Rpc`) that also says what it costs and how it runs. A group of them is all that doors, lists, price tables,
 * documents and the seeds of the fuzz need. Types are erased here, inside the closure that still knows them.
 *
 * A tool charges nothing itself: the gate charges each call around its run, by `Meter` (`metering/src/tool-calls/service/meter.ts`).
 */
import type { ApiKeyScope } from "@svc/accounts/access/model"
import { Arbitrary, Effect, type JsonSchema, Result, Schema } from "effect"
import { Rpc } from "effect/rpc"
import type { NotConfigured } from "./backend.ts"
import type { Call, Cents, Mode } from "./call.ts"
import type { CalledServices, ServiceKeys } from "./called-services.ts"
import type { Gate } from "./gate/model.ts"
import type { PolicyRefused } from "./gate/policy.ts"
import { argumentSentences, inputSchemaOf, refusedArguments, shortSchemaOf } from "./input-schema.ts"
import { away, outcomeOf, type ToolOutcome } from "./outcome.ts"
import { type CurrentCaller, Identified, throughGate } from "./typed/caller.ts"
import { type CallError, callErrors, ToolTimedOut } from "./typed/errors.ts"
import { type OwnErrors, resultOf } from "./typed/result.ts"

/** A mode without a price of its own costs the standard price. */
export type Prices = "free" | { readonly standard: Cents; readonly lite?: Cents; readonly engineer?: Cents }

/** A run that says what it delivered. Lowers what was quoted, never raises it. */
export class Billed<out A> {
  readonly result: A
  readonly cents: Cents
  constructor(result: A, cents: Cents) {
    this.result = result
    this.cents = cents
  }
}
export const billed = <A>(result: A, cents: Cents): Billed<A> => new Billed(result, cents)

/** What is known of a tool without running it. */
export interface ToolMeta {
  readonly title: string
  /** One or two short sentences: every word costs each agent that lists the tools. */
  readonly description: string
  /**
   * `key`: needs an account. `scoped`: works without one, and sees only what belongs to the caller. `agent`: an agent key, and shown to no
   * one else.
   */
  readonly auth: "none" | "key" | "scoped" | "agent"
  /** `inline`: pure, or within the database. `outside`: calls out, takes long or cannot be repeated, so its price is reserved first. */
  readonly kind: "inline" | "outside"
  readonly prices: Prices
  readonly hints: { readonly readOnly: boolean; readonly destructive: boolean; readonly idempotent: boolean; readonly openWorld: boolean }
  readonly limits: {
    /** After so many seconds the run is given up. */
    readonly seconds: number
    /** Bytes of the arguments as JSON. */
    readonly bytes: number
  }
  /** Work that the free plan leaves out. */
  readonly serviceWork?: boolean
  /** The caller pays for the tool when calling it, also a caller with credits. */
  readonly paidByCall?: boolean
  /** The tool keeps text that callers send, or hands it to others: text with a card number is refused. */
  readonly keepsText?: boolean
  /** The tool cannot be bought call by call: only a plan pays for it. */
  readonly planOnly?: boolean
  /** Its arguments hold an idempotency key, under which it says how things stand now: no answer is kept for that of a header. */
  readonly ownKey?: boolean
  /** Scopes of the payments API that do what it does. A restricted key without them cannot issue an agent key that may call it. */
  readonly scopes?: ReadonlyArray<ApiKeyScope>
  /** Other names it answers to. */
  readonly also?: ReadonlyArray<string>
}

// A struct (or class) at the root, so that the root of the input schema is an object; pure, so that decoding needs no service.
type Payload = Schema.Codec<object, { readonly [key: string]: Schema.Json }, never, never> & { readonly fields: Schema.Struct.Fields }
type Plain = Schema.Codec<unknown, unknown, never, never>
type Failure = Schema.Codec<{ readonly _tag: string; readonly message: string }, unknown, never, never>

/** The arguments do not fit. `message` names each field that is wrong, so that a model can mend its call. */
export class UnfitArguments extends Schema.TaggedError<UnfitArguments>()("UnfitArguments", { message: Schema.String }) {}

/** Arguments are decoded: the gate may price, look for a duplicate, reserve; then run. */
export interface PreparedCall<out R> {
  readonly quote: Cents
  /** The envelope when the backend is away: asked before the price and the 402. */
  readonly absent: Effect.Effect<ToolOutcome | undefined, never, R>
  readonly run: Effect.Effect<ToolOutcome, never, R>
  /**
   * Whether the work stays for the account when its payment fails after the run: then a payment that cannot be held before the run is taken
   * before it.
   */
  readonly leaves: boolean
  /** Takes back what the run left behind, by its result. */
  readonly undo: (result: unknown) => Effect.Effect<void, never, R>
}

/** A tool as `tools/list` shows it. */
export interface ListedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: JsonSchema.JsonSchema
  readonly annotations: {
    readonly title: string
    readonly readOnlyHint: boolean
    /** `destructiveHint` and `idempotentHint` say nothing of a tool that only reads. */
    readonly destructiveHint?: boolean
    readonly idempotentHint?: boolean
    readonly openWorldHint: boolean
  }
}

export interface Compiled<out R> {
  readonly name: string
  readonly meta: ToolMeta
  readonly listed: ListedTool
  /** With every bound. */
  readonly inputSchema: JsonSchema.JsonSchema
  /** The envelope when the backend is away, whatever the arguments. */
  readonly absent: Effect.Effect<ToolOutcome | undefined, never, R>
  /** What is weaker here than it can be, each with what mends it. */
  readonly weaknesses: Effect.Effect<ReadonlyArray<string>, never, R>
  readonly prepare: (args: unknown, call: Call) => Result.Result<PreparedCall<R>, UnfitArguments>
}

/** Runs a tool for a caller that knows its types, through the gate. */
export type ToolHandler<P, A, E> = (payload: P) => Effect.Effect<A, E | CallError, Gate | CurrentCaller>

/** The fixed price in a mode. */
export const priceIn = (prices: Prices, mode: Mode): Cents => prices === "free" ? 0 : prices[mode] ?? prices.standard

/** `own` are the errors that the tool declares. */
const ownErrors = <E extends Failure>(own: Schema.Union<ReadonlyArray<E>>): OwnErrors<E["Type"]> => {
  const codec = Schema.toCodecJson(own)
  const [encode, decode] = [Schema.encodeUnknownSync(codec), Schema.decodeUnknownSync(codec)]
  return { is: Schema.is(own), reworded: (failure, message) => decode(Object.assign({}, encode(failure), { message })) }
}

export interface Spec<N extends string, P extends Payload, S extends Plain, E extends Failure, R, R2, R3> extends ToolMeta {
  readonly name: N
  readonly payload: P
  readonly result: S
  /** Domain failures: an agent sees code, message and what next, and pays nothing. */
  readonly error: E
  /** At least one: the tests decode it, run it where the tool is free, and seed the fuzz with it. */
  readonly examples: readonly [NoInfer<P["Encoded"]>, ...ReadonlyArray<NoInfer<P["Encoded"]>>]
  /** A price that depends on the arguments, known before the run. */
  readonly price?: (payload: NoInfer<P["Type"]>, mode: Mode, fixed: Cents) => Cents
  /** Asked before any money moves. */
  readonly ready?: Effect.Effect<unknown, NotConfigured, R2>
  /** Of a tool that may leave something behind: whether a call with these arguments does not. */
  readonly readsOnly?: (payload: NoInfer<P["Type"]>) => boolean
  /** Takes back what a run left behind, where its payment failed afterwards. Without it, and without a hold, the payment comes first. */
  readonly undo?: (result: NoInfer<S["Type"]>, call: Call) => Effect.Effect<unknown, unknown, R3>
  /** What the backend does less well here than it can. */
  readonly weaknesses?: Effect.Effect<ReadonlyArray<string>, never, R2>
  readonly run: (
    payload: NoInfer<P["Type"]>,
    call: Call
  ) => Effect.Effect<S["Type"] | Billed<S["Type"]>, NoInfer<E["Type"]> | NotConfigured | PolicyRefused, R>
}

export const tool = <
  const N extends string,
  P extends Payload,
  S extends Plain,
  E extends Failure = Schema.Never,
  R = never,
  R2 = never,
  R3 = never,
  const K extends ServiceKeys = readonly []
>(
  spec: Omit<Spec<N, P, S, E, R, R2, R3>, "error"> & { readonly error?: E } & CalledServices<K, NoInfer<R | R2 | R3>>
) => {
  const { description, hints, name, title, undo } = spec
  const services: ServiceKeys = spec.services ?? []
  const decode = Schema.decodeUnknownResult(Schema.toCodecJson(spec.payload), { errors: "all", onExcessProperty: "error" })
  const encode = Schema.encodeResult(Schema.toCodecJson(spec.result))
  const decodeResult = Schema.decodeUnknownEffect(Schema.toCodecJson(spec.result))
  const declared = spec.error === undefined ? [] : [spec.error]
  const own = ownErrors(Schema.Union([...declared, ToolTimedOut]))
  const encodePayload = Schema.encodeSync(Schema.toCodecJson(spec.payload))
  const inputSchema = inputSchemaOf(spec.payload)
  const listed: ListedTool = {
    name,
    title,
    description,
    inputSchema: shortSchemaOf(inputSchema),
    annotations: {
      title,
      readOnlyHint: hints.readOnly,
      ...(hints.readOnly ? {} : { destructiveHint: hints.destructive, idempotentHint: hints.idempotent }),
      openWorldHint: hints.openWorld
    }
  }
  const handler: ToolHandler<P["Type"], S["Type"], E["Type"]> = (payload) =>
    Effect.flatMap(
      throughGate(name, encodePayload(payload)),
      (answer) => Effect.flatMap(resultOf(answer, own), (result) => Effect.orDie(decodeResult(result)))
    )
  const absent = spec.ready === undefined ? Effect.undefined : Effect.match(spec.ready, { onFailure: away, onSuccess: () => undefined })
  const prepare = (args: unknown, call: Call): Result.Result<PreparedCall<R | R2 | R3>, UnfitArguments> => {
    const refused = refusedArguments(spec.payload, args)
    if (refused !== undefined) return Result.fail(new UnfitArguments({ message: refused }))
    const decoded = decode(args)
    if (Result.isFailure(decoded)) return Result.fail(new UnfitArguments({ message: argumentSentences(decoded.failure.issue) }))
    const payload = decoded.success
    const fixed = priceIn(spec.prices, call.mode)
    const quote = spec.price === undefined ? fixed : spec.price(payload, call.mode, fixed)
    const run = Effect.matchEffect(Effect.suspend(() => spec.run(payload, call)), {
      onSuccess: (out) => {
        const result = encode(out instanceof Billed ? out.result : out)
        // The tool's bug, never the caller's bill.
        if (Result.isFailure(result)) return Effect.die(result.failure)
        return Effect.succeed<ToolOutcome>({
          _tag: "Done",
          result: result.success,
          cents: out instanceof Billed ? Math.min(out.cents, quote) : quote
        })
      },
      onFailure: (refusal) => Effect.succeed(outcomeOf(refusal))
    })
    return Result.succeed({
      quote,
      absent,
      run,
      leaves: mayLeave && undo === undefined && spec.readsOnly?.(payload) !== true,
      undo: (result) =>
        undo === undefined
          ? Effect.void
          : Effect.ignore(Effect.flatMap(decodeResult(result), (done) => undo(done, call)), { log: "Warn" })
    })
  }
  // A tool that needs no key keeps nothing for an account.
  const mayLeave = !hints.readOnly && (spec.auth === "key" || spec.auth === "agent")
  const weaknesses = spec.weaknesses ?? Effect.succeed([])
  const compiled: Compiled<R | R2 | R3> = { name, meta: spec, listed, inputSchema, absent, weaknesses, prepare }
  const rpc = Rpc.make(name, { payload: spec.payload, success: spec.result, error: Schema.Union([...declared, ...callErrors]) })
  // An Rpc is a function, whose name cannot be assigned.
  return Object.assign(Object.defineProperty(rpc.middleware(Identified), "name", { value: name }), {
    meta: spec,
    listed,
    compiled,
    /** What the tool calls; empty where it computes its answer. */
    services,
    handler,
    examples: spec.examples,
    /** The errors of its own. */
    declared,
    /** Whatever the schema of the payload generates must prepare: seeds for the fuzz, which changes them. */
    seeds: Effect.map(
      Arbitrary.sampleEffect(Arbitrary.schema(spec.payload), { count: 100, seed: 1 }),
      (all) => all.map((one) => encodePayload(one))
    )
  })
}
