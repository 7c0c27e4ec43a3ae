/** The first page: what needs somebody, what came in, and what there is. */
import { type Html, html } from "@svc/design/html"
import { Effect } from "effect"
import type { Answer } from "../api/ask.ts"
import { messagesOf } from "../i18n/messages.ts"
import { deskPage } from "../pages/frame.ts"
import { HOME_STYLE, homeView, rowsAt } from "../pages/home.ts"
import { isDone, ONBOARDING_STYLE, requestsView } from "../pages/onboarding.ts"
import { answer } from "./answers.ts"
import type { Desk, Handler, Here } from "./router.ts"

const LATEST = 5

/** Live accounts whose work run is done are not asked for it again, by as many as this process remembers. */
const REMEMBERED = 10_000

const getting = ({ ask }: Here) => (path: string) =>
  Effect.map(ask({ method: "GET", path }), (asked: Answer) => asked.status === 200 ? asked.json : undefined)

const rows = (list: Answer["json"] | undefined) => list === undefined ? undefined : rowsAt(list, "data")

const shownHome = ({ visit }: Here, main: Html) => {
  const page = deskPage(visit, { title: messagesOf(visit.pageLocale).nav.home, current: "home", main, follows: true })
  return answer({ ...page, style: `${page.style ?? ""}${HOME_STYLE}${ONBOARDING_STYLE}` })
}

const installationHome: Handler = Effect.fnUntraced(function*(here) {
  const requests = rows(yield* getting(here)("/v1/operator/go_live_requests?status=pending&per_page=25"))
  return shownHome(here, html`<div class="home">${requests === undefined ? null : requestsView(here.visit, requests)}</div>`)
})

/** The routes that the page shows, asked at once. What the person may not see is left out. */
const home = (): Handler => {
  const live = new Set<string>()
  return Effect.fnUntraced(function*(here) {
    const { account } = here.visit.person
    if (account === null) return yield* installationHome(here)
    const get = getting(here)
    // One after the other: two that add up new entries at once would not both have all of them.
    const byDay = Effect.all([get("/v1/volume"), get("/v1/balance_history")])
    const [attention, [volume, history], balances, payments, run] = yield* Effect.all([
      get("/v1/attention"),
      byDay,
      get("/v1/balance_accounts?per_page=100"),
      get(`/v1/payment_intents?per_page=${LATEST}`),
      live.has(account.id) ? Effect.undefined : get("/v1/work_run")
    ], { concurrency: "unbounded" })
    if (run !== undefined && isDone(run) && !account.sandbox) {
      if (live.size >= REMEMBERED) live.clear()
      live.add(account.id)
    }
    const facts = { attention: rows(attention), volume, history, balances: rows(balances), payments: rows(payments), run }
    return shownHome(here, homeView(here.visit, facts))
  })
}

export const addHome = ({ get }: Desk) => get("", home())
