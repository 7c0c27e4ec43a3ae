/** What the service is made of: its packages, from the lowest floor up. Nothing in the server names a resource. */
import { accounts } from "@svc/accounts/layer"
import { billing } from "@svc/billing/layer"
import { checkout } from "@svc/checkout/layer"
import { desk } from "@svc/desk/layer"
import { migrations as clocks } from "@svc/kernel/clocks/migrations"
import type { MigrationSet } from "@svc/kernel/database/migrations"
import * as FailPoints from "@svc/kernel/parts/fail-points"
import { and } from "@svc/kernel/parts/part"
import { migrations as road } from "@svc/kernel/road/migrations"
import { ledger } from "@svc/ledger/layer"
import { metering } from "@svc/metering/layer"
import { onboarding } from "@svc/onboarding/layer"
import { payments } from "@svc/payments/layer"
import { paywall, paywallForMerchants } from "@svc/paywall/layer"
import { migrations as encryption } from "@svc/platform/encryption/migrations"
import { reconciliation } from "@svc/reconciliation/layer"
import { stores } from "@svc/stores/layer"
import { tools } from "@svc/tools/layer"
import { treasury } from "@svc/treasury/layer"
import { webhooks } from "@svc/webhooks/layer"
import { pipe } from "effect"

/** All that the packages bring. */
export const all = pipe(
  accounts,
  and(webhooks),
  and(ledger),
  and(payments),
  and(stores),
  and(metering),
  and(treasury),
  and(reconciliation),
  and(paywall),
  and(paywallForMerchants),
  and(billing),
  and(tools),
  and(checkout),
  and(onboarding),
  and(desk)
)

/** The fail points of all packages, which are loaded by now. A process that is to die at a point that none of them has does not start. */
export const failPoints = FailPoints.failPoints()

/** The tables of each package. A package's tables may refer to those before it. */
export const migrationSets: ReadonlyArray<MigrationSet> = [
  { name: "kernel", migrations: { ...road, ...clocks } },
  { name: "platform", formerly: "kernel", migrations: encryption },
  { name: "accounts", migrations: accounts.migrations },
  { name: "webhooks", migrations: webhooks.migrations },
  { name: "ledger", migrations: ledger.migrations },
  { name: "payments", migrations: payments.migrations },
  { name: "stores", formerly: "tools", migrations: stores.migrations },
  { name: "metering", formerly: "tools", migrations: metering.migrations },
  { name: "treasury", migrations: treasury.migrations },
  { name: "reconciliation", migrations: reconciliation.migrations },
  { name: "paywall", formerly: "tools", migrations: paywall.migrations },
  { name: "billing", migrations: billing.migrations },
  { name: "checkout", migrations: checkout.migrations },
  { name: "onboarding", migrations: onboarding.migrations }
]
