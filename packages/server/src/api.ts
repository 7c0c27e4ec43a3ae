/**
 * What the payments API promises: the contracts of the packages, and the routes about the service itself. No implementation stands behind
 * an import of this.
 */
import { contract as accounts } from "@svc/accounts/api"
import { contract as billing } from "@svc/billing/api"
import { contract as checkout } from "@svc/checkout/api"
import { contract as desk } from "@svc/desk/api"
import { ReadsHeaders, SendsHeaders } from "@svc/kernel/http/headers"
import { requestId } from "@svc/kernel/http/request-id"
import { answeredVersion, askedVersion } from "@svc/kernel/resource/api-version"
import { contract as ledger } from "@svc/ledger/api"
import { contract as onboarding } from "@svc/onboarding/api"
import { contract as payments } from "@svc/payments/api"
import { merchantContract as toolCalls } from "@svc/paywall/api"
import { contract as reconciliation } from "@svc/reconciliation/api"
import { contract as treasury } from "@svc/treasury/api"
import { contract as webhooks } from "@svc/webhooks/api"
import * as HttpApi from "effect/http-api/HttpApi"
import { IdempotencyGroup, SystemGroup } from "./system/api.ts"

/** In the order in which the documentation shows it. */
export const contract = HttpApi.make("svc")
  .addHttpApi(payments)
  .addHttpApi(treasury)
  .addHttpApi(checkout)
  .addHttpApi(billing)
  .addHttpApi(reconciliation)
  .addHttpApi(accounts)
  .addHttpApi(ledger)
  .addHttpApi(toolCalls)
  .addHttpApi(webhooks)
  .addHttpApi(onboarding)
  .addHttpApi(desk)
  .add(IdempotencyGroup)
  .add(SystemGroup)
  .annotate(ReadsHeaders, [askedVersion])
  .annotate(SendsHeaders, [requestId, answeredVersion])
