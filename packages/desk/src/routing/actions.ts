/** What can be done with resources by their views: a form for each action, and what it sends. */
import { KnownScopes, ToolScopes } from "@svc/accounts/access/model"
import type { View } from "@svc/kernel/resource/view"
import { exponentOf } from "@svc/kernel/values/currency"
import { KnownEventTypes } from "@svc/webhooks/events/model"
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { type Answer, isJson, type Question } from "../api/ask.ts"
import { type EndpointFacts, endpointOf, isInPath, keyOf, pathFor } from "../api/endpoints.ts"
import { messagesOf } from "../i18n/messages.ts"
import type { Explained } from "../i18n/shapes/payments.ts"
import { wordsOf } from "../i18n/words.ts"
import { actionView, type AnyAction, choicesOf, type Form, isUpload, type KnownChoices, type Refusal, type Sent } from "../pages/action.ts"
import { keyIn, listAddress, placeOf, viewNamed } from "../pages/addresses.ts"
import { isPossible, rawView, rowsView } from "../pages/detail.ts"
import { type Json, textAt } from "../pages/json.ts"
import { objectsAt } from "../pages/parts.ts"
import { bodyOf, parametersIn, refusalOf, withEach, wrongAmounts } from "../pages/sent.ts"
import { shownOnceView } from "../pages/shown-once.ts"
import type { Visit } from "../pages/visit.ts"
import { redirected, saved } from "./answers.ts"
import { withDone } from "./cookies.ts"
import { offersFor } from "./offers.ts"
import type { Desk, Handler, Here } from "./router.ts"
import { impossible, missing, refused, shownPage } from "./router.ts"
import { waitingPath } from "./second-look.ts"
import { load } from "./views.ts"

interface Named {
  readonly view: View
  readonly action: AnyAction
  readonly endpoint: EndpointFacts
  /** Undefined where the action is done with none. */
  readonly resource: Json | undefined
  readonly known: KnownChoices
}

/** What the installation has, in alphabetical order. */
const knownChoices = Effect.gen(function*() {
  const sorted = (names: Iterable<string> | undefined) => Array.from(names ?? []).toSorted()
  const known: KnownChoices = {
    scopes: sorted(yield* KnownScopes),
    tools: sorted((yield* ToolScopes)?.keys()),
    event_types: sorted(yield* KnownEventTypes)
  }
  return known
})

/** The form with what it offers, as it is by now. */
const actionPage = Effect.fnUntraced(function*(here: Here, form: Omit<Form, "visit" | "offers">, status = 200) {
  const { visit } = here
  const offers = yield* offersFor(here, { view: form.view, asks: form.action.asks, resource: form.resource })
  return shownPage(visit, {
    title: wordsOf(form.view, visit.pageLocale).action(form.action.endpoint),
    current: form.view.name,
    main: actionView({ ...form, visit, offers })
  }, status)
})

/** The action that the path names, with its resource if it is done with one. */
const named = Effect.fnUntraced(function*(here: Here) {
  const { params: { action: name, id, view: viewName }, visit } = here
  const view = viewNamed(viewName)
  const isOfOne = id !== undefined || view?.single === true
  const action: AnyAction | undefined = view?.actions.find(({ endpoint, on }) =>
    endpoint === name && (on === "one" || view.single === true) === isOfOne
  )
  if (view === undefined || action === undefined) return missing(visit)
  const endpoint = endpointOf(view, action.endpoint)
  const found: Named = { view, action, endpoint, resource: undefined, known: yield* knownChoices }
  if (!isOfOne) return found
  // What has no page of its own is known by its key alone.
  if (view.get === undefined) return { ...found, resource: { [keyOf(view)]: id } }
  const one = yield* load(here, view, id ?? "")
  if (one.status === 404 && view.single === true && action.on === "all") return found
  return one.status === 200 ? { ...found, resource: one.json } : refused(visit, one)
})

const withQuery = (path: string, parameters: Readonly<Record<string, string>>): string => {
  const query = new URLSearchParams(parameters).toString()
  return query === "" ? path : `${path}?${query}`
}

const pathOf = ({ endpoint, resource, view }: Named, sent: Sent = {}): string =>
  pathFor(endpoint.path, resource === undefined || view.single === true ? "" : keyIn(view, resource), sent)

/** The bytes of the form's file, and the others of its fields as the query's. */
const uploadOf = ({ action, endpoint }: Named, { file, sent }: Here, path: string): Question => {
  const filename: Readonly<Record<string, string>> = file !== undefined && Object.hasOwn(endpoint.query, "filename")
    ? { filename: file.name }
    : {}
  const upload = file === undefined ? {} : { upload: { type: file.type, bytes: file.bytes } }
  return { method: endpoint.method, path: withQuery(path, { ...filename, ...parametersIn(action, sent) }), ...upload }
}

const questionOf = (asked: Named, here: Here): Question => {
  const { action, endpoint, known, resource } = asked
  const sent = withEach(action, here.sent, (input) => choicesOf(endpoint, input, known))
  const version = sent["version"] ?? ""
  const headers = {
    "idempotency-key": sent["idempotency_key"] ?? randomUUID(),
    ...endpoint.readsVersion && version !== "" ? { "if-match": `"${version}"` } : {}
  }
  const path = pathOf(asked, sent)
  const inBody = { ...action, asks: action.asks.filter(({ field }) => !isInPath(endpoint.path, field)) }
  const question = isUpload(action)
    ? uploadOf(asked, here, path)
    : { method: endpoint.method, path, ...endpoint.method === "DELETE" ? {} : { body: bodyOf(inBody, sent, resource) } }
  return { ...question, headers }
}

/** A GET that is no list and no detail: a file is saved, an object is read. */
const look = Effect.fnUntraced(function*({ action, view, ...asked }: Named, { ask, visit }: Here) {
  const answered = yield* ask({ method: "GET", path: pathOf({ action, view, ...asked }) })
  if (answered.status !== 200) return refused(visit, answered)
  if (!isJson(answered.response)) return saved(answered.response, `${view.name}-${action.endpoint}`)
  return shownPage(visit, {
    title: wordsOf(view, visit.pageLocale).action(action.endpoint),
    current: view.name,
    main: action.rows === undefined
      ? rawView(visit, answered.json, true)
      : rowsView(visit, view, {
        label: wordsOf(view, visit.pageLocale).action(action.endpoint),
        columns: action.rows,
        rows: objectsAt(answered.json, "data")
      })
  })
})

const form: Handler = Effect.fnUntraced(function*(here) {
  const asked = yield* named(here)
  if (!("view" in asked)) return asked
  if (asked.resource !== undefined && !isPossible(asked.action, asked.resource)) return impossible(here.visit)
  if (asked.endpoint.method === "GET") return yield* look(asked, here)
  return yield* actionPage(here, { ...asked, idempotency_key: randomUUID() })
})

/** Whether it is unknown what became of the request, or it has to wait: the same form again is the same act. */
const isOpen = ({ json, status }: Answer): boolean => status >= 500 || status === 429 || textAt(json, "error") === "idempotency_in_progress"

/** Why it was refused, in the reader's words where the API has a code for it. */
const refusalIn = ({ action }: Named, { pageLocale }: Visit, { json }: Answer): Refusal => {
  const [told, { action: texts, payment }] = [refusalOf(action, json), messagesOf(pageLocale)]
  if (textAt(json, "error") === "version_conflict") return { ...told, message: texts.changed }
  const declines: Readonly<Record<string, Explained>> = payment.declines
  const declined = declines[textAt(json, "decline_code")]
  return declined === undefined
    ? told
    : { ...told, message: `${declined.why} ${declined.next}`, payment: textAt(json, "details.payment_intent_id") }
}

/** The form once more, with what was sent. */
const again = (asked: Named, here: Here, done: Answer) => {
  const { sent, visit } = here
  const refusal = refusalIn(asked, visit, done)
  const key = sent["idempotency_key"]
  return actionPage(here, {
    ...asked,
    idempotency_key: isOpen(done) && key !== undefined ? key : randomUUID(),
    sent,
    refusal
  }, done.status)
}

/** The form once more, where an amount is none. */
const unread = (asked: Named, here: Here, wrong: ReturnType<typeof wrongAmounts>) => {
  const { sent, visit } = here
  const { noAmount, noDecimal, notSent } = messagesOf(visit.pageLocale).action
  const fields = Object.fromEntries(
    wrong.map(([field, currency]) => [field, currency === "each" ? noDecimal : noAmount(currency, exponentOf(currency))])
  )
  const idempotency_key = sent["idempotency_key"] ?? randomUUID()
  return actionPage(here, { ...asked, idempotency_key, sent, refusal: { message: notSent, fields } }, 400)
}

const act = (publicUrl: string): Handler =>
  Effect.fnUntraced(function*(here) {
    const asked = yield* named(here)
    if (!("view" in asked)) return asked
    const { action, endpoint, resource, view } = asked
    const wrong = wrongAmounts(action, here.sent, resource)
    if (wrong.length > 0) return yield* unread(asked, here, wrong)
    const done = yield* here.ask(questionOf(asked, here))
    if (done.status === 401 || done.status === 403 || done.status === 404) return refused(here.visit, done)
    if (done.status >= 300) return yield* again(asked, here, done)
    if (done.status === 202) return redirected(waitingPath(textAt(done.json, "id")))
    const isSecret = action.reveals === undefined ? endpoint.answersSecret : textAt(done.json, action.reveals) !== ""
    if (isSecret) {
      return shownPage(here.visit, {
        title: wordsOf(view, here.visit.pageLocale).action(action.endpoint),
        current: view.name,
        main: shownOnceView(here.visit, { view, action, resource, json: done.json })
      })
    }
    const next = endpoint.method === "DELETE" ? listAddress(view) : placeOf(view, resource ?? done.json)
    return withDone(redirected(next), { view: view.name, endpoint: action.endpoint }, publicUrl)
  })

export const addActions = Effect.fnUntraced(function*({ get, post, publicUrl }: Desk) {
  for (const path of ["/:view/do/:action", "/:view/:id/do/:action"] as const) {
    yield* get(path, form)
    yield* post(path, act(publicUrl))
  }
})
