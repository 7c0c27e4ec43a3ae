/** The page of a search. What one name alone stands for is shown itself. */
import { Effect } from "effect"
import type { Answer } from "../api/ask.ts"
import { messagesOf } from "../i18n/messages.ts"
import { type Json, textAt } from "../pages/json.ts"
import { objectsAt } from "../pages/parts.ts"
import { searchView } from "../pages/search.ts"
import { namesOne } from "../search/model.ts"
import { redirected } from "./answers.ts"
import { queryOf } from "./requests.ts"
import { type Desk, type Handler, refused, shownPage } from "./router.ts"

const listAt = (json: Json, field: string): ReadonlyArray<unknown> => {
  const value = json[field]
  return Array.isArray(value) ? value : []
}

/** The page of the only hit, where the text names one thing. */
const onlyOne = ({ json }: Answer): string | undefined => {
  const [hit, ...others] = objectsAt(json, "data")
  const isSure = hit !== undefined && others.length === 0 && listAt(json, "unfinished").length === 0 &&
    Array.from(namesOne).some((match) => match === hit["matched"])
  return isSure ? textAt(hit, "path") : undefined
}

const page: Handler = Effect.fnUntraced(function*({ ask, request, visit }) {
  const [texts, text] = [messagesOf(visit.pageLocale).search, (queryOf(request)["q"] ?? "").trim()]
  const nothing = { text, hits: [], understood_as: [], isUnfinished: false }
  if (text === "") return shownPage(visit, { title: texts.title, main: searchView(visit, nothing) })
  const found = yield* ask({ method: "GET", path: `/v1/search?${new URLSearchParams({ q: text }).toString()}` })
  const title = texts.found(text)
  if (found.status === 400) {
    return shownPage(visit, { title: texts.title, searched: text, main: searchView(visit, { ...nothing, refusal: reasonOf(found) }) }, 400)
  }
  if (found.status !== 200) return refused(visit, found)
  const path = onlyOne(found)
  if (path !== undefined) return redirected(path)
  const main = searchView(visit, {
    text,
    hits: objectsAt(found.json, "data"),
    understood_as: listAt(found.json, "understood_as").map(String),
    isUnfinished: listAt(found.json, "unfinished").length > 0
  })
  return shownPage(visit, { title, searched: text, main })
})

const reasonOf = ({ json }: Answer): string => textAt(json, "message")

export const addSearch = ({ get }: Desk) => get("/search", page)
