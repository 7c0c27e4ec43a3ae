/** Accounts as the tool server opens and shows them. */
import type { AccountFacts, ToolCaller } from "@svc/accounts/access/model"
import type { Account } from "@svc/accounts/accounts/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { AgentKeyId } from "@svc/accounts/agent-keys/model"
import { ApiKeyId } from "@svc/accounts/api-keys/model"
import { ApiKeys } from "@svc/accounts/api-keys/service"
import { now } from "@svc/kernel/values/time"
import { Cache, Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CREDITS_A_CENT, plans, Tiers } from "../plans/model.ts"
import type { CreditSummary } from "../tool-calls/credit-summary.ts"
import { EmailTaken } from "./errors.ts"
import type { OpenToolAccountRequest, ToolAccount, ToolAccountOpened } from "./model.ts"
import { ToolAccountRepository } from "./repository.ts"
import { Openings } from "./settings.ts"

const emailTaken = new EmailTaken({ message: "An account with this email is there already. Use its key, or another email." })

/** How long a plan may be remembered after it was changed. */
const REMEMBERED = "5 seconds"

const FIRST = "free"

export class ToolAccounts extends Context.Service<ToolAccounts, {
  /** Opens an account on the free plan with a tool key, and in a sandbox a secret key of the payments API, which are shown once. */
  readonly open: (request: OpenToolAccountRequest) => Effect.Effect<ToolAccountOpened, EmailTaken>
  /** Opens a sandbox for an agent that nobody vouches for. It has no key yet. */
  readonly openSandbox: (name: string, contact: string | null) => Effect.Effect<AccountFacts>
  readonly show: (caller: ToolCaller, credits: CreditSummary) => Effect.Effect<ToolAccount>
}>()("@svc/metering/ToolAccounts") {
  static readonly layer = Layer.effect(
    ToolAccounts,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const keys = yield* ApiKeys
      const { mode } = yield* Openings
      const repository = yield* ToolAccountRepository
      const sql = yield* SqlClient.SqlClient

      const keep = Effect.fnUntraced(function*({ id }: Account, of: { readonly email: string | null; readonly contact: string | null }) {
        const at = yield* now
        return yield* repository.insert({ account_id: id, ...of, tier: FIRST, created_at: at, updated_at: at, version: 1 })
      })

      const open = Effect.fn("ToolAccounts.open")(function*({ email, name }: OpenToolAccountRequest) {
        const sandbox = mode === "sandbox"
        // Anybody may call tools; who takes live payments is known to the operator.
        const account = yield* accounts.open({ name, sandbox, status: sandbox ? "active" : "pending" })
        if (!(yield* keep(account, { email, contact: null }))) return yield* emailTaken
        const keyOf = (kind: "tool" | "secret") =>
          Effect.map(Effect.orDie(keys.issue({ accountId: account.id, kind, name: "First key", scopes: [] })), ({ secret }) => secret)
        const payments = sandbox ? { secret_key: yield* keyOf("secret") } : {}
        return {
          account_id: account.id,
          api_key: yield* keyOf("tool"),
          ...payments,
          tier: FIRST,
          credits: plans[FIRST].allowance * CREDITS_A_CENT
        } satisfies ToolAccountOpened
      })

      const openSandbox = Effect.fn("ToolAccounts.openSandbox")(function*(name: string, contact: string | null) {
        const account = yield* accounts.open({ name, sandbox: true })
        yield* keep(account, { email: null, contact })
        return account
      })

      const keyOf = ({ credential }: ToolCaller): ToolAccount["key"] =>
        credential.kind === "api_key"
          ? { kind: "api_key", id: ApiKeyId.make(credential.id) }
          : { kind: "agent_key", id: AgentKeyId.make(credential.id), policy: credential.policy }

      const show = Effect.fn("ToolAccounts.show")(function*(caller: ToolCaller, { balance, quota, tier }: CreditSummary) {
        const account = yield* Effect.orDie(accounts.get(AccountId.make(caller.account.id)))
        const row = yield* repository.find(account.id)
        const { created_at, name, sandbox, status } = account
        return {
          account_id: account.id,
          name,
          email: row?.email ?? null,
          status,
          sandbox,
          tier,
          quota,
          credits: balance,
          key: keyOf(caller),
          created_at
        }
      })

      const whole = <A, E>(opening: Effect.Effect<A, E>) => Effect.catchTag(sql.withTransaction(opening), "SqlError", Effect.die)
      return ToolAccounts.of({
        open: (request) => whole(open(request)),
        openSandbox: (name, contact) => Effect.orDie(whole(openSandbox(name, contact))),
        show
      })
    })
  )
}

/** The plan of each account, as this process remembers it. */
export const layerTiers = Layer.effect(
  Tiers,
  Effect.gen(function*() {
    const repository = yield* ToolAccountRepository
    const known = yield* Cache.make({
      lookup: (account: string) => Effect.map(repository.find(account), (kept) => kept?.tier ?? FIRST),
      capacity: 20_000,
      timeToLive: REMEMBERED
      // A cache adds the context that it was made in to that of each look-up.
    }).pipe(Effect.setContext(Context.empty()))
    return Tiers.of({ of: (account) => Cache.get(known, account) })
  })
)
