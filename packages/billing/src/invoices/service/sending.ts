/** Sends an invoice by email, with its PDF. */
import { Accounts } from "@svc/accounts/accounts/service"
import { type RateLimited, ValidationError } from "@svc/kernel/resource/errors"
import { untilCommitted } from "@svc/kernel/resource/versions"
import { Committer } from "@svc/kernel/road/committer"
import { now } from "@svc/kernel/values/time"
import type { EmailFailure } from "@svc/platform/email/model"
import { Email } from "@svc/platform/email/service"
import { Effect } from "effect"
import { sent } from "../../engine/invoices/invoices.ts"
import { additionOf, commitOf } from "../../engine/road/invoices.ts"
import type { Invoice, SendInvoiceRequest } from "../model.ts"
import { letterOf } from "../provider/letter.ts"
import { type ChangeFailure, makeFinding, NAME } from "./finding.ts"
import type { InvoiceRendering } from "./rendering.ts"

const noAddress = () =>
  new ValidationError({
    code: "to",
    message: "to: the customer has no email address. Send one in `to`, or give the customer one with PATCH /v1/customers/{id}."
  })

/** `rendering` prints the PDF: one printer serves all uses of an invoice. */
export const makeSending = Effect.fnUntraced(function*(rendering: InvoiceRendering) {
  const accounts = yield* Accounts
  const committer = yield* Committer
  const email = yield* Email
  const { at, get } = yield* makeFinding

  return Effect.fnUntraced(
    function*(
      account: string,
      id: string,
      { to }: SendInvoiceRequest,
      version: number | undefined
    ): Effect.fn.Return<Invoice, ChangeFailure | ValidationError | EmailFailure | RateLimited> {
      const invoice = yield* at(account, id, "send", version)
      const { email: customerAddress, view } = yield* rendering.shown(invoice)
      const recipient = to ?? customerAddress
      if (recipient === null) return yield* noAddress()
      const { sandbox } = yield* accounts.facts(account)
      yield* email.send({ ...letterOf(invoice, view, recipient, yield* rendering.pdf(invoice, view)), rehearsal: sandbox })
      // The email has been sent: the current version of the invoice is marked as sent.
      return yield* untilCommitted(
        NAME,
        Effect.gen(function*() {
          const decision = sent(yield* get(account, id), yield* now)
          yield* committer.commit(commitOf(decision.invoice, "invoice.send", additionOf(decision)))
          return decision.invoice
        })
      )
    }
  )
})
