/** The entries of the audit log that name what the assistant did. What its routes changed stands there besides. */
import { acting } from "@svc/kernel/parts/actor"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import type { AssistantActResponse } from "./model.ts"

export class ActEntries extends Context.Service<ActEntries, {
  readonly add: (account: string, done: Pick<AssistantActResponse, "action" | "status">) => Effect.Effect<void>
}>()("@svc/desk/ActEntries") {
  static readonly layer = Layer.effect(
    ActEntries,
    Effect.map(SqlClient.SqlClient, (sql) =>
      ActEntries.of({
        add: Effect.fnUntraced(function*(account, { action, status }) {
          const who = JSON.stringify(yield* acting)
          const became = JSON.stringify({ status })
          yield* sql`SELECT svc_audit_act(${account}, 'assistant_act', ${action}, 'created', NULL, ${became}::jsonb, ${who}::jsonb)`
        }, Effect.orDie)
      }))
  )
}
