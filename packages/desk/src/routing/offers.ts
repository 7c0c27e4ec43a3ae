/** Asks for what forms offer, in the name of the person who fills them in: nobody is offered what they may not read. */
import type { Input, View } from "@svc/kernel/resource/view"
import { isRecord } from "@svc/kernel/values/record"
import { Effect } from "effect"
import { endpointOf } from "../api/endpoints.ts"
import { viewNamed } from "../pages/addresses.ts"
import { type Json, textAt, valueAt } from "../pages/json.ts"
import { choosableOf, type Offers, offersIn } from "../pages/offers.ts"
import type { Here } from "./router.ts"
import { hasMore, pathOfPage, rowsOf } from "./views.ts"

/** The most that is offered: among more nobody finds anything, and the list has further pages. */
const MOST = "100"

interface Asked {
  readonly view: View
  readonly asks: ReadonlyArray<Input<string>>
  readonly resource: Json | undefined
}

/** What the list is narrowed to: what belongs to the resource, and as much of the rest as it reads. */
const queryOf = (other: View, input: Input<string>, resource: Json | undefined): Readonly<Record<string, string>> => {
  const by = input.offers !== undefined && "view" in input.offers ? input.offers.by ?? {} : {}
  const belongs = Object.entries(by).map(([filter, field]) => [filter, resource === undefined ? "" : textAt(resource, field)] as const)
  const { query } = endpointOf(other, other.list)
  const where = Object.entries(choosableOf(input)?.where ?? {}).filter(([filter]) => Object.hasOwn(query, filter))
  return Object.fromEntries([...belongs.filter(([, value]) => value !== ""), ...where])
}

/** None where they cannot be read, or where there are more than are offered. */
const rowsFor = Effect.fnUntraced(function*({ ask }: Here, { offers, ...input }: Input<string>, resource: Json | undefined) {
  if (offers === undefined) return []
  if ("held" in offers) {
    const held = resource === undefined ? undefined : valueAt(resource, offers.held)
    return Array.isArray(held) ? held.filter(isRecord) : []
  }
  const other = viewNamed(offers.view)
  if (other === undefined) return []
  const query = queryOf(other, { ...input, offers }, resource)
  const listed = yield* ask({ method: "GET", path: pathOfPage(other, { query, per_page: MOST }) })
  return listed.status !== 200 || hasMore(listed) ? [] : rowsOf(listed)
})

export const offersFor = Effect.fnUntraced(function*(here: Here, { asks, resource, view }: Asked) {
  const listed = yield* Effect.forEach(
    asks.filter(({ offers }) => offers !== undefined),
    (input) =>
      Effect.map(
        rowsFor(here, input, resource),
        (rows) => [input.field, offersIn(here.visit, view, { input, rows })] as const
      ),
    { concurrency: 3 }
  )
  const offers: Offers = Object.fromEntries(listed)
  return offers
})
