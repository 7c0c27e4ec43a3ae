/** What the policy of an agent key says of a payment. Pure. */
import { AgentKeyId, type AgentPolicy } from "@svc/accounts/agent-keys/model"
import { exponentOf } from "@svc/kernel/values/currency"
import { budgeted } from "@svc/metering/tool-calls/rules"
import type { AgentTerms } from "@svc/payments/payment-intents/model/agent-terms"
import type { Ratio } from "@svc/payments/rates/model"
import type { Cents } from "@svc/tool-kit/call"
import { type DateTime, Result } from "effect"
import { type AgentPayment, NotAllowed, type PayingAgent } from "./model.ts"

const refused = (code: NotAllowed["code"], detail: string) => Result.fail(new NotAllowed({ code, detail }))

/** Whether these currencies are among those that the key may use. */
export const currenciesAllowed = (
  { allowed_currencies: allowed }: AgentPolicy,
  ...currencies: ReadonlyArray<string>
): Result.Result<void, NotAllowed> => {
  const other = currencies.find((currency) => allowed?.includes(currency) === false)
  return other === undefined
    ? Result.void
    : refused("AGENT_CURRENCY_NOT_ALLOWED", `${other} is not among ${allowed?.join(", ") || "its currencies, which are none"}.`)
}

/** Whether one payment may come to this, in minor units of its own currency. */
export const amountAllowed = ({ max_amount_minor_cents: most }: AgentPolicy, amount: number): Result.Result<void, NotAllowed> =>
  most === undefined || amount <= most
    ? Result.void
    : refused("AGENT_AMOUNT_NOT_ALLOWED", `It is ${amount} minor units, and one payment may come to ${most}.`)

/**
 * The rails that may be tried, of those that could take the payment; null where the policy and the agent leave it open. Fails when none is
 * left.
 */
export const railsAllowed = (
  { allowed_providers: allowed }: AgentPolicy,
  wanted: string | undefined,
  able: ReadonlyArray<string>
): Result.Result<ReadonlyArray<string> | null, NotAllowed> => {
  const listed = allowed?.join(", ") || "its providers, which are none"
  if (wanted !== undefined) {
    return allowed?.includes(wanted) === false
      ? refused("AGENT_PROVIDER_NOT_ALLOWED", `${wanted} is not among ${listed}.`)
      : Result.succeed([wanted])
  }
  if (allowed === undefined) return Result.succeed(null)
  return able.some((name) => allowed.includes(name)) || (able.length === 0 && allowed.length > 0)
    ? Result.succeed(allowed)
    : refused(
      "AGENT_PROVIDER_NOT_ALLOWED",
      able.length === 0 ? `It may use none.` : `This payment can be taken by ${able.join(", ")}, none of which is among ${listed}.`
    )
}

/** US cents that an amount counts against budgets; a part of a cent is a cent. */
export const centsOf = (amount: number, currency: string, { denominator, numerator }: Ratio): Cents => {
  const top = BigInt(amount) * numerator * 100n
  const bottom = denominator * 10n ** BigInt(exponentOf(currency))
  return Number((top + bottom - 1n) / bottom)
}

/** The limits that a payment is allowed within. `rate` is dollars for its currency; undefined where no budget needs it. */
export interface PaymentAllowance {
  readonly rails: ReadonlyArray<string> | null
  readonly rate: Ratio | undefined
  readonly at: DateTime.Utc
}

/** The terms that the payment keeps: what was allowed when it was made. */
export const termsOf = (
  { chain, id, policy }: PayingAgent,
  { amount, currency }: AgentPayment,
  { at, rails, rate }: PaymentAllowance
): AgentTerms => ({
  key_id: AgentKeyId.make(id),
  rails,
  review: policy.require_approval_above !== undefined && amount > policy.require_approval_above,
  budgets: rate === undefined ? [] : budgeted(chain, centsOf(amount, currency, rate), at).map(({ name: _, ...share }) => share)
})
