/** How the sandbox is brought to an event: one cause for each event type of a resource. A type without one does not compile. */
import type { Client } from "@svc/client/client"
import { nextId } from "@svc/kernel/values/ids"
import { Effect } from "effect"

/** What a cause works with. Amounts are minor units. */
export interface Sandbox {
  readonly client: Client
  /** Of the server that the client speaks to, without a slash at the end. */
  readonly baseUrl: string
  readonly amount: number
  readonly currency: string
}

/** The resource that the event is about, and how it stands. */
export interface Caused {
  readonly id: string
  readonly state: string
}

/** Whatever it fails with is told as the API said it. */
export type Cause = (sandbox: Sandbox) => Effect.Effect<Caused, unknown>

/** The causes of a resource's events, of all of them and of no others. */
export const triggersOf = <const Type extends string>(
  _events: { readonly types: ReadonlyArray<Type> },
  causes: { readonly [T in Type]: Cause }
): { readonly [T in Type]: Cause } => causes

/** Every step has a key of its own, so each trigger is a payment of its own. */
export const key = Effect.map(nextId("req"), (id) => ({ idempotency_key: `trigger_${id}` }))

/** On what can carry it, so that one sees where it comes from. */
export const metadata = { made_by: "svc trigger" }
