/** Where the pages of a resource are. */
import type { View } from "@svc/kernel/resource/view"
import { endpointOf, keyOf, prefixOf } from "../api/endpoints.ts"
import { views } from "../views/all.ts"
import { type Json, valueAt } from "./json.ts"
import { mayUse, type Visit } from "./visit.ts"

export const viewNamed = (name: string | undefined): View | undefined => views.find((view) => view.name === name)

let prefixes: ReadonlyMap<string | undefined, ReadonlyArray<View>> | undefined

/** The views with pages of their own for each resource, by what their ids begin with: an account's, the installation's, or both. */
const viewsByPrefix = (): ReadonlyMap<string | undefined, ReadonlyArray<View>> => {
  prefixes ??= Map.groupBy(views.filter(({ get }) => get !== undefined), (view) => prefixOf(view))
  return prefixes
}

const viewsOf = (id: string): ReadonlyArray<View> => viewsByPrefix().get(id.slice(0, Math.max(id.lastIndexOf("_"), 0))) ?? []

const pageIn = (view: View | undefined, id: string): string | undefined =>
  view === undefined ? undefined : `/desk/${view.name}/${encodeURIComponent(id)}`

/** By the list, which is in one place alone: a route of the one may let in both. */
const opens = (visit: Pick<Visit, "person">, view: View): boolean => view.get !== undefined && mayUse(visit, endpointOf(view, view.list))

/**
 * The page of the resource with this id, in the view of whoever looks: the same id has a page in the account and another in the
 * installation. Undefined where no view has one that they may open.
 */
export const addressOf = (visit: Pick<Visit, "person">, id: string, view?: string): string | undefined => {
  const named = viewNamed(view)
  return pageIn((named === undefined ? viewsOf(id) : [named]).find((one) => opens(visit, one)), id)
}

const isOfAccount = (view: View): boolean => endpointOf(view, view.list).realm === "account"

/** The same for a reader whom nobody knows yet: in the account, where it has one there. */
export const anyAddressOf = (id: string): string | undefined => pageIn(viewsOf(id).find(isOfAccount) ?? viewsOf(id)[0], id)

/** What a resource of the view is addressed by. */
export const keyIn = (view: View, resource: Json): string => {
  const key = valueAt(resource, keyOf(view))
  return typeof key === "string" || typeof key === "number" ? String(key) : ""
}

/** The page of one; the page of the view itself where there is one in each account, or where no page shows one. */
export const placeOf = (view: View, resource: Json): string => {
  const key = keyIn(view, resource)
  return view.single === true || view.get === undefined || key === "" ? listAddress(view) : `/desk/${view.name}/${encodeURIComponent(key)}`
}

/** The pages of a view, and of what can be done with its resources. */
export const listAddress = ({ name }: Pick<View, "name">, query: Readonly<Record<string, string>> = {}): string => {
  const text = new URLSearchParams(query).toString()
  return text === "" ? `/desk/${name}` : `/desk/${name}?${text}`
}

export const actionAddress = (view: View, endpoint: string, resource?: Json): string => {
  const key = resource === undefined || view.single === true ? undefined : keyIn(view, resource)
  return key === undefined ? `/desk/${view.name}/do/${endpoint}` : `/desk/${view.name}/${encodeURIComponent(key)}/do/${endpoint}`
}
