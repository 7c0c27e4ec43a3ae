/** What an account may set about how its payments are charged, checked and routed. */
import { Country, StoredCountry } from "@svc/kernel/values/country"
import { Currency } from "@svc/kernel/values/currency"
import { oneLine } from "@svc/kernel/values/text"
import { DEFAULT_TIME_ZONE, TimeZone } from "@svc/kernel/values/time-zone"
import { Effect, Schema, Struct } from "effect"

const Whole = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 99_999_999_999 }))

/** A routing rule: every condition given must hold; its rails are then tried in order. */
export const RoutingRule = Schema.Struct({
  name: Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(80)),
  currency: Schema.optionalKey(Currency),
  /** Minor units, inclusive. */
  min_amount: Schema.optionalKey(Whole),
  /** Minor units, inclusive. */
  max_amount: Schema.optionalKey(Whole),
  country: Schema.optionalKey(StoredCountry),
  method: Schema.optionalKey(Schema.Literals(["card", "bank_account", "usdc_wallet"])),
  metadata: Schema.optionalKey(Schema.Record(Schema.String, Schema.String)),
  /** Names of rails. One that is not installed is left out, and the routing log says so. */
  rails: Schema.Array(Schema.String.check(Schema.isPattern(/^[a-z][a-z0-9_]{0,39}$/u, { message: "must be the name of a rail" }))).check(
    Schema.isMinLength(1),
    Schema.isMaxLength(20)
  )
}).annotate({ identifier: "RoutingRule" })
export type RoutingRule = typeof RoutingRule.Type

const DaysBetween = Schema.Array(Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: 30 }, { message: "must be from 1 to 30 days" })))
  .check(Schema.isMaxLength(15))

/**
 * `derived` spreads the plan's grace evenly over 4 tries. `polar21` tries 2, 5, 7 and 7 days after one another, `stripe14` eight times
 * in 14 days, and a list is the days between one try and the next: `[1, 3]` tries on days 0, 1 and 4.
 */
export const DunningPreset = Schema.Union([
  Schema.Literals(["derived", "polar21", "stripe14"]),
  DaysBetween
]).annotate({
  identifier: "DunningPreset",
  description: "How failed charges are tried again: a preset, or the days between one try and the next"
})
export type DunningPreset = typeof DunningPreset.Type

const DEFAULT_TIME_ZONE_TEXT = "Name of the time zone, in the IANA database, of subscriptions that are made without one, and of invoices " +
  "without a subscription. A subscription keeps the zone that it was made with"

const billing = {
  dunning: DunningPreset,
  on_exhaustion: Schema.Literals(["cancel", "pause"]).annotate({
    description: "What becomes of a subscription whose cycle has failed for good"
  }),
  invoice_prefix: Schema.NullOr(
    Schema.String.check(Schema.isPattern(/^[A-Z0-9]{1,12}$/u, { message: "must be 1 to 12 capital letters and digits, for example ACME" }))
  ).annotate({
    description: "Before the number of each invoice; null for one from the account's name"
  }),
  time_zone: TimeZone.annotate({ identifier: "DefaultTimeZone", description: DEFAULT_TIME_ZONE_TEXT })
}

/** How an account bills its subscriptions. A key that is left out has its default. */
export const BillingSettings = Schema.Struct({
  dunning: billing.dunning.pipe(Schema.withDecodingDefaultKey(Effect.succeed("derived" as const))),
  on_exhaustion: billing.on_exhaustion.pipe(Schema.withDecodingDefaultKey(Effect.succeed("cancel" as const))),
  invoice_prefix: billing.invoice_prefix.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  // Any text: a name that a later release of the database has no more is still read.
  time_zone: Schema.String.annotate({ description: DEFAULT_TIME_ZONE_TEXT }).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(DEFAULT_TIME_ZONE))
  )
}).annotate({ identifier: "BillingSettings" })
export type BillingSettings = typeof BillingSettings.Type

export const portalActions = ["cancel", "change_plan", "update_payment_method", "pause", "update_details"] as const
export type PortalAction = (typeof portalActions)[number]

const portal = {
  actions: Schema.Array(Schema.Literals(portalActions)).check(Schema.isUnique()).annotate({
    description:
      "What a customer may do; whatever is not named is not on the pages and refused with 403. At first `cancel`, `change_plan` and `update_payment_method`"
  }),
  plans: Schema.NullOr(Schema.Array(Schema.String).check(Schema.isMaxLength(100))).annotate({
    description: "The plans that a customer may change to; null for each active plan in the same currency"
  })
}

/** What customers may do by themselves in the portal. What is not named is not on the page, and forbidden. */
export const PortalSettings = Schema.Struct({
  actions: portal.actions.pipe(Schema.withDecodingDefaultKey(Effect.succeed(["cancel", "change_plan", "update_payment_method"] as const))),
  plans: portal.plans.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
}).annotate({ identifier: "PortalSettings" })
export type PortalSettings = typeof PortalSettings.Type

export const payoutSchedules = ["manual", "daily", "weekly"] as const

const payouts = {
  schedule: Schema.Literals(payoutSchedules).annotate({
    description: "When what is available is paid out by itself: never, each day, or each Monday, in UTC of the account's clock"
  }),
  minimum: Schema.Int.check(Schema.isBetween({ minimum: 100, maximum: 99_999_999_999 })).annotate({
    description: "Minor units that must be available before the schedule pays out; less waits for the next time"
  })
}

/** When an account is paid out. Where to says `payout_destination`. A key that is left out has its default. */
export const PayoutSettings = Schema.Struct({
  schedule: payouts.schedule.pipe(Schema.withDecodingDefaultKey(Effect.succeed("manual" as const))),
  minimum: payouts.minimum.pipe(Schema.withDecodingDefaultKey(Effect.succeed(100)))
}).annotate({ identifier: "PayoutSettings" })
export type PayoutSettings = typeof PayoutSettings.Type

const people = {
  second_look_above: Schema.NullOr(Whole).annotate({
    description:
      "Refunds and payouts that a person asks for above this many minor units of `currency` wait for another person; null for none. " +
      "Amounts in other currencies are compared at the rate of the day"
  }),
  currency: Currency
}

/** What people may do alone. Keys are not asked. A key that is left out has its default. */
export const PeopleSettings = Schema.Struct({
  second_look_above: people.second_look_above.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  currency: people.currency.pipe(Schema.withDecodingDefaultKey(Effect.succeed("USD" as const)))
}).annotate({ identifier: "PeopleSettings" })
export type PeopleSettings = typeof PeopleSettings.Type

const peopleDefaults: PeopleSettings = { second_look_above: null, currency: "USD" }
const payoutDefaults: PayoutSettings = { schedule: "manual", minimum: 100 }
const billingDefaults: BillingSettings = {
  dunning: "derived",
  on_exhaustion: "cancel",
  invoice_prefix: null,
  time_zone: DEFAULT_TIME_ZONE
}
const portalDefaults: PortalSettings = { actions: ["cancel", "change_plan", "update_payment_method"], plans: null }

/** Platform fee defaults: 2.9 % and 30 minor units. */
const defaults = { fee_bps: 290, fee_fixed: 30, dispute_fee: 1_500, payout_fee: 0 }

/** The days from a capture until its money is on its way. */
const SettlementDelay = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 30 }))

const MOST_COUNTRIES = Schema.isMaxLength(250)
const MOST_RULES = Schema.isMaxLength(100)
const Countries = Schema.Array(StoredCountry).check(MOST_COUNTRIES)
const Rules = Schema.Array(RoutingRule).check(MOST_RULES)

/** A routing rule as it is sent. */
const RoutingRuleSent = Schema.Struct({ ...RoutingRule.fields, country: Schema.optionalKey(Country) }).annotate({
  identifier: "RoutingRuleRequest"
})

/**
 * Whether an address has a host of letters, digits, dots, dashes and underscores, or an address in numbers. Others, such as one with a
 * comma, are hosts to the URL standard, and would be two sources, or two policies, in a Content-Security-Policy.
 */
export const hasPlainHost = (url: string): boolean => URL.canParse(url) && /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])$/u.test(new URL(url).hostname)

const branding = {
  color: Schema.NullOr(Schema.String.check(Schema.isPattern(/^#[0-9a-fA-F]{6}$/u, { message: "must be a colour such as #0a7cff" })))
    .annotate({
      description: "Of buttons and links. The text on it is black or white, whichever can be read; null for the plain look"
    }),
  logo_url: Schema.NullOr(
    Schema.String.check(
      Schema.isPattern(/^https:\/\/[\x21\x23-\x26\x28-\x3b\x3d\x3f-\x7e]{1,2000}$/u, { message: "must be an https address of an image" }),
      Schema.makeFilter((url: string) => URL.canParse(url), { message: "must be an https address of an image", toJsonSchema: () => ({}) })
    ).annotate({ examples: ["https://example.com/logo.png"] })
  ).annotate({ description: "An image, shown 36 pixels high" }),
  name: Schema.NullOr(oneLine(80)).annotate({ description: "What customers know the merchant by; null for the account's name" })
}

/** What the pages that a merchant's customers see look like. */
export const Branding = Schema.Struct({
  color: branding.color.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  logo_url: branding.logo_url.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  name: branding.name.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
}).annotate({ identifier: "Branding" })
export type Branding = typeof Branding.Type

const plain: Branding = { color: null, logo_url: null, name: null }

const legalUrl = (what: string) =>
  Schema.NullOr(
    Schema.String.check(
      Schema.isPattern(/^https:\/\/[\x21\x23-\x26\x28-\x3b\x3d\x3f-\x7e]{1,2000}$/u, { message: "must be an https address of a page" }),
      Schema.makeFilter((url: string) => URL.canParse(url), { message: "must be an https address of a page", toJsonSchema: () => ({}) })
    ).annotate({ examples: ["https://example.com/terms"] })
  ).annotate({ description: `The page of ${what}, to which checkout, portal and invoices link; null for none` })

const legal = {
  terms_url: legalUrl("the terms of sale"),
  privacy_url: legalUrl("the privacy policy"),
  imprint_url: legalUrl("the imprint")
}

/** What a customer agrees to, and with whom. */
export const LegalSettings = Schema.Struct({
  terms_url: legal.terms_url.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  privacy_url: legal.privacy_url.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  imprint_url: legal.imprint_url.pipe(Schema.withDecodingDefaultKey(Effect.succeed(null)))
}).annotate({ identifier: "LegalSettings" })
export type LegalSettings = typeof LegalSettings.Type

const noLegal: LegalSettings = { terms_url: null, privacy_url: null, imprint_url: null }

export const AccountSettings = Schema.Struct({
  /** Basis points of each capture; the account's `fee_tier_bps` overrides it. */
  fee_bps: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(defaults.fee_bps))
  ),
  /** Minor units added to each fee. */
  fee_fixed: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(defaults.fee_fixed))
  ),
  /** Minor units of each dispute. */
  dispute_fee: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(defaults.dispute_fee))
  ),
  /** Minor units of each payout. */
  payout_fee: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 100_000 })).pipe(
    Schema.withDecodingDefaultKey(Effect.succeed(defaults.payout_fee))
  ),
  fee_refund_policy: Schema.Literals(["none", "proportional"]).pipe(Schema.withDecodingDefaultKey(Effect.succeed("none" as const))),
  billing: BillingSettings.pipe(Schema.withDecodingDefaultKey(Effect.succeed(billingDefaults))),
  portal_settings: PortalSettings.pipe(Schema.withDecodingDefaultKey(Effect.succeed(portalDefaults))),
  payouts: PayoutSettings.pipe(Schema.withDecodingDefaultKey(Effect.succeed(payoutDefaults))),
  people: PeopleSettings.pipe(Schema.withDecodingDefaultKey(Effect.succeed(peopleDefaults))),
  /** Authorizations above this many minor units wait for a reviewer; null asks nobody. */
  require_approval_above: Schema.NullOr(Whole).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  /** Payment intents above this many minor units are blocked at creation; null blocks none. */
  block_above: Schema.NullOr(Whole).pipe(Schema.withDecodingDefaultKey(Effect.succeed(null))),
  /** Payment intents from these countries are blocked at creation. */
  blocked_countries: Countries.pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  routing: Rules.pipe(Schema.withDecodingDefaultKey(Effect.succeed([]))),
  /** Days from capture to settlement, by the account's clock. */
  settlement_delay_days: SettlementDelay.pipe(Schema.withDecodingDefaultKey(Effect.succeed(2))),
  branding: Branding.pipe(Schema.withDecodingDefaultKey(Effect.succeed(plain))),
  legal: LegalSettings.pipe(Schema.withDecodingDefaultKey(Effect.succeed(noLegal)))
}).annotate({ identifier: "AccountSettings" })
export type AccountSettings = typeof AccountSettings.Type

/** Stricter than what is stored: rows of earlier versions have to be read. */
const LogoUrl = Schema.NullOr(
  Schema.String.check(
    Schema.isPattern(/^https:\/\/[\x21\x23-\x26\x28-\x3b\x3d\x3f-\x7e]{1,2000}$/u, { message: "must be an https address of an image" }),
    Schema.makeFilter(hasPlainHost, {
      message: "must be an https address of an image, on a host of letters, digits, dots and dashes",
      toJsonSchema: () => ({})
    })
  ).annotate({ examples: ["https://example.com/logo.png"] })
).annotate({ description: "An image, shown 36 pixels high" })

const patchOf = <const Fields extends Schema.Struct.Fields>(fields: Fields, identifier: string) =>
  Schema.optionalKey(Schema.Struct(fields).mapFields(Struct.map(Schema.optionalKey)).annotate({ identifier }))

/**
 * What a merchant may change of its settings; fees are the operator's. Keys left out stay as they are, also those of `billing`,
 * `portal_settings`, `payouts`, `people`, `branding` and `legal`.
 */
export const SettingsPatch = Schema.Struct({
  billing: patchOf(billing, "BillingSettingsPatch"),
  portal_settings: patchOf(portal, "PortalSettingsPatch"),
  payouts: patchOf(payouts, "PayoutSettingsPatch"),
  people: patchOf(people, "PeopleSettingsPatch"),
  require_approval_above: Schema.optionalKey(Schema.NullOr(Whole)),
  block_above: Schema.optionalKey(Schema.NullOr(Whole)),
  blocked_countries: Schema.optionalKey(Schema.Array(Country).check(MOST_COUNTRIES)),
  routing: Schema.optionalKey(Schema.Array(RoutingRuleSent).check(MOST_RULES)),
  settlement_delay_days: Schema.optionalKey(SettlementDelay),
  branding: patchOf({ ...branding, logo_url: LogoUrl }, "BrandingPatch"),
  legal: patchOf(legal, "LegalSettingsPatch")
}).annotate({ identifier: "SettingsPatch" })
export type SettingsPatch = typeof SettingsPatch.Type

/** The settings with what is sent in its place. */
export const withPatch = (
  settings: AccountSettings,
  { billing, branding, legal: links, payouts, people: rights, portal_settings, ...rest }: SettingsPatch
): AccountSettings => ({
  ...settings,
  ...rest,
  billing: { ...settings.billing, ...billing },
  portal_settings: { ...settings.portal_settings, ...portal_settings },
  payouts: { ...settings.payouts, ...payouts },
  people: { ...settings.people, ...rights },
  branding: { ...settings.branding, ...branding },
  legal: { ...settings.legal, ...links }
})

export const decodeSettings = Schema.decodeUnknownSync(AccountSettings)
export const defaultSettings: AccountSettings = decodeSettings({})
