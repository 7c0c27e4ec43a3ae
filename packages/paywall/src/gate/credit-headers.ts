/** On every answer to a key: the credits of its account. The gate says what a call cost; an answer without a call costs nothing. */
import { keyIn } from "@svc/metering/access/model"
import { type AnswerHeaders, chargedFor, type Gate, type ToolAnswer } from "@svc/tool-kit/gate/model"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"

type Response = HttpServerResponse.HttpServerResponse

const hasCredits = (headers: AnswerHeaders): boolean => headers["x-svc-tier"] !== undefined

/** The answer to a call of an account, with the account's credits unless the answer has them already. */
export const addCredits = (creditHeaders: Effect.Effect<AnswerHeaders>) => (answer: ToolAnswer): Effect.Effect<ToolAnswer> =>
  hasCredits(answer.headers)
    ? Effect.succeed(answer)
    : Effect.map(creditHeaders, (headers) => ({ ...answer, headers: { ...headers, ...answer.headers } }))

const COST = "x-svc-request-cost"

/** What the calls of one response cost together, for a response that has no header of any of them. */
export const costHeader = (answers: ReadonlyArray<ToolAnswer>): AnswerHeaders => ({
  [COST]: String(answers.reduce((sum, answer) => sum + chargedFor(answer), 0))
})

/** The headers of an answer without the balance of its moment: an answer that is given again later has that of then. */
export const withoutCredits = ({
  "x-svc-credits-balance": _balance,
  "x-svc-quota-limit": _limit,
  "x-svc-quota-remaining": _remaining,
  "x-svc-tier": _tier,
  ...headers
}: AnswerHeaders): AnswerHeaders => headers

/** As 202 says, the calls of the request run after its response, and are answered over a stream. */
const ACCEPTED = 202

/** A response that begins before the cost of its calls is known leaves the cost out. Calls that a response says nothing of cost nothing. */
const headersFor = (
  { body, headers: own, status }: Response,
  { "x-svc-request-cost": cost = "0", ...headers }: AnswerHeaders
): AnswerHeaders => body._tag === "Stream" || status === ACCEPTED ? headers : { ...headers, [COST]: own[COST] ?? cost }

/** The handler of a door, whose answers have the credits of the key's account. Without the database the answer goes out without them. */
export const withCreditHeaders =
  ({ creditHeaders, find }: Pick<Gate["Service"], "find" | "creditHeaders">) => <E, R>(handler: Effect.Effect<Response, E, R>) =>
    Effect.flatMap(HttpServerRequest.HttpServerRequest, (request): Effect.Effect<Response, E, R> => {
      const key = keyIn(request.headers)
      if (key === undefined) return handler
      return Effect.flatMap(handler, (response) => {
        if (hasCredits(response.headers)) return Effect.succeed(response)
        return Effect.flatMap(find(key), (caller) =>
          caller._tag === "None"
            ? Effect.succeed(response)
            : Effect.map(
              creditHeaders(caller.value),
              (headers) => HttpServerResponse.setHeaders(response, headersFor(response, headers))
            )).pipe(
            Effect.catchDefect((defect) =>
              Effect.as(Effect.logWarning("an answer does not show the credits of its account", defect), response)
            )
          )
      })
    })
