/** Does an act: asks its routes, and tells in one shape what came of it. A refusal is the route's own. */
import { isRecord } from "@svc/kernel/values/record"
import { Effect } from "effect"
import { type Act, acts, type Parameters } from "./acts.ts"
import type { ActKind, AssistantActRequest, AssistantActResponse } from "./model.ts"
import { rowsIn } from "./read.ts"
import type { AskRoute, RouteAnswer, Row } from "./route.ts"

type Outcome = Pick<AssistantActResponse, "status" | "message" | "result">

/** A value of a row as text: names one after the other, what has parts as JSON. Undefined where there is none. */
const textOf = (value: unknown): string | undefined => {
  if (value === null || value === undefined) return undefined
  if (Array.isArray(value) && value.every((one) => typeof one === "string")) return value.join(", ")
  return typeof value === "object" ? JSON.stringify(value) : String(value)
}

const textsOf = (entries: ReadonlyArray<readonly [name: string, value: unknown]>): Readonly<Record<string, string>> =>
  Object.fromEntries(entries.flatMap(([name, value]) => {
    const text = textOf(value)
    return text === undefined ? [] : [[name, text] as const]
  }))

const failed = (message: string, result: Readonly<Record<string, string>>): Outcome => ({ status: "failed", message, result })

/** What the route refused it with: its code, and what it says beside the message. */
const refused = ({ row, status }: RouteAnswer): Outcome => {
  const { code, details, error, message } = row
  const more = isRecord(details) ? Object.entries(details) : []
  return failed(textOf(message) ?? `The route answered ${status}.`, textsOf([...more, ["code", code], ["error", error]]))
}

const wrongParameters = ({ needs, takes }: Act, params: Parameters): Outcome | undefined => {
  const missing = needs.filter((name) => (params[name] ?? "") === "")
  if (missing.length > 0) return failed(`params lacks ${missing.join(", ")}.`, { error: "missing_params", missing: missing.join(", ") })
  const unknown = takes === "any" ? [] : Object.keys(params).filter((name) => !needs.includes(name) && !takes.includes(name))
  if (unknown.length === 0) return undefined
  const known = [...needs, ...takes].join(", ")
  return failed(`params has ${unknown.join(", ")}, which this act does not read. It reads ${known === "" ? "none" : known}.`, {
    error: "unknown_params",
    unknown: unknown.join(", ")
  })
}

const pathOf = (path: string, given: Parameters): string =>
  path.replaceAll(/:(\w+)/gu, (_, name: string) => encodeURIComponent(given[name] ?? ""))

const resultOf = ({ result }: Act, row: Row) => textsOf(Object.entries(result(row)))

/** What was accepted, and happens only when somebody else approves it: who that is, and where it can be seen. */
const waiting = (act: Act, { row, status }: RouteAnswer): Outcome | undefined => {
  const id = textOf(row["id"]) ?? ""
  const forApproval = (waits_for: string, who: string, seen_at: string): Outcome => ({
    status: "needs_approval",
    message: `Nothing has changed yet: ${who} has to approve it. GET ${seen_at} tells where it stands.`,
    result: { ...resultOf(act, row), approval_id: id, waits_for, seen_at }
  })
  if (act.isApproved === true && row["status"] === "pending") {
    return forApproval("operator", "the operator of this installation", `${act.path}/${id}`)
  }
  return status === 202
    ? forApproval("second_person", "another person of this account who may do it", `/v1/second_looks/${id}`)
    : undefined
}

/** The row that is read before, and the parameters with what it gives. */
const lookedUp = Effect.fnUntraced(function*({ looks }: Act, params: Parameters, ask: AskRoute) {
  const isNeeded = looks !== undefined && Object.keys(looks.gives).some((name) => params[name] === undefined)
  if (!isNeeded) return { given: params, answer: undefined }
  const answer = yield* ask({ method: "GET", path: looks.path })
  const row = "data" in answer.row ? rowsIn(answer.row)[0] : answer.row
  const gives = textsOf(Object.entries(looks.gives).map(([name, field]) => [name, row?.[field]]))
  return { given: { ...gives, ...params }, answer }
})

const outcomeOf = Effect.fnUntraced(function*(act: Act, params: Parameters, key: string, ask: AskRoute) {
  const wrong = wrongParameters(act, params)
  if (wrong !== undefined) return wrong
  const { answer, given } = yield* lookedUp(act, params, ask)
  if (answer !== undefined && answer.status !== 200) return refused(answer)
  const { body, looks, method, path } = act
  const absent = Object.keys(looks?.gives ?? {}).filter((name) => given[name] === undefined)
  if (absent.length > 0) return failed(`There is none to act on: ${absent.join(", ")}.`, { error: "not_found", missing: absent.join(", ") })
  const sent = { ...(method === "GET" ? {} : { key }), ...(body === undefined ? {} : { body: body(given) }) }
  const done = yield* ask({ method, path: pathOf(path, given), ...sent })
  if (done.status >= 300) return refused(done)
  return waiting(act, done) ?? { status: "completed", message: null, result: resultOf(act, done.row) } satisfies Outcome
})

/** Does the act. `key` is the idempotency key of the route that is asked. */
export const doAct = ({ action, params = {} }: AssistantActRequest, key: string, ask: AskRoute) =>
  Effect.map(outcomeOf(acts[action], params, key, ask), (outcome): AssistantActResponse => ({ action, ...outcome }))

/** Whether an act of this kind only looks. */
export const isRead = (action: ActKind): boolean => acts[action].method === "GET"
