/** What the tool server keeps of accounts, in Postgres. */
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { ToolAccountRow } from "./model.ts"

const decode = Schema.decodeUnknownEffect(ToolAccountRow)
const encode = Schema.encodeSync(ToolAccountRow)

export class ToolAccountRepository extends Context.Service<ToolAccountRepository, {
  readonly find: (account: string) => Effect.Effect<ToolAccountRow | undefined>
  /** False when another account has the email. */
  readonly insert: (row: ToolAccountRow) => Effect.Effect<boolean>
}>()("@svc/metering/ToolAccountRepository") {
  static readonly layer = Layer.effect(
    ToolAccountRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const find = Effect.fnUntraced(function*(account: string) {
        const [row] = yield* sql`SELECT * FROM tool_accounts WHERE account_id = ${account}`
        return row === undefined ? undefined : yield* decode(row)
      }, Effect.orDie)

      const insert = (row: ToolAccountRow) =>
        sql`INSERT INTO tool_accounts SELECT r.* FROM jsonb_populate_record(NULL::tool_accounts, ${JSON.stringify(encode(row))}::jsonb) r
        ON CONFLICT (lower(email)) WHERE email IS NOT NULL DO NOTHING RETURNING account_id`.pipe(
          Effect.map(({ length }) => length === 1),
          Effect.orDie
        )

      return ToolAccountRepository.of({ find, insert })
    })
  )
}
