/** Changes an invoice by itself: its draft is edited, removed or finalized, and an open one written off. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { InvalidState } from "@svc/kernel/resource/errors"
import { type CommitRefused, Committer } from "@svc/kernel/road/committer"
import { now } from "@svc/kernel/values/time"
import { type DateTime, Effect } from "effect"
import { edited, type InvoiceDecision, type InvoicePatch, prefixOf } from "../../engine/invoices/invoices.ts"
import { additionOf, commitOf, numberedOf } from "../../engine/road/invoices.ts"
import { FINALIZE, type Invoice, invoices } from "../model.ts"
import { InvoiceRepository } from "../repository.ts"
import { type ChangeFailure, makeFinding } from "./finding.ts"

/** A change of the invoice alone, and the move that it is. */
interface Change {
  readonly trigger: "void" | "mark_uncollectible"
  readonly decide: (invoice: Invoice, at: DateTime.Utc) => InvoiceDecision
}

const timerOf = (resource_id: string) => ({ kind: FINALIZE, resource_id })

const keepsCycle = ({ status }: Invoice) =>
  new InvalidState({
    message: "A billing cycle stands behind this draft, so it cannot be deleted. Void it: then the cycle is voided with it.",
    details: { state: status, allowed: ["void"] }
  })

/** Makes the functions that change. */
export const makeChanging = Effect.gen(function*() {
  const accounts = yield* Accounts
  const committer = yield* Committer
  const repository = yield* InvoiceRepository
  const { at, get } = yield* makeFinding

  const changing = Effect.fnUntraced(function*(account: string, id: string, version: number | undefined, { decide, trigger }: Change) {
    const decision = decide(yield* at(account, id, trigger, version), yield* now)
    yield* committer.commit(commitOf(decision.invoice, `invoice.${trigger}`, { ...additionOf(decision), clear: [timerOf(id)] }))
    return decision.invoice
  })

  const finalizeOne = Effect.fnUntraced(function*(invoice: Invoice): Effect.fn.Return<Invoice, CommitRefused> {
    const prefix = prefixOf(yield* Effect.orDie(accounts.get(AccountId.make(invoice.account_id))))
    const moment = yield* now
    yield* committer.commit({
      ...commitOf(invoice, "invoice.finalize", { ...numberedOf(invoice, prefix, moment), clear: [timerOf(invoice.id)] }),
      at: moment
    })
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
    yield* committer.commit(commitOf(next, "invoice.update", { writes: [invoices.write(next)] }))
    return next
  })

  const removeOne = Effect.fnUntraced(
    function*(account: string, id: string, version: number | undefined): Effect.fn.Return<void, ChangeFailure> {
      const invoice = yield* at(account, id, "update", version)
      if (invoice.billing_cycle_id !== null) return yield* keepsCycle(invoice)
      if (!(yield* repository.remove(account, id, invoice.version))) return yield* removeOne(account, id, version)
    }
  )

  return { changing, finalizeDraft, finalizeOne, removeOne, updateOne }
})
