/** An invoice as its page shows it, with the payment of its cycle. */
import type { Account } from "@svc/accounts/accounts/model"
import type { Invoice } from "@svc/billing/invoices/model"
import type { InvoiceView } from "@svc/billing/invoices/pdf/view"
import type { CyclePayment } from "../cycle-payments/model.ts"

export interface HostedInvoice {
  readonly account: Account
  readonly invoice: Invoice
  /** The words and numbers of its PDF, in the language of its customer, else in that of the browser. */
  readonly view: InvoiceView
  /** The payment of its billing cycle, where it has one. */
  readonly payment: CyclePayment | undefined
  /** Whether it can be paid on its page. */
  readonly isPayable: boolean
}

/** What the form of the page sends: the number of the attempt that it offered, and the provider's token of the card. */
export interface PayForm {
  readonly attempt: number
  readonly token: string
}
