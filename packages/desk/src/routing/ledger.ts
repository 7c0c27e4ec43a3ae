/** The page that verifies the ledger, and its export. */
import { Effect } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import { ledgerView } from "../pages/ledger.ts"
import { textAt } from "../pages/values.ts"
import { passedOn } from "./files.ts"
import { rowsOf } from "./payments.ts"
import { type Desk, type Handler, refused, shownPage } from "./router.ts"

const LINKS = 12
const CHECKPOINTS = 50

const verify: Handler = Effect.fnUntraced(function*(here) {
  const { ask, visit } = here
  const verified = yield* ask({ method: "GET", path: "/v1/ledger/verify" })
  // Too many checks at once are no reason to hide what else is there.
  if (verified.status !== 200 && verified.status !== 429) return refused(visit, verified)
  const main = ledgerView(visit, {
    verification: verified.status === 200 ? verified.json : undefined,
    refusal: textAt(verified.json, "message"),
    checkpoints: yield* rowsOf(here, `/v1/ledger/checkpoints?per_page=${CHECKPOINTS}`),
    entries: yield* rowsOf(here, `/v1/financial_events?per_page=${LINKS}`)
  })
  return shownPage(visit, { title: messagesOf(visit.pageLocale).ledger.title, current: "ledger_verification", main })
})

export const addLedger = Effect.fnUntraced(function*({ get }: Desk) {
  // The view of the menu, and the address that people remember.
  for (const path of ["/ledger_verification", "/ledger/verify"] as const) yield* get(path, verify)
  yield* get("/ledger/export", (here) => passedOn(here, "/v1/ledger/export"))
})
