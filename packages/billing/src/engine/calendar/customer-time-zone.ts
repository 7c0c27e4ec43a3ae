/** The time zone in which a customer is billed and reads dates: on invoices, in mails, in checkout and in the portal. */
import type { AccountSettings } from "@svc/accounts/accounts/settings"
import type { TimeZone } from "@svc/kernel/values/time-zone"

/** The zone of the subscription; without a subscription, or if it has no zone yet, the zone of the account. */
export const timeZoneOf = (
  subscription: { readonly time_zone?: TimeZone } | undefined,
  { settings: { billing } }: { readonly settings: Pick<AccountSettings, "billing"> }
): TimeZone => subscription?.time_zone ?? billing.time_zone
