/**
 * What a pay page sells, inside its address. The address is sealed: nobody can make one or change one, and who sees it learns nothing. So a
 * page needs no row before somebody pays, and an unpaid call leaves none.
 */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { callKeyOf } from "@svc/metering/credit-grants/model"
import { type SoldPlan, soldPlans } from "@svc/metering/plans/model"
import type { Cents } from "@svc/tool-kit/call"
import { DateTime, Option, type Redacted, Schema } from "effect"
import type { Admitted } from "../gate/admitted.ts"
import { open, seal } from "../payment/sealed.ts"
import { CreditPurchaseId } from "./model.ts"
import { expiryFrom } from "./rules.ts"

export interface Offer {
  /** The purchase that paying makes, or that is there already. */
  readonly purchase: CreditPurchaseId
  /** Undefined where nobody knows whose the call is. */
  readonly account: string | undefined
  readonly cents: Cents
  readonly plan: SoldPlan | null
  /** The tool whose call asked for it. */
  readonly tool: string | null
  /** The call of the offer, as `callKeyOf` names it. */
  readonly pays_for: string | null
  readonly expires_at: DateTime.Utc
}

/** What else is sealed by this secret is no offer. */
const KIND = "pay"

// In this order, without names: an address has to fit where addresses are shown.
const Sealed = Schema.Tuple([
  Schema.Literal(KIND),
  Schema.NullOr(Schema.String),
  Schema.String,
  Schema.Int,
  Schema.NullOr(Schema.Literals(soldPlans)),
  Schema.NullOr(Schema.String),
  Schema.NullOr(Schema.String),
  Schema.Int
])
const decode = Schema.decodeUnknownOption(fromJsonText(Sealed))
const isPurchaseId = Schema.is(CreditPurchaseId)

const bare = (id: string): string => id.slice(id.indexOf("_") + 1)

/** The purchase that a call's page makes: one a call, however often the page is paid. */
export const purchaseOf = (callId: string): CreditPurchaseId => CreditPurchaseId.make(`cpur_${bare(callId)}`)

/** What the page of an unpaid call sells: what it costs, in credits that pay for it, or the plan that it needs. */
export const offerOf = (
  { arguments_sha256, call, caller, tool }: Admitted,
  sold: { readonly cents: Cents; readonly plan?: SoldPlan },
  at: DateTime.Utc
): Offer => ({
  purchase: purchaseOf(call.id),
  account: caller?.account.id,
  cents: sold.cents,
  plan: sold.plan ?? null,
  tool: tool.name,
  pays_for: sold.plan === undefined ? callKeyOf({ tool: tool.name, mode: call.mode, arguments_sha256 }) : null,
  expires_at: expiryFrom(at)
})

export const sealOffer = (
  secret: Redacted.Redacted<string>,
  { account, cents, expires_at, pays_for, plan, purchase, tool }: Offer
): string =>
  seal(
    secret,
    JSON.stringify([
      KIND,
      account === undefined ? null : bare(account),
      bare(purchase),
      cents,
      plan,
      tool,
      pays_for,
      Math.floor(expires_at.epochMilliseconds / 1000)
    ])
  )

/** Undefined for what was not sealed here. */
export const openOffer = (secret: Redacted.Redacted<string>, text: string): Offer | undefined => {
  const sealed = open(secret, text)
  const decoded = sealed === undefined ? undefined : Option.getOrUndefined(decode(sealed))
  if (decoded === undefined) return undefined
  const [, account, purchase, cents, plan, tool, pays_for, expires] = decoded
  const id = `cpur_${purchase}`
  return isPurchaseId(id)
    ? {
      account: account === null ? undefined : `acct_${account}`,
      purchase: id,
      cents,
      plan,
      tool,
      pays_for,
      expires_at: DateTime.makeUnsafe(expires * 1000)
    }
    : undefined
}
