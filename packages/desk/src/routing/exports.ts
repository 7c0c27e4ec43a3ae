/**
 * A list as a file: its pages, asked for one behind another and written as they come. A page is asked for when the one before it was
 * taken, so that an export of any length holds one page.
 */
import type { SignedInPerson } from "@svc/accounts/access/model"
import { untilQuiet } from "@svc/kernel/http/giving-way"
import { makePlaces } from "@svc/kernel/http/places"
import { Stopping } from "@svc/kernel/http/stopping"
import { whileTaken } from "@svc/kernel/http/streamed"
import type { View } from "@svc/kernel/resource/view"
import { realNow } from "@svc/kernel/values/time"
import { Data, Duration, Effect, Option, PartitionedSemaphore, Result, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Answer } from "../api/ask.ts"
import { keyIn, viewNamed } from "../pages/addresses.ts"
import { type ExportPlan, headOf, planOf, rowOf } from "../pages/export.ts"
import { amountRefusal, askedOf } from "../pages/filters.ts"
import { saved } from "./answers.ts"
import { sessionSecretOf } from "./cookies.ts"
import { queryOf } from "./requests.ts"
import { type Desk, type Handler, type Here, missing, refused } from "./router.ts"
import { hasMore, pathOfPage, rowsOf } from "./views.ts"

/** Rows of a page: few milliseconds of this thread, before which requests have their turn, for so long at most. */
const PER_PAGE = "25"
const MOST_QUIET = Duration.millis(250)
/** In which a page is taken. */
const PATIENCE = Duration.seconds(60)
/** How long after a person lost their session or role an export of theirs may still go on. */
const SEEN_AGAIN = 1000

/** Exports that are open at one time: of the process, and of an account. */
const [OPEN, OF_ACCOUNT] = [32, 2]
/** Pages that are made at one time, the accounts in turn. */
const MADE_AT_ONCE = 1

const types = { csv: "text/csv; charset=utf-8", ndjson: "application/x-ndjson" } as const

/** The rest cannot be had. The transfer is cut off, so that nobody takes the file for a whole one. */
class ExportEnded extends Data.TaggedError("ExportEnded")<{ readonly why: string }> {}

/** Whether the file goes on behind a row of one that broke off. */
const isBegun = ({ request }: Here): boolean => (queryOf(request)["after"] ?? "") !== ""

const textOf = (plan: ExportPlan, page: Answer): string => rowsOf(page).map((row) => rowOf(plan, row)).join("")

/** The row behind which the next page begins; undefined behind the last one. */
const lastOf = (view: View, page: Answer): string | undefined => {
  const last = rowsOf(page).at(-1)
  return hasMore(page) && last !== undefined ? keyIn(view, last) : undefined
}

/** The person of a request as they are now. The export ends with their session, and where their role changes, it goes on by the new one. */
const presentPerson = ({ request, visit }: Here, { publicUrl, sessions }: Desk) => {
  const secret = sessionSecretOf(request, publicUrl)
  let [person, seen]: [SignedInPerson, number | undefined] = [visit.person, undefined]
  return Effect.gen(function*() {
    const { epochMilliseconds: millis } = yield* realNow
    seen ??= millis
    if (millis - seen < SEEN_AGAIN) return person
    const session = secret === undefined ? undefined : yield* sessions.find(secret)
    if (session === undefined) return yield* new ExportEnded({ why: "the person is signed in no more" })
    person = session.person
    seen = millis
    return person
  })
}

interface Exported {
  readonly view: View
  readonly plan: ExportPlan
  /** The address of the page behind a row. */
  readonly pathBehind: (after: string) => string
}

const makeExport = (desk: Desk, making: PartitionedSemaphore.PartitionedSemaphore<string>) => {
  /** The pages behind a row, each as text. A stream needs nothing of its request any more when it is read. */
  const textsBehind = Effect.fnUntraced(function*(here: Here, { pathBehind, plan, view }: Exported, row: string) {
    const isStopping = yield* Stopping
    const personNow = presentPerson(here, desk)
    const account = here.visit.person.account?.id ?? ""
    const page = Effect.fnUntraced(
      function*(after: string) {
        if (isStopping()) return yield* new ExportEnded({ why: "the service stops" })
        const question = { method: "GET", path: pathBehind(after), continues: true } as const
        const asked = Effect.andThen(untilQuiet(MOST_QUIET), desk.ask(yield* personNow, question))
        const answered = yield* making.withPermit(account)(asked)
        if (answered.status !== 200) return yield* new ExportEnded({ why: `a page was refused with ${answered.status}` })
        const next = lastOf(view, answered)
        return [[textOf(plan, answered)], next === undefined ? Option.none<string>() : Option.some(next)] as const
      },
      Effect.provideService(HttpServerRequest.HttpServerRequest, here.request),
      Effect.scoped
    )
    return Stream.paginate(row, page)
  })

  return Effect.fnUntraced(function*(here: Here, exported: Exported, first: Answer) {
    const { plan, view } = exported
    const next = lastOf(view, first)
    const begun = Stream.succeed((isBegun(here) ? "" : headOf(plan)) + textOf(plan, first))
    const texts = next === undefined ? begun : Stream.concat(begun, yield* textsBehind(here, exported, next))
    const bytes = yield* whileTaken(Stream.encodeText(texts), PATIENCE)
    return saved(HttpServerResponse.stream(bytes, { contentType: types[plan.format] }), `${view.name}.${plan.format}`)
  })
}

export const addExports = Effect.fnUntraced(function*(desk: Desk) {
  const { keep } = makePlaces({ what: "exports", atOnce: OPEN, waiting: 0, ofAccount: OF_ACCOUNT, retryAfter: 5 })
  const exportOf = makeExport(desk, yield* PartitionedSemaphore.make<string>({ permits: MADE_AT_ONCE }))

  const handler: Handler = Effect.fnUntraced(function*(here) {
    const { ask, params, request, visit } = here
    const view = viewNamed(params["view"])
    if (view === undefined || view.single === true) return missing(visit)
    const plan = planOf(visit, view, new URL(request.url, "http://localhost").searchParams)
    if (Result.isFailure(plan)) return refused(visit, { status: 400, json: { message: plan.failure } })
    const { before: _before, page: _page, ...asked } = askedOf(view, queryOf(request))
    const unread = amountRefusal(visit, asked)
    if (unread !== undefined) return refused(visit, { status: 400, json: { message: unread } })
    const pathBehind = (after: string) => pathOfPage(view, { query: { ...asked, after }, per_page: PER_PAGE })
    const first = yield* ask({ method: "GET", path: pathOfPage(view, { query: asked, per_page: PER_PAGE }) })
    if (first.status !== 200) return refused(visit, first)
    const kept = yield* Effect.result(keep(visit.person.account?.id ?? ""))
    if (Result.isFailure(kept)) return refused(visit, { status: 429, json: { details: kept.failure.details } })
    return yield* exportOf(here, { view, plan: plan.success, pathBehind }, first)
  })

  yield* desk.get("/exports/:view", handler)
})
