/** The head of an account: the row at which its commits stand in line. */
import { Effect } from "effect"
import { SqlClient, type SqlError } from "effect/sql"

/** Opens an account's head. Once, in the transaction that makes the account: without it nothing of the account can be committed. */
export const openHead = (account_id: string): Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient> =>
  Effect.asVoid(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`INSERT INTO account_heads (account_id) VALUES (${account_id})`))
