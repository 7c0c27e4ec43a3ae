/** Views of what an account sells, of its books, of what its software does, and of the account itself. */
import { accountsView, accountView } from "@svc/accounts/accounts/desk"
import { agentKeysView } from "@svc/accounts/agent-keys/desk"
import { apiKeysView } from "@svc/accounts/api-keys/desk"
import { auditLogView } from "@svc/accounts/audit-log/desk"
import { legalEntitiesView } from "@svc/accounts/legal-entities/desk"
import { installationInvitationsView, installationPeopleView, invitationsView, peopleView } from "@svc/accounts/people/desk"
import { installationSessionsView, personSessionsView } from "@svc/accounts/sessions/desk"
import { testClocksView } from "@svc/accounts/test-clocks/desk"
import { billingCyclesView } from "@svc/billing/billing-cycles/desk"
import { customersView } from "@svc/billing/customers/desk"
import { invoicesView } from "@svc/billing/invoices/desk"
import { metricsView } from "@svc/billing/metrics/desk"
import { ordersView } from "@svc/billing/orders/desk"
import { plansView } from "@svc/billing/plans/desk"
import { subscriptionsView } from "@svc/billing/subscriptions/desk"
import { checkoutSessionsView } from "@svc/checkout/checkout-sessions/desk"
import { portalSessionsView } from "@svc/checkout/portal-sessions/desk"
import { balanceAccountsView } from "@svc/ledger/balances/desk"
import { ledgerCheckpointsView } from "@svc/ledger/checkpoints/desk"
import { financialEventsView, ledgerVerificationView } from "@svc/ledger/financial-events/desk"
import { goLiveRequestsView, operatorGoLiveRequestsView } from "@svc/onboarding/go-live-requests/desk"
import { passthroughSessionsView } from "@svc/onboarding/passthrough-sessions/desk"
import { termsAcceptancesView, termsView } from "@svc/onboarding/terms/desk"
import { webhookEventsView } from "@svc/webhooks/deliveries/desk"
import { webhookEndpointView } from "@svc/webhooks/endpoints/desk"
import { eventsView } from "@svc/webhooks/events/desk"

export const businessViews = [
  customersView,
  subscriptionsView,
  invoicesView,
  billingCyclesView,
  plansView,
  ordersView,
  checkoutSessionsView,
  portalSessionsView,
  balanceAccountsView,
  financialEventsView,
  ledgerVerificationView,
  ledgerCheckpointsView,
  metricsView,
  apiKeysView,
  webhookEndpointView,
  webhookEventsView,
  eventsView,
  testClocksView,
  agentKeysView,
  accountView,
  peopleView,
  invitationsView,
  personSessionsView,
  legalEntitiesView,
  termsView,
  termsAcceptancesView,
  goLiveRequestsView,
  passthroughSessionsView,
  auditLogView,
  accountsView,
  operatorGoLiveRequestsView,
  installationPeopleView,
  installationInvitationsView,
  installationSessionsView
] as const
