/** The tools for agent keys behind the gate: what each field of a policy lets pass and refuses, what budgets hold, and who approves. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import type { AccountSettings } from "@svc/accounts/accounts/settings"
import type { AgentPolicy } from "@svc/accounts/agent-keys/model"
import { AgentKeys } from "@svc/accounts/agent-keys/service/agent-keys"
import { runDue } from "@svc/kernel/timers/timers"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { makeId } from "@svc/kernel/values/ids"
import { parseJson } from "@svc/kernel/values/json"
import { now } from "@svc/kernel/values/time"
import { Approvals } from "@svc/payments/approvals/service"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { AgentPaymentIntents } from "@svc/payments/payment-intents/service/agent-payment-intents"
import type { Quotes } from "@svc/payments/quotes/service"
import { Rails } from "@svc/payments/rails/rail"
import * as gate from "@svc/paywall/gate/gate"
import { replacing } from "@svc/testkit/replacing"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { bind, Catalog } from "@svc/tool-kit/derive"
import { Gate, type ToolAnswer } from "@svc/tool-kit/gate/model"
import { freeCalls } from "@svc/tool-kit/testing"
import { DateTime, Effect, Layer, Redacted, Schema } from "effect"
import { RpcGroup, RpcTest } from "effect/rpc"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { execute_payment } from "../catalog/execute_payment.ts"
import { get_quote } from "../catalog/get_quote.ts"
import type { AgentPayments } from "./service.ts"

const catalog = Layer.effect(
  Catalog,
  Effect.map(
    Effect.context<AgentPayments | Quotes>(),
    (context) => new Map([get_quote.compiled, execute_payment.compiled].map((one) => [one.name, bind(context)(one)]))
  )
)

const everything = Layer.provideMerge(Layer.provide(gate.layer, catalog), services)

const open = Effect.fnUntraced(function*(settings: Partial<AccountSettings> = {}) {
  const accounts = yield* Accounts
  const { account } = yield* accounts.create({ name: "Acme", sandbox: true })
  if (Object.keys(settings).length > 0) yield* accounts.update(account.id, { settings })
  return yield* accounts.facts(account.id)
})

const agentOf = Effect.fnUntraced(function*(account: AccountFacts, policy: AgentPolicy = {}) {
  const { key, token } = yield* (yield* AgentKeys).issue(account, { name: "Agent", policy })
  return { id: key.id, token: Redacted.value(token) }
})

let keys = 0
const freshKey = () => `payment-${keys++}-${makeId("test", 1)}`

const payment = { amount: 1_999, currency: "USD", payment_method_id: "tok_visa" }

const call = Effect.fnUntraced(function*(name: string, token: string, args: object, headers: Readonly<Record<string, string>> = {}) {
  return yield* (yield* Gate).call({
    name,
    arguments: args,
    meta: {},
    url: "http://localhost:4001/mcp",
    address: "127.0.0.1",
    headers: { authorization: `Bearer ${token}`, ...headers }
  })
})

const pay = (token: string, args: object = {}) => call("execute_payment", token, { ...payment, idempotency_key: freshKey(), ...args })

const decodeResult = Schema.decodeUnknownSync(Schema.Record(Schema.String, Schema.Unknown))
const decodeFailure = Schema.decodeUnknownSync(
  Schema.Struct({ error: Schema.Struct({ code: Schema.String, message: Schema.String, retryable: Schema.Boolean }) })
)

const resultOf = (answer: ToolAnswer) =>
  answer._tag === "Answered" && !answer.isError ? decodeResult(answer.result) : assert.fail(JSON.stringify(answer))
/** What it came to in a word: the status of a payment, the code of a failure or refusal. */
const said = (answer: ToolAnswer): string => {
  if (answer._tag === "Refused") return answer.data.code
  if (answer._tag !== "Answered") return answer._tag
  return answer.isError ? decodeFailure(answer.result).error.code : String(decodeResult(answer.result)["status"] ?? "quoted")
}

const budget = (account: AccountFacts) =>
  Effect.map(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql<
        { readonly spent: number; readonly reserved: number }
      >`SELECT coalesce(sum(spent), 0)::float8 AS spent, coalesce(sum(reserved), 0)::float8 AS reserved FROM counters WHERE account_id = ${account.id} AND name = 'agent_budget'`),
    ([row]) => [row?.spent, row?.reserved]
  )

const intentsOf = (account: AccountFacts) =>
  Effect.map(Effect.flatMap(PaymentIntents, ({ list }) => list(account.id, {}, { page: 1, per_page: 100 })), ({ data }) => data)

const keyed = (operation: string) => ({ key: IdempotencyKey.make(freshKey()), operation, fingerprint: "0".repeat(64) })

const review = Effect.fnUntraced(function*(account: AccountFacts, verb: "approve" | "reject", id: unknown) {
  return yield* (yield* Approvals)[verb]({ account, id: String(id), keyed: keyed(`approval.${verb}`), payload: {} })
})

const Group = RpcGroup.make(execute_payment)
const handlers = Group.toLayer({ execute_payment: execute_payment.handler })

/** How the payment stands for an agent whose key, one of a sandbox, has ended since. */
const asked = (account: AccountFacts, id: string, args: Partial<typeof payment> & { readonly idempotency_key: string }) =>
  Effect.flatMap(RpcTest.makeClient(Group), (client) => client.execute_payment({ ...payment, ...args })).pipe(
    Effect.match({ onSuccess: ({ status }): string => status, onFailure: (failure) => "code" in failure ? failure.code : failure._tag }),
    Effect.scoped,
    Effect.provide(Layer.provideMerge(handlers, freeCalls(execute_payment, { account, agent: { id, policy: {}, chain: [] } })))
  )

const after = (duration: Parameters<typeof TestClock.adjust>[0]) =>
  Effect.andThen(TestClock.adjust(duration), Effect.flatMap(now, (at) => runDue(at)))

layer(everything, { timeout: 60_000 })("a payment by an agent", (it) => {
  it.effect.each<readonly [string, AgentPolicy, object, string]>([
    ["no policy", {}, {}, "succeeded"],
    ["the tool", { allowed_tools: ["execute_payment"] }, {}, "succeeded"],
    ["other tools", { allowed_tools: ["get_quote"] }, {}, "AGENT_TOOL_NOT_ALLOWED"],
    ["its currency", { allowed_currencies: ["EUR", "USD"] }, {}, "succeeded"],
    ["other currencies", { allowed_currencies: ["EUR"] }, {}, "AGENT_CURRENCY_NOT_ALLOWED"],
    ["no currencies", { allowed_currencies: [] }, {}, "AGENT_CURRENCY_NOT_ALLOWED"],
    ["a provider that takes it", { allowed_providers: ["card_b"] }, {}, "succeeded"],
    ["the provider that it names", { allowed_providers: ["card_b"] }, { provider: "card_b" }, "succeeded"],
    ["other providers than it names", { allowed_providers: ["card_b"] }, { provider: "card_a" }, "AGENT_PROVIDER_NOT_ALLOWED"],
    ["providers that do not take it", { allowed_providers: ["usdc"] }, {}, "AGENT_PROVIDER_NOT_ALLOWED"],
    ["no providers", { allowed_providers: [] }, {}, "AGENT_PROVIDER_NOT_ALLOWED"],
    ["no word of a provider that there is not", {}, { provider: "card_z" }, "validation_error"],
    ["as much as it is", { max_amount_minor_cents: 1_999 }, {}, "succeeded"],
    ["less than it is", { max_amount_minor_cents: 1_998 }, {}, "AGENT_AMOUNT_NOT_ALLOWED"],
    ["approval above it", { require_approval_above: 1_999 }, {}, "succeeded"],
    ["approval below it", { require_approval_above: 1_998 }, {}, "pending"],
    ["budgets that it fits", { budgets: { hour: 1_999, day: 1_999, month: 1_999, life: 1_999 } }, {}, "succeeded"],
    ["too little this hour", { budgets: { hour: 1_998 } }, {}, "AGENT_BUDGET_EXCEEDED"],
    ["too little today", { budgets: { day: 1_998 } }, {}, "AGENT_BUDGET_EXCEEDED"],
    ["too little this month", { budgets: { month: 1_998 } }, {}, "AGENT_BUDGET_EXCEEDED"],
    ["too little in all", { budgets: { life: 1_998 } }, {}, "AGENT_BUDGET_EXCEEDED"],
    // 1999 yen are 12.89 dollars.
    ["a budget for its yen", { budgets: { life: 1_289 } }, { currency: "JPY" }, "succeeded"],
    ["a cent too little for its yen", { budgets: { life: 1_288 } }, { currency: "JPY" }, "AGENT_BUDGET_EXCEEDED"],
    ["a budget for a currency without a rate", { budgets: { life: 1_000_000 } }, { currency: "CLF" }, "AGENT_CURRENCY_NOT_ALLOWED"],
    ["a currency without a rate and no budget", {}, { currency: "CLF" }, "succeeded"],
    ["no calls a minute", { rate_limit_per_minute: 0 }, {}, "RATE_LIMITED"],
    ["a card that is declined", { budgets: { life: 1_999 } }, { payment_method_id: "tok_insufficient_funds" }, "payment_declined"],
    ["a method that there is not", { budgets: { life: 1_999 } }, { payment_method_id: "pm_nothing" }, "validation_error"],
    ["a card number in the metadata", {}, { metadata: { card: "4242424242424242" } }, "card_number_not_accepted"]
  ])("with %s", ([, policy, args, outcome]) =>
    Effect.gen(function*() {
      const account = yield* open()
      const { token } = yield* agentOf(account, policy)
      const answer = yield* pay(token, args)
      assert.strictEqual(said(answer), outcome, JSON.stringify(answer))
      const made = yield* intentsOf(account)
      assert.deepStrictEqual(
        made.map(({ state }) => state),
        ({ succeeded: ["captured"], pending: ["pending"], payment_declined: ["failed"] } as Record<string, ReadonlyArray<string>>)[
          outcome
        ] ?? []
      )
      if (outcome === "succeeded" && policy.allowed_providers !== undefined) {
        assert.deepStrictEqual(made.map(({ selected_rail }) => selected_rail), [...policy.allowed_providers])
      }
      const cents = policy.budgets === undefined || outcome !== "succeeded"
        ? 0
        : Object.values(policy.budgets).reduce((sum, most) => sum + most, 0)
      assert.deepStrictEqual(yield* budget(account), [cents, 0])
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect.each<readonly [string, AgentPolicy, string]>([
    ["no policy", {}, "quoted"],
    ["the tool", { allowed_tools: ["get_quote"] }, "quoted"],
    ["other tools", { allowed_tools: ["execute_payment"] }, "AGENT_TOOL_NOT_ALLOWED"],
    ["both currencies", { allowed_currencies: ["EUR", "USD"] }, "quoted"],
    ["only the currency it has", { allowed_currencies: ["USD"] }, "AGENT_CURRENCY_NOT_ALLOWED"],
    ["only the currency it wants", { allowed_currencies: ["EUR"] }, "AGENT_CURRENCY_NOT_ALLOWED"],
    ["as much as it is", { max_amount_minor_cents: 10_000 }, "quoted"],
    ["less than it is", { max_amount_minor_cents: 9_999 }, "AGENT_AMOUNT_NOT_ALLOWED"],
    ["no calls a minute", { rate_limit_per_minute: 0 }, "RATE_LIMITED"],
    // A quote pays nothing: no provider is asked, no budget touched, nobody has to approve it.
    [
      "no providers, no budget, and approval of everything",
      { allowed_providers: [], budgets: { life: 0 }, require_approval_above: 0 },
      "quoted"
    ]
  ])("a quote for one with %s", ([, policy, outcome]) =>
    Effect.gen(function*() {
      const account = yield* open()
      const { token } = yield* agentOf(account, policy)
      const answer = yield* call("get_quote", token, { source_amount: 10_000, source_currency: "USD", target_currency: "EUR" })
      assert.strictEqual(said(answer), outcome, JSON.stringify(answer))
      if (outcome === "quoted") {
        assert.deepInclude(resultOf(answer), { target_amount: 8_563, fee_amount: 100, conversion_rate: 0.865, rate_date: "2026-11-20" })
      }
      assert.deepStrictEqual(yield* budget(account), [0, 0])
    }))

  it.effect("is made once a key, whatever header is sent besides, and the key is this agent's alone", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const [agent, other] = [yield* agentOf(account, { budgets: { day: 100_000 } }), yield* agentOf(account)]
      const idempotency_key = freshKey()
      const header = { "idempotency-key": freshKey() }
      const answers = yield* Effect.all(
        Array.from({ length: 16 }, () => call("execute_payment", agent.token, { ...payment, idempotency_key }, header)),
        { concurrency: "unbounded" }
      )
      assert.deepStrictEqual(new Set(answers.map((answer) => resultOf(answer)["payment_id"])).size, 1)
      assert.deepStrictEqual(yield* budget(account), [1_999, 0])
      assert.strictEqual(said(yield* pay(agent.token, { idempotency_key, amount: 2_000 })), "IDEMPOTENCY_CONFLICT")
      assert.strictEqual(said(yield* pay(other.token, { idempotency_key, amount: 2_000 })), "succeeded")
      assert.lengthOf(yield* intentsOf(account), 2)
      // What was paid is told also when the policy has changed since.
      yield* (yield* AgentKeys).update(account.id, agent.id, { policy: { max_amount_minor_cents: 0 } })
      assert.deepStrictEqual(resultOf(yield* pay(agent.token, { idempotency_key }))["status"], "succeeded")
      assert.strictEqual(said(yield* pay(agent.token)), "AGENT_AMOUNT_NOT_ALLOWED")
    }))

  it.effect("counts against the budgets of every key that its own was cut from, and agents that share one never pass it", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const issued = yield* (yield* AgentKeys).issue(account, { name: "Above", policy: { budgets: { day: 10_000 } } })
      const cuts = yield* Effect.forEach(
        [1, 2],
        () =>
          Effect.flatMap(
            AgentKeys,
            ({ issue }) => issue(account, { name: "Below", parent_id: issued.key.id, policy: { budgets: { day: 8_000 } } })
          )
      )
      const answers = yield* Effect.all(cuts.flatMap(({ token }) => Array.from({ length: 6 }, () => pay(Redacted.value(token)))), {
        concurrency: "unbounded"
      })
      const counted = Map.groupBy(answers.map(said), (one) => one)
      assert.deepStrictEqual([counted.get("succeeded")?.length, counted.get("AGENT_BUDGET_EXCEEDED")?.length], [5, 7])
      // Each counts at two levels.
      assert.deepStrictEqual(yield* budget(account), [2 * 5 * 1_999, 0])
      assert.lengthOf(yield* intentsOf(account), 5)
    }))

  it.effect("of a step that its customer has to take holds its room until the step is taken, and gives it back when it is not", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const { id, token } = yield* agentOf(account, { budgets: { life: 1_999 } })
      const args = { idempotency_key: freshKey(), payment_method_id: "tok_requires_action" }
      assert.deepInclude(resultOf(yield* pay(token, args)), { status: "pending", pending_reason: "requires_action" })
      assert.deepStrictEqual(yield* budget(account), [0, 1_999])
      assert.strictEqual(said(yield* pay(token)), "AGENT_BUDGET_EXCEEDED")
      yield* after("7 days")
      assert.strictEqual(yield* asked(account, id, args), "payment_failed")
      assert.deepStrictEqual(yield* budget(account), [0, 0])
    }))

  it.effect("that was made and never authorized gives its room back after ten minutes; one that is captured in part spends that part", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const agent = yield* agentOf(account)
      const agentIntents = yield* AgentPaymentIntents
      const intents = yield* PaymentIntents
      const share = { key: agent.id, period: "life", start: DateTime.makeUnsafe(0), cents: 100, at_most: 200 } as const
      const make = Effect.map(
        Effect.suspend(() =>
          agentIntents.create({
            account,
            keyed: keyed("agent_payment.create"),
            payload: {
              payment: { amount: 300, currency: "USD" },
              terms: { key_id: agent.id, rails: null, review: false, budgets: [share] }
            }
          })
        ),
        ({ body }) => String(decodeResult(parseJson(body))["id"])
      )
      const [forgotten, held] = [yield* make, yield* make]
      assert.deepInclude(yield* Effect.flip(make), { _tag: "AgentBudgetExceeded", left: 0, limit: 200 })
      yield* intents.authorize({ account, id: held, keyed: keyed("payment_intent.authorize"), payload: { payment_method_id: "tok_visa" } })
      assert.deepStrictEqual(yield* budget(account), [0, 200])
      yield* after("10 minutes")
      assert.deepInclude(yield* intents.get(account.id, forgotten), { state: "cancelled", failure_reason: "abandoned" })
      assert.deepStrictEqual(yield* budget(account), [0, 100])
      // A third of it, and a part of a cent is a cent.
      yield* intents.capture({ account, id: held, keyed: keyed("payment_intent.capture"), payload: { amount: 100 } })
      assert.deepStrictEqual(yield* budget(account), [34, 0])
      yield* intents.refund({ account, id: held, keyed: keyed("payment_intent.refund"), payload: {} })
      assert.deepStrictEqual(yield* budget(account), [34, 0])
    }))

  it.effect("that is waited for below the account's own limit waits, too", () =>
    Effect.gen(function*() {
      const account = yield* open({ require_approval_above: 1_000 })
      const { token } = yield* agentOf(account)
      assert.deepInclude(resultOf(yield* pay(token)), { status: "pending", pending_reason: "requires_approval" })
    }))
})

const waiting = Effect.fnUntraced(function*(policy: AgentPolicy = {}) {
  const account = yield* open()
  const agent = yield* agentOf(account, { require_approval_above: 1_000, budgets: { life: 1_999 }, ...policy })
  const args = { idempotency_key: freshKey() }
  const answer = resultOf(yield* pay(agent.token, args))
  return { account, agent, answer, args, again: pay(agent.token, args) }
})

layer(everything, { timeout: 60_000 })("a payment that waits for a person", (it) => {
  it.effect("says so, with what approves it and until when, and reaches no provider; once approved its agent sees it paid", () =>
    Effect.gen(function*() {
      const { account, again, agent, answer } = yield* waiting({ allowed_providers: ["card_b"] })
      assert.deepInclude(answer, { status: "pending", state: "pending", pending_reason: "requires_approval", provider: null })
      const approval = yield* (yield* Approvals).get(account.id, String(answer["approval_id"]))
      assert.deepInclude(approval, { status: "pending", agent_key_id: agent.id, amount: 1_999, payment_method_id: "tok_visa" })
      assert.strictEqual<unknown>(approval.payment_intent_id, answer["payment_id"])
      assert.deepStrictEqual(resultOf(yield* again), answer)
      const [before] = yield* intentsOf(account)
      assert.deepStrictEqual(before?.attempts, [])
      assert.deepStrictEqual(yield* budget(account), [0, 1_999])
      assert.strictEqual(said(yield* pay(agent.token)), "AGENT_BUDGET_EXCEEDED")

      const reply = yield* review(account, "approve", approval.id)
      assert.strictEqual(reply.status, 200)
      assert.deepInclude(resultOf(yield* again), { status: "succeeded", provider: "card_b", approval_id: approval.id, expires_at: null })
      assert.deepInclude(yield* (yield* Approvals).get(account.id, approval.id), { status: "approved", version: 2 })
      assert.deepStrictEqual(yield* budget(account), [1_999, 0])
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("is cancelled when it is rejected, and its budget has the room again", () =>
    Effect.gen(function*() {
      const { account, again, answer } = yield* waiting()
      yield* review(account, "reject", answer["approval_id"])
      assert.strictEqual(said(yield* again), "payment_rejected")
      assert.deepStrictEqual(yield* budget(account), [0, 0])
      assert.strictEqual((yield* Effect.flip(review(account, "approve", answer["approval_id"])))._tag, "InvalidState")
    }))

  it.effect("ends after seven days, and not before; then nobody approves it, not even before its timer was run", () =>
    Effect.gen(function*() {
      const { account, agent, answer, args } = yield* waiting()
      yield* after("167 hours")
      assert.strictEqual(yield* asked(account, agent.id, args), "pending")
      yield* TestClock.adjust("1 hours")
      assert.deepInclude(yield* Effect.flip(review(account, "approve", answer["approval_id"])), {
        _tag: "InvalidState",
        details: { state: "expired", allowed: [] }
      })
      yield* after("1 seconds")
      assert.strictEqual(yield* asked(account, agent.id, args), "approval_expired")
      assert.strictEqual((yield* (yield* Approvals).get(account.id, String(answer["approval_id"]))).status, "expired")
      assert.deepStrictEqual(yield* budget(account), [0, 0])
    }))

  it.effect("is decided on once, of many who decide at once; who repeats a request has its answer again", () =>
    Effect.gen(function*() {
      const { account, again, answer } = yield* waiting()
      const verbs = Array.from({ length: 12 }, (_, n) => n % 2 === 0 ? "approve" as const : "reject" as const)
      const outcomes = yield* Effect.all(verbs.map((verb) => Effect.result(review(account, verb, answer["approval_id"]))), {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual(outcomes.filter(({ _tag }) => _tag === "Success").length, 1)
      const { status } = yield* (yield* Approvals).get(account.id, String(answer["approval_id"]))
      assert.strictEqual(said(yield* again), status === "approved" ? "succeeded" : "payment_rejected")
      assert.deepStrictEqual(yield* budget(account), status === "approved" ? [1_999, 0] : [0, 0])

      const next = yield* waiting()
      const command = { account: next.account, id: String(next.answer["approval_id"]), keyed: keyed("approval.approve"), payload: {} }
      const { approve } = yield* Approvals
      const first = yield* approve(command)
      yield* after("8 days")
      assert.deepStrictEqual(yield* approve(command), { ...first, replayed: true })
    }))

  it.effect("is not approved once its key was revoked, by whichever way; it may be rejected", () =>
    Effect.gen(function*() {
      const { account, agent, answer } = yield* waiting()
      yield* (yield* AgentKeys).revoke(account.id, agent.id)
      assert.deepInclude(yield* Effect.flip(review(account, "approve", answer["approval_id"])), {
        _tag: "InvalidState",
        details: { state: "pending", allowed: ["reject"] }
      })
      const intents = yield* PaymentIntents
      const direct = intents.approve({ account, id: String(answer["payment_id"]), keyed: keyed("payment_intent.approve"), payload: {} })
      assert.strictEqual((yield* Effect.flip(direct))._tag, "InvalidState")
      assert.strictEqual((yield* review(account, "reject", answer["approval_id"])).status, 200)
      assert.deepStrictEqual(yield* budget(account), [0, 0])
    }))

  it.effect("is approved in the room that it holds, also when the budget was lowered or the key has expired since", () =>
    Effect.gen(function*() {
      const { account, again, agent, answer } = yield* waiting()
      yield* (yield* AgentKeys).update(account.id, agent.id, { policy: { budgets: { life: 0 } } })
      yield* after("25 hours")
      assert.strictEqual(said(yield* again), "INVALID_KEY")
      assert.strictEqual((yield* review(account, "approve", answer["approval_id"])).status, 200)
      assert.deepStrictEqual(yield* budget(account), [1_999, 0])
    }))

  it.effect("is declined for its agent when the card is declined after the approval", () =>
    Effect.gen(function*() {
      const account = yield* open()
      const { token } = yield* agentOf(account, { require_approval_above: 0, budgets: { life: 1_999 } })
      const args = { idempotency_key: freshKey(), payment_method_id: "tok_generic_decline" }
      const { approval_id } = resultOf(yield* pay(token, args))
      assert.strictEqual((yield* review(account, "approve", approval_id)).status, 402)
      assert.strictEqual(said(yield* pay(token, args)), "payment_declined")
      assert.strictEqual((yield* (yield* Approvals).get(account.id, String(approval_id))).status, "approved")
      assert.deepStrictEqual(yield* budget(account), [0, 0])
    }))

  it.effect("is another's secret", () =>
    Effect.gen(function*() {
      const [{ answer }, other] = [yield* waiting(), yield* open()]
      const approvals = yield* Approvals
      assert.strictEqual((yield* Effect.flip(approvals.get(other.id, String(answer["approval_id"]))))._tag, "NotFound")
      for (const verb of ["approve", "reject"] as const) {
        assert.strictEqual((yield* Effect.flip(review(other, verb, answer["approval_id"])))._tag, "NotFound")
      }
      assert.isEmpty((yield* approvals.list(other.id, {}, { page: 1, per_page: 10 })).data)
    }))
})

/** The simulator's, as if each were behind a network, and how often they were asked to take money. */
let authorizations = 0
const remote = replacing(Rails, ({ all }) =>
  Rails.these(all.map((rail) => ({
    ...rail,
    inline: false,
    authorize: (request) => Effect.andThen(Effect.sync(() => void authorizations++), rail.authorize(request))
  }))))

layer(everything.pipe(remote), { timeout: 60_000 })(
  "a payment over a network that waits for a person",
  (it) => {
    it.effect("reaches the provider once, however many approve and ask at once", () =>
      Effect.gen(function*() {
        const { account, again, answer } = yield* waiting()
        assert.strictEqual(authorizations, 0)
        const reviews = Array.from({ length: 8 }, () => Effect.result(review(account, "approve", answer["approval_id"])))
        yield* Effect.all([...reviews, ...Array.from({ length: 8 }, () => again)], { concurrency: "unbounded" })
        assert.strictEqual(authorizations, 1)
        assert.strictEqual(said(yield* again), "succeeded")
        assert.strictEqual((yield* (yield* Approvals).get(account.id, String(answer["approval_id"]))).status, "approved")
        assert.deepStrictEqual(yield* budget(account), [1_999, 0])
        assert.isNull((yield* verifyBooks(account.id)).first_break)
      }))

    it.effect("is paid once by many calls with one key, each of which is told so or to come again", () =>
      Effect.gen(function*() {
        const account = yield* open()
        const { token } = yield* agentOf(account, { budgets: { life: 1_999 } })
        const before = authorizations
        const args = { idempotency_key: freshKey() }
        const told = yield* Effect.all(Array.from({ length: 12 }, () => Effect.map(pay(token, args), said)), { concurrency: "unbounded" })
        assert.isEmpty(told.filter((word) => !["succeeded", "IDEMPOTENCY_CONFLICT", "payment_in_flight"].includes(word)))
        assert.strictEqual(said(yield* pay(token, args)), "succeeded")
        assert.strictEqual(authorizations - before, 1)
        assert.deepStrictEqual(yield* budget(account), [1_999, 0])
      }))
  }
)
