/** Turns a decision about a subscription, its cycles and their invoices into the writes of a commit. */
import { internalCause } from "@svc/kernel/resource/idempotency"
import type { Addition, Commit, EventDraft, Write } from "@svc/kernel/road/decision"
import { iso } from "@svc/kernel/values/time"
import type { DateTime } from "effect"
import { type BillingCycle, billingCycleEvents, billingCycles } from "../../billing-cycles/model.ts"
import { type Invoice, invoiceEvents, invoices } from "../../invoices/model.ts"
import { type Subscription, subscriptionEvents, subscriptions } from "../../subscriptions/model.ts"
import { finalized, numberOf } from "../invoices/invoices.ts"
import type { BillingDecision, DecisionStep } from "../subscriptions/steps.ts"

/** A step that does not need the number of an invoice. */
type NotNumbered = Exclude<DecisionStep, { readonly of: "number" | "numbered" }>

const nextRetry = (at: DateTime.Utc | null) => at === null ? {} : { next_retry_at: iso(at) }

/** The hints of a subscription's event, by which receivers can route without reading the resource. */
const hintsOfSubscription = ({ failed_attempts, id, next_retry_at, status }: Subscription) => ({
  subscription_id: id,
  status,
  failed_attempts: String(failed_attempts),
  ...nextRetry(next_retry_at)
})
const hintsOfCycle = ({ next_attempt_at, retries, status, subscription_id }: BillingCycle) => ({
  subscription_id,
  status,
  failed_attempts: String(retries),
  ...nextRetry(next_attempt_at)
})
const hintsOfInvoice = ({ status, subscription_id }: Invoice) => ({ ...(subscription_id === null ? {} : { subscription_id }), status })

interface Written {
  readonly write: Write
  readonly event: EventDraft | undefined
}

const atVersion = <R extends { readonly version: number }>(resource: R, version: number): R =>
  resource.version === version ? resource : { ...resource, version }

/** The row after a step, with this version, and its event. */
const written = (step: NotNumbered, version: number): Written => {
  switch (step.of) {
    case "subscription": {
      const to = atVersion(step.to, version)
      const { row, wire } = subscriptions.encode(to)
      const event = step.event && subscriptionEvents.draft(step.event, to, wire, () => hintsOfSubscription(to))
      return { write: { table: subscriptions, row }, event }
    }
    case "billing_cycle": {
      const to = atVersion(step.to, version)
      const { row, wire } = billingCycles.encode(to)
      const event = step.event && billingCycleEvents.draft(step.event, to, wire, () => hintsOfCycle(to))
      return { write: { table: billingCycles, row }, event }
    }
    case "invoice": {
      const to = atVersion(step.to, version)
      const { row, wire } = invoices.encode(to)
      const event = step.event && invoiceEvents.draft(step.event, to, wire, () => hintsOfInvoice(to))
      return { write: { table: invoices, row }, event }
    }
  }
}

/** The rows after the steps, and their events in order. */
const writtenBy = (steps: ReadonlyArray<NotNumbered>, versions: Map<string, number>) => {
  const writes = new Map<string, Write>()
  const events: Array<EventDraft> = []
  for (const step of steps) {
    const version = versions.get(step.to.id) ?? step.to.version
    versions.set(step.to.id, version)
    const { event, write } = written(step, version)
    writes.set(step.to.id, write)
    if (event !== undefined) events.push(event)
  }
  return { writes, events }
}

/** The steps that follow the number of an invoice, once the number is known. */
const behind = (steps: ReadonlyArray<DecisionStep>, open: Invoice): ReadonlyArray<NotNumbered> =>
  steps.flatMap((step): ReadonlyArray<NotNumbered> => {
    if (step.of === "number") return []
    if (step.of !== "numbered") return [step]
    const { event, invoice } = step.follows(open)
    return [{ of: "invoice", to: invoice, event }]
  })

const isNotNumbered = (step: DecisionStep): step is NotNumbered => step.of !== "number" && step.of !== "numbered"

/** The writes of the commit. The events after the number of an invoice are emitted once the number is known. */
export const additionOf = ({ clear, moments = [], set, steps }: BillingDecision): Addition => {
  const place = steps.findIndex(({ of }) => of === "number")
  const number = steps[place]
  if (number?.of !== "number") {
    const { events, writes } = writtenBy(steps.filter(isNotNumbered), new Map())
    return { writes: Array.from(writes.values()), events, set, clear, moments }
  }
  const versions = new Map<string, number>()
  const { events, writes } = writtenBy(steps.slice(0, place).filter(isNotNumbered), versions)
  // The row of the invoice is written with its number.
  writes.delete(number.draft.id)
  const rest = steps.slice(place + 1)
  // The rows of other resources after the number do not wait for the number.
  for (const [id, write] of writtenBy(rest.filter(isNotNumbered), new Map(versions)).writes) writes.set(id, write)
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

/** A decision as a commit of its own. `cause` names the operation and its resource. */
export const commitOf = (
  account_id: string,
  moment: DateTime.Utc,
  decision: BillingDecision,
  [what, id]: readonly [what: string, id: string]
): Commit => {
  const { clear = [], events = [], set = [], writes = [], ...more } = additionOf(decision)
  return { account_id, at: moment, cause: internalCause(what, id), entries: [], writes, events, set, clear, ...more }
}

/** The commit with further writes, whose events come first. */
export const withAddition = (commit: Commit, { clear = [], counters = [], entries = [], events = [], ...more }: Addition): Commit => ({
  ...commit,
  writes: [...commit.writes, ...more.writes ?? []],
  entries: [...commit.entries, ...entries],
  events: [...events, ...commit.events],
  set: [...commit.set, ...more.set ?? []],
  clear: [...commit.clear, ...clear],
  counters: [...commit.counters ?? [], ...counters],
  requires: [...commit.requires ?? [], ...more.requires ?? []],
  moments: [...commit.moments ?? [], ...more.moments ?? []]
})
