/** The pages of reconciliation: runs, uploads, and what differs. */
import { DateTime, Effect, Option } from "effect"
import { randomUUID } from "node:crypto"
import type { Answer, Question } from "../api/ask.ts"
import { messagesOf } from "../i18n/messages.ts"
import { objectsAt } from "../pages/parts.ts"
import { type Refusal, runsView, runView } from "../pages/reconciliation.ts"
import { textAt } from "../pages/values.ts"
import { redirected } from "./answers.ts"
import { queryOf } from "./requests.ts"
import { type Desk, type Handler, type Here, refused, shownPage } from "./router.ts"

const REPORTS = "/v1/reconciliation/reports"
const NAME = "reconciliation"
const PER_PAGE = "50"

const shownRuns = Effect.fnUntraced(function*({ ask, visit }: Here, refusal?: Refusal & { readonly status: number }) {
  const listed = yield* ask({ method: "GET", path: `${REPORTS}?per_page=${PER_PAGE}` })
  if (listed.status !== 200) return refused(visit, listed)
  const main = runsView(visit, objectsAt(listed.json, "data"), refusal)
  return shownPage(visit, { title: messagesOf(visit.pageLocale).reconciliation.title, current: NAME, main }, refusal?.status)
})

/** The first moment of a day that a form says, so many days later; as it was typed where it is no day. */
const dayAfter = (day: string, days: number): string =>
  Option.match(DateTime.make(`${day}T00:00:00.000Z`), {
    onNone: () => day,
    onSome: (at) => DateTime.formatIso(DateTime.add(at, { days }))
  })

const questionOf = ({ file, sent }: Here): Question => {
  const asked = { source: sent["source"] ?? "", from: dayAfter(sent["from"] ?? "", 0), to: dayAfter(sent["to"] ?? "", 1) }
  return file === undefined
    ? { method: "POST", path: REPORTS, body: asked }
    : {
      method: "POST",
      path: `${REPORTS}?${new URLSearchParams(asked).toString()}`,
      // A browser calls a CSV file by whatever program opens it on that machine.
      upload: { type: "text/csv", bytes: file.bytes }
    }
}

const compare: Handler = Effect.fnUntraced(function*(here) {
  const made = yield* here.ask(questionOf(here))
  return made.status < 300
    ? redirected(`/desk/${NAME}/${textAt(made.json, "id")}`)
    : yield* shownRuns(here, { message: textAt(made.json, "message"), sent: here.sent, status: made.status })
})

const narrowed = (values: Readonly<Record<string, string | undefined>>): Readonly<Record<string, string>> =>
  Object.fromEntries(
    ["type", "status", "after"].flatMap((name) => values[name] === undefined || values[name] === "" ? [] : [[name, values[name]]])
  )

const pathOf = ({ params }: Here): string => `${REPORTS}/${encodeURIComponent(params["id"] ?? "")}`

const load = (here: Here, asked: Readonly<Record<string, string>>) =>
  here.ask({ method: "GET", path: `${pathOf(here)}?${new URLSearchParams({ ...asked, per_page: PER_PAGE }).toString()}` })

const shownRun = ({ visit }: Here, found: Answer, asked: Readonly<Record<string, string>>, refusals: ReadonlyArray<string> = []) => {
  if (found.status !== 200) return refused(visit, found)
  const isDone = textAt(found.json, "status") === "completed"
  return shownPage(visit, {
    title: messagesOf(visit.pageLocale).reconciliation.run,
    current: NAME,
    main: runView(visit, { report: found.json, asked, refusals }),
    ...(isDone ? {} : { refresh: { seconds: 3 } })
  }, refusals.length === 0 ? 200 : 409)
}

const run: Handler = Effect.fnUntraced(function*(here) {
  const asked = narrowed(queryOf(here.request))
  return shownRun(here, yield* load(here, asked), asked)
})

/** The chosen mismatches, or all open ones that were shown. */
const resolve: Handler = Effect.fnUntraced(function*(here) {
  const { ask, params, sent } = here
  const asked = narrowed({ type: sent["asked-type"], status: sent["asked-status"], after: sent["asked-after"] })
  const found = yield* load(here, asked)
  const chosen = sent["which"] === "shown"
    ? objectsAt(found.json, "mismatches").filter((one) => textAt(one, "status") === "open").map((one) => textAt(one, "id"))
    : Object.keys(sent).filter((name) => name.startsWith("m-") && sent[name] === "yes").map((name) => name.slice(2))
  if (chosen.length === 0) return shownRun(here, found, asked, [messagesOf(here.visit.pageLocale).reconciliation.noChoice])
  const note = (sent["note"] ?? "").trim()
  const decided = yield* Effect.forEach(chosen, (id) =>
    Effect.map(
      ask({
        method: "POST",
        path: `/v1/reconciliation/mismatches/${encodeURIComponent(id)}/resolve`,
        body: { resolution: sent["resolution"] ?? "", idempotency_key: randomUUID(), ...(note === "" ? {} : { note }) }
      }),
      ({ json, status }) => status < 300 ? [] : [`${id}: ${textAt(json, "message")}`]
    ))
  const refusals = decided.flat()
  if (refusals.length > 0) return shownRun(here, yield* load(here, asked), asked, refusals)
  const query = new URLSearchParams(asked).toString()
  return redirected(`/desk/${NAME}/${params["id"] ?? ""}${query === "" ? "" : `?${query}`}`)
})

export const addReconciliation = Effect.fnUntraced(function*({ get, post }: Desk) {
  yield* get("/reconciliation", (here) => shownRuns(here))
  yield* post("/reconciliation", compare)
  yield* get("/reconciliation/:id", run)
  yield* post("/reconciliation/:id/resolve", resolve)
})
