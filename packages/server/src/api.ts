/** The whole payments API: every group of every package. OpenAPI, the client and the docs derive from it. */
import { AccountsGroup, OperatorAccountsGroup } from "@svc/accounts/accounts/api"
import { ApiKeysGroup } from "@svc/accounts/api-keys/api"
import { CURRENT_API_VERSION } from "@svc/kernel/api-version"
import { BalancesGroup } from "@svc/ledger/balances/api"
import { FinancialEventsGroup } from "@svc/ledger/financial-events/api"
import { PaymentIntentsGroup } from "@svc/payments/payment-intents/api"
import { PaymentMethodsGroup } from "@svc/payments/payment-methods/api"
import { DeliveriesGroup } from "@svc/webhooks/deliveries/api"
import { WebhookEndpointGroup } from "@svc/webhooks/endpoints/api"
import { EventsGroup } from "@svc/webhooks/events/api"
import * as HttpApi from "effect/http-api/HttpApi"
import * as OpenApi from "effect/http-api/OpenApi"
import { complete } from "./openapi.ts"
import { factsOf } from "./openapi/facts.ts"
import { IdempotencyGroup, SystemGroup } from "./system/api.ts"

const groups = HttpApi.make("svc")
  .add(PaymentIntentsGroup)
  .add(PaymentMethodsGroup)
  .add(AccountsGroup)
  .add(ApiKeysGroup)
  .add(FinancialEventsGroup)
  .add(BalancesGroup)
  .add(EventsGroup)
  .add(WebhookEndpointGroup)
  .add(DeliveriesGroup)
  .add(IdempotencyGroup)
  .add(OperatorAccountsGroup)
  .add(SystemGroup)

export class Api extends groups
  .annotateMerge(OpenApi.annotations({
    title: "Payments API",
    version: CURRENT_API_VERSION,
    description: "Take payments, keep books that anyone can verify, and hear of what happens by signed webhooks. Amounts are minor units, times are UTC with milliseconds, every refusal has one shape.",
    transform: ({ components, info, openapi, paths, tags }) => complete({ components, info, openapi, paths, tags }, factsOf(groups))
  }))
{}
