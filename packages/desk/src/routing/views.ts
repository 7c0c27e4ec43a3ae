/** The pages that every resource has by its view: a list, and a detail. What can be done with it stands in `actions.ts`. */
import type { View } from "@svc/kernel/resource/view"
import { isRecord } from "@svc/kernel/values/record"
import { Effect } from "effect"
import type { Answer } from "../api/ask.ts"
import { endpointOf, pathFor, prefixOf } from "../api/endpoints.ts"
import { wordsOf } from "../i18n/words.ts"
import { keyIn, viewNamed } from "../pages/addresses.ts"
import { detailView, type RelatedRows, rowsView } from "../pages/detail.ts"
import { amountRefusal, askedOf, parametersOf, withoutCursors } from "../pages/filters.ts"
import { type Json, textAt, valueAt } from "../pages/json.ts"
import { listView } from "../pages/list.ts"
import { part } from "../pages/parts.ts"
import { mayUse } from "../pages/visit.ts"
import { lineOf } from "./moments.ts"
import { queryOf } from "./requests.ts"
import type { Desk, Handler, Here } from "./router.ts"
import { missing, refused, shownPage } from "./router.ts"

const PER_PAGE = "25"
const RELATED = "10"

/** The rows of a list, whatever the contract calls them. */
export const rowsOf = ({ json }: Answer): ReadonlyArray<Json> => {
  const rows = json["data"] ?? Object.values(json).find((value) => Array.isArray(value))
  return Array.isArray(rows) ? rows.filter(isRecord) : []
}

export const hasMore = ({ json }: Answer): boolean => json["has_more"] === true

interface PageOfList {
  readonly query: Readonly<Record<string, string>>
  readonly per_page: string
}

/** Where the API has a page of a list. */
export const pathOfPage = (view: View, { per_page, query }: PageOfList): string => {
  const { path, query: known } = endpointOf(view, view.list)
  const parameters = new URLSearchParams({ ...parametersOf(query), ...Object.hasOwn(known, "per_page") ? { per_page } : {} })
  return `${path}?${parameters.toString()}`
}

const askList = ({ ask }: Here, view: View, page: PageOfList) => ask({ method: "GET", path: pathOfPage(view, page) })

export const load = ({ ask }: Here, view: View, key: string) =>
  ask({ method: "GET", path: pathFor(endpointOf(view, view.get ?? "get").path, key) })

/** The lists of other views that belong to the resource, as far as the person may read them. */
const relatedTo = (here: Here, view: View, resource: Json) =>
  Effect.forEach(
    view.related,
    Effect.fnUntraced(function*({ by, filter, view: name }) {
      const other = viewNamed(name)
      const value = valueAt(resource, by)
      if (other === undefined || typeof value !== "string" || value === "") return []
      // The installation reads lists of an account that it names.
      const isOfNamed = here.visit.person.account === null && filter === "merchant_id"
      if (!isOfNamed && !mayUse(here.visit, endpointOf(other, other.list))) return []
      const query = { [filter]: value }
      const listed = yield* askList(here, other, { query, per_page: RELATED })
      const rows: RelatedRows = { view: other, rows: rowsOf(listed), has_more: hasMore(listed), query }
      return listed.status === 200 ? [rows] : []
    }),
    { concurrency: 3 }
  )

/** The lists that the resource's own endpoints give. */
const listsOf = ({ ask, visit }: Here, view: View, resource: Json) =>
  Effect.forEach(
    view.actions.filter(({ endpoint }) => mayUse(visit, endpointOf(view, endpoint))),
    Effect.fnUntraced(function*({ endpoint, rows: columns }) {
      if (columns === undefined) return []
      const listed = yield* ask({ method: "GET", path: pathFor(endpointOf(view, endpoint).path, keyIn(view, resource)) })
      const [label, rows] = [wordsOf(view, visit.pageLocale).action(endpoint), rowsOf(listed)]
      return listed.status !== 200 || rows.length === 0 ? [] : [part(label, rowsView(visit, view, { label, columns, rows }))]
    })
  )

const detailPage = Effect.fnUntraced(function*(here: Here, view: View, resource: Json) {
  const related = (yield* relatedTo(here, view, resource)).flat()
  const lists = (yield* listsOf(here, view, resource)).flat()
  const line = yield* lineOf(here, view.name, resource)
  const [main, key] = [detailView(here.visit, view, resource, { line, lists, related }), keyIn(view, resource)]
  return shownPage(here.visit, {
    title: wordsOf(view, here.visit.pageLocale).one,
    current: view.name,
    main,
    ...key === "" ? {} : { live: key }
  })
})

/** The page of what there is one of in each account, or none. */
const single = Effect.fnUntraced(function*(here: Here, view: View) {
  const one = yield* load(here, view, "")
  const none = one.status === 404 ? listView(here.visit, view, { rows: [], has_more: false, asked: {} }) : undefined
  if (none !== undefined) return shownPage(here.visit, { title: wordsOf(view, here.visit.pageLocale).one, current: view.name, main: none })
  return one.status === 200 ? yield* detailPage(here, view, one.json) : refused(here.visit, one)
})

/** What the rows come to that the filters leave, where the address asks for it. */
const sumsOf = Effect.fnUntraced(function*({ ask, request }: Here, view: View, asked: Readonly<Record<string, string>>) {
  if (view.sums === undefined || queryOf(request)["sums"] !== "all") return undefined
  const query = new URLSearchParams(parametersOf(withoutCursors(asked)))
  return yield* ask({ method: "GET", path: `${endpointOf(view, view.sums).path}?${query.toString()}` })
})

const list: Handler = Effect.fnUntraced(function*(here) {
  const { params, request, visit } = here
  const view = viewNamed(params["view"])
  if (view === undefined) return missing(visit)
  if (view.single === true) return yield* single(here, view)
  const asked = askedOf(view, queryOf(request))
  const titled = { title: wordsOf(view, visit.pageLocale).many, current: view.name }
  const refusal = amountRefusal(visit, asked)
  if (refusal !== undefined) {
    return shownPage(visit, { ...titled, main: listView(visit, view, { rows: [], has_more: false, asked, refusal }) }, 400)
  }
  const listed = yield* askList(here, view, { query: asked, per_page: PER_PAGE })
  const isWrong = listed.status === 400 || listed.status === 422
  if (listed.status !== 200 && !isWrong) return refused(visit, listed)
  const added = isWrong ? undefined : yield* sumsOf(here, view, asked)
  if (added !== undefined && added.status !== 200) return refused(visit, added)
  const sums = added === undefined ? {} : { sums: rowsOf(added) }
  const facts = { rows: rowsOf(listed), has_more: hasMore(listed), asked, ...sums }
  const main = listView(visit, view, isWrong ? { ...facts, refusal: textAt(listed.json, "message") } : facts)
  const prefix = prefixOf(view)
  const live = prefix === undefined ? {} : { live: `${prefix}_` }
  return shownPage(visit, { ...titled, main, ...live }, listed.status)
})

const detail: Handler = Effect.fnUntraced(function*(here) {
  const { params, visit } = here
  const view = viewNamed(params["view"])
  if (view?.get === undefined || view.single === true) return missing(visit)
  const one = yield* load(here, view, params["id"] ?? "")
  if (one.status !== 200) return refused(visit, one)
  return yield* detailPage(here, view, one.json)
})

/** Pages that are written for a resource have a path of their own, which comes before these. */
export const addViews = Effect.fnUntraced(function*({ get }: Desk) {
  yield* get("/:view", list)
  yield* get("/:view/:id", detail)
})
