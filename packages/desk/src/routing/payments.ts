/** The page of one payment. */
import { Effect } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import { objectsAt } from "../pages/parts.ts"
import { paymentView } from "../pages/payments.ts"
import { textAt } from "../pages/values.ts"
import { type Desk, type Handler, type Here, refused, shownPage } from "./router.ts"

/** The rows of a list; none where the person may not see it. */
export const rowsOf = ({ ask }: Pick<Here, "ask">, path: string) =>
  Effect.map(ask({ method: "GET", path }), ({ json, status }) => status === 200 ? objectsAt(json, "data") : [])

/** The entries of the ledger about some resources, the newest first. */
export const entriesOf = Effect.fnUntraced(function*(here: Pick<Here, "ask">, ids: ReadonlyArray<string>) {
  const pages = yield* Effect.forEach(
    ids,
    (id) => rowsOf(here, `/v1/financial_events?per_page=100&resource_id=${encodeURIComponent(id)}`)
  )
  return pages.flat().toSorted((one, other) => Number(other["sequence_id"]) - Number(one["sequence_id"]))
})

const detail: Handler = Effect.fnUntraced(function*(here) {
  const { ask, params, visit } = here
  const id = encodeURIComponent(params["id"] ?? "")
  const found = yield* ask({ method: "GET", path: `/v1/payment_intents/${id}` })
  if (found.status !== 200) return refused(visit, found)
  const routing = yield* ask({ method: "GET", path: `/v1/payment_intents/${id}/routing` })
  const attempts = yield* rowsOf(here, `/v1/payment_intents/${id}/attempts`)
  const disputes = yield* rowsOf(here, `/v1/disputes?per_page=100&payment_intent_id=${id}`)
  const settlements = yield* rowsOf(here, `/v1/settlements?per_page=100&payment_intent_id=${id}`)
  const looks = yield* rowsOf(here, `/v1/second_looks?status=pending&per_page=10&subject_id=${id}`)
  const related = [...disputes, ...settlements].map((one) => textAt(one, "id"))
  const entries = yield* entriesOf(here, [textAt(found.json, "id"), ...related])
  const main = paymentView(visit, { intent: found.json, routing: routing.json, attempts, entries, disputes, looks, settlements })
  return shownPage(visit, {
    title: messagesOf(visit.pageLocale).payment.title,
    current: "payments",
    live: [textAt(found.json, "id"), ...related].join(" "),
    main
  })
})

export const addPayments = ({ get }: Desk) => get("/payments/:id", detail)
