/** From a decision about a subscription, its cycles and their invoices to what a commit writes. */
import { internalCause } from "@svc/kernel/idempotency"
import type { Addition, Commit, EventDraft, Write } from "@svc/kernel/road/decision"
import { iso } from "@svc/kernel/time"
import type { DateTime } from "effect"
import { BillingCycle, billingCycleEvents, billingCycles, encode as encodeCycle } from "../billing-cycles/model.ts"
import { encode as encodeInvoice, Invoice, invoiceEvents, invoices } from "../invoices/model.ts"
import { finalized, numberOf } from "../invoices/rules.ts"
import { encode, Subscription, subscriptionEvents, subscriptions } from "./model.ts"
import type { Decision, Step } from "./rules/steps.ts"

type Told = Exclude<Step, { readonly of: "number" | "numbered" }>

const nextRetry = (at: DateTime.Utc | null) => at === null ? {} : { next_retry_at: iso(at) }

/** What receivers route by, without reading the resource. */
const hintsOfSubscription = ({ failed_attempts, id, next_retry_at, status }: Subscription) =>
  ({ subscription_id: id, status, failed_attempts: String(failed_attempts), ...nextRetry(next_retry_at) })
const hintsOfCycle = ({ next_attempt_at, retries, status, subscription_id }: BillingCycle) =>
  ({ subscription_id, status, failed_attempts: String(retries), ...nextRetry(next_attempt_at) })
const hintsOfInvoice = ({ status, subscription_id }: Invoice) => ({ ...(subscription_id === null ? {} : { subscription_id }), status })

/** The step with this version of its resource. */
const at = (step: Told, version: number): Told => {
  if (step.to.version === version) return step
  switch (step.of) {
    case "subscription":
      return { ...step, to: new Subscription({ ...step.to, version }, { disableChecks: true }) }
    case "billing_cycle":
      return { ...step, to: new BillingCycle({ ...step.to, version }, { disableChecks: true }) }
    case "invoice":
      return { ...step, to: new Invoice({ ...step.to, version }, { disableChecks: true }) }
  }
}

const written = (step: Told): { readonly write: Write; readonly events: ReadonlyArray<EventDraft> } => {
  switch (step.of) {
    case "subscription": {
      const { row, wire } = encode(step.to)
      return { write: { table: subscriptions, row }, events: step.event === undefined ? [] : [subscriptionEvents.draft(step.event, step.to, wire, () => hintsOfSubscription(step.to))] }
    }
    case "billing_cycle": {
      const { row, wire } = encodeCycle(step.to)
      return { write: { table: billingCycles, row }, events: step.event === undefined ? [] : [billingCycleEvents.draft(step.event, step.to, wire, () => hintsOfCycle(step.to))] }
    }
    case "invoice": {
      const { row, wire } = encodeInvoice(step.to)
      return { write: { table: invoices, row }, events: step.event === undefined ? [] : [invoiceEvents.draft(step.event, step.to, wire, () => hintsOfInvoice(step.to))] }
    }
  }
}

/** The rows that steps leave, and their events in order. */
const writtenBy = (steps: ReadonlyArray<Told>, versions: Map<string, number>) => {
  const writes = new Map<string, Write>()
  const events: Array<EventDraft> = []
  for (const step of steps) {
    const version = versions.get(step.to.id) ?? step.to.version
    versions.set(step.to.id, version)
    const { events: more, write } = written(at(step, version))
    writes.set(step.to.id, write)
    events.push(...more)
  }
  return { writes, events }
}

/** What follows a number, once the number is known. */
const behind = (steps: ReadonlyArray<Step>, open: Invoice): ReadonlyArray<Told> =>
  steps.flatMap((step): ReadonlyArray<Told> => {
    if (step.of === "number") return []
    if (step.of !== "numbered") return [step]
    const { event, invoice } = step.follows(open)
    return [{ of: "invoice", to: invoice, event }]
  })

const isTold = (step: Step): step is Told => step.of !== "number" && step.of !== "numbered"

/** What the commit writes. Events behind a number are told with it. */
export const additionOf = ({ clear, moments = [], set, steps }: Decision): Addition => {
  const place = steps.findIndex(({ of }) => of === "number")
  const number = steps[place]
  if (number?.of !== "number") {
    const { events, writes } = writtenBy(steps.filter(isTold), new Map())
    return { writes: Array.from(writes.values()), events, set, clear, moments }
  }
  const versions = new Map<string, number>()
  const { events, writes } = writtenBy(steps.slice(0, place).filter(isTold), versions)
  // The row of the invoice is written with its number.
  writes.delete(number.draft.id)
  const rest = steps.slice(place + 1)
  // Rows of others behind the number do not wait for it.
  for (const [id, write] of writtenBy(rest.filter(isTold), new Map(versions)).writes) writes.set(id, write)
  return {
    writes: Array.from(writes.values()),
    events,
    set,
    clear,
    moments,
    numbered: [{
      row_id: number.draft.id,
      with: (n) => {
        const open = finalized(number.draft, numberOf(number.prefix, n), number.at)
        const told = writtenBy([{ of: "invoice", to: open.invoice, event: open.event }, ...behind(rest, open.invoice)], new Map(versions))
        const row = told.writes.get(number.draft.id)
        return { writes: row === undefined ? [] : [row], events: told.events }
      }
    }]
  }
}

/** A decision as a commit of its own. `cause` names the operation, and on what. */
export const commitOf = (account_id: string, moment: DateTime.Utc, decided: Decision, [what, id]: readonly [what: string, id: string]): Commit => {
  const { clear = [], events = [], set = [], writes = [], ...more } = additionOf(decided)
  return { account_id, at: moment, cause: internalCause(what, id), entries: [], writes, events, set, clear, ...more }
}
