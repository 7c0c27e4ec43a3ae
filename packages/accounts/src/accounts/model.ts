/** The account: a merchant of this installation, live or sandbox for its whole life. */
import { ApiVersion, CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import { errorCode, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { resource } from "@svc/kernel/resource/model"
import { idSchema } from "@svc/kernel/values/ids"
import { oneLine } from "@svc/kernel/values/text"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import { Model } from "effect/schema"
import { AccountSettings, defaultSettings, SettingsPatch } from "./settings.ts"

export const AccountId = idSchema("acct", "AccountId")
export type AccountId = typeof AccountId.Type

export const accountStatuses = ["pending", "active", "suspended", "closed"] as const
export const AccountStatus = Schema.Literals(accountStatuses).annotate({ identifier: "AccountStatus" })
export type AccountStatus = typeof AccountStatus.Type

export type AccountTrigger = "create" | "activate" | "suspend" | "reactivate" | "close"
/** What an operator may do to an existing account. */
export type AccountMove = Exclude<AccountTrigger, "create">

export const AccountName = oneLine(200)

/** What an account may be granted. Without `charges` it takes no payments, without `payouts` it is not paid out. */
export const capabilityNames = ["charges", "payouts"] as const
export const Capability = Schema.Literals(capabilityNames).annotate({ identifier: "AccountCapability" })

/** What an operator may forbid an account that is active otherwise. */
export const restrictionNames = ["charges_disabled", "payouts_disabled"] as const
export const Restriction = Schema.Literals(restrictionNames).annotate({ identifier: "AccountRestriction" })

const Capabilities = Schema.Array(Capability).check(Schema.isUnique({ message: "must not name a capability twice" }))
const Restrictions = Schema.Array(Restriction).check(Schema.isUnique({ message: "must not name a restriction twice" }))

/** The installation's default fee applies where an account has none of its own. */
export const FeeTier = Schema.NullOr(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))).annotate({
  description: "Fee in basis points instead of the default; null means the default"
})

const payout = {
  payout_destination: Schema.NullOr(oneLine(255)),
  payout_method: Schema.NullOr(Schema.Literals(["bank_transfer", "usdc_wallet"])),
  settlement_asset: Schema.NullOr(Schema.Literals(["USD", "USDC"]))
}

/** A column that other tables determine: it is read with the account and never written. */
const Derived = <S extends Schema.Top>(schema: S) => Model.Field({ select: schema, json: schema })

/** Row and wire in one declaration. */
export const Account = resource({
  id: AccountId,
  name: AccountName,
  status: AccountStatus,
  /** Sandbox accounts use the simulated rails only, and keys named `_test_`. */
  sandbox: Schema.Boolean,
  /** How the newest active secret key begins. */
  api_key_prefix: Derived(Schema.NullOr(Schema.String)),
  /** What the operator granted. */
  capabilities: Capabilities,
  /** What the operator forbids. */
  restrictions: Restrictions,
  fee_tier_bps: FeeTier,
  ...payout,
  webhook_url: Derived(Schema.NullOr(Schema.String)),
  /** How payments are charged, checked and routed. */
  settings: AccountSettings,
  api_version: ApiVersion.annotate({
    description: "The version of the API in which the account is answered and told of events, unless a request names another"
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  version: Schema.Int
})
export type Account = typeof Account.Type

export const accountExample = {
  id: exampleId("acct"),
  name: "Acme",
  status: "active",
  sandbox: true,
  api_key_prefix: "sk_test_4f9Q",
  capabilities: ["charges", "payouts"],
  restrictions: [],
  fee_tier_bps: null,
  payout_destination: null,
  payout_method: null,
  settlement_asset: null,
  webhook_url: "https://example.com/webhooks",
  settings: defaultSettings,
  api_version: CURRENT_API_VERSION,
  created_at: EXAMPLE_TIME,
  updated_at: EXAMPLE_TIME,
  version: 1
} as const

export const AccountJson = Account.json.annotate({
  identifier: "Account",
  description: "A merchant of this installation, live or sandbox for its whole life."
}).pipe(Schema.annotateEncoded({ examples: [accountExample] }))
export type AccountJson = typeof AccountJson.Type

/** What an account may do from its first day; `restrictions` takes away, never adds. */
export const INITIAL_CAPABILITIES: ReadonlyArray<typeof Capability.Type> = capabilityNames

// ---------------------------------------------------------------------------------- requests

export const CreateAccountRequest = Schema.Struct({
  name: AccountName,
  sandbox: Schema.Boolean,
  fee_tier_bps: Schema.optionalKey(FeeTier),
  /** `pending` accounts wait for the operator to activate them. */
  status: Schema.optionalKey(Schema.Literals(["active", "pending"]))
}).annotate({ identifier: "CreateAccountRequest", examples: [{ name: "Acme", sandbox: true }] })
export type CreateAccountRequest = typeof CreateAccountRequest.Type

/**
 * A number of a bank account belongs into a transfer instrument, which seals it: here it would be read by everybody who reads the account.
 */
const PayoutDestination = Schema.NullOr(Schema.String.check(
  Schema.isPattern(/^ti_[0-7][0-9A-HJKMNP-TV-Z]{25}$/u, {
    message: "must be the id of a transfer instrument of yours, ti_ and 26 characters. Create one with POST /v1/transfer_instruments"
  })
)).annotate({ description: "The transfer instrument that the schedule pays to, in its currency; null for the default of `payout_method`" })

export const UpdateAccountRequest = Schema.Struct({
  name: Schema.optionalKey(AccountName),
  payout_destination: Schema.optionalKey(PayoutDestination),
  payout_method: Schema.optionalKey(payout.payout_method),
  settlement_asset: Schema.optionalKey(payout.settlement_asset),
  api_version: Schema.optionalKey(
    ApiVersion.annotate({
      description:
        "The version to be answered and told of events in from now on, of GET /v1/api_versions: one that is neither deprecated nor has ended"
    })
  ),
  /** Merged into the settings key by key. */
  settings: Schema.optionalKey(SettingsPatch),
  version: Schema.optionalKey(
    Schema.Int.check(Schema.isGreaterThan(0)).annotate({
      description: "The version you read; the update is refused when it is no longer the current one"
    })
  )
}).annotate({ identifier: "UpdateAccountRequest", examples: [{ settlement_asset: "USDC", payout_method: "usdc_wallet", version: 1 }] })
export type UpdateAccountRequest = typeof UpdateAccountRequest.Type

/** What an update may change. */
export type AccountPatch = Omit<UpdateAccountRequest, "version">

const { dispute_fee, fee_bps, fee_fixed, fee_refund_policy, payout_fee } = AccountSettings.fields

/** The operator's side of an account. What was captured before keeps the fee it was charged. */
export const UpdateTermsRequest = Schema.Struct({
  fee_bps: Schema.optionalKey(
    Schema.toType(fee_bps).annotate({ description: "Basis points of each capture, unless `fee_tier_bps` is set" })
  ),
  fee_fixed: Schema.optionalKey(Schema.toType(fee_fixed).annotate({ description: "Minor units added to each fee" })),
  dispute_fee: Schema.optionalKey(Schema.toType(dispute_fee).annotate({ description: "Minor units of each dispute" })),
  payout_fee: Schema.optionalKey(Schema.toType(payout_fee).annotate({ description: "Minor units of each payout" })),
  fee_refund_policy: Schema.optionalKey(
    Schema.toType(fee_refund_policy).annotate({ description: "Whether a refund gives back its part of the fee" })
  ),
  fee_tier_bps: Schema.optionalKey(FeeTier),
  capabilities: Schema.optionalKey(Capabilities.annotate({ description: "What the account may do, in place of what it could" })),
  api_version: UpdateAccountRequest.fields.api_version,
  restrictions: Schema.optionalKey(
    Restrictions.annotate({ description: "What it may not do all the same, in place of what was forbidden; an empty list forbids nothing" })
  ),
  version: UpdateAccountRequest.fields.version
}).annotate({ identifier: "UpdateTermsRequest", examples: [{ fee_bps: 250, fee_fixed: 25, fee_refund_policy: "proportional" }] })
export type UpdateTermsRequest = typeof UpdateTermsRequest.Type

/** What an operator sets: fees, what is granted and what is forbidden. */
export type TermsPatch = Omit<UpdateTermsRequest, "version">

/** What a list may be narrowed to; the names are those of the query. */
export interface AccountFilter {
  readonly status?: AccountStatus
  readonly sandbox?: boolean
  /** An id or a name, exactly. */
  readonly q?: string
}

// ------------------------------------------------------------------------------------ errors

const suspended = errorCode(
  "account_suspended",
  403,
  "The account may not do this: it is pending, suspended or closed, or the operator restricted it.",
  "`details` says where it stands. Reads, refunds and answers to disputes still work; contact the operator.",
  {
    example: { details: { activity: "charge", status: "suspended", capabilities: ["charges", "payouts"], restrictions: [] } }
  }
)

/** 403. The account is pending, suspended or closed, or restricted from this. */
export class AccountSuspended extends Schema.Error<AccountSuspended>("AccountSuspended")(
  wireFields("AccountSuspended", suspended),
  wireAnnotations(suspended)
) {}
