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
import type { Showing } from "./rendering.ts"

const noAddress = () =>
  new ValidationError({
    code: "to",
    message: "to: the customer has no email address. Send one in `to`, or give the customer one with PATCH /v1/customers/{id}."
  })

/** Makes the function that sends. `showing` prints the PDF: there is one printer for all that an invoice is shown for. */
export const makeSending = Effect.fnUntraced(function*(showing: Showing) {
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
      const { email: customerAddress, view } = yield* showing.shown(invoice)
      const recipient = to ?? customerAddress
      if (recipient === null) return yield* noAddress()
      const { sandbox } = yield* accounts.facts(account)
      yield* email.send({ ...letterOf(invoice, view, recipient, yield* showing.pdf(invoice, view)), rehearsal: sandbox })
      // The email is on its way: the invoice is marked as sent, whatever it is by now.
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
