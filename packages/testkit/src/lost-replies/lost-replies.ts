/**
 * Replies and processes that are lost at eight points, with every way to pay, by agents that send the same payment again and by careless
 * ones that sign afresh. The gate, the database and the commits are real; the facilitator is one that loses answers, behind a real
 * connection. A process dies by a fault in its commits, in a tool's run, or when money has moved: what was durable stays, and another one
 * follows.
 */
import { Accounts } from "@svc/accounts/accounts/service"
import { AgentKeys } from "@svc/accounts/agent-keys/service/agent-keys"
import { canonicalize } from "@svc/kernel/values/canonical-json"
import { MerchantAccount } from "@svc/paywall/merchant/merchant-account"
import { baseSepoliaUsdc } from "@svc/paywall/payment/model"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { createHash } from "node:crypto"
import { verifyBooks } from "../road.ts"
import { startFacilitator } from "./facilitator.ts"
import { play, type Stage } from "./history.ts"
import { broken } from "./invariants.ts"
import { type Plan, plan } from "./plan.ts"
import { makeFate, process } from "./world.ts"

const payTo = "0x209693Bc6afc0C5328bA36FaF03C514EF312287C"
const facilitatorAddress = "0x857b06519E91e3A54538791bDbb0E22373e36b66"

export interface Outcome {
  readonly seed: string
  readonly problems: ReadonlyArray<string>
  readonly plan: Plan
  readonly crashes: number
}

/** Two processes, a facilitator, and an account whose agent key has a budget. */
const stage = Effect.gen(function*() {
  const facilitator = yield* startFacilitator
  const environment = {
    TOOLS_STABLECOIN_PAY_TO: payTo,
    TOOLS_FACILITATOR_URL: facilitator.url,
    TOOLS_FACILITATOR_ADDRESS: facilitatorAddress
  }
  const start = Effect.suspend(() => {
    const fate = makeFate()
    return Effect.map(Layer.build(Layer.fresh(process(fate, environment))), (context) => ({ fate, context }))
  })
  const [first, second] = [yield* start, yield* start]
  const owner = yield* Effect.provideContext(
    Effect.gen(function*() {
      const { account } = yield* (yield* Accounts).create({ name: "Acme", sandbox: true })
      const { token } = yield* (yield* AgentKeys).issue(account, {
        name: "Agent",
        expires_at: null,
        policy: { budgets: { life: 1_000_000 } }
      })
      const merchantAccount = yield* (yield* MerchantAccount).merchant(true)
      return { account: account.id, key: Redacted.value(token), merchantAccount: merchantAccount.id }
    }),
    first.context
  )
  const made: Stage = {
    facilitator,
    stablecoin: { ...baseSepoliaUsdc, payTo, facilitator: facilitatorAddress },
    processes: [first, second],
    key: owner.key
  }
  return { made, owner }
})

const hashOf = ({ fails, seed, tool }: Plan): string =>
  createHash("sha256").update(canonicalize({ name: tool, arguments: { order: seed, ...(fails ? { fails: true } : {}) } })).digest("hex")

/** What must hold of all of them together: no room is left taken, and the books verify. */
const together = Effect.fnUntraced(function*({ account, merchantAccount }: { readonly account: string; readonly merchantAccount: string }) {
  const sql = yield* SqlClient.SqlClient
  const problems: Array<string> = []
  const [counter] = yield* sql<{ readonly spent: number; readonly reserved: number }>`
    SELECT coalesce(sum(spent), 0)::float8 AS spent, coalesce(sum(reserved), 0)::float8 AS reserved FROM counters WHERE account_id = ${account} AND name = 'agent_budget'`
  const [billed] = yield* sql<
    { readonly cents: number }
  >`SELECT coalesce(sum(price), 0)::float8 AS cents FROM tool_calls WHERE account_id = ${account} AND state = 'settled'`
  if (counter?.reserved !== 0) problems.push(`${counter?.reserved} cents are left reserved`)
  if (counter?.spent !== billed?.cents) problems.push(`M12: the budget says ${counter?.spent}, the calls come to ${billed?.cents}`)
  for (const chain of [account, merchantAccount]) {
    const { first_break } = yield* verifyBooks(chain)
    if (first_break !== null) problems.push(`the books of ${chain} break at ${JSON.stringify(first_break)}`)
  }
  return problems
}, Effect.orDie)

/** Plays these seeds one after another, on one database. `number` chooses the combination. */
export const playAll = Effect.fn("lostReplies")(
  function*(seeds: ReadonlyArray<{ readonly seed: string; readonly number: number }>, played: (outcome: Outcome) => void = () => {}) {
    const { made, owner } = yield* stage
    const outcomes: Array<Outcome> = []
    for (const { number, seed } of seeds) {
      const planned = plan(seed, number)
      const history = yield* play(made, planned)
      const outcome = { seed, problems: yield* broken(history, hashOf(planned), made.facilitator), plan: planned, crashes: history.crashes }
      outcomes.push(outcome)
      played(outcome)
    }
    return { outcomes, problems: yield* together(owner) }
  },
  Effect.scoped
)
