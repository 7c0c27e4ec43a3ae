/**
 * What resolving a mismatch does to the books. Pure. No row of the ledger is changed: where the provider is right, further entries make the
 * sum right (docs/decisions/0044).
 */
import { change } from "@svc/kernel/resource/change"
import { Forbidden, InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import type { Entry } from "@svc/kernel/road/decision"
import { post, type RouteName } from "@svc/ledger/financial-events/routes"
import type { StatementType } from "@svc/payments/rails/statement"
import { type DateTime, Result } from "effect"
import { type Mismatch, type Resolution, RESOURCE, type Side } from "./model.ts"

/** The resolution of a mismatch, and the key that decides. */
export interface ResolutionFacts {
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
  /** The mismatch whose correction this one takes the place of. */
  readonly superseded: Mismatch | undefined
}

/** Whether a movement adds to what the merchant has, or takes from it. */
const signs: Readonly<Record<StatementType, 1 | -1>> = { capture: 1, refund: -1, dispute: -1, dispute_reversal: 1, fee: -1, fee_refund: 1 }

/** Signed minor units by currency; never zero. */
type Sums = ReadonlyMap<string, number>

const noSums: Sums = new Map()

const less = (left: Sums, right: Sums): Sums => {
  const sums = new Map(left)
  for (const [currency, sum] of right) sums.set(currency, (sums.get(currency) ?? 0) - sum)
  return new Map(Array.from(sums).filter(([, sum]) => sum !== 0))
}

const sumOf = (side: Side | null, line_type: StatementType): Sums =>
  side === null ? noSums : new Map([[side.currency, signs[line_type] * side.amount]])

/** What the merchant has more by the provider's books than by the ledger, by currency; minor units, never zero. */
export const differences = ({ actual, expected, line_type }: Pick<Mismatch, "actual" | "expected" | "line_type">): Sums =>
  less(sumOf(actual, line_type), sumOf(expected, line_type))

const isFee = (line_type: StatementType): boolean => line_type === "fee" || line_type === "fee_refund"

type Corrected = Pick<Mismatch, "actual" | "booked" | "corrects" | "expected" | "id" | "line_type" | "type">

/** What the books say of a movement: what the merchant has by it, and what of that the platform bears. */
interface Position {
  readonly amount: Sums
  readonly borne: Sums
}

/** What the books say without any correction. */
const uncorrected = ({ booked, corrects, expected, line_type }: Corrected): Position => ({
  amount: sumOf(corrects === null ? expected : booked, line_type),
  borne: noSums
})

/** What the books say once the mismatch is resolved in favour of the provider, whoever bears the difference to the booking. */
const corrected = (mismatch: Corrected, resolution: Resolution | null): Position => {
  const amount = sumOf(mismatch.actual, mismatch.line_type)
  return { amount, borne: resolution === "write_off" ? less(uncorrected(mismatch).amount, amount) : noSums }
}

/**
 * Entries by which the ledger says what the provider says. They go through `available`: whatever the movement was, its own settlement goes
 * on as it would.
 */
const correcting = (change: Sums, id: string): ReadonlyArray<Entry> =>
  Array.from(change).flatMap(([currency, difference]) => {
    const on = { amount: Math.abs(difference), currency, resource_type: RESOURCE, resource_id: id }
    const entry = (name: RouteName) => post(name, on)
    // Money from the rail comes in by pending and nowhere else, and is settled in the same breath.
    return difference < 0
      ? [post("payment_refunded", { ...on, through_pending: 0 })]
      : [entry("payment_captured"), entry("settlement_completed")]
  })

/** What the platform gives the merchant, or takes back, by its fees. */
const bearing = (change: Sums, id: string): ReadonlyArray<Entry> =>
  Array.from(
    change,
    ([currency, difference]) =>
      post(difference > 0 ? "fee_refunded" : "fee_charged", {
        amount: Math.abs(difference),
        currency,
        resource_type: RESOURCE,
        resource_id: id,
        through_pending: 0
      })
  )

/** Entries that lead from what the books say to what they are to say. */
const entriesBetween = (from: Position, to: Position, { id, line_type }: Corrected): ReadonlyArray<Entry> => {
  const [change, borne] = [less(to.amount, from.amount), less(to.borne, from.borne)]
  // A fee is the platform's already: of one that is written off, one entry would only undo the other.
  return isFee(line_type) ? bearing(less(change, less(noSums, borne)), id) : [...correcting(change, id), ...bearing(borne, id)]
}

/** Whether a resolution makes the ledger say what the provider says. */
const isCorrection = (resolution: Resolution): boolean => resolution === "accept_external" || resolution === "write_off"

/**
 * The entries of a resolution. `standing` is the mismatch whose correction of the same movement stands: the new one adds only what it says
 * differently.
 */
export const entriesOf = (mismatch: Corrected, resolution: Resolution, standing?: Mismatch): ReadonlyArray<Entry> =>
  isCorrection(resolution)
    ? entriesBetween(
      standing === undefined ? uncorrected(mismatch) : corrected(standing, standing.resolution),
      corrected(mismatch, resolution),
      mismatch
    )
    : []

const decidedAlready = ({ id, resolution }: Mismatch): InvalidState =>
  new InvalidState({
    message:
      `The mismatch ${id} is resolved already, with ${resolution}. A resolution is final: to change what it did, settle the difference with a refund or a payment.`,
    details: { state: "resolved", allowed: [], resolution }
  })

const disputed = ({ id, line_type }: Mismatch): ValidationError =>
  new ValidationError({
    code: "resolution",
    message: `resolution: the money of the ${
      line_type.replace("_", " ")
    } of mismatch ${id} is held, or was let go, by the dispute itself. Let the dispute come to its end, and resolve this with accept_internal or manual.`
  })

const forOperators = (resolution: Resolution): Forbidden =>
  new Forbidden({
    message:
      `${resolution} would add money to a live account, or take it from the platform, on the word of a file that the account sent. Resolve it with accept_internal or manual, and ask the operator of this service for the correction.`
  })

/** Whether the entries leave the merchant with more, or the platform with less, than before. */
const favours = (entries: ReadonlyArray<Entry>, resolution: Resolution): boolean => {
  const sums = new Map<string, number>()
  for (const { currency, delta_available, delta_pending, delta_reserved } of entries) {
    sums.set(currency, (sums.get(currency) ?? 0) + delta_available + delta_pending + delta_reserved)
  }
  return resolution === "write_off" || Array.from(sums.values()).some((sum) => sum > 0)
}

const supersede = (standing: Mismatch, superseded_by: string, at: DateTime.Utc): Mismatch => change(standing, at, { superseded_by })

/**
 * Resolves a mismatch. Undefined when it was resolved in this very way before. `standing` is the mismatch whose correction of the same
 * movement stands: two corrections never add up, the second takes the place of the first.
 */
export const resolve = (
  mismatch: Mismatch,
  { at, by, note, resolution, sandbox }: ResolutionFacts,
  standing?: Mismatch
): Result.Result<MismatchDecision | undefined, InvalidState | ValidationError | Forbidden> => {
  if (mismatch.status === "resolved") {
    return mismatch.resolution === resolution
      ? Result.succeed(undefined)
      : Result.fail(decidedAlready(mismatch))
  }
  const entries = entriesOf(mismatch, resolution, standing)
  if (
    entries.length > 0 && mismatch.financial_event_id !== null &&
    (mismatch.line_type === "dispute" || mismatch.line_type === "dispute_reversal")
  ) return Result.fail(disputed(mismatch))
  if (entries.length > 0 && !sandbox && favours(entries, resolution)) return Result.fail(forOperators(resolution))
  return Result.succeed({
    mismatch: change(mismatch, at, { status: "resolved", resolution, note, resolved_by: by, resolved_at: at }),
    entries,
    superseded: standing !== undefined && isCorrection(resolution) ? supersede(standing, mismatch.id, at) : undefined
  })
}

/**
 * Takes a correction back that the statement of `report` disproves: the books say again what the event says, or nothing where there is
 * none. That a live account gains by it is no harm: it gets back what its own earlier word took.
 */
export const reverse = (standing: Mismatch, report: string, at: DateTime.Utc): Omit<MismatchDecision, "superseded"> => ({
  mismatch: supersede(standing, report, at),
  entries: entriesBetween(corrected(standing, standing.resolution), uncorrected(standing), standing)
})
