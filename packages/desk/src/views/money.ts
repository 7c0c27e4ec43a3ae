/** Views of payments and of money on its way. */
import { approvalsView } from "@svc/payments/approvals/desk"
import { conversionsView } from "@svc/payments/conversions/desk"
import { disputesView } from "@svc/payments/disputes/desk"
import { filesView } from "@svc/payments/files/desk"
import { giftCardsView } from "@svc/payments/gift-cards/desk"
import { paymentsView } from "@svc/payments/payment-intents/desk"
import { paymentMethodsView } from "@svc/payments/payment-methods/desk"
import { quotesView } from "@svc/payments/quotes/desk"
import { secondLooksView } from "@svc/payments/second-looks/desk"
import { settlementsView } from "@svc/payments/settlements/desk"
import { reconciliationView } from "@svc/reconciliation/reports/desk"
import { bankLinksView } from "@svc/treasury/bank-links/desk"
import { payoutsView } from "@svc/treasury/payouts/desk"
import { operatorReservesView, reservesView } from "@svc/treasury/reserves/desk"
import { transferInstrumentsView } from "@svc/treasury/transfer-instruments/desk"
import { operatorWriteOffsView, writeOffsView } from "@svc/treasury/write-offs/desk"

export const moneyViews = [
  paymentsView,
  approvalsView,
  secondLooksView,
  disputesView,
  settlementsView,
  payoutsView,
  transferInstrumentsView,
  bankLinksView,
  reservesView,
  writeOffsView,
  conversionsView,
  quotesView,
  giftCardsView,
  filesView,
  paymentMethodsView,
  reconciliationView,
  operatorReservesView,
  operatorWriteOffsView
] as const
