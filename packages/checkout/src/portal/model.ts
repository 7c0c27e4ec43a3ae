/** What pages of the portal are made of: what is known of the customer when one is shown. */
import type { Account } from "@svc/accounts/accounts/model"
import type { PortalAction } from "@svc/accounts/accounts/settings"
import type { Invoice } from "@svc/billing/invoices/model"
import type { Plan } from "@svc/billing/plans/model"
import type { Subscription } from "@svc/billing/subscriptions/model"
import type { PlanChangePreview } from "@svc/billing/subscriptions/model/changes"
import type { PaymentMethod } from "@svc/payments/payment-methods/model"
import type { Tongue } from "../i18n/locale.ts"
import type { Owed } from "../owed/model.ts"
import type { PortalSession } from "../portal-sessions/model.ts"

/** What can be done with a subscription on its card. */
export const verbs = ["change_plan", "cancel", "uncancel", "pause", "resume"] as const
export type Verb = (typeof verbs)[number]

/** Whose page it is, in which language, and where. */
export interface Visit {
  readonly session: PortalSession
  readonly account: Account
  readonly tongue: Tongue
  /** The overview, as a path without a slash at the end. */
  readonly path: string
  readonly allowed: ReadonlyArray<PortalAction>
}

/** A subscription with what its card tells of it. */
export interface Held {
  readonly subscription: Subscription
  readonly plan: Plan
  /** That of a change which is still to happen. */
  readonly pending: Plan | undefined
  readonly method: PaymentMethod | undefined
  /** Of one that is past due: what is owed. */
  readonly owed: Owed | undefined
  readonly offered: ReadonlyArray<Verb>
}

/** What is owed, and for which plan: customers know a subscription by it. */
export interface OwedFor extends Owed {
  readonly plan: Plan
}

/** An invoice, and the zone that its dates are told in. */
export interface Billed {
  readonly invoice: Invoice
  readonly time_zone: string
  /** Whether it can be paid here. */
  readonly payable: boolean
}

export interface Kept {
  readonly method: PaymentMethod
  /** Whether payments are made with it. */
  readonly usual: boolean
  readonly expired: boolean
}

export interface Previewed extends Held {
  readonly to: Plan
  readonly preview: PlanChangePreview
}
