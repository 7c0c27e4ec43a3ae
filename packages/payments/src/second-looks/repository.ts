/** Reads the roles of members, for second looks. Every method takes the account first. */
import { Role } from "@svc/accounts/access/model"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"

const readRole = Schema.decodeUnknownEffect(Role)

export class MemberRoles extends Context.Service<MemberRoles, {
  /** The current role of the person in the account; undefined if the person has left. */
  readonly roleOf: (account: string, person: string) => Effect.Effect<Role | undefined>
}>()("@svc/payments/MemberRoles") {
  static readonly layer = Layer.effect(
    MemberRoles,
    Effect.map(SqlClient.SqlClient, (sql) => ({
      roleOf: Effect.fnUntraced(function*(account, person) {
        const [row] = yield* sql`SELECT role FROM members WHERE account_id = ${account} AND user_id = ${person}`
        return row === undefined ? undefined : yield* readRole(row["role"])
      }, Effect.orDie)
    }))
  )
}
