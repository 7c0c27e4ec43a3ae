/** The verbs of an invoice: what a request does with one. What becomes of it with its cycle is decided with the cycle. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { EmailFailure } from "@svc/kernel/email/model"
import { Email } from "@svc/kernel/email/service"
import { type IdempotencyInProgress, type IdempotencyKeyReused, InvalidState, type NotFound, notFound, type RateLimited, ValidationError, type VersionConflict } from "@svc/kernel/errors"
import { RequestId } from "@svc/kernel/http/request-id"
import type { Reply } from "@svc/kernel/http/reply"
import { Idempotency, internalCause, keyDone, keyHeld, LEASE_SECONDS, once } from "@svc/kernel/idempotency"
import type { CommandOn } from "@svc/kernel/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer, type CommitRefused } from "@svc/kernel/road/committer"
import type { Addition, Commit, StoredReply } from "@svc/kernel/road/decision"
import { allows } from "@svc/kernel/state-machine"
import { now, realNow } from "@svc/kernel/time"
import { atVersion, untilCommitted } from "@svc/kernel/versions"
import { CardDeclined, PaymentInFlight } from "@svc/payments/payment-intents/errors"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { billingCycleMachine } from "../../billing-cycles/machine.ts"
import { BillingCycleRepository } from "../../billing-cycles/repository.ts"
import { inFlight } from "../../billing-cycles/rules/attempts.ts"
import { BillingCycles, type ChargeNowFailure, type Standing } from "../../billing-cycles/service/cycles.ts"
import { makeLoading } from "../../billing-cycles/service/loading.ts"
import { commitOf as commitOfCycle } from "../../subscriptions/road.ts"
import { forgiven, writtenOff } from "../../subscriptions/rules/forgive.ts"
import { encode, FINALIZE, type Invoice, type InvoiceFilter, InvoiceId, invoices, type PayInvoiceRequest, type SendInvoiceRequest } from "../model.ts"
import { letterOf } from "../provider/letter.ts"
import { InvoiceRepository } from "../repository.ts"
import { additionOf, numberedOf } from "../road.ts"
import { edited, type InvoiceDecision, type InvoicePatch, may, prefixOf, sent, uncollectible, voided } from "../rules.ts"
import { makeShowing, type Shown } from "./showing.ts"

const NAME = "invoice"

/** What the key of a request that pays is kept for. */
const BILLING_CYCLE = "billing_cycle"

type PayCommand = CommandOn<AccountFacts, PayInvoiceRequest>

const encodeDeclined = Schema.encodeSync(CardDeclined)

type ChangeFailure = NotFound | InvalidState | VersionConflict

export class Invoices extends Context.Service<Invoices, {
  readonly get: (account: string, id: string) => Effect.Effect<Invoice, NotFound>
  readonly list: (account: string, filter: InvoiceFilter, page: PageRequest) => Effect.Effect<Page<Invoice>>
  /** `version` is the one the caller read, when it says so; of all that follow, too. */
  readonly update: (account: string, id: string, patch: InvoicePatch, version?: number) => Effect.Effect<Invoice, ChangeFailure>
  /** Removes a draft that no cycle stands behind. */
  readonly remove: (account: string, id: string, version?: number) => Effect.Effect<void, ChangeFailure>
  /** Under the next number of the account. */
  readonly finalize: (account: string, id: string, version?: number) => Effect.Effect<Invoice, ChangeFailure>
  /** To the address that is said, else to the customer's. Fails with code `to` where there is none. */
  readonly send: (account: string, id: string, request: SendInvoiceRequest, version?: number) => Effect.Effect<Invoice, ChangeFailure | ValidationError | EmailFailure | RateLimited>
  /** Charges its cycle now. The invoice as it then is; still open where the outcome is not known yet. */
  readonly pay: (account: AccountFacts, id: string, request: PayInvoiceRequest, version?: number) => Effect.Effect<Invoice, ChargeNowFailure | CardDeclined>
  /** The same once for a key, whatever breaks: the try is begun with it, and a repetition finds what became of the try. */
  readonly payKeyed: (command: CommandOn<AccountFacts, PayInvoiceRequest>) => Effect.Effect<Reply, ChargeNowFailure | IdempotencyKeyReused | IdempotencyInProgress>
  /** Nothing is owed for it any more: its cycle, when that is pending, is voided with it. */
  readonly voidOne: (account: string, id: string, version?: number) => Effect.Effect<Invoice, ChangeFailure | PaymentInFlight>
  readonly markUncollectible: (account: string, id: string, version?: number) => Effect.Effect<Invoice, ChangeFailure>
  /** Fails with `RateLimited` where too many documents wait to be printed; so does `send`. */
  readonly pdf: (account: string, id: string) => Effect.Effect<{ readonly name: string; readonly bytes: Uint8Array }, NotFound | RateLimited>
  /** For whoever has its address: the invoice and its words. Of a draft there is no such address. */
  readonly hosted: (token: string) => Effect.Effect<Shown & { readonly invoice: Invoice }, NotFound>
  /** For the timer: a draft whose time is over. */
  readonly proceed: (account: string, id: string) => Effect.Effect<void, VersionConflict>
}>()("@svc/billing/Invoices") {
  static readonly layer = Layer.effect(Invoices, Effect.gen(function*() {
    const accounts = yield* Accounts
    const committer = yield* Committer
    const cycles = yield* BillingCycles
    const cycleRows = yield* BillingCycleRepository
    const email = yield* Email
    const idempotency = yield* Idempotency
    const repository = yield* InvoiceRepository
    const { owedBy } = yield* makeLoading
    const showing = yield* makeShowing

    const get = Effect.fn("Invoices.get")(function*(account: string, id: string) {
      return (yield* isInvoiceId(id) ? repository.find(account, id) : Effect.undefined) ?? (yield* notFound(NAME))
    })

    const at = Effect.fnUntraced(function*(account: string, id: string, trigger: Parameters<typeof may>[1], version: number | undefined) {
      const invoice = yield* Effect.fromResult(atVersion(NAME, yield* get(account, id), version))
      return yield* Effect.fromResult(may(invoice, trigger))
    })

    const changing = Effect.fnUntraced(function*(account: string, id: string, trigger: "void" | "mark_uncollectible", decide: (invoice: Invoice, at: DateTime.Utc) => InvoiceDecision, version?: number) {
      const decided = decide(yield* at(account, id, trigger, version), yield* now)
      yield* committer.commit(commitOf(decided.invoice, `invoice.${trigger}`, { ...additionOf(decided), clear: [timerOf(id)] }))
      return decided.invoice
    })

    const finalizeOne = Effect.fnUntraced(function*(invoice: Invoice): Effect.fn.Return<Invoice, CommitRefused> {
      const prefix = prefixOf(yield* Effect.orDie(accounts.get(AccountId.make(invoice.account_id))))
      const moment = yield* now
      yield* committer.commit({ ...commitOf(invoice, "invoice.finalize", { ...numberedOf(invoice, prefix, moment), clear: [timerOf(invoice.id)] }), at: moment })
      return yield* Effect.orDie(get(invoice.account_id, invoice.id))
    })

    const finalizeDraft = Effect.fnUntraced(function*(account: string, id: string): Effect.fn.Return<void, CommitRefused> {
      const invoice = yield* repository.find(account, id)
      if (invoice?.status === "draft") yield* finalizeOne(invoice)
    })

    const updateOne = Effect.fnUntraced(function*(account: string, id: string, patch: InvoicePatch, version: number | undefined) {
      const invoice = yield* at(account, id, "update", version)
      const next = edited(invoice, patch, yield* now)
      if (next === undefined) return invoice
      yield* committer.commit(commitOf(next, "invoice.update", { writes: [{ table: invoices, row: encode(next).row }] }))
      return next
    })

    const removeOne = Effect.fnUntraced(function*(account: string, id: string, version: number | undefined): Effect.fn.Return<void, ChangeFailure> {
      const invoice = yield* at(account, id, "update", version)
      if (invoice.billing_cycle_id !== null) return yield* keepsCycle(invoice)
      if (!(yield* repository.remove(account, id, invoice.version))) return yield* removeOne(account, id, version)
    })

    /** The cycle that is still to be charged for it, or has failed and may be paid after all. */
    const openCycleOf = Effect.fnUntraced(function*({ account_id, billing_cycle_id }: Invoice) {
      const cycle = billing_cycle_id === null ? undefined : yield* cycleRows.find(account_id, billing_cycle_id)
      return cycle !== undefined && allows(billingCycleMachine, cycle.status, "void") ? cycle : undefined
    })

    const voiding = Effect.fnUntraced(function*(account: string, id: string, version: number | undefined): Effect.fn.Return<Invoice, ChangeFailure | PaymentInFlight | CommitRefused> {
      const invoice = yield* at(account, id, "void", version)
      const cycle = yield* openCycleOf(invoice)
      if (cycle === undefined) return yield* changing(account, id, "void", voided, version)
      if (inFlight(cycle) !== undefined) return yield* underWay(cycle.payment_intent_id)
      if (cycle.kind === "change") return yield* ofChange(invoice)
      const owed = yield* owedBy(cycle)
      yield* committer.commit(commitOfCycle(account, owed.at, (cycle.status === "failed" ? writtenOff : forgiven)({ ...owed, invoice }), ["invoice.void", id]))
      return yield* get(account, id)
    })

    const sendOne = Effect.fnUntraced(function*(account: string, id: string, { to }: SendInvoiceRequest, version: number | undefined): Effect.fn.Return<Invoice, ChangeFailure | ValidationError | EmailFailure | RateLimited> {
      const invoice = yield* at(account, id, "send", version)
      const { email: known, view } = yield* showing.shown(invoice)
      const recipient = to ?? known
      if (recipient === null) return yield* nobody()
      const { sandbox } = yield* accounts.facts(account)
      yield* email.send({ ...letterOf(invoice, view, recipient, yield* showing.pdf(invoice, view)), rehearsal: sandbox })
      // It is on its way: that is noted on whatever the invoice is by now.
      return yield* untilCommitted(NAME, Effect.gen(function*() {
        const decided = sent(yield* get(account, id), yield* now)
        yield* committer.commit(commitOf(decided.invoice, "invoice.send", additionOf(decided)))
        return decided.invoice
      }))
    })

    const payOne = Effect.fnUntraced(function*(account: AccountFacts, id: string, { payment_method_id }: PayInvoiceRequest, version: number | undefined): Effect.fn.Return<Invoice, ChargeNowFailure | CardDeclined> {
      const { billing_cycle_id } = yield* at(account.id, id, "pay", version)
      if (billing_cycle_id === null) return yield* notFound("billing cycle")
      const { decline_code, status } = yield* cycles.chargeNow(account, billing_cycle_id, { customer_present: false, ...(payment_method_id === undefined ? {} : { payment_method_id }) })
      if (status === "failed") return yield* declined(decline_code)
      return yield* get(account.id, id)
    })

    const repliedOf = Effect.fnUntraced(function*(account: string, id: string, { decline_code, status }: Standing): Effect.fn.Return<StoredReply, NotFound> {
      if (status !== "failed") return { status: 200, body: encode(yield* get(account, id)).wire }
      const { message, ...refusal } = declined(decline_code)
      const request_id = yield* RequestId
      return { status: 402, body: JSON.stringify(encodeDeclined(new CardDeclined({ ...refusal, message, ...(request_id === undefined ? {} : { request_id }) }))) }
    })

    const finish = Effect.fnUntraced(function*({ account, id, keyed }: PayCommand, standing: Standing): Effect.fn.Return<StoredReply, NotFound | CommitRefused> {
      const reply = yield* repliedOf(account.id, id, standing)
      yield* committer.commit({
        account_id: account.id, at: yield* now, cause: keyed.key, writes: [], entries: [], events: [], set: [], clear: [],
        key: keyDone(keyed, { type: BILLING_CYCLE, id: standing.cycle.id }, reply, "finish")
      })
      return reply
    })

    const payFirst = Effect.fnUntraced(function*(command: PayCommand): Effect.fn.Return<StoredReply, ChargeNowFailure | CommitRefused> {
      const { account, id, keyed, payload: { payment_method_id }, version } = command
      const { billing_cycle_id } = yield* at(account.id, id, "pay", version)
      if (billing_cycle_id === null) return yield* notFound("billing cycle")
      const until = DateTime.add(yield* realNow, { seconds: LEASE_SECONDS })
      const how = { customer_present: false, ...(payment_method_id === undefined ? {} : { payment_method_id }) }
      return yield* finish(command, yield* cycles.chargeKeyed(account, billing_cycle_id, how, keyHeld(keyed, { type: BILLING_CYCLE, id: billing_cycle_id }, until)))
    })

    const document = Effect.fnUntraced(function*(invoice: Invoice) {
      const { view } = yield* showing.shown(invoice)
      return { name: `${(invoice.number ?? invoice.id).replace(/[^A-Za-z0-9_-]/gu, "")}.pdf`, bytes: yield* showing.pdf(invoice, view) }
    })

    const byToken = Effect.fnUntraced(function*(token: string) {
      const invoice = /^[\w-]{16,64}$/u.test(token) ? yield* repository.byToken(token) : undefined
      return invoice === undefined || invoice.hosted_url === null ? yield* notFound(NAME) : invoice
    })

    return Invoices.of({
      get,
      list: Effect.fn("Invoices.list")(repository.list),
      update: Effect.fn("Invoices.update")((account: string, id: string, patch: InvoicePatch, version?: number) => untilCommitted(NAME, updateOne(account, id, patch, version))),
      remove: Effect.fn("Invoices.remove")((account: string, id: string, version?: number) => removeOne(account, id, version)),
      finalize: Effect.fn("Invoices.finalize")((account: string, id: string, version?: number) => untilCommitted(NAME, Effect.flatMap(at(account, id, "finalize", version), finalizeOne))),
      send: Effect.fn("Invoices.send")((account: string, id: string, request: SendInvoiceRequest, version?: number) => sendOne(account, id, request, version)),
      pay: Effect.fn("Invoices.pay")((account: AccountFacts, id: string, request: PayInvoiceRequest, version?: number) => payOne(account, id, request, version)),
      payKeyed: Effect.fn("Invoices.payKeyed")((command: PayCommand) =>
        idempotency.toTheEnd(once(idempotency, command.account.id, command.keyed, (begun): Effect.Effect<StoredReply, ChargeNowFailure | CommitRefused> =>
          begun._tag === "Resume" ? Effect.flatMap(cycles.lastTry(command.account.id, begun.resource_id), (standing) => finish(command, standing)) : payFirst(command)))),
      voidOne: Effect.fn("Invoices.void")((account: string, id: string, version?: number) => untilCommitted(NAME, voiding(account, id, version))),
      markUncollectible: Effect.fn("Invoices.markUncollectible")((account: string, id: string, version?: number) =>
        untilCommitted(NAME, changing(account, id, "mark_uncollectible", uncollectible, version))),
      pdf: Effect.fn("Invoices.pdf")((account: string, id: string) => Effect.flatMap(get(account, id), document)),
      hosted: Effect.fn("Invoices.hosted")(function*(token: string) {
        const invoice = yield* byToken(token)
        return { invoice, ...(yield* showing.shown(invoice)) }
      }),
      proceed: Effect.fn("Invoices.proceed")((account: string, id: string) => untilCommitted<void, never, never>(NAME, finalizeDraft(account, id)))
    })
  }))
}

const isInvoiceId = Schema.is(InvoiceId)

const timerOf = (resource_id: string) => ({ kind: FINALIZE, resource_id })

const commitOf = ({ account_id, id, updated_at }: Invoice, cause: string, { clear = [], events = [], writes = [], ...more }: Addition): Commit => ({
  account_id, at: updated_at, cause: internalCause(cause, id), entries: [], set: [], clear, events, writes, ...more
})

const nobody = () =>
  new ValidationError({ code: "to", message: "to: the customer has no email address. Send one in `to`, or give the customer one with PATCH /v1/customers/{id}." })

const keepsCycle = ({ status }: Invoice) =>
  new InvalidState({
    message: "A billing cycle stands behind this draft, so it cannot be deleted. Void it: then the cycle is voided with it.",
    details: { state: status, allowed: ["void"] }
  })

const ofChange = ({ status }: Invoice) =>
  new InvalidState({
    message: "This invoice is for a change of plan that waits for its charge. Cancel that change on the subscription; the invoice is voided with it.",
    details: { state: status, allowed: ["pay"] }
  })

const underWay = (payment_intent_id: string | null) =>
  new PaymentInFlight({
    message: "A charge of this invoice is under way. Wait until it is decided, then decide anew.",
    details: { operation: "charge", payment_intent_id, retry_after: 2 }
  })

const declined = (code: string | null) => {
  const decline_code = code ?? "generic_decline"
  return new CardDeclined({ decline_code, message: `The charge was declined: ${decline_code}. Ask the customer for another payment method, and send it as payment_method_id.` })
}
