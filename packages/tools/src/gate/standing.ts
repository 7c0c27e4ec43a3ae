/** On every answer to a key: where its account stands. What a call cost the gate says itself; an answer without a call costs nothing. */
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { keyIn } from "./credentials.ts"
import type { AnswerHeaders, Gate, ToolAnswer } from "./model.ts"

type Response = HttpServerResponse.HttpServerResponse

const isSaid = (headers: AnswerHeaders): boolean => headers["x-svc-tier"] !== undefined

/** The answer to a call of this account, with where the account stands unless the answer says so already. */
export const stood = (standing: Effect.Effect<AnswerHeaders>) => (answer: ToolAnswer): Effect.Effect<ToolAnswer> =>
  isSaid(answer.headers) ? Effect.succeed(answer) : Effect.map(standing, (headers) => ({ ...answer, headers: { ...headers, ...answer.headers } }))

/** A stream begins before it is known what its calls cost, so that it says nothing of that. */
const fitting = ({ body }: Response, { "x-svc-request-cost": cost = "0", ...headers }: AnswerHeaders): AnswerHeaders =>
  body._tag === "Stream" ? headers : { ...headers, "x-svc-request-cost": cost }

/** The handler of a door, whose answers say where the account of the key stands. A database that is away takes no answer with it. */
export const withStanding = ({ find, standing }: Pick<Gate["Service"], "find" | "standing">) => <E, R>(handler: Effect.Effect<Response, E, R>) =>
  Effect.flatMap(HttpServerRequest.HttpServerRequest, (request): Effect.Effect<Response, E, R> => {
    const key = keyIn(request.headers)
    if (key === undefined) return handler
    return Effect.flatMap(handler, (response) => {
      if (isSaid(response.headers)) return Effect.succeed(response)
      return Effect.flatMap(find(key), (caller) =>
        caller._tag === "None"
          ? Effect.succeed(response)
          : Effect.map(standing(caller.value), (headers) => HttpServerResponse.setHeaders(response, fitting(response, headers)))).pipe(
        Effect.catchDefect((defect) => Effect.as(Effect.logWarning("an answer does not say where its account stands", defect), response))
      )
    })
  })
