/** The pages of what agents called. */
import { Effect } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import { objectsAt } from "../pages/parts.ts"
import { callView, usageView } from "../pages/tool-calls.ts"
import { queryOf } from "./requests.ts"
import { type Desk, type Handler, refused, shownPage } from "./router.ts"

const CALLS = "/v1/tool_calls"
const NAME = "tool-calls"

const usage: Handler = Effect.fnUntraced(function*({ ask, request, visit }) {
  const { after = "" } = queryOf(request)
  const query = new URLSearchParams({ per_page: "25", ...(after === "" ? {} : { after }) })
  const listed = yield* ask({ method: "GET", path: `${CALLS}?${query.toString()}` })
  if (listed.status !== 200) return refused(visit, listed)
  const totals = yield* ask({ method: "GET", path: `${CALLS}/totals` })
  const main = usageView(visit, {
    calls: objectsAt(listed.json, "data"),
    has_more: listed.json["has_more"] === true,
    totals: totals.json
  })
  return shownPage(visit, { title: messagesOf(visit.pageLocale).toolCalls.title, current: NAME, main })
})

const call: Handler = Effect.fnUntraced(function*({ ask, params, visit }) {
  const found = yield* ask({ method: "GET", path: `${CALLS}/${encodeURIComponent(params["id"] ?? "")}` })
  if (found.status !== 200) return refused(visit, found)
  return shownPage(visit, { title: messagesOf(visit.pageLocale).toolCalls.one, current: NAME, main: callView(visit, found.json) })
})

export const addToolCalls = Effect.fnUntraced(function*({ get }: Desk) {
  yield* get("/tool-calls", usage)
  yield* get("/tool-calls/:id", call)
})
