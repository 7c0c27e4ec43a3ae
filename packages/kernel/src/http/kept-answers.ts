/**
 * One rule for `Idempotency-Key`: every write honours the header. Verbs that move money write the key in their own commit
 * (`keyed-verbs.ts`, `ReadsIdempotencyKey`). The answers of every other write are kept (`platform/src/kept-answers.ts`).
 * See docs/decisions/0055.
 */
import { Context } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { IdempotencyAnswerLost, IdempotencyInProgress, IdempotencyKeyReused } from "../resource/errors.ts"
import { keyRefusals, ReadsIdempotencyKey } from "./keyed.ts"

/** Marks a write whose answer holds a secret that is shown once: the kept answer is sealed, and dropped after a day. */
export class AnswersSecret extends Context.Service<AnswersSecret, true>()("@svc/kernel/AnswersSecret") {}

/** First in every group of writes, and so around nothing but the handler. */
export class KeptAnswers extends HttpApiMiddleware.Service<KeptAnswers>()("@svc/kernel/KeptAnswers", {
  error: [...keyRefusals, IdempotencyKeyReused, IdempotencyInProgress, IdempotencyAnswerLost]
}) {}

type Endpoint = Pick<HttpApiEndpoint.Top, "annotations" | "method" | "middlewares">

const writesKey = ({ annotations }: Endpoint): boolean => Context.getOrUndefined(annotations, ReadsIdempotencyKey) === true

/** Whether the answers of an endpoint are kept here: those of writes that do not write the key themselves. */
export const keepsAnswers = (endpoint: Endpoint): boolean =>
  endpoint.method !== "GET" && !writesKey(endpoint) && Array.from(endpoint.middlewares).some(({ key }) => key === KeptAnswers.key)

/** Whether an endpoint heeds the header `Idempotency-Key`, in one way or the other. */
export const honoursKey = (endpoint: Endpoint): boolean => writesKey(endpoint) || keepsAnswers(endpoint)
