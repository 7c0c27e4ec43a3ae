/** The events that a resource emits: declared once beside its model, drafted by its rules, told to the outside by its group. */
import { Context, type Schema } from "effect"
import type { Header } from "../http/headers.ts"
import type { EventDraft } from "../road/decision.ts"

/** What a group says of the events of its resource. */
export interface EventCatalog {
  /** Every type, such as `settlement.completed`. */
  readonly types: ReadonlyArray<string>
  /** What `data` of each of them is: the resource as the API shows it. */
  readonly data: Schema.Top
}

/** Annotates a group with the events that its resource emits. */
export class Emits extends Context.Service<Emits, EventCatalog>()("@svc/kernel/Emits") {}

/** How events reach the accounts, for the documentation. */
export interface Delivering {
  /** What each request holds; its `type` and its `data` are those of the event. */
  readonly body: Schema.Top
  readonly headers: ReadonlyArray<Header>
  /** What the receiver should know. */
  readonly description: string
}

/** Annotates the group of what sends events to the accounts. */
export class Delivers extends Context.Service<Delivers, Delivering>()("@svc/kernel/Delivers") {}

/** The event types of a resource, and how one is drafted. A type that is not declared does not compile. */
export const eventsOf = <const R extends string, const T extends string>(resource_type: R, names: ReadonlyArray<T>, data: Schema.Top) => ({
  types: names.map((name): `${R}.${T}` => `${resource_type}.${name}`),
  data,
  /**
   * `json` is the text of the resource as of this event, as the API shows it; `hints` what receivers may route by, when the scheduler
   * causes the event.
   */
  draft: (name: T, of: { readonly id: string; readonly version: number }, json: string, hints?: EventDraft["hints"]): EventDraft => ({
    type: `${resource_type}.${name}`,
    resource_type,
    resource_id: of.id,
    resource_version: of.version,
    data: json,
    ...(hints === undefined ? {} : { hints })
  })
})
