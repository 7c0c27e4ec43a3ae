/** The assistant of the desk: it is asked, and what it proposes is done, by its routes and in the name of the person. */
import { isProvenAt } from "@svc/accounts/sessions/model"
import { realNow } from "@svc/kernel/values/time"
import { Effect, Option, Schema } from "effect"
import { hash, randomUUID } from "node:crypto"
import { AssistantActResponse, AssistantAskResponse } from "../assistant/model.ts"
import { messagesOf } from "../i18n/messages.ts"
import { actedView, type Asked, assistantView } from "../pages/assistant.ts"
import { queryOf } from "./requests.ts"
import { type Desk, type Handler, missing, refused, shownPage } from "./router.ts"

const decodeAnswer = Schema.decodeUnknownOption(AssistantAskResponse)
const decodeActed = Schema.decodeUnknownOption(AssistantActResponse)

const shown: Handler = Effect.fnUntraced(function*({ ask, request, visit }) {
  if (visit.person.account === null) return missing(visit)
  const title = messagesOf(visit.pageLocale).written.assistant
  const question = queryOf(request)["question"] ?? ""
  const page = (asked: Asked | undefined) => shownPage(visit, { title, current: "assistant", main: assistantView(visit, asked) })
  if (question === "") return page(undefined)
  const answered = yield* ask({ method: "POST", path: "/v1/assistant/ask", body: { question } })
  const answer = Option.getOrUndefined(decodeAnswer(answered.json))
  if (answered.status !== 200 || answer === undefined) return refused(visit, answered)
  return page({ question, answer, keys: answer.proposed_actions.map(() => randomUUID()) })
})

/**
 * The act with its result on this page, and on no other: it may hold what is shown once. Sent again it is the same act, as long as the
 * proof of who the person is lasts.
 */
const act: Handler = Effect.fnUntraced(function*({ ask, confirmFirst, sent, visit }) {
  const { action = "", idempotency_key = randomUUID(), question = "" } = sent
  // Answers are kept under this key. When the proof is too old it is another, so the route asks for a proof instead of an answer that
  // was given before; and after a new proof the same form is another try.
  const isProven = isProvenAt(visit.person, (yield* realNow).epochMilliseconds)
  const key = hash("sha256", `${idempotency_key} ${visit.person.confirmed_at} ${isProven}`)
  const answered = yield* ask({
    method: "POST",
    path: "/v1/assistant/act",
    body: { action },
    headers: { "idempotency-key": key }
  })
  const done = Option.getOrUndefined(decodeActed(answered.json))
  if (answered.status !== 200 || done === undefined) return refused(visit, answered)
  if (done.result["error"] === "confirmation_required") return confirmFirst()
  const title = messagesOf(visit.pageLocale).assistant.acts[done.action].label
  return shownPage(visit, { title, current: "assistant", main: actedView(visit, done, question) })
})

export const addAssistant = Effect.fnUntraced(function*({ get, post }: Desk) {
  yield* get("/assistant", shown)
  yield* post("/assistant/act", act)
})
