/** The checks before a payout: whether the account is verified, and where scheduled payouts go. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { LegalEntities } from "@svc/accounts/legal-entities/service"
import { Effect, Option } from "effect"
import type { TransferInstrument } from "../../transfer-instruments/model.ts"
import { TransferInstruments } from "../../transfer-instruments/service.ts"

/** The checks of an account and its instruments before a payout. */
export const makePayoutChecks = Effect.gen(function*() {
  const accounts = yield* Accounts
  const entities = yield* LegalEntities
  const instruments = yield* TransferInstruments

  /** Whether a legal entity of a live account is verified: the entity of the instrument, if the instrument names one. */
  const isVerified = Effect.fnUntraced(function*({ id, sandbox }: AccountFacts, { legal_entity_id }: TransferInstrument) {
    if (sandbox) return true
    if (legal_entity_id !== null) {
      return yield* Effect.match(entities.get(id, legal_entity_id), {
        onFailure: () => false,
        onSuccess: (entity) => entity.verification_status === "verified"
      })
    }
    return (yield* entities.list(id, { verification_status: "verified" }, { page: 1, per_page: 1 })).data.length > 0
  })

  /**
   * The destination of scheduled payouts: the account's setting if it has this currency, else the default instrument of the payout method.
   * Undefined while the set destination is not active: the merchant did not choose the default.
   */
  const destinationOf = Effect.fnUntraced(function*(account: string, currency: string) {
    const { payout_destination, payout_method } = yield* accounts.get(AccountId.make(account))
    if (payout_destination !== null) {
      const named = Option.getOrUndefined(yield* Effect.option(instruments.get(account, payout_destination)))
      if (named === undefined) return undefined
      if (named.currency === currency) return named.status === "active" ? named : undefined
    }
    return yield* instruments.standard(account, { type: payout_method === "usdc_wallet" ? "usdc_wallet" : "bank_account", currency })
  })

  return { isVerified, destinationOf }
})
