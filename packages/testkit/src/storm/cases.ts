/** What a storm is about: one operation, how its intent comes to be, and what may be left of it. */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Effect, Schema } from "effect"
import type { HttpClient } from "effect/http"
import { SqlClient } from "effect/sql"
import { ask, hear, insist, read } from "../kills/requests.ts"
import type { Merchant, Operation } from "../kills/requests.ts"
import type { Provider } from "../provider.ts"

const AMOUNT = 5_000
const PART = 1_200
/** Longer than an unfinished request owns its key. */
export const PATIENCE_MILLIS = 90_000

export const verbs = ["charge", "refund", "capture", "pay", "authorize", "create", "void"] as const
export type Verb = typeof verbs[number]

/** One key and what is done under it. */
export interface Case {
  readonly verb: Verb
  readonly merchant: Merchant
  readonly stranger: Merchant
  readonly key: string
  /** The intent; empty where it is made. */
  readonly target: string
  /** Says in the intent's metadata which case it belongs to. */
  readonly name: string
}

const path = (target: string, action: string): string => `/v1/payment_intents/${target}/${action}`

export const operationOf = ({ key, merchant, name, target, verb }: Case): Operation => {
  switch (verb) {
    case "create":
      return {
        merchant,
        path: "/v1/payment_intents",
        body: { idempotency_key: key, amount: AMOUNT, currency: "USD", metadata: { storm: name } }
      }
    case "pay": {
      const paying = { payment_method_id: "tok_visa", capture: true, metadata: { storm: name } }
      return { merchant, path: "/v1/payment_intents", body: { idempotency_key: key, amount: AMOUNT, currency: "USD", ...paying } }
    }
    case "charge":
    case "authorize":
      return {
        merchant,
        path: path(target, "authorize"),
        body: { idempotency_key: key, payment_method_id: "tok_visa", capture: verb === "charge" }
      }
    case "refund":
      return { merchant, path: path(target, "refund"), body: { idempotency_key: key, amount: PART } }
    default:
      return { merchant, path: path(target, verb), body: { idempotency_key: key } }
  }
}

/** The same key for something else. */
const another = (about: Case): Operation => {
  const operation = operationOf(about)
  switch (about.verb) {
    case "charge":
    case "authorize":
      return { ...operation, body: { ...operation.body, capture: about.verb === "authorize" } }
    case "void":
      return { ...operation, path: path(about.target, "capture") }
    default:
      return { ...operation, body: { ...operation.body, amount: PART + 1 } }
  }
}

/** What an intent goes through before the storm. */
const before: Readonly<Record<Verb, ReadonlyArray<Verb>>> = {
  create: [],
  pay: [],
  charge: ["create"],
  authorize: ["create"],
  capture: ["create", "authorize"],
  void: ["create", "authorize"],
  refund: ["create", "charge"]
}

const Intent = fromJsonText(Schema.Struct({
  id: Schema.String,
  state: Schema.String,
  captured_amount: Schema.Int,
  refunded_amount: Schema.Int
}))
const readIntent = (text: string) => Effect.orDie(Schema.decodeEffect(Intent)(text))

/** Makes the intent ready for the storm, while nothing goes wrong. */
export const prepare = Effect.fnUntraced(function*(
  url: string,
  about: Omit<Case, "target">
): Effect.fn.Return<Case, never, HttpClient.HttpClient> {
  let target = ""
  for (const verb of before[about.verb]) {
    const heard = hear(operationOf({ ...about, verb, key: `${about.key}-${verb}-before`, target }))
    yield* insist(heard, () => url, () => 50, PATIENCE_MILLIS)
    target = (yield* readIntent(heard.answers[0]?.text ?? "")).id
  }
  return { ...about, target }
})

const withoutRequestId = (text: string): string => text.replace(/"request_id":"[^"]*"/, "")

/** M6: the key for something else, or from another account, is refused in the same words. */
export const misuse = Effect.fnUntraced(function*(url: string, about: Case) {
  const answers = yield* Effect.forEach(
    [another(about), { ...operationOf(about), merchant: about.stranger }],
    (operation) => ask(url, operation)
  )
  const said = new Set(answers.map((answer) => answer === undefined ? "nothing" : `${answer.status} ${withoutRequestId(answer.text)}`))
  const [only] = said
  return said.size === 1 && only?.startsWith(`400 {"error":"idempotency_key_reused"`) === true
    ? []
    : [`M6: misuse of ${about.key} is answered ${Array.from(said).join(" and ")}`]
})

/** Ledger entries of which there is exactly one, together, after each verb: it happened, or it is known to have failed. */
const effectOf: Readonly<Record<Verb, ReadonlyArray<string>>> = {
  create: [],
  pay: ["payment_captured", "payment_failed"],
  charge: ["payment_captured", "payment_failed"],
  authorize: ["payment_authorized", "payment_failed"],
  capture: ["payment_captured"],
  refund: ["payment_refunded"],
  void: ["orchestration_leg_reversed"]
}

/** Waits until the provider's answer, however late, has moved the intent on. */
const settled = (url: string, merchant: Merchant, id: string) =>
  Effect.gen(function*() {
    const answer = yield* read(url, merchant, `/v1/payment_intents/${id}`)
    return answer?.status === 200 ? yield* readIntent(answer.text) : undefined
  }).pipe(
    Effect.tap((intent) => intent === undefined || intent.state === "pending" ? Effect.sleep("100 millis") : Effect.void),
    Effect.repeat({ times: 600, until: (intent) => intent !== undefined && intent.state !== "pending" })
  )

/**
 * M5: one effect at the provider and one in the ledger, where legs are as many as attempts (see the other invariants). `answer` is what
 * everybody was answered.
 */
export const oneEffect = Effect.fnUntraced(function*(url: string, provider: Provider, about: Case, answer: string) {
  const sql = yield* SqlClient.SqlClient
  const { id } = about.target === "" ? yield* readIntent(answer) : { id: about.target }
  const intent = yield* settled(url, about.merchant, id)
  if (intent === undefined || intent.state === "pending") {
    return [`M5: ${about.key}: ${id} is ${intent?.state ?? "not to be read"} for a minute after the storm`]
  }
  const problems: Array<string> = []
  const entries = yield* sql<{ readonly event_type: string; readonly n: number }>`SELECT event_type, count(*) AS n FROM financial_events
    WHERE merchant_id = ${about.merchant.id} AND resource_id = ${id} AND (event_type NOT LIKE 'orchestration_leg_%' OR ${
    about.verb === "void"
  }) GROUP BY event_type`
  for (const { event_type, n } of entries) if (n !== 1) problems.push(`M5: ${about.key}: ${n} ledger entries ${event_type} for ${id}`)
  const effects = entries.filter(({ event_type }) => effectOf[about.verb].includes(event_type)).length
  if (effects !== Math.min(1, effectOf[about.verb].length)) {
    problems.push(`M5: ${about.key}: ${about.verb} left ${effects} entries, ${id} is ${intent.state}`)
  }
  const made = yield* sql`SELECT id FROM payment_intents WHERE merchant_id = ${about.merchant.id} AND metadata->>'storm' = ${about.name}`
  if (made.length !== 1) problems.push(`M5: ${about.key}: ${made.length} payment intents`)

  const payments = provider.report().payments.filter(({ authorized, metadata }) => metadata["storm"] === about.name && authorized > 0)
  const live = payments.filter(({ voided }) => !voided)
  const expected = ["authorized", "captured", "refunded"].includes(intent.state) ? 1 : 0
  if (live.length !== expected) problems.push(`M5: ${about.key}: ${live.length} payments at the provider, ${id} is ${intent.state}`)
  const sum = (name: "captured" | "refunded") => payments.reduce((total, payment) => total + payment[name], 0)
  if (sum("captured") !== intent.captured_amount || sum("refunded") !== intent.refunded_amount) {
    problems.push(
      `M5: ${about.key}: the provider took ${sum("captured")} and gave back ${
        sum("refunded")
      }, ${id} says ${intent.captured_amount} and ${intent.refunded_amount}`
    )
  }
  return problems
})
