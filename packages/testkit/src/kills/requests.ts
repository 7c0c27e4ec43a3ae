/** A merchant's requests: sent with one key until there is a final answer, and everything that was answered written down. */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Clock, Effect, Redacted, Schema } from "effect"
import { HttpClient, HttpClientRequest } from "effect/http"

/** Who asks. */
export interface Merchant {
  readonly id: string
  readonly secret: Redacted.Redacted
}

/** One keyed operation. */
export interface Operation {
  readonly merchant: Merchant
  /** Below the server's address. */
  readonly path: string
  readonly body: Readonly<Record<string, unknown>> & { readonly idempotency_key: string }
  /** A repetition tells the resource as it is by then, instead of the first answer. */
  readonly tellsPresent?: boolean
}

export interface Answer {
  readonly status: number
  readonly text: string
  readonly replayed: boolean
}

/** What was heard of an operation, from all who sent it. */
export interface Heard {
  readonly operation: Operation
  /** Final ones: what the request came to. */
  readonly answers: Array<Answer>
  /** Final refusals, and faults of the server. */
  readonly refusals: Array<Answer>
  /** How often it was put off, and how often no answer came. */
  readonly counts: { putOff: number; lost: number }
}

export const hear = (operation: Operation): Heard => ({ operation, answers: [], refusals: [], counts: { putOff: 0, lost: 0 } })

const Refusal = fromJsonText(Schema.Struct({ error: Schema.String }))
const errorOf = (text: string): string => {
  const decoded = Schema.decodeResult(Refusal)(text)
  return decoded._tag === "Success" ? decoded.success.error : ""
}

/** Refusals that decide nothing: the same request may be sent again. */
const undecided = new Set(["idempotency_in_progress", "payment_in_flight", "version_conflict", "provider_unavailable", "rate_limited"])

const ANSWER_TIMEOUT = "20 seconds"

const request = (base: string, { body, merchant, path }: Operation) =>
  HttpClientRequest.post(`${base}${path}`).pipe(
    HttpClientRequest.bearerToken(merchant.secret),
    HttpClientRequest.bodyJsonUnsafe(body)
  )

const exchange = (sent: HttpClientRequest.HttpClientRequest) =>
  Effect.gen(function*() {
    const response = yield* HttpClient.execute(sent)
    return { status: response.status, text: yield* response.text, replayed: response.headers["idempotent-replayed"] === "true" }
  })

/** Sends it once. Undefined when no answer came, whatever became of the request. */
export const ask = (base: string, operation: Operation): Effect.Effect<Answer | undefined, never, HttpClient.HttpClient> =>
  exchange(request(base, operation)).pipe(
    Effect.timeout(ANSWER_TIMEOUT),
    Effect.orElseSucceed(() => undefined)
  )

/** Reads a resource; undefined when no answer came. */
export const read = (base: string, merchant: Merchant, path: string): Effect.Effect<Answer | undefined, never, HttpClient.HttpClient> =>
  exchange(HttpClientRequest.get(`${base}${path}`).pipe(HttpClientRequest.bearerToken(merchant.secret))).pipe(
    Effect.timeout(ANSWER_TIMEOUT),
    Effect.orElseSucceed(() => undefined)
  )

/** Sends what has no key: whoever hears nothing sends it again. Undefined when no answer came, or one that decides nothing. */
export const change = (
  base: string,
  merchant: Merchant,
  method: "PATCH" | "POST",
  path: string,
  body: object
): Effect.Effect<Answer | undefined, never, HttpClient.HttpClient> =>
  exchange(
    HttpClientRequest.make(method)(`${base}${path}`).pipe(
      HttpClientRequest.bearerToken(merchant.secret),
      HttpClientRequest.bodyJsonUnsafe(body)
    )
  ).pipe(
    Effect.timeout(ANSWER_TIMEOUT),
    Effect.map((answer) => answer.status >= 500 || undecided.has(errorOf(answer.text)) ? undefined : answer),
    Effect.orElseSucceed(() => undefined)
  )

/** Notes what came of one sending. True once nothing more is to be expected. */
export const note = (heard: Heard, answer: Answer | undefined): boolean => {
  if (answer === undefined) {
    heard.counts.lost++
    return false
  }
  if (answer.status === 200 || answer.status === 201 || answer.status === 402) {
    heard.answers.push(answer)
    return true
  }
  if (undecided.has(errorOf(answer.text))) {
    heard.counts.putOff++
    return false
  }
  heard.refusals.push(answer)
  return answer.status < 500
}

/** Sends an operation again and again until it is answered. `base` is asked anew each time; undefined while no server runs. */
export const insist = Effect.fnUntraced(function*(
  heard: Heard,
  base: () => string | undefined,
  pause: () => number,
  patienceMillis: number
): Effect.fn.Return<void, never, HttpClient.HttpClient> {
  const since = yield* Clock.currentTimeMillis
  while ((yield* Clock.currentTimeMillis) - since < patienceMillis) {
    const at = base()
    if (at !== undefined && note(heard, yield* ask(at, heard.operation))) return
    yield* Effect.sleep(pause())
  }
})

const Named = fromJsonText(Schema.Struct({ id: Schema.String }))
const idOf = (text: string): string => {
  const decoded = Schema.decodeResult(Named)(text)
  return decoded._tag === "Success" ? decoded.success.id : text
}

/** What does not hold of what was heard: exactly one final answer, the same for everybody. */
export const oneAnswer = ({ answers, counts, operation, refusals }: Heard): ReadonlyArray<string> => {
  const name = `${operation.path} ${operation.body.idempotency_key}`
  const problems = refusals.map(({ status, text }) => `M5: ${name} was refused with ${status}: ${text.slice(0, 300)}`)
  const first = answers[0]
  if (first === undefined) {
    if (refusals.length === 0) {
      problems.push(`M5: ${name} never got an answer (put off ${counts.putOff} times, ${counts.lost} answers lost)`)
    }
    return problems
  }
  const told = operation.tellsPresent === true ? idOf : (text: string) => text
  for (const { status, text } of answers) {
    if (told(text) !== told(first.text)) problems.push(`M5: ${name} was answered ${first.text.slice(0, 200)} and ${text.slice(0, 200)}`)
    if ((status === 402) !== (first.status === 402)) problems.push(`M5: ${name} was answered with ${first.status} and ${status}`)
  }
  if (answers.filter(({ replayed }) => !replayed).length > 1) problems.push(`M5: ${name} was carried out more than once`)
  return problems
}
