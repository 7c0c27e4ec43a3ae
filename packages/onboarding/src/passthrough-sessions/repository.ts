/** Passthrough sessions in Postgres, beside what every resource is read by. */
import { KeyReader } from "@svc/kernel/database/client"
import type { ActorIdentity } from "@svc/kernel/parts/actor"
import { Effect } from "effect"
import { type FlowKind, type PassthroughSession, passthroughSessions } from "./model.ts"

export const passthroughRows = Effect.map(KeyReader, (reader) => {
  const one = Effect.fnUntraced(function*(sql: string, values: ReadonlyArray<string>): Effect.fn.Return<PassthroughSession | undefined> {
    const [row] = yield* Effect.orDie(reader.unsafe(`SELECT * FROM passthrough_sessions WHERE ${sql}`, values))
    return row === undefined ? undefined : passthroughSessions.decode(row)
  })
  return {
    /** The newest open session of this flow by this maker. Its hour may be over already. */
    findOpen: (account: string, flow_kind: FlowKind, { id, type }: ActorIdentity) =>
      one("account_id = $1 AND status = 'open' AND flow_kind = $2 AND made_by = $3::jsonb ORDER BY id DESC LIMIT 1", [
        account,
        flow_kind,
        JSON.stringify({ type, id })
      ]),
    /** The session of any account: the caller proves access by knowing the secret of its address. */
    findBySecret: (secret_hash: string) => one("secret_hash = $1", [secret_hash])
  }
})
