/**
 * The answers of writes that do not write their idempotency key themselves: the key is claimed before the handler runs, and the
 * answer of the handler is kept under the key. See docs/decisions/0055.
 */
import { AnswersSecret, keepsAnswers, KeptAnswers } from "@svc/kernel/http/kept-answers"
import { keyedUpload, mayBeKeyed } from "@svc/kernel/http/keyed"
import { digesting, digestOf, isUpload } from "@svc/kernel/http/uploads"
import { claimedKeys } from "@svc/kernel/resource/claimed-keys"
import { IdempotencyAnswerLost, type IdempotencyInProgress, type IdempotencyKeyReused } from "@svc/kernel/resource/errors"
import { Idempotency, internalCause, type Keyed } from "@svc/kernel/resource/idempotency"
import type { StoredReply } from "@svc/kernel/road/decision"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { realNow } from "@svc/kernel/values/time"
import { Cause, Context, DateTime, Effect, Exit, Layer, Schema } from "effect"
import { HttpRouter, HttpServerRequest, HttpServerResponse } from "effect/http"
import { SqlClient } from "effect/sql"
import { Keyring, Sealed } from "./encryption/keyring.ts"

/** How long an answer with a secret is kept. */
const SECRET_HOURS = 24

const lost = new IdempotencyAnswerLost({
  message:
    "A request with this idempotency key was taken up, and its answer is not kept: the request broke off or takes longer than a minute, or the answer held a secret and is older than a day. " +
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
  return body === ""
    ? HttpServerResponse.empty({ status, headers })
    : HttpServerResponse.text(body, { status, contentType: "application/json", headers })
}

/** The keys of these requests and their answers, in the table of all idempotency keys. */
const makeStore = Effect.gen(function*() {
  const idempotency = yield* Idempotency
  const keys = yield* claimedKeys
  const keyring = yield* Keyring
  const sql = yield* SqlClient.SqlClient

  const unsealed = Effect.fnUntraced(function*(key: string): Effect.fn.Return<string, IdempotencyAnswerLost> {
    const at = DateTime.formatIso(yield* realNow)
    const [row] = decodeSealed(
      yield* Effect.orDie(sql`SELECT answer FROM sealed_answers WHERE id = ${key} AND expires_at > ${at}::timestamptz`)
    )
    return row === undefined ?
      yield* lost :
      yield* Effect.orElseSucceed(Effect.map(keyring.open(row.answer, key), (text): string | undefined => text), () => undefined).pipe(
        Effect.flatMap((text) => text === undefined ? Effect.fail(lost) : Effect.succeed(text))
      )
  })

  /** The answer of an earlier request; undefined where there is none and the key is this request's. */
  const begin = (
    account: string,
    keyed: Keyed,
    resource_id: string,
    isSecret: boolean
  ): Effect.Effect<StoredReply | undefined, IdempotencyKeyReused | IdempotencyInProgress | IdempotencyAnswerLost> =>
    Effect.gen(function*() {
      if (yield* keys.claim(account, keyed, resource_id)) return undefined
      const begun = yield* idempotency.begin(account, keyed)
      // The request that had the key was refused meanwhile, and gave it back.
      if (begun._tag === "First") return yield* begin(account, keyed, resource_id, isSecret)
      if (begun._tag === "Resume") return yield* lost
      return isSecret ? { ...begun.reply, body: yield* unsealed(keyed.key) } : begun.reply
    })

  /**
   * The answer of an earlier upload. The bytes are known only after they were read, so that the row of a finished upload holds the
   * fingerprint with its bytes. A body that is longer than the first one's is not read further.
   */
  const beginUpload = Effect.fnUntraced(
    function*(account: string, keyed: Keyed, resource_id: string, sent: HttpServerRequest.HttpServerRequest) {
      const row = yield* idempotency.find(account, keyed.key)
      const prefix = `${keyed.fingerprint} `
      if (row === undefined || !row.fingerprint.startsWith(prefix)) return yield* begin(account, keyed, resource_id, false)
      const bytes = yield* digestOf(sent, Number.parseInt(row.fingerprint.slice(prefix.length)))
      return yield* begin(account, { ...keyed, fingerprint: `${prefix}${bytes}` }, resource_id, false)
    }
  )

  const finish = Effect.fnUntraced(function*(keyed: Keyed, { body, status }: StoredReply, isSecret: boolean) {
    const id = idOf(body)
    const resourceId = id._tag === "Some" ? id.value.id : null
    if (!isSecret) return yield* keys.finish(keyed, { status, body }, resourceId)
    const at = yield* realNow
    yield* sql.withTransaction(Effect.all([
      keys.finish(keyed, { status, body: "" }, resourceId),
      sql`DELETE FROM sealed_answers WHERE expires_at <= ${DateTime.formatIso(at)}::timestamptz`,
      sql`INSERT INTO sealed_answers (id, answer, expires_at)
        VALUES (${keyed.key}, ${JSON.stringify(keyring.seal(body, keyed.key))}::jsonb, ${
        DateTime.formatIso(DateTime.add(at, { hours: SECRET_HOURS }))
      }::timestamptz)`
    ]))
  }, Effect.orDie)

  return { begin, beginUpload, broke: keys.breakOff, finish, release: keys.release, toTheEnd: idempotency.toTheEnd }
})

/** The owner of an idempotency key. */
export interface KeyOwner {
  /** The account of the caller, or the operator. */
  readonly account: string
  /** The API key that the request came with: a secret is answered again to nobody else. */
  readonly credential: string
  /**
   * True for requests without an API key: their idempotency keys neither collide with those of accounts nor reveal whether an account has
   * used the key.
   */
  readonly ownNamespace?: boolean
}

/** `keyOwner` is whose key the one of this request is. */
export const layer = (keyOwner: Effect.Effect<KeyOwner>) =>
  Layer.effect(
    KeptAnswers,
    Effect.map(
      makeStore,
      ({ begin, beginUpload, broke, finish, release, toTheEnd }): KeptAnswers["Service"] => (handler, { endpoint, group }) => {
        if (!keepsAnswers(endpoint)) return handler
        const operation = `${group.identifier}.${endpoint.identifier}`
        const isSecret = Context.getOrUndefined(endpoint.annotations, AnswersSecret) === true

        const kept = Effect.fnUntraced(function*(keyed: Keyed, sentKey: string, upload: ReturnType<typeof digesting> | undefined) {
          const exit = yield* Effect.exit(
            upload === undefined ? handler : Effect.provideService(handler, HttpServerRequest.HttpServerRequest, upload.request)
          )
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
          const whole = upload === undefined ? keyed : { ...keyed, fingerprint: `${keyed.fingerprint} ${upload.end()}` }
          yield* finish(whole, { status: response.status, body }, isSecret)
          return HttpServerResponse.setHeaders(response, { "idempotency-key": sentKey, "idempotent-replayed": "false" })
        })

        const request = Effect.fnUntraced(function*(sent: HttpServerRequest.HttpServerRequest) {
          const isBytes = isUpload(endpoint, sent)
          const found = yield* isBytes ? keyedUpload(operation, sent) : mayBeKeyed(operation, sent, {})
          if (found === undefined) return yield* handler
          const { account, credential, ownNamespace = false } = yield* keyOwner
          const keyed = {
            ...found,
            // `internalCause` begins with a space, which no key of a request may.
            key: ownNamespace ? internalCause(account, found.key) : found.key,
            fingerprint: isSecret ? `${found.fingerprint} ${credential}` : found.fingerprint
          }
          const { id = "" } = yield* HttpRouter.params
          const answered = yield* isBytes ? beginUpload(account, keyed, id, sent) : begin(account, keyed, id, isSecret)
          return answered === undefined
            ? yield* toTheEnd(kept(keyed, found.key, isBytes ? digesting(sent) : undefined))
            : replay(found.key, answered)
        })

        return Effect.flatMap(
          HttpServerRequest.HttpServerRequest,
          (sent) => sent.headers["idempotency-key"] === undefined ? handler : request(sent)
        )
      }
    )
  )
