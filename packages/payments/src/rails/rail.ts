/** The interface that every connection to a provider implements. */
import type { Write } from "@svc/kernel/road/decision"
import { Context, type DateTime, Effect, Layer } from "effect"
import type { RailAnswer, RailKnowledge, RailName, RailOutcomeUnknown, RailRequest, RailUnreachable } from "./model.ts"
import type { RailStatement } from "./statement.ts"

/** A later call about an authorization: a capture, a refund or a void. */
export interface RailFollowUp {
  /** The provider's idempotency key of this call. */
  readonly key: string
  /** The reference that the authorization returned. */
  readonly reference: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
}

/** The outcome of a capture, a refund or a void. */
export type RailConfirmation =
  | { readonly _tag: "Done"; readonly reference: string }
  | { readonly _tag: "Refused"; readonly reason: string }

/** The money of one capture that is to arrive at the merchant. */
export interface RailSettlement {
  /** The reference that the authorization returned. */
  readonly reference: string
  /** Minor units. */
  readonly amount: number
  readonly currency: string
  readonly metadata: Readonly<Record<string, string>>
  /** 1 for the first attempt. */
  readonly attempt: number
}

/** An operation of an inline rail, for the books of the rail. */
export type RailOperation =
  & {
    readonly merchant: string
    readonly at: DateTime.Utc
    /** The metadata of the payment. */
    readonly metadata: Readonly<Record<string, string>>
  }
  & (
    /** `fee`: the minor units that the provider withholds for the platform, or gives back. */
    | { readonly operation: "authorize"; readonly request: RailRequest; readonly fee: number }
    /** The customer has completed the step that the rail required. */
    | { readonly operation: "action"; readonly request: RailRequest; readonly fee: number }
    | { readonly operation: "capture" | "refund" | "void"; readonly call: RailFollowUp; readonly fee: number }
    /** A customer's bank took money back, or returned it. */
    | { readonly operation: "dispute" | "dispute_reversal"; readonly reference: string; readonly amount: number; readonly currency: string }
  )

export interface Rail {
  readonly name: RailName
  /** The currencies that the rail accepts; empty for all. */
  readonly currencies: ReadonlyArray<string>
  /** The types of payment methods that the rail accepts. */
  readonly methods: ReadonlyArray<"card" | "bank_account" | "usdc_wallet">
  /**
   * True if a call has no effect outside this process, as with the built-in simulator. The attempt then needs no row before the call,
   * because a crash leaves no unfinished call behind.
   */
  readonly inline: boolean
  /** How long an authorization holds, in seconds. */
  readonly holdSeconds: number
  readonly authorize: (request: RailRequest) => Effect.Effect<RailAnswer, RailUnreachable | RailOutcomeUnknown>
  readonly capture: (call: RailFollowUp) => Effect.Effect<RailConfirmation, RailUnreachable | RailOutcomeUnknown>
  readonly refund: (call: RailFollowUp) => Effect.Effect<RailConfirmation, RailUnreachable | RailOutcomeUnknown>
  readonly void: (call: RailFollowUp) => Effect.Effect<RailConfirmation, RailUnreachable | RailOutcomeUnknown>
  /** The state of an authorization whose answer was lost or is still to come. */
  readonly lookup: (request: RailRequest, reference: string | null) => Effect.Effect<RailKnowledge, RailUnreachable>
  /** The outcome of a capture, a refund or a void; `undefined` if the provider never received the call. */
  readonly lookupFollowUp: (call: RailFollowUp) => Effect.Effect<RailConfirmation | undefined, RailUnreachable>
  /**
   * The outcome of a submitted settlement. On a rail without this function every settlement succeeds. The submission to an inline rail is
   * written with the answer, so that such a rail may be asked again about the same attempt.
   */
  readonly settle?: (settlement: RailSettlement) => Effect.Effect<RailConfirmation, RailUnreachable>
  /** The provider's statement. For a rail without one, the merchant uploads the provider's file. */
  readonly statement?: RailStatement
  /**
   * For an inline rail with books: the rows that the rail stores of an operation. The commit that follows the call writes these rows. The
   * rail alone decides their content.
   */
  readonly record?: (railOperation: RailOperation) => ReadonlyArray<Write>
}

/** The rails of this installation, in order of preference. */
export class Rails extends Context.Service<Rails, {
  readonly all: ReadonlyArray<Rail>
  readonly byName: (name: RailName) => Rail | undefined
}>()("@svc/payments/Rails") {
  /** Exactly these rails. Throws a RangeError, a defect, if two rails have one name: a payment finds its rail by the name. */
  static readonly these = (all: ReadonlyArray<Rail>): Rails["Service"] => {
    const named = new Map(all.map((rail) => [rail.name, rail]))
    if (named.size < all.length) throw new RangeError(`two rails have one name: ${all.map(({ name }) => name).join(", ")}`)
    return { all, byName: (name) => named.get(name) }
  }

  /** Adds rails behind those that are provided below, such as `Rails.adding(rail).pipe(Layer.provide(simulatedRails))`. */
  static readonly adding = (...more: ReadonlyArray<Rail>): Layer.Layer<Rails, never, Rails> =>
    Layer.effect(Rails, Effect.map(Rails, ({ all }) => Rails.these([...all, ...more])))
}

/** The rows that an inline rail stores of an operation. Other rails have no rows here: the provider keeps their books. */
export const recordsOf = (rail: Rail, railOperation: RailOperation): ReadonlyArray<Write> =>
  rail.inline ? rail.record?.(railOperation) ?? [] : []
