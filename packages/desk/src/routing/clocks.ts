/** The page of the test clock. */
import { DateTime, Effect, Option } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import { clockView, type Step, steps } from "../pages/clocks.ts"
import { objectsAt } from "../pages/parts.ts"
import { type Json, textAt } from "../pages/values.ts"
import { redirected } from "./answers.ts"
import { rowsOf } from "./payments.ts"
import { queryOf } from "./requests.ts"
import { type Desk, type Handler, type Here, refused, shownPage } from "./router.ts"

const CLOCKS = "/v1/test_clocks"
const PAGE = "/desk/test-clocks"
const MOST_EVENTS = 100
const LATELY = 20

/** An advance goes on without anybody who waits: the page looks at it. */
const PATIENCE = "2 seconds"

const isSeq = (text: string | undefined): text is string => /^\d{1,15}$/u.test(text ?? "")

/** What happened after an event, or lately: the oldest first. */
const eventsSince = Effect.fnUntraced(function*({ ask }: Here, since: string | undefined) {
  const path = since === undefined ? `/v1/events?per_page=${LATELY}` : `/v1/events?per_page=${MOST_EVENTS}&after_seq=${since}`
  const { json } = yield* ask({ method: "GET", path })
  const events = objectsAt(json, "data")
  return { events: since === undefined ? events.toReversed() : events, more: since !== undefined && json["has_more"] === true }
})

const shownClock = Effect.fnUntraced(function*(here: Here, refusal?: { readonly message: string; readonly status: number }) {
  const { ask, request, visit } = here
  const listed = yield* ask({ method: "GET", path: CLOCKS })
  if (listed.status !== 200) return refused(visit, listed)
  const [clock] = objectsAt(listed.json, "data")
  const asked = queryOf(request)["since"]
  const since = isSeq(asked) ? asked : undefined
  const happened = clock === undefined ? { events: [], more: false } : yield* eventsSince(here, since)
  const isMoving = clock !== undefined && textAt(clock, "status") === "advancing"
  return shownPage(visit, {
    title: messagesOf(visit.pageLocale).clock.title,
    current: "test_clocks",
    main: clockView(visit, { clock, ...happened, since, refusal: refusal?.message }),
    ...(isMoving ? { refresh: { seconds: 2 } } : {})
  }, refusal?.status)
})

/** Where a step leads from the clock's present moment; undefined for one that there is not. */
const destination = (clock: Json, { by = "", to = "" }: Readonly<Record<string, string>>): string | undefined => {
  const at = DateTime.make(textAt(clock, "now"))
  const next = textAt(clock, "next_due_at")
  if (by === "next") return next < textAt(clock, "now") ? textAt(clock, "now") : next
  const step: Step | undefined = steps.find((one) => one === by)
  if (step !== undefined && Option.isSome(at)) return DateTime.formatIso(DateTime.add(at.value, { [`${step}s`]: 1 }))
  // A browser sends minutes, or seconds where the moment that stood there had some.
  return Option.getOrUndefined(Option.map(DateTime.make(`${to}Z`), DateTime.formatIso))
}

const advance: Handler = Effect.fnUntraced(function*(here) {
  const { ask, sent } = here
  const path = `${CLOCKS}/${encodeURIComponent(sent["id"] ?? "")}`
  const [last] = yield* rowsOf(here, "/v1/events?per_page=1")
  const found = yield* ask({ method: "GET", path })
  if (found.status !== 200) return refused(here.visit, found)
  const to = destination(found.json, sent) ?? sent["to"] ?? ""
  const moved = yield* Effect.timeoutOption(ask({ method: "POST", path: `${path}/advance`, body: { to } }), PATIENCE)
  return Option.isSome(moved) && moved.value.status >= 300
    ? yield* shownClock(here, { message: textAt(moved.value.json, "message"), status: moved.value.status })
    : redirected(`${PAGE}?since=${String(last?.["event_seq"] ?? 0)}`)
})

const simple = (method: "POST" | "DELETE", suffix: string): Handler =>
  Effect.fnUntraced(function*(here) {
    const path = suffix === "" && method === "POST" ? CLOCKS : `${CLOCKS}/${encodeURIComponent(here.sent["id"] ?? "")}${suffix}`
    const done = yield* here.ask({ method, path })
    return done.status < 300 ? redirected(PAGE) : yield* shownClock(here, { message: textAt(done.json, "message"), status: done.status })
  })

export const addClocks = Effect.fnUntraced(function*({ get, post }: Desk) {
  // The view of the menu, and the address that its forms have.
  for (const path of ["/test_clocks", "/test-clocks"] as const) yield* get(path, (here) => shownClock(here))
  yield* post("/test-clocks", simple("POST", ""))
  yield* post("/test-clocks/advance", advance)
  yield* post("/test-clocks/stop", simple("POST", "/cancel"))
  yield* post("/test-clocks/remove", simple("DELETE", ""))
})
