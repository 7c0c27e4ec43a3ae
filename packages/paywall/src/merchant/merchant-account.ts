/** The installation's own merchant accounts, which tools are paid to, and the secret that its challenges are signed with. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Context, Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { randomBytes } from "node:crypto"

/** Held while an account is opened, so that two processes open one. */
const OPENING = 7_716_031_542

export class MerchantAccount extends Context.Service<MerchantAccount, {
  /** The account that calls of sandbox accounts, or of live ones, are paid to. Opened when it is first needed. */
  readonly merchant: (sandbox: boolean) => Effect.Effect<AccountFacts>
  /** The same for all processes. Made when it is first needed, so that a start needs no database. */
  readonly secret: Effect.Effect<Redacted.Redacted<string>>
}>()("@svc/paywall/MerchantAccount") {
  static readonly layer = Layer.effect(
    MerchantAccount,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const accounts = yield* Accounts
      const ids = new Map<boolean, string>()

      const find = (sandbox: boolean) =>
        Effect.map(
          sql<{ readonly account_id: string }>`SELECT account_id FROM tool_house WHERE sandbox = ${sandbox}`,
          ([row]) => row?.account_id
        )

      const open = Effect.fnUntraced(function*(sandbox: boolean) {
        yield* sql`SELECT pg_advisory_xact_lock(${OPENING}::bigint)`
        const found = yield* find(sandbox)
        if (found !== undefined) return found
        const { account } = yield* accounts.create({ name: sandbox ? "Tool server (sandbox)" : "Tool server", sandbox })
        yield* sql`INSERT INTO tool_house (sandbox, account_id) VALUES (${sandbox}, ${account.id})`
        return account.id
      })

      const merchant = Effect.fnUntraced(function*(sandbox: boolean) {
        const id = ids.get(sandbox) ?? (yield* find(sandbox)) ?? (yield* sql.withTransaction(open(sandbox)))
        ids.set(sandbox, id)
        return yield* accounts.facts(AccountId.make(id))
      }, Effect.orDie)

      const secret = yield* Effect.cached(
        Effect.gen(function*() {
          yield* sql`INSERT INTO tool_secrets (name, secret) VALUES ('challenges', ${
            randomBytes(32).toString("hex")
          }) ON CONFLICT DO NOTHING`
          const [row] = yield* sql<{ readonly secret: string }>`SELECT secret FROM tool_secrets WHERE name = 'challenges'`
          return Redacted.make(row?.secret ?? "", { label: "secret of challenges" })
        }).pipe(Effect.orDie)
      )

      return MerchantAccount.of({ merchant, secret })
    })
  )
}
