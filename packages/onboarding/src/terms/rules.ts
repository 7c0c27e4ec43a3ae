/** Which terms can be accepted, and what an acceptance is. Pure. */
import { AccountId } from "@svc/accounts/accounts/model"
import { ValidationError } from "@svc/kernel/resource/errors"
import { type DateTime, Result } from "effect"
import { type TermsAcceptance, TermsAcceptanceId } from "./model.ts"

/** Fails for another version than the present one: nobody accepts what does not hold. */
export const checkVersion = (version: string, current: string): Result.Result<void, ValidationError> =>
  version === current ? Result.void : Result.fail(
    new ValidationError({
      code: "version",
      message: `version: the terms are of ${current}, not of ${version}. Read them with GET /v1/terms, and accept ${current}.`,
      details: { current }
    })
  )

export interface NewAcceptance extends Pick<TermsAcceptance, "terms_version" | "accepted_by" | "accepted_at"> {
  readonly id: string
  readonly account: string
  /** The account's own time. */
  readonly at: DateTime.Utc
}

export const acceptance = ({ account, at, id, ...accepted }: NewAcceptance): TermsAcceptance => ({
  ...accepted,
  id: TermsAcceptanceId.make(id),
  merchant_id: AccountId.make(account),
  created_at: at,
  updated_at: at,
  version: 1
})
