/** The page of the terms: their text is read before it is accepted. */
import { Effect } from "effect"
import { wordsOf } from "../i18n/words.ts"
import { viewNamed } from "../pages/addresses.ts"
import { rowsAt } from "../pages/home.ts"
import { termsPart } from "../pages/onboarding.ts"
import { textAt } from "../pages/values.ts"
import { type Desk, type Handler, missing, refused, shownPage } from "./router.ts"
import { load } from "./views.ts"

const terms: Handler = Effect.fnUntraced(function*(here) {
  const { visit } = here
  const view = viewNamed("terms")
  if (view === undefined) return missing(visit)
  const current = yield* load(here, view, "")
  if (current.status !== 200) return refused(visit, current)
  const query = new URLSearchParams({ terms_version: textAt(current.json, "version"), per_page: "1" })
  const accepted = yield* here.ask({ method: "GET", path: `/v1/terms_acceptances?${query.toString()}` })
  const [acceptance] = accepted.status === 200 ? rowsAt(accepted.json, "data") : []
  return shownPage(visit, {
    title: wordsOf(view, visit.pageLocale).one,
    current: view.name,
    main: termsPart(visit, view, { terms: current.json, ...acceptance === undefined ? {} : { acceptance } })
  })
})

export const addOnboarding = ({ get }: Desk) => get("/terms", terms)
