/**
 * One rule for `Idempotency-Key`: every write honours the header. Verbs that move money write the key in their own commit
 * (`keyed-verbs.ts`, `ReadsIdempotencyKey`). Every other write passes here: the key is claimed before the handler runs, and the
 * answer of the handler is kept under the key. See docs/decisions/0055.
 */
import { Cause, Context, DateTime, Effect, Exit, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import { SqlClient } from "effect/sql"
import { Keyring, Sealed } from "../encryption/keyring.ts"
import { IdempotencyAnswerLost, IdempotencyInProgress, IdempotencyKeyReused } from "../errors.ts"
import { Idempotency, type Keyed, LEASE_SECONDS } from "../idempotency.ts"
import { fromJsonText } from "../json.ts"
import type { StoredReply } from "../road/decision.ts"
import { realNow } from "../time.ts"
import { keyedUpload, keyRefusals, mayBeKeyed, ReadsIdempotencyKey } from "./keyed.ts"
import { isUpload } from "./uploads.ts"

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

/** How long an answer with a secret is kept. */
const SECRET_HOURS = 24

const lost = new IdempotencyAnswerLost({
  message: "A request with this idempotency key was taken up, and its answer is not kept: the request broke off or takes longer than a minute, or the answer held a secret and is older than a day. " +
    "Read what the request was about. Where nothing happened, send the request again with a fresh key."
})

const decoder = new TextDecoder()

/** The answer as text; undefined for what is no text, which no write answers with. */
const textOf = ({ body }: HttpServerResponse.HttpServerResponse): string | undefined =>
  body._tag === "Empty" ? "" : body._tag === "Uint8Array" ? decoder.decode(body.body) : undefined

const idOf = Schema.decodeUnknownOption(fromJsonText(Schema.Struct({ id: Schema.String })))

const decodeSealed = Schema.decodeUnknownSync(Schema.Array(Schema.Struct({ answer: Sealed })))

const replay = (key: string, { body, status }: StoredReply): HttpServerResponse.HttpServerResponse => {
  const headers = { "idempotency-key": key, "idempotent-replayed": "true" }
  return body === "" ? HttpServerResponse.empty({ status, headers }) : HttpServerResponse.text(body, { status, contentType: "application/json", headers })
}

/** The keys of these requests and their answers, in the table of all idempotency keys. */
const makeStore = Effect.gen(function*() {
  const idempotency = yield* Idempotency
  const keyring = yield* Keyring
  const sql = yield* SqlClient.SqlClient

  /** Whether the key is this request's from now on, and of nobody else. */
  const claim = Effect.fnUntraced(function*(account: string, { fingerprint, key, operation }: Keyed, resource_id: string) {
    const at = yield* realNow
    const rows = yield* sql`
      INSERT INTO idempotency_keys (key, account_id, operation, fingerprint, resource_type, resource_id, status, lease_until, first_seen_at)
      VALUES (${key}, ${account}, ${operation}, ${fingerprint}, ${operation.slice(0, operation.indexOf("."))}, ${resource_id}, 'in_progress',
        ${DateTime.formatIso(DateTime.add(at, { seconds: LEASE_SECONDS }))}::timestamptz, ${DateTime.formatIso(at)}::timestamptz)
      ON CONFLICT (key) DO NOTHING RETURNING 1 AS one`
    return rows.length > 0
  }, Effect.orDie)

  const unsealed = Effect.fnUntraced(function*(key: string): Effect.fn.Return<string, IdempotencyAnswerLost> {
    const at = DateTime.formatIso(yield* realNow)
    const [row] = decodeSealed(yield* Effect.orDie(sql`SELECT answer FROM sealed_answers WHERE id = ${key} AND expires_at > ${at}::timestamptz`))
    return row === undefined ? yield* lost : yield* Effect.orElseSucceed(Effect.map(keyring.open(row.answer, key), (text): string | undefined => text), () => undefined).pipe(
      Effect.flatMap((text) => text === undefined ? Effect.fail(lost) : Effect.succeed(text))
    )
  })

  /** The answer of an earlier request; undefined where there is none and the key is this request's. */
  const begin = (account: string, keyed: Keyed, resource_id: string, isSecret: boolean): Effect.Effect<StoredReply | undefined, IdempotencyKeyReused | IdempotencyInProgress | IdempotencyAnswerLost> =>
    Effect.gen(function*() {
      if (yield* claim(account, keyed, resource_id)) return undefined
      const begun = yield* idempotency.begin(account, keyed)
      // The request that had the key was refused meanwhile, and gave it back.
      if (begun._tag === "First") return yield* begin(account, keyed, resource_id, isSecret)
      if (begun._tag === "Resume") return yield* lost
      return isSecret ? { ...begun.reply, body: yield* unsealed(keyed.key) } : begun.reply
    })

  const finish = Effect.fnUntraced(function*({ key }: Keyed, { body, status }: StoredReply, isSecret: boolean) {
    const id = idOf(body)
    const made = id._tag === "Some" ? id.value.id : null
    const done = sql`
      UPDATE idempotency_keys SET status = 'done', response_status = ${status}, response_body = ${isSecret ? "" : body}, lease_until = NULL,
        resource_id = coalesce(${made}::text, resource_id)
      WHERE key = ${key} AND status = 'in_progress'`
    if (!isSecret) return yield* done
    const at = yield* realNow
    yield* sql.withTransaction(Effect.all([
      done,
      sql`DELETE FROM sealed_answers WHERE expires_at <= ${DateTime.formatIso(at)}::timestamptz`,
      sql`INSERT INTO sealed_answers (id, answer, expires_at)
        VALUES (${key}, ${JSON.stringify(keyring.seal(body, key))}::jsonb, ${DateTime.formatIso(DateTime.add(at, { hours: SECRET_HOURS }))}::timestamptz)`
    ]))
  }, Effect.orDie)

  /** Gives the key back: the request was refused, and a refusal consumes no key. */
  const release = ({ key }: Keyed) => Effect.orDie(sql`DELETE FROM idempotency_keys WHERE key = ${key} AND status = 'in_progress'`)

  /** Nobody knows what the request did: whoever repeats it hears so at once. */
  const broke = ({ key }: Keyed) => Effect.orDie(sql`UPDATE idempotency_keys SET lease_until = NULL WHERE key = ${key} AND status = 'in_progress'`)

  return { begin, broke, finish, release, toTheEnd: idempotency.toTheEnd }
})

/** Whose an idempotency key is. */
export interface KeyOwner {
  /** The account of the caller, or the operator. */
  readonly account: string
  /** The API key that the request came with: a secret is answered again to nobody else. */
  readonly credential: string
}

/** `keyOwner` is whose key the one of this request is. */
export const layer = (keyOwner: Effect.Effect<KeyOwner>) =>
  Layer.effect(KeptAnswers, Effect.map(makeStore, ({ begin, broke, finish, release, toTheEnd }): KeptAnswers["Service"] => (handler, { endpoint, group }) => {
    if (!keepsAnswers(endpoint)) return handler
    const operation = `${group.identifier}.${endpoint.identifier}`
    const isSecret = Context.getOrUndefined(endpoint.annotations, AnswersSecret) === true

    const kept = Effect.fnUntraced(function*(keyed: Keyed) {
      const exit = yield* Effect.exit(handler)
      if (Exit.isFailure(exit)) {
        yield* Cause.hasDies(exit.cause) || Cause.hasInterrupts(exit.cause) ? broke(keyed) : release(keyed)
        return yield* exit
      }
      const response = exit.value
      const body = textOf(response)
      if (response.status >= 300 || body === undefined) {
        yield* release(keyed)
        return response
      }
      yield* finish(keyed, { status: response.status, body }, isSecret)
      return HttpServerResponse.setHeaders(response, { "idempotency-key": keyed.key, "idempotent-replayed": "false" })
    })

    const request = Effect.fnUntraced(function*(sent: HttpServerRequest.HttpServerRequest) {
      const found = yield* isUpload(endpoint, sent) ? keyedUpload(operation, sent) : mayBeKeyed(operation, sent, {})
      if (found === undefined) return yield* handler
      const { account, credential } = yield* keyOwner
      const keyed = isSecret ? { ...found, fingerprint: `${found.fingerprint} ${credential}` } : found
      const { id = "" } = yield* HttpRouter.params
      const answered = yield* begin(account, keyed, id, isSecret)
      return answered === undefined ? yield* toTheEnd(kept(keyed)) : replay(keyed.key, answered)
    })

    return Effect.flatMap(HttpServerRequest.HttpServerRequest, (sent) => sent.headers["idempotency-key"] === undefined ? handler : request(sent))
  }))
