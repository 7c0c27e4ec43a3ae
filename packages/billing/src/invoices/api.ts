/** The routes of invoices. */
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { AccountSuspended } from "@svc/accounts/accounts/model"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { byId, described } from "@svc/kernel/resource/api"
import {
  IdempotencyInProgress,
  IdempotencyKeyReused,
  InvalidState,
  NotFound,
  RateLimited,
  VersionConflict
} from "@svc/kernel/resource/errors"
import { Emits } from "@svc/kernel/resource/events"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { Machine } from "@svc/kernel/resource/state-machine"
import { AmountTooLarge, CardDeclined, PaymentInFlight, ProviderUnavailable } from "@svc/payments/payment-intents/errors"
import { emailFailures } from "@svc/platform/email/model"
import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { invoiceMachine } from "./machine.ts"
import { invoiceEvents, invoiceFilters, InvoiceJson, PayInvoiceRequest, SendInvoiceRequest, UpdateInvoiceRequest } from "./model.ts"

const moved = [NotFound, InvalidState, VersionConflict] as const

const Pdf = Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType: "application/pdf" }))

export class InvoicesGroup extends HttpApiGroup.make("invoices").add(
  HttpApiEndpoint.get("list", "/invoices", {
    query: {
      ...pageQueryOf("inv"),
      ...invoiceFilters
    },
    success: PaginatedList(InvoiceJson, "InvoiceList")
  }).annotate(RequiredScope, "invoices:read")
    .annotateMerge(described("List invoices", "Newest first, of one status, customer or subscription, or of all.")),
  HttpApiEndpoint.get("get", "/invoices/:id", { ...byId, success: InvoiceJson, error: NotFound })
    .annotate(RequiredScope, "invoices:read")
    .annotateMerge(described("Retrieve an invoice", "What a billing cycle asks for, line by line.")),
  HttpApiEndpoint.get("pdf", "/invoices/:id/pdf", { ...byId, success: Pdf, error: [NotFound, RateLimited] })
    .annotate(RequiredScope, "invoices:read")
    .annotateMerge(described(
      "Retrieve an invoice as PDF",
      "Tagged, in the customer's language, and the same bytes as long as the invoice is the same. " +
        "Where too many documents wait to be printed, 429 says when to ask again."
    )),
  HttpApiEndpoint.patch("update", "/invoices/:id", { ...byId, payload: UpdateInvoiceRequest, success: InvoiceJson, error: moved })
    .annotate(RequiredScope, "invoices:write").annotate(Does, "record").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Update an invoice",
      "Changes memo and metadata of a draft. In a live account the invoice of a renewal is a draft for an hour; in a sandbox there is none."
    )),
  HttpApiEndpoint.delete("remove", "/invoices/:id", { ...byId, success: HttpApiSchema.NoContent, error: moved })
    .annotate(RequiredScope, "invoices:write").annotate(Does, "record").annotate(ReadsIfMatch, true)
    .annotateMerge(described("Delete an invoice", "Of a draft that no billing cycle stands behind. Others are voided.")),
  HttpApiEndpoint.post("finalize", "/invoices/:id/finalize", { ...byId, success: InvoiceJson, error: moved })
    .annotate(RequiredScope, "invoices:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Finalize an invoice",
      "The draft gets the next number of the account, without a gap, and its lines are frozen. " +
        "It happens by itself an hour after it was made, and before it is charged."
    )),
  HttpApiEndpoint.post("send", "/invoices/:id/send", {
    ...byId,
    payload: SendInvoiceRequest,
    success: InvoiceJson,
    error: [...moved, ...emailFailures, RateLimited]
  })
    .annotate(RequiredScope, "invoices:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Send an invoice",
      "By email, with the PDF and the address of its page, to `to` or else to the customer's address. Each request sends it. " +
        "When the email was sent and the answer is lost, " +
        "sending again repeats the same email, which mail programs show once."
    )),
  HttpApiEndpoint.post("pay", "/invoices/:id/pay", {
    ...byId,
    payload: PayInvoiceRequest,
    success: InvoiceJson,
    error: [
      ...moved,
      IdempotencyKeyReused,
      IdempotencyInProgress,
      CardDeclined,
      PaymentInFlight,
      AmountTooLarge,
      AccountSuspended,
      ProviderUnavailable
    ]
  }).annotate(RequiredScope, "invoices:write").annotate(Does, "charge").annotate(ReadsIdempotencyKey, true).annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Pay an invoice",
      "Charges its billing cycle now, beside the schedule, also one that has failed for good. " +
        "One that is paid is 409; one whose charge is not decided yet answers as it is, open. " +
        "An earlier charge that waits for a step of its customer is cancelled; " +
        "one on which a rail decides is 409 `payment_in_flight`, and `details.ends_at` says until when, at the latest. " +
        "With an idempotency key the same request charges once, and hears the same answer, a decline too."
    )),
  HttpApiEndpoint.post("void", "/invoices/:id/void", { ...byId, success: InvoiceJson, error: [...moved, PaymentInFlight] })
    .annotate(RequiredScope, "invoices:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Void an invoice",
      "Nothing is owed for it any more. A billing cycle that is still to be charged is voided with it, " +
        "credit that it used is given back, and the subscription runs on. " +
        "So is a cycle that has failed for good, which changes nothing else. " +
        "A charge that waits for a step of its customer is cancelled, and a change of plan that waits for the charge does not happen. " +
        "A charge on which a rail decides is 409 `payment_in_flight`, and `details.ends_at` says until when, at the latest."
    )),
  HttpApiEndpoint.post("mark_uncollectible", "/invoices/:id/mark_uncollectible", { ...byId, success: InvoiceJson, error: moved })
    .annotate(RequiredScope, "invoices:write").annotate(Does, "manage").annotate(ReadsIfMatch, true)
    .annotateMerge(described(
      "Mark an invoice as uncollectible",
      "It stays due, for the books as a loss, and is paid when its billing cycle is charged after all."
    ))
).pipe(forMerchants({ title: "Invoices", description: "What billing cycles ask customers to pay, under numbers without a gap." }))
  .annotate(Machine, invoiceMachine).annotate(Emits, invoiceEvents)
{}
