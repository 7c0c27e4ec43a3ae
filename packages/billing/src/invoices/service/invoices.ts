/** The verbs of an invoice by request. The decisions about a cycle also change the invoice of the cycle. */
import type { AccountFacts } from "@svc/accounts/access/model"
import type { Reply } from "@svc/kernel/http/reply"
import {
  type IdempotencyInProgress,
  type IdempotencyKeyReused,
  type NotFound,
  notFound,
  type RateLimited,
  type ValidationError,
  type VersionConflict
} from "@svc/kernel/resource/errors"
import type { CommandOn } from "@svc/kernel/resource/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { untilCommitted } from "@svc/kernel/resource/versions"
import type { CommitRefused } from "@svc/kernel/road/committer"
import type { CardDeclined, PaymentInFlight } from "@svc/payments/payment-intents/errors"
import type { EmailFailure } from "@svc/platform/email/model"
import { Context, Effect, Layer } from "effect"
import type { ChargeNowFailure } from "../../billing-cycles/service/charging-now.ts"
import { type InvoicePatch, uncollectible } from "../../engine/invoices/invoices.ts"
import type { Invoice, InvoiceFilter, PayInvoiceRequest, SendInvoiceRequest } from "../model.ts"
import { InvoiceRepository } from "../repository.ts"
import { makeChanging } from "./changing.ts"
import { type ChangeFailure, makeFinding, NAME } from "./finding.ts"
import { makePaying } from "./paying.ts"
import { makeRendering, type RenderedInvoice } from "./rendering.ts"
import { makeSending } from "./sending.ts"
import { makeVoiding } from "./voiding.ts"

/** A change that lost a race is made again. */
const committed = <A, E>(change: Effect.Effect<A, E | CommitRefused>) => untilCommitted(NAME, change)

export class Invoices extends Context.Service<Invoices, {
  /** The account's invoices with these ids, in any order. */
  readonly findByIds: (account: string, ids: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Invoice>>
  readonly get: (account: string, id: string) => Effect.Effect<Invoice, NotFound>
  readonly list: (account: string, filter: InvoiceFilter, page: PageRequest) => Effect.Effect<Page<Invoice>>
  /** With `version`, refused if the invoice has another version; so for all verbs below. */
  readonly update: (account: string, id: string, patch: InvoicePatch, version?: number) => Effect.Effect<Invoice, ChangeFailure>
  /** Removes a draft without a cycle. */
  readonly remove: (account: string, id: string, version?: number) => Effect.Effect<void, ChangeFailure>
  /** Finalizes a draft under the next number of the account. */
  readonly finalize: (account: string, id: string, version?: number) => Effect.Effect<Invoice, ChangeFailure>
  /** Sends to the requested address, else to the customer's. Fails with code `to` if there is none. */
  readonly send: (
    account: string,
    id: string,
    request: SendInvoiceRequest,
    version?: number
  ) => Effect.Effect<Invoice, ChangeFailure | ValidationError | EmailFailure | RateLimited>
  /** Charges the cycle of the invoice now. Gives the invoice, still open if the outcome is unknown. */
  readonly pay: (
    account: AccountFacts,
    id: string,
    request: PayInvoiceRequest,
    version?: number
  ) => Effect.Effect<Invoice, ChargeNowFailure | CardDeclined>
  /** The same, once for a key even after a crash: the attempt stores the key, and a repeated request finds the attempt. */
  readonly payKeyed: (
    command: CommandOn<AccountFacts, PayInvoiceRequest>
  ) => Effect.Effect<Reply, ChargeNowFailure | IdempotencyKeyReused | IdempotencyInProgress>
  /** Voids the invoice together with its pending cycle. */
  readonly voidOne: (account: string, id: string, version?: number) => Effect.Effect<Invoice, ChangeFailure | PaymentInFlight>
  readonly markUncollectible: (account: string, id: string, version?: number) => Effect.Effect<Invoice, ChangeFailure>
  /**
   * In the language of the customer, else of `reader`. Fails with `RateLimited` if too many documents wait to be printed; so does `send`.
   */
  readonly pdf: (
    account: string,
    id: string,
    reader?: string
  ) => Effect.Effect<{ readonly name: string; readonly bytes: Uint8Array }, NotFound | RateLimited>
  /** The invoice and its texts, for the holder of its page's address. A draft has no page. */
  readonly hosted: (token: string, reader?: string) => Effect.Effect<RenderedInvoice & { readonly invoice: Invoice }, NotFound>
  /** For the timer: finalizes a draft whose time is over. */
  readonly proceed: (account: string, id: string) => Effect.Effect<void, VersionConflict>
}>()("@svc/billing/Invoices") {
  static readonly layer = Layer.effect(
    Invoices,
    Effect.gen(function*() {
      const { byToken, findByIds, list } = yield* InvoiceRepository
      const { at, get } = yield* makeFinding
      const { changing, finalizeDraft, finalizeOne, removeOne, updateOne } = yield* makeChanging
      const paying = yield* makePaying
      const rendering = yield* makeRendering
      const sendOne = yield* makeSending(rendering)
      const voiding = yield* makeVoiding

      const document = Effect.fnUntraced(function*(invoice: Invoice, reader?: string) {
        const { view } = yield* rendering.shown(invoice, reader)
        return { name: `${(invoice.number ?? invoice.id).replace(/[^A-Za-z0-9_-]/gu, "")}.pdf`, bytes: yield* rendering.pdf(invoice, view) }
      })

      const hostedBy = Effect.fnUntraced(function*(token: string) {
        const invoice = /^[\w-]{16,64}$/u.test(token) ? yield* byToken(token) : undefined
        return invoice === undefined || invoice.hosted_url === null ? yield* notFound(NAME) : invoice
      })

      return Invoices.of({
        findByIds,
        get,
        list,
        update: Effect.fn("Invoices.update")(updateOne, committed),
        remove: Effect.fn("Invoices.remove")(removeOne),
        finalize: Effect.fn("Invoices.finalize")((account: string, id: string, version?: number) =>
          committed(Effect.flatMap(at(account, id, "finalize", version), finalizeOne))
        ),
        send: Effect.fn("Invoices.send")(sendOne),
        pay: Effect.fn("Invoices.pay")(paying.pay),
        payKeyed: Effect.fn("Invoices.payKeyed")(paying.payKeyed),
        voidOne: Effect.fn("Invoices.void")(voiding, committed),
        markUncollectible: Effect.fn("Invoices.markUncollectible")((account: string, id: string, version?: number) =>
          committed(changing(account, id, version, { trigger: "mark_uncollectible", decide: uncollectible }))
        ),
        pdf: Effect.fn("Invoices.pdf")((account: string, id: string, reader?: string) =>
          Effect.flatMap(get(account, id), (invoice) => document(invoice, reader))
        ),
        hosted: Effect.fn("Invoices.hosted")(function*(token: string, reader?: string) {
          const invoice = yield* hostedBy(token)
          return { invoice, ...(yield* rendering.shown(invoice, reader)) }
        }),
        proceed: Effect.fn("Invoices.proceed")((account: string, id: string) =>
          untilCommitted<void, never, never>(NAME, finalizeDraft(account, id))
        )
      })
    })
  )
}
