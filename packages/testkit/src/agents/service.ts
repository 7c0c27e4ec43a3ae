/** The tool server behind a real listener, on a database of its own, and who calls it: for the proofs of what it promises to agents. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { AgentPolicy } from "@svc/accounts/agent-keys/model"
import { AgentKeyId } from "@svc/accounts/agent-keys/model"
import { AgentKeys } from "@svc/accounts/agent-keys/service/agent-keys"
import { ApiKeys } from "@svc/accounts/api-keys/service"
import { nextId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { plans } from "@svc/metering/plans/model"
import { CreditPurchaseId } from "@svc/paywall/credit-purchases/model"
import { expiryFrom } from "@svc/paywall/credit-purchases/rules"
import { CreditPurchases } from "@svc/paywall/credit-purchases/service/purchases"
import { listen } from "@svc/server/listener"
import * as tools from "@svc/server/tools"
import { Effect, Layer, Logger, Redacted, References } from "effect"
import { SqlClient } from "effect/sql"
import { layerLog, layerService } from "../contract/service.ts"
import { type PartsOnDatabase, servicesWith } from "../services.ts"

/** Anybody of one network may sign up once an hour otherwise. */
const OPEN = { TOOLS_SIGNUPS_PER_HOUR: "1000000" }

type Environment = Readonly<Record<string, string>>

const serverWith = (environment: Environment = {}, parts: Omit<PartsOnDatabase, "environment"> = {}) =>
  layerService.pipe(
    Layer.provideMerge(listen(tools.layer, { port: 0, host: "127.0.0.1", variable: "TOOLS_PORT" }).pipe(Layer.provide(tools.listening))),
    Layer.provideMerge(servicesWith({ ...parts, environment: { ...OPEN, ...environment } }))
  )

/** The tool server under these environment variables, a client of it, and the services under it. */
export const layerWith = (environment: Environment = {}, parts: Omit<PartsOnDatabase, "environment"> = {}) =>
  serverWith(environment, parts).pipe(Layer.provideMerge(layerLog))

/** The same; all that it logs is added to the lines, at every level. */
export const layerLogging = (lines: Array<string>, environment: Environment = {}) =>
  serverWith(environment).pipe(
    Layer.provideMerge(Logger.layer([Logger.make((options) => void lines.push(Logger.formatJson.log(options)))])),
    Layer.provideMerge(Layer.succeed(References.MinimumLogLevel, "All"))
  )

export const layer = layerWith()

/** An account with a tool key. */
export interface Caller {
  readonly id: string
  readonly key: string
}

/** A sandbox account on the free plan with its tool key. */
export const openCaller = Effect.fnUntraced(function*(name: string) {
  const { account } = yield* Effect.orDie((yield* Accounts).create({ name, sandbox: true }))
  const { secret } = yield* Effect.orDie((yield* ApiKeys).issue({ accountId: account.id, kind: "tool", name: "Tools", scopes: [] }))
  return { id: account.id, key: Redacted.value(secret) } satisfies Caller
})

export interface Agent {
  readonly id: string
  readonly token: string
}

/** An agent key of the account, or one cut from another. */
export const issueAgent = Effect.fnUntraced(function*({ id }: Pick<Caller, "id">, policy: AgentPolicy, parent?: Agent) {
  const issued = yield* (yield* AgentKeys).issue({ id: AccountId.make(id), sandbox: true, status: "active" }, {
    name: "Agent",
    policy,
    ...(parent === undefined ? {} : { parent_id: AgentKeyId.make(parent.id) })
  })
  return { id: issued.key.id, token: Redacted.value(issued.token) } satisfies Agent
}, Effect.orDie)

/** The plan pro, bought by a card of the sandbox. */
export const buyPlan = Effect.fnUntraced(function*({ id }: Pick<Caller, "id">) {
  yield* (yield* CreditPurchases).charge(
    yield* (yield* Accounts).facts(id),
    {
      id: CreditPurchaseId.make(yield* nextId("cpur")),
      account_id: id,
      amount: plans.pro.price,
      plan: "pro",
      tool: null,
      pays_for: null,
      expires_at: expiryFrom(yield* now)
    },
    { kind: "card", token: "tok_visa" },
    true
  )
}, Effect.orDie)

/** Credits in the books without the purchase that would bring them there. */
export const grantCredits = Effect.fnUntraced(function*({ id }: Pick<Caller, "id">, cents: number) {
  const grant = yield* nextId("cg")
  yield* (yield* SqlClient.SqlClient)`
    INSERT INTO credit_grants (account_id, id, cents, source, created_at, updated_at, version) VALUES (${id}, ${grant}, ${cents}, 'operator', now(), now(), 1)`
}, Effect.orDie)
