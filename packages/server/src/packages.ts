/** What the service is made of: its packages, from the lowest floor up. Nothing in the server names a resource. */
import { accounts } from "@svc/accounts/layer"
import { billing } from "@svc/billing/layer"
import { checkout } from "@svc/checkout/layer"
import { migrations as clocks } from "@svc/kernel/clocks/migrations"
import type { MigrationSet } from "@svc/kernel/database/migrations"
import { migrations as encryption } from "@svc/kernel/encryption/migrations"
import * as FailPoints from "@svc/kernel/fail-points"
import { and } from "@svc/kernel/part"
import { migrations as road } from "@svc/kernel/road/migrations"
import { ledger } from "@svc/ledger/layer"
import { payments } from "@svc/payments/layer"
import { reconciliation } from "@svc/reconciliation/layer"
import { tools } from "@svc/tools/layer"
import { treasury } from "@svc/treasury/layer"
import { webhooks } from "@svc/webhooks/layer"
import { pipe } from "effect"

/** All that the packages bring. */
export const all = pipe(accounts, and(webhooks), and(ledger), and(payments), and(treasury), and(reconciliation), and(billing), and(tools), and(checkout))

/** The fail points of all packages, which are loaded by now. A process that is to die at a point that none of them has does not start. */
export const failPoints = FailPoints.failPoints()

/** The tables of each package. A package's tables may refer to those before it. */
export const migrationSets: ReadonlyArray<MigrationSet> = [
  { name: "kernel", migrations: { ...road, ...clocks, ...encryption } },
  { name: "accounts", migrations: accounts.migrations },
  { name: "webhooks", migrations: webhooks.migrations },
  { name: "ledger", migrations: ledger.migrations },
  { name: "payments", migrations: payments.migrations },
  { name: "treasury", migrations: treasury.migrations },
  { name: "reconciliation", migrations: reconciliation.migrations },
  { name: "billing", migrations: billing.migrations },
  { name: "tools", migrations: tools.migrations },
  { name: "checkout", migrations: checkout.migrations }
]
