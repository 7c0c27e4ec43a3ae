/** The page of one dispute, and what is answered there. */
import { Effect, Stream } from "effect"
import { randomUUID } from "node:crypto"
import { messagesOf } from "../i18n/messages.ts"
import { disputeView } from "../pages/disputes.ts"
import { objectAt } from "../pages/parts.ts"
import { textAt } from "../pages/values.ts"
import { evidenceTexts } from "../views/evidence.ts"
import { redirected } from "./answers.ts"
import { passedOn } from "./files.ts"
import { presentOf } from "./moments.ts"
import { entriesOf } from "./payments.ts"
import { type Desk, type Handler, type Here, refused, shownPage } from "./router.ts"

const pathOf = ({ params }: Here): string => `/v1/disputes/${encodeURIComponent(params["id"] ?? "")}`

const idsOfFiles = (evidence: Readonly<Record<string, unknown>>): ReadonlyArray<string> => {
  const files = evidence["files"]
  return Array.isArray(files) ? files.map(String) : []
}

const shownDispute = Effect.fnUntraced(function*(here: Here, refusal?: { readonly message: string; readonly status: number }) {
  const { ask, sent, visit } = here
  const found = yield* ask({ method: "GET", path: pathOf(here) })
  if (found.status !== 200) return refused(visit, found)
  const files = yield* Effect.forEach(idsOfFiles(objectAt(found.json, "evidence")), (id) => ask({ method: "GET", path: `/v1/files/${id}` }))
  const main = disputeView(visit, {
    dispute: found.json,
    files: files.filter(({ status }) => status === 200).map(({ json }) => json),
    entries: yield* entriesOf(here, [textAt(found.json, "id")]),
    now: yield* presentOf(here),
    idempotency_key: randomUUID(),
    ...(refusal === undefined ? {} : { refusal: { message: refusal.message, sent } })
  })
  return shownPage(
    visit,
    { title: messagesOf(visit.pageLocale).dispute.title, current: "disputes", live: textAt(found.json, "id"), main },
    refusal?.status
  )
})

const keyed = ({ sent }: Here) => ({
  "idempotency-key": sent["idempotency_key"] ?? randomUUID(),
  ...(sent["version"] === undefined || sent["version"] === "" ? {} : { "if-match": sent["version"] })
})

/** Keeps the evidence; the button beside it also sends it to the network. */
const answer: Handler = Effect.fnUntraced(function*(here) {
  const { ask, params } = here
  const { fields: sent, files } = yield* here.held
  // What is too large to be held is held as nothing, not even the token.
  if (sent["token"] === undefined) {
    return yield* shownDispute(here, { message: messagesOf(here.visit.pageLocale).dispute.tooLarge, status: 413 })
  }
  const found = yield* ask({ method: "GET", path: pathOf(here) })
  const evidence = objectAt(found.json, "evidence")
  const kept: Array<string> = []
  for (const { bytes, name, type } of files) {
    const query = new URLSearchParams({ purpose: "dispute_evidence", ...(name === "" ? {} : { filename: name }) })
    const file = yield* ask({ method: "POST", path: `/v1/files?${query.toString()}`, upload: { type, bytes: Stream.succeed(bytes) } })
    if (file.status >= 300) return yield* shownDispute(here, { message: `${name}: ${textAt(file.json, "message")}`, status: file.status })
    kept.push(textAt(file.json, "id"))
  }
  const all = Array.from(new Set([...idsOfFiles(evidence), ...kept]))
  const texts = evidenceTexts.flatMap((name) => {
    const text = (sent[name] ?? "").trim()
    return text === "" ? [] : [[name, text] as const]
  })
  const isLast = sent["act"] === "submit"
  const done = yield* ask({
    method: "POST",
    path: `${pathOf(here)}/${isLast ? "submit" : "evidence"}`,
    body: { ...Object.fromEntries(texts), ...(all.length === 0 ? {} : { files: all }) },
    headers: keyed(here)
  })
  return done.status < 300
    ? redirected(`/desk/disputes/${params["id"] ?? ""}`)
    : yield* shownDispute(here, { message: textAt(done.json, "message"), status: done.status })
})

const accept: Handler = Effect.fnUntraced(function*(here) {
  if (here.sent["sure"] !== "yes") return yield* shownDispute(here)
  const done = yield* here.ask({ method: "POST", path: `${pathOf(here)}/accept`, body: {}, headers: keyed(here) })
  return done.status < 300
    ? redirected(`/desk/disputes/${here.params["id"] ?? ""}`)
    : yield* shownDispute(here, { message: textAt(done.json, "message"), status: done.status })
})

/** The bytes of a file, to be saved: what somebody uploaded is not shown here. */
const download: Handler = (here) => passedOn(here, `/v1/files/${encodeURIComponent(here.params["id"] ?? "")}/content`)

export const addDisputes = Effect.fnUntraced(function*({ get, post }: Desk) {
  yield* get("/disputes/:id", (here) => shownDispute(here))
  yield* get("/dispute-files/:id", download)
  yield* post("/disputes/:id/evidence", answer)
  yield* post("/disputes/:id/accept", accept)
})
