/** What becomes of a reserve and of the money in it. Pure. */
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { allows, triggersFrom } from "@svc/kernel/resource/state-machine"
import type { Entry, Requirement } from "@svc/kernel/road/decision"
import type { InsufficientBalance } from "@svc/ledger/balances/model"
import { atLeast } from "@svc/ledger/balances/rules"
import { post, type RouteName } from "@svc/ledger/financial-events/routes"
import { type DateTime, Result } from "effect"
import { reserveMachine } from "./machine.ts"
import { type HoldReserveRequest, Reserve, type ReserveId } from "./model.ts"

/** What a step of a reserve comes to. */
export interface ReserveDecision {
  readonly reserve: Reserve
  readonly entries: ReadonlyArray<Entry>
  /** What must hold of the balance when it is written. */
  readonly requires: ReadonlyArray<Requirement<InsufficientBalance>>
}

const posted = (name: RouteName, amount: number, { currency, id }: Reserve): Entry =>
  post(name, { amount, currency, resource_type: "reserve", resource_id: id })

/** Held from now on, out of what is available: more than there is, is not held. */
export const hold = (id: ReserveId, { amount, currency, merchant_id, reason }: HoldReserveRequest, at: DateTime.Utc): ReserveDecision => {
  const reserve: Reserve = {
    id,
    merchant_id: AccountId.make(merchant_id),
    amount,
    currency,
    released_amount: 0,
    forfeited_amount: 0,
    reason,
    status: "held",
    closed_at: null,
    created_at: at,
    updated_at: at,
    version: 1
  }
  return { reserve, entries: [posted("reserve_held", amount, reserve)], requires: [atLeast(currency, "available", 0)] }
}

/** Minor units that are still held. */
export const heldOf = ({ amount, forfeited_amount, released_amount }: Reserve): number => amount - released_amount - forfeited_amount

/** All of it is available again, or part; or it stays with the operator. */
export const end = (
  reserve: Reserve,
  how: "release" | "forfeit",
  asked: number | undefined,
  at: DateTime.Utc
): Result.Result<ReserveDecision, InvalidState | ValidationError> => {
  if (!allows(reserveMachine, reserve.status, how)) {
    return Result.fail(
      new InvalidState({
        message: `Cannot ${how} a reserve that is closed: nothing of it is held any more.`,
        details: { state: reserve.status, allowed: triggersFrom(reserveMachine, reserve.status) }
      })
    )
  }
  const held = heldOf(reserve)
  const amount = asked ?? held
  if (amount > held) {
    return Result.fail(
      new ValidationError({
        code: "amount",
        message: `amount: ${amount} is more than the ${held} that is still held. Send at most that, or leave it out.`,
        details: { held }
      })
    )
  }
  const isLast = amount === held
  const next = change(reserve, at, {
    ...(how === "release"
      ? { released_amount: reserve.released_amount + amount }
      : { forfeited_amount: reserve.forfeited_amount + amount }),
    ...(isLast ? { status: "closed" as const, closed_at: at } : {})
  })
  return Result.succeed({
    reserve: next,
    entries: [posted(how === "release" ? "reserve_released" : "reserve_forfeited", amount, next)],
    requires: []
  })
}
