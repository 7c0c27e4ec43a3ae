/**
 * What resolving a mismatch does to the books. Pure. No row of the ledger is changed: where the provider is right, further entries make the
 * sum right (docs/decisions/0044).
 */
import { Forbidden, InvalidState, ValidationError } from "@svc/kernel/errors"
import type { Entry } from "@svc/kernel/road/decision"
import { post, type RouteName } from "@svc/ledger/financial-events/routes"
import type { StatementType } from "@svc/payments/rails/statement"
import { type DateTime, Result } from "effect"
import { Mismatch, RESOURCE, type Resolution, type Side } from "./model.ts"

/** What is decided, and by whom. */
export interface Resolving {
  readonly resolution: Resolution
  readonly note: string | null
  /** The id of the key. */
  readonly by: string
  readonly sandbox: boolean
  readonly at: DateTime.Utc
}

export interface MismatchDecision {
  readonly mismatch: Mismatch
  readonly entries: ReadonlyArray<Entry>
}

/** Whether a movement adds to what the merchant has, or takes from it. */
const signs: Readonly<Record<StatementType, 1 | -1>> = { capture: 1, refund: -1, dispute: -1, dispute_reversal: 1, fee: -1, fee_refund: 1 }

/** What the merchant has more by the provider's books than by the ledger, by currency; minor units, never zero. */
export const differences = ({ actual, expected, line_type, type }: Pick<Mismatch, "actual" | "expected" | "line_type" | "type">): ReadonlyMap<string, number> => {
  const sums = new Map<string, number>()
  const add = (side: Side | null, sign: number) => {
    if (side !== null) sums.set(side.currency, (sums.get(side.currency) ?? 0) + sign * signs[line_type] * side.amount)
  }
  add(actual, 1)
  // Of a movement that the provider has twice the ledger has one, which the other line agrees with.
  if (type !== "duplicate") add(expected, -1)
  return new Map(Array.from(sums).filter(([, sum]) => sum !== 0))
}

const isFee = (line_type: StatementType): boolean => line_type === "fee" || line_type === "fee_refund"

type Corrected = Pick<Mismatch, "actual" | "expected" | "id" | "line_type" | "type">

/** Entries by which the ledger says what the provider says. They go through `available`: whatever the movement was, its own settlement goes on as it would. */
const corrections = (mismatch: Corrected): ReadonlyArray<Entry> =>
  Array.from(differences(mismatch)).flatMap(([currency, difference]) => {
    const amount = Math.abs(difference)
    const on = { amount, currency, resource_type: RESOURCE, resource_id: mismatch.id }
    const entry = (name: RouteName) => post(name, on)
    const throughAvailable = (name: RouteName) => post(name, { ...on, through_pending: 0 })
    if (isFee(mismatch.line_type)) return [throughAvailable(difference < 0 ? "fee_charged" : "fee_refunded")]
    // Money from the rail comes in by pending and nowhere else, and is settled in the same breath.
    return difference < 0 ? [throughAvailable("payment_refunded")] : [entry("payment_captured"), entry("settlement_completed")]
  })

/** What gives the merchant back, at the platform's cost, what the corrections took, or the other way. */
const borne = (mismatch: Corrected): ReadonlyArray<Entry> =>
  Array.from(differences(mismatch), ([currency, difference]) =>
    post(difference < 0 ? "fee_refunded" : "fee_charged", { amount: Math.abs(difference), currency, resource_type: RESOURCE, resource_id: mismatch.id, through_pending: 0 }))

/** The entries of a resolution. */
export const entriesOf = (mismatch: Corrected, resolution: Resolution): ReadonlyArray<Entry> => {
  switch (resolution) {
    case "accept_external":
      return corrections(mismatch)
    // Of a fee that is written off, one entry would only undo the other.
    case "write_off":
      return isFee(mismatch.line_type) ? [] : [...corrections(mismatch), ...borne(mismatch)]
    case "accept_internal":
    case "manual":
      return []
  }
}

const decidedAlready = ({ id, resolution }: Mismatch): InvalidState =>
  new InvalidState({
    message: `The mismatch ${id} is resolved already, with ${resolution}. A resolution is final: to change what it did, settle the difference with a refund or a payment.`,
    details: { state: "resolved", allowed: [], resolution }
  })

const disputed = ({ id, line_type }: Mismatch): ValidationError =>
  new ValidationError({
    code: "resolution",
    message: `resolution: the money of the ${line_type.replace("_", " ")} of mismatch ${id} is held, or was let go, by the dispute itself. Let the dispute come to its end, and resolve this with accept_internal or manual.`
  })

const forOperators = (resolution: Resolution): Forbidden =>
  new Forbidden({
    message: `${resolution} would add money to a live account, or take it from the platform, on the word of a file that the account sent. Resolve it with accept_internal or manual, and ask the operator of this service for the correction.`
  })

/** Whether the entries leave the merchant with more, or the platform with less, than before. */
const favours = (mismatch: Mismatch, resolution: Resolution): boolean =>
  resolution === "write_off" || (resolution === "accept_external" && Array.from(differences(mismatch).values()).some((difference) => difference > 0))

/** Resolves it. Undefined when it was resolved in this very way before. */
export const resolve = (
  mismatch: Mismatch,
  { at, by, note, resolution, sandbox }: Resolving
): Result.Result<MismatchDecision | undefined, InvalidState | ValidationError | Forbidden> => {
  if (mismatch.status === "resolved") return mismatch.resolution === resolution ? Result.succeed(undefined) : Result.fail(decidedAlready(mismatch))
  const moves = entriesOf(mismatch, resolution)
  if (moves.length > 0 && mismatch.expected !== null && (mismatch.line_type === "dispute" || mismatch.line_type === "dispute_reversal")) return Result.fail(disputed(mismatch))
  if (moves.length > 0 && !sandbox && favours(mismatch, resolution)) return Result.fail(forOperators(resolution))
  return Result.succeed({
    mismatch: new Mismatch({ ...mismatch, status: "resolved", resolution, note, resolved_by: by, resolved_at: at, updated_at: at, version: mismatch.version + 1 }, { disableChecks: true }),
    entries: moves
  })
}
