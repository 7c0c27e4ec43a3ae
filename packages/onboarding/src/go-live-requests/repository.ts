/** Requests to go live in Postgres. Methods of merchants take the account first. */
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import {
  type GoLiveFilter,
  goLiveFilters,
  type GoLiveRequest,
  goLiveRequests,
  type OperatorGoLiveRequest,
  OperatorGoLiveRequestJson
} from "./model.ts"

const { account_name, legal_name } = OperatorGoLiveRequestJson.fields
const decodeAsker = Schema.decodeUnknownSync(Schema.Struct({ account_name, legal_name }))
const decodeAsked = (row: unknown): OperatorGoLiveRequest => ({ ...goLiveRequests.decode(row), ...decodeAsker(row) })

export class GoLiveRepository extends Context.Service<
  GoLiveRepository,
  Reader<GoLiveRequest, GoLiveFilter> & {
    /** The request that waits, or was approved: an account has one of these at most. */
    readonly findOpen: (account: string) => Effect.Effect<GoLiveRequest | undefined>
    /** For the operator, who names it alone. */
    readonly findAnybodys: (id: string) => Effect.Effect<OperatorGoLiveRequest | undefined>
    /** The same, without who asks. Nobody else decides on it until the transaction is over. */
    readonly lockAnybodys: (id: string) => Effect.Effect<GoLiveRequest | undefined>
    /** Those of all accounts, newest first. */
    readonly listEverybodys: (filter: GoLiveFilter, page: PageRequest) => Effect.Effect<Page<OperatorGoLiveRequest>>
    /** Writes the decision on a request that is locked. */
    readonly decide: (account: string, request: GoLiveRequest) => Effect.Effect<void>
  }
>()("@svc/onboarding/GoLiveRepository") {
  static readonly layer = Layer.effect(
    GoLiveRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const reader = yield* readerOf(goLiveRequests, { name: "go live request", prefix: "glr", filters: goLiveFilters })

      /** The request, and who asks. */
      const asked = sql`*, (SELECT name FROM accounts WHERE id = go_live_requests.merchant_id) AS account_name,
        (SELECT legal_name FROM legal_entities WHERE account_id = go_live_requests.merchant_id AND verification_status = 'verified'
          ORDER BY id DESC LIMIT 1) AS legal_name`

      return GoLiveRepository.of({
        ...reader,
        findOpen: Effect.fnUntraced(function*(account) {
          const [row] = yield* sql`SELECT * FROM go_live_requests WHERE merchant_id = ${account} AND status IN ('pending', 'approved')`
          return row === undefined ? undefined : goLiveRequests.decode(row)
        }, Effect.orDie),
        findAnybodys: Effect.fnUntraced(function*(id) {
          if (!goLiveRequests.isId(id)) return undefined
          const [row] = yield* sql`SELECT ${asked} FROM go_live_requests WHERE id = ${id}`
          return row === undefined ? undefined : decodeAsked(row)
        }, Effect.orDie),
        lockAnybodys: Effect.fnUntraced(function*(id) {
          if (!goLiveRequests.isId(id)) return undefined
          const [row] = yield* sql`SELECT * FROM go_live_requests WHERE id = ${id} FOR UPDATE`
          return row === undefined ? undefined : goLiveRequests.decode(row)
        }, Effect.orDie),
        listEverybodys: Effect.fnUntraced(function*({ status }, page) {
          const where = [status === undefined ? sql`true` : sql`status = ${status}`]
          return mapPage(yield* listPage(sql, { table: "go_live_requests", columns: asked, where }, page), decodeAsked)
        }, Effect.orDie),
        decide: (account, request) =>
          Effect.orDie(Effect.asVoid(sql`UPDATE go_live_requests g SET status = r.status, decided_by = r.decided_by,
            decided_at = r.decided_at, rejection_reason = r.rejection_reason, live_account_id = r.live_account_id,
            updated_at = r.updated_at, version = r.version
            FROM jsonb_populate_record(NULL::go_live_requests, ${JSON.stringify(goLiveRequests.encode(request).row)}::jsonb) r
            WHERE g.merchant_id = ${account} AND g.id = r.id`))
      })
    })
  )
}
