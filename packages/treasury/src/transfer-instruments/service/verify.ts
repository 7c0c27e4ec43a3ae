/** Verifies a transfer instrument: asks its bank, or compares the amounts of the small deposits. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { Keyring } from "@svc/platform/encryption/keyring"
import { type DateTime, Effect } from "effect"
import type { TransferInstrument, VerifyTransferInstrumentRequest } from "../model.ts"
import { areDeposits, confirm } from "../provider/bank.ts"
import * as rules from "../rules.ts"

/** An instrument of an account. With `version`, the verb acts only on that version. */
export interface InstrumentTarget {
  readonly account: AccountFacts
  readonly id: string
  readonly version?: number | undefined
}

const live = () =>
  new InvalidState({
    message:
      "Cannot verify it here: this installation has no connection to banks that confirms accounts of live merchants. The operator can " +
      "add one.",
    details: { state: "pending", allowed: ["archive"] }
  })

const noAmounts = () =>
  new ValidationError({
    code: "amounts",
    message: "amounts: micro_deposits compares the two amounts that arrived. Send both, for example [32, 45]."
  })

export const makeVerify = Effect.map(Keyring, (keyring) =>
  Effect.fnUntraced(
    function*(
      instrument: TransferInstrument,
      { account, version }: InstrumentTarget,
      request: VerifyTransferInstrumentRequest,
      at: DateTime.Utc
    ) {
      if (!account.sandbox) return yield* live()
      if (request.method === "micro_deposits" && request.amounts === undefined) return yield* noAmounts()
      if (request.amounts !== undefined) {
        return yield* Effect.fromResult(
          areDeposits(request.amounts) ? rules.verify(instrument, account, at, version) : rules.tryAgain(instrument, at, version)
        )
      }
      const confirmation = confirm(yield* Effect.orDie(keyring.open(instrument.sealed, instrument.id)))
      return yield* Effect.fromResult(
        confirmation._tag === "Confirmed"
          ? rules.verify(instrument, account, at, version)
          : rules.fail(instrument, confirmation.reason, at, version)
      )
    }
  ))
