/** A server that speaks the API of OpenAI, as nearly every server of models does. It stands where the operator says. */
import { type ConfiguredServer, makeConfiguredServer } from "@svc/kernel/egress/configured"
import type { EgressResponse } from "@svc/kernel/egress/model"
import type { SentRequest } from "@svc/kernel/egress/transport"
import { redactCardNumbers } from "@svc/kernel/values/card-numbers"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { beginningOf } from "@svc/kernel/values/text"
import { Data, type Duration, Effect, Redacted, Schema, type Scope } from "effect"

export interface ModelServer {
  /** With the version of the API, such as `http://127.0.0.1:11434/v1`, and without a slash at the end. */
  readonly url: string
  readonly key: Redacted.Redacted<string> | undefined
  readonly model: string
  /** For a whole answer. */
  readonly timeout: Duration.Input
}

/** No answer came that can be used. */
export class ModelUnavailable extends Data.TaggedError("ModelUnavailable")<{ readonly message: string; readonly retryable: boolean }> {}

/** The server does not take the request as it is, in its own words. */
export class ModelRefused extends Data.TaggedError("ModelRefused")<{ readonly message: string }> {}

interface Outgoing {
  /** Below the address of the API, such as `/embeddings`. */
  readonly path: string
  readonly body: string | Uint8Array
  readonly contentType: string
  readonly maxResponseBytes: number
  /** How the answer is read: `base64` for sound. Text unless given. */
  readonly encoding?: SentRequest["encoding"]
}

/** Statuses that name the caller's own fault: too long a text, a parameter that the model has not. */
const FAULTS: ReadonlySet<number> = new Set([400, 413, 422])
/** What a server says of it, fit for one line. */
const SHOWN = 300

const Problem = Schema.Struct({ error: Schema.Struct({ message: Schema.String }) })
const decodeProblem = Schema.decodeUnknownOption(fromJsonText(Problem))

const unavailable = (message: string, retryable: boolean) => new ModelUnavailable({ message: `The model server ${message}.`, retryable })

const checked = (
  { body, status }: EgressResponse,
  encoding: Outgoing["encoding"]
): Effect.Effect<string, ModelUnavailable | ModelRefused> => {
  if (status >= 200 && status < 300) return Effect.succeed(body)
  if (status === 429) return Effect.fail(unavailable("has too many requests at the moment. Try again later", true))
  if (status >= 500 || status === 408) return Effect.fail(unavailable(`failed (${status}). Try again later`, true))
  if (!FAULTS.has(status)) {
    return Effect.fail(
      unavailable(`does not serve this installation (${status}). The operator looks after its address, key and model`, false)
    )
  }
  const problem = decodeProblem(Buffer.from(body, encoding).toString())
  const words = problem._tag === "Some"
    ? redactCardNumbers(problem.value.error.message).replaceAll(/\p{Cc}+/gu, " ")
    : "it does not say why"
  return Effect.fail(new ModelRefused({ message: `The model server refused the request: ${beginningOf(words, SHOWN)}` }))
}

/** Sends, and gives the body of a good answer. Nothing is sent twice: a model that was slow once is not made slower. */
export const makeModelExchange = Effect.fnUntraced(function*({ key, timeout, url }: ModelServer) {
  const server: ConfiguredServer = yield* makeConfiguredServer(url)
  const authorization = key === undefined ? {} : { authorization: `Bearer ${Redacted.value(key)}` }
  return Effect.fnUntraced(function*({ contentType, path, ...request }: Outgoing) {
    const headers = { "content-type": contentType, ...authorization }
    const response = yield* server({ url: `${url}${path}`, headers, timeout, ...request }).pipe(
      Effect.tapError((error) => Effect.logWarning("a model server does not answer", error)),
      Effect.mapError(({ reason }) => unavailable(reason === "timeout" ? "took too long" : "cannot be reached, or broke off", true))
    )
    return yield* checked(response, request.encoding)
  })
})

/** What the text of an answer holds. */
export const decodeAnswer = <A>(answer: Schema.Codec<A, unknown, never, never>, text: string): Effect.Effect<A, ModelUnavailable> =>
  Effect.mapError(Schema.decodeUnknownEffect(fromJsonText(answer))(text), () => unavailable("answered what makes no sense", true))

export interface Question<A> extends Pick<Outgoing, "maxResponseBytes" | "path"> {
  readonly body: object
  readonly answer: Schema.Codec<A, unknown, never, never>
}

/** Asks in JSON, and reads the answer. */
export const makeModelClient = Effect.fnUntraced(function*(model: ModelServer): Effect.fn.Return<
  <A>(question: Question<A>) => Effect.Effect<A, ModelUnavailable | ModelRefused>,
  never,
  Scope.Scope
> {
  const send = yield* makeModelExchange(model)
  return <A>({ answer, body, ...question }: Question<A>) =>
    Effect.flatMap(
      send({ ...question, contentType: "application/json", body: JSON.stringify(body) }),
      (text) => decodeAnswer(answer, text)
    )
})
