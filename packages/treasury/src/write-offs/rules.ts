/** When a debt is written off, and what that does to the books. Pure. */
import { AccountId } from "@svc/accounts/accounts/model"
import { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import type { Entry } from "@svc/kernel/road/decision"
import type { BalanceAccount } from "@svc/ledger/balances/model"
import { post } from "@svc/ledger/financial-events/routes"
import { type DateTime, Result } from "effect"
import { type CreateWriteOffRequest, WriteOff, type WriteOffId } from "./model.ts"

export interface WriteOffDecision {
  readonly writeOff: WriteOff
  readonly entries: ReadonlyArray<Entry>
}

type Buckets = Pick<BalanceAccount, "available" | "pending" | "reserved">

const empty: Buckets = { available: 0, pending: 0, reserved: 0 }

const nothingOwed = (currency: string, { available }: Buckets): InvalidState =>
  new InvalidState({
    message: `The account owes nothing in ${currency}: its available balance is ${available}. Only a balance below zero is written off.`,
    details: { state: "not_owed", allowed: [], available }
  })

const underWay = (currency: string, { available, pending, reserved }: Buckets): InvalidState =>
  new InvalidState({
    message: `The account owes ${-available} minor units of ${currency}, and ${
      pending + reserved
    } of its money are still pending or reserved, which may pay that. Wait until they have settled, then write off what is left.`,
    details: { state: "under_way", allowed: [], available, pending, reserved }
  })

/**
 * Writes off what an account owes, or part of it, as soon as no money is under way that could pay it. The platform bears it by its fees, as
 * it bears a mismatch that is written off.
 */
export const writeOff = (
  id: WriteOffId,
  { amount: asked, currency, merchant_id, reason }: CreateWriteOffRequest,
  balance: Buckets | undefined,
  at: DateTime.Utc
): Result.Result<WriteOffDecision, InvalidState | ValidationError> => {
  const buckets = balance ?? empty
  const owed = -buckets.available
  if (owed <= 0) return Result.fail(nothingOwed(currency, buckets))
  if (buckets.pending > 0 || buckets.reserved > 0) return Result.fail(underWay(currency, buckets))
  const amount = asked ?? owed
  if (amount > owed) {
    return Result.fail(
      new ValidationError({
        code: "amount",
        message:
          `amount: ${amount} is more than the ${owed} minor units of ${currency} that the account owes. Send at most that, or leave it ` +
          "out.",
        details: { owed }
      })
    )
  }
  return Result.succeed({
    writeOff: { id, merchant_id: AccountId.make(merchant_id), amount, currency, reason, created_at: at, version: 1 },
    entries: [post("fee_refunded", { amount, currency, resource_type: "write_off", resource_id: id, through_pending: 0 })]
  })
}
