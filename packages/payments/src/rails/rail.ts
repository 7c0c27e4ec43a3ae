/** The one interface every connection to a provider implements. */
import type { Write } from "@svc/kernel/road/decision"
import { Context, type DateTime, Effect, Layer } from "effect"
import type { RailAnswer, RailKnowledge, RailName, RailOutcomeUnknown, RailRequest, RailUnreachable } from "./model.ts"
import type { RailStatement } from "./statement.ts"

/** A later call about an authorization. */
export interface RailFollowUp {
  /** The provider's idempotency key of this very call. */
  readonly key: string
  /** The reference that the authorization returned. */
  readonly reference: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
}

/** What a capture, refund or void came to. */
export type RailConfirmation =
  | { readonly _tag: "Done"; readonly reference: string }
  | { readonly _tag: "Refused"; readonly reason: string }

/** Money of one capture that is to arrive at the merchant. */
export interface RailSettlement {
  /** The reference that the authorization returned. */
  readonly reference: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  readonly metadata: Readonly<Record<string, string>>
  /** 1 for the first try. */
  readonly attempt: number
}

/** What an inline rail was asked to do, for its books. */
export type RailOperation =
  & {
    readonly merchant: string
    readonly at: DateTime.Utc
    /** The metadata of the payment. */
    readonly metadata: Readonly<Record<string, string>>
  }
  & (
    /** `fee`: what the platform tells the provider to withhold for it, or to give back; minor units. */
    | { readonly operation: "authorize"; readonly request: RailRequest; readonly fee: number }
    /** The customer has passed the step that the rail asked for. */
    | { readonly operation: "action"; readonly request: RailRequest; readonly fee: number }
    | { readonly operation: "capture" | "refund" | "void"; readonly call: RailFollowUp; readonly fee: number }
    /** A customer's bank took money back, or returned it. */
    | { readonly operation: "dispute" | "dispute_reversal"; readonly reference: string; readonly amount: number; readonly currency: string }
  )

export interface Rail {
  readonly name: RailName
  /** Currencies it takes; empty means every one. */
  readonly currencies: ReadonlyArray<string>
  /** Payment method types it takes. */
  readonly methods: ReadonlyArray<"card" | "bank_account" | "usdc_wallet">
  /**
   * True when a call has no effect outside this process, as with the built-in simulator: then the
   * attempt needs no row before the call, for there is nothing that could be left half done.
   */
  readonly inline: boolean
  /** How long an authorization holds, in seconds. */
  readonly holdSeconds: number
  readonly authorize: (request: RailRequest) => Effect.Effect<RailAnswer, RailUnreachable | RailOutcomeUnknown>
  readonly capture: (call: RailFollowUp) => Effect.Effect<RailConfirmation, RailUnreachable | RailOutcomeUnknown>
  readonly refund: (call: RailFollowUp) => Effect.Effect<RailConfirmation, RailUnreachable | RailOutcomeUnknown>
  readonly void: (call: RailFollowUp) => Effect.Effect<RailConfirmation, RailUnreachable | RailOutcomeUnknown>
  /** What became of an authorization whose answer was lost or is still to come. */
  readonly lookup: (request: RailRequest, reference: string | null) => Effect.Effect<RailKnowledge, RailUnreachable>
  /** What became of a capture, refund or void; `undefined` when the provider never saw it. */
  readonly lookupFollowUp: (call: RailFollowUp) => Effect.Effect<RailConfirmation | undefined, RailUnreachable>
  /** What becomes of a settlement that is on its way. A rail that does not say settles always. */
  readonly settle?: (settlement: RailSettlement) => Effect.Effect<RailConfirmation, RailUnreachable>
  /** What the provider says it did. Of a rail without it, the provider's file is uploaded. */
  readonly statement?: RailStatement
  /**
   * Of an inline rail with books: the rows that it keeps of what it was asked. A call that has no effect outside this process has none
   * outside its transaction either, so they are written with the commit that the call leads to. What they say is the rail's own.
   */
  readonly record?: (railOperation: RailOperation) => ReadonlyArray<Write>
}

/** The rails of this installation, in order of preference. */
export class Rails extends Context.Service<Rails, {
  readonly all: ReadonlyArray<Rail>
  readonly byName: (name: RailName) => Rail | undefined
}>()("@svc/payments/Rails") {
  /** Exactly these rails. Throws a RangeError, a defect, when two have one name: payments could not tell which holds their money. */
  static readonly these = (all: ReadonlyArray<Rail>): Rails["Service"] => {
    const named = new Map(all.map((rail) => [rail.name, rail]))
    if (named.size < all.length) throw new RangeError(`two rails have one name: ${all.map(({ name }) => name).join(", ")}`)
    return { all, byName: (name) => named.get(name) }
  }

  /** Adds rails behind those that are provided below, such as `Rails.adding(rail).pipe(Layer.provide(simulatedRails))`. */
  static readonly adding = (...more: ReadonlyArray<Rail>): Layer.Layer<Rails, never, Rails> =>
    Layer.effect(Rails, Effect.map(Rails, ({ all }) => Rails.these([...all, ...more])))
}

/** What an inline rail keeps of an operation. One that acts elsewhere has its books there. */
export const recordsOf = (rail: Rail, railOperation: RailOperation): ReadonlyArray<Write> =>
  rail.inline ? rail.record?.(railOperation) ?? [] : []
