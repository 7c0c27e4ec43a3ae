/** The gate with all that stands behind it: who may call, what it costs, who pays, and that nobody pays twice. */
import { assert, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import type { AgentPolicy } from "@svc/accounts/agent-keys/model"
import { AgentKeys } from "@svc/accounts/agent-keys/service/agent-keys"
import { ApiKeys } from "@svc/accounts/api-keys/service"
import { makeId } from "@svc/kernel/values/ids"
import { now } from "@svc/kernel/values/time"
import { EARNED_AFTER } from "@svc/metering/referrals/model"
import { Referrals } from "@svc/metering/referrals/service"
import * as gate from "@svc/paywall/gate/gate"
import { MerchantAccount } from "@svc/paywall/merchant/merchant-account"
import { base64, PAYER, signed } from "@svc/paywall/payment/fixture"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { Catalog } from "@svc/tool-kit/derive"
import { type AnsweredCall, Gate, type ToolAnswer, type ToolRequest, type UnpaidAnswer } from "@svc/tool-kit/gate/model"
import { FetchFailed } from "@svc/tool-kit/services/errors"
import { tool } from "@svc/tool-kit/tool"
import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { hash } from "node:crypto"
import { list_programs } from "./list_programs.ts"
import { ping_payment } from "./ping_payment.ts"

/** Credits pay for it, and it runs within the database. */
const priced = tool({
  name: "priced",
  title: "Priced",
  description: "Costs a cent.",
  auth: "key",
  kind: "inline",
  prices: { standard: 1, lite: 1 },
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  limits: { seconds: 5, bytes: 1024 },
  payload: Schema.Struct({ text: Schema.optionalKey(Schema.String) }),
  result: Schema.Struct({ ok: Schema.Boolean }),
  examples: [{}],
  run: () => Effect.succeed({ ok: true })
})

/** Costs less in lite. */
const dear = tool({ ...priced.meta, name: "dear", prices: { standard: 3, lite: 1 } })

const keeping = tool({
  name: "keeping",
  title: "Keeping",
  description: "Keeps what it is sent.",
  auth: "key",
  kind: "inline",
  prices: "free",
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  keepsText: true,
  limits: { seconds: 5, bytes: 1024 },
  payload: Schema.Struct({ kept: Schema.Json }),
  result: Schema.Struct({ ok: Schema.Boolean }),
  examples: [{ kept: "text" }],
  run: () => Effect.succeed({ ok: true })
})

/** Reads what is outside, which comes or does not. */
const fetching = tool({
  ...priced.meta,
  name: "fetching",
  kind: "outside",
  payload: Schema.Struct({ text: Schema.String }),
  error: FetchFailed,
  examples: [{ text: "comes" }],
  run: ({ text }) =>
    text === "comes" ? Effect.succeed({ ok: true }) : Effect.fail(new FetchFailed({ message: "It did not come.", retryable: true }))
})

const decodeV1 = Schema.decodeUnknownSync(Schema.Struct({
  x402Version: Schema.Literal(1),
  accepts: Schema.Array(
    Schema.Struct({ scheme: Schema.String, network: Schema.String, payTo: Schema.String, maxAmountRequired: Schema.String })
  )
}))

const catalog = Layer.succeed(
  Catalog,
  new Map([list_programs, ping_payment, priced, dear, keeping, fetching].map(({ compiled, name }) => [name, compiled]))
)

const everything = Layer.provideMerge(Layer.merge(Layer.provide(gate.layer, catalog), MerchantAccount.layer), services)

const open = Effect.gen(function*() {
  const { account } = yield* (yield* Accounts).create({ name: "Acme", sandbox: true })
  const { secret } = yield* (yield* ApiKeys).issue({ accountId: account.id, kind: "tool", name: "Tools", scopes: [] })
  return { account, key: Redacted.value(secret) }
})

const agentOf = Effect.fnUntraced(function*(account: Parameters<AgentKeys["Service"]["issue"]>[0], policy: AgentPolicy) {
  const { token } = yield* (yield* AgentKeys).issue(account, { name: "Agent", policy })
  return Redacted.value(token)
})

const call = Effect.fnUntraced(
  function*(name: string, { headers = {}, key, ...rest }: Partial<ToolRequest> & { readonly key?: string } = {}) {
    const gate = yield* Gate
    return yield* gate.call({
      name,
      arguments: {},
      meta: {},
      url: "http://localhost:4001/mcp",
      address: "127.0.0.1",
      ...rest,
      headers: { ...(key === undefined ? {} : { authorization: `Bearer ${key}` }), ...headers }
    })
  }
)

const codeOf = (answer: ToolAnswer): string => answer._tag === "Refused" ? answer.data.code : answer._tag

const answeredBy = (answer: ToolAnswer): AnsweredCall =>
  answer._tag === "Answered" ? answer : assert.fail(`expected an answer, got ${JSON.stringify(answer)}`)
const demandedBy = (answer: ToolAnswer): UnpaidAnswer =>
  answer._tag === "PaymentRequired" ? answer : assert.fail(`expected a demand, got ${JSON.stringify(answer)}`)

const rowsOf = (account: string) =>
  Effect.flatMap(
    SqlClient.SqlClient,
    (sql) =>
      sql<
        { readonly state: string; readonly price: number; readonly paid_by: string }
      >`SELECT state, price, paid_by FROM tool_calls WHERE account_id = ${account} ORDER BY id`
  )

const counted = (account: string, name: string) =>
  Effect.map(
    Effect.flatMap(SqlClient.SqlClient, (sql) =>
      sql<
        { readonly spent: number; readonly reserved: number }
      >`SELECT coalesce(sum(spent), 0)::float8 AS spent, coalesce(sum(reserved), 0)::float8 AS reserved FROM counters WHERE account_id = ${account} AND name = ${name}`),
    ([row]) => [row?.spent, row?.reserved]
  )

/** What a wallet makes of the challenge for cards. */
const cardFor = ({ challenges }: UnpaidAnswer, spt: string) => {
  const challenge = challenges.find(({ method }) => method === "stripe")
  return { "org.paymentauth/credential": { challenge, payload: { spt } } }
}

layer(everything, { timeout: 60_000 })("the gate", (it) => {
  it.effect("lets anybody call what needs no key, and nobody what does not exist", () =>
    Effect.gen(function*() {
      assert.strictEqual(codeOf(yield* call("list_programs")), "Answered")
      assert.strictEqual(codeOf(yield* call("no_such_tool")), "UNKNOWN_TOOL")
      assert.strictEqual(codeOf(yield* call("list_programs", { arguments: { surplus: 1 } })), "INVALID_ARGUMENTS")
      assert.strictEqual(codeOf(yield* call("list_programs", { arguments: { text: "\ud800" } })), "INVALID_ARGUMENTS")
      assert.strictEqual(codeOf(yield* call("list_programs", { arguments: { text: "x".repeat(2_000) } })), "ARGUMENTS_TOO_LARGE")
      assert.deepInclude(yield* call("list_programs", { key: "x" }), {
        message: "The key is malformed, unknown, revoked or expired. Send a current key."
      })
      for (const key of ["svck_test_nobody", "sk_test_nobody", "x"]) {
        assert.strictEqual(codeOf(yield* call("list_programs", { key })), "INVALID_KEY")
      }
    }))

  it.effect("charges a call to credits in one commit: the row, the counter and the books say the same", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const answer = answeredBy(yield* call("priced", { key }))
      assert.deepInclude(answer.result, { ok: true })
      assert.deepInclude(answer.headers, {
        "x-svc-tier": "free",
        "x-svc-quota-limit": "10000",
        "x-svc-quota-remaining": "9990",
        "x-svc-credits-balance": "9990",
        "x-svc-request-cost": "1"
      })
      assert.deepStrictEqual(yield* rowsOf(account.id), [{ state: "settled", price: 1, paid_by: "credits" }])
      assert.deepStrictEqual(yield* counted(account.id, "credits"), [1, 0])
      assert.isNull((yield* verifyBooks(account.id)).first_break)
    }))

  it.effect("a key is charged once, however often it is sent, and stands for one call alone", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const headers = { "idempotency-key": makeId("test", 1) }
      const answers = yield* Effect.all(Array.from({ length: 16 }, () => call("priced", { key, headers })), { concurrency: "unbounded" })
      const texts = new Set(answers.filter(({ _tag }) => _tag === "Answered").map((one) => JSON.stringify(answeredBy(one).result)))
      assert.strictEqual(texts.size, 1)
      assert.deepStrictEqual(answeredBy(yield* call("priced", { key, headers })).meta, { "svc/replayed": true })
      assert.lengthOf(yield* rowsOf(account.id), 1)
      const [row] = yield* (yield* SqlClient.SqlClient)<
        { readonly result_sha256: string }
      >`SELECT result_sha256 FROM tool_calls WHERE account_id = ${account.id}`
      assert.deepStrictEqual([row?.result_sha256], [...texts].map((text) => hash("sha256", text, "hex")))
      assert.deepStrictEqual(yield* counted(account.id, "credits"), [1, 0])
      const other = yield* call("priced", { key, headers: { ...headers, "x-agent-mode": "lite" } })
      assert.strictEqual(codeOf(other), "IDEMPOTENCY_CONFLICT")
      assert.isFalse(other._tag === "Refused" && other.data.retryable)
    }))

  it.effect("a call outside that fails tells why, costs nothing and leaves its key free", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const headers = { "idempotency-key": makeId("test", 6) }
      for (let n = 0; n < 2; n++) {
        const failed = answeredBy(yield* call("fetching", { key, headers, arguments: { text: "stays away" } }))
        assert.include(JSON.stringify(failed.result), "It did not come.")
        assert.isTrue(failed.isError)
      }
      assert.deepStrictEqual(yield* counted(account.id, "credits"), [0, 0])
      assert.isFalse(answeredBy(yield* call("fetching", { key, headers, arguments: { text: "comes" } })).isError)
      const replayed = answeredBy(yield* call("fetching", { key, headers, arguments: { text: "comes" } }))
      assert.deepStrictEqual(replayed.meta, { "svc/replayed": true })
      assert.deepStrictEqual(yield* counted(account.id, "credits"), [1, 0])
    }))

  it.effect("a key in _meta is charged once, as one of the header is, and the two are one key", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const meta = { "svc/idempotency_key": makeId("test", 3), "svc/mode": "lite" }
      for (const replayed of [false, true]) {
        assert.strictEqual(answeredBy(yield* call("dear", { key, meta })).meta["svc/replayed"] === true, replayed)
      }
      const headers = { "idempotency-key": meta["svc/idempotency_key"], "x-agent-mode": "lite" }
      assert.strictEqual(answeredBy(yield* call("dear", { key, headers })).meta["svc/replayed"], true)
      assert.deepStrictEqual(yield* counted(account.id, "credits"), [1, 0])
      const torn = yield* call("dear", { key, meta, headers: { "x-agent-mode": "engineer" } })
      assert.strictEqual(codeOf(torn), "INVALID_ARGUMENTS")
      assert.include(torn._tag === "Refused" ? torn.message : "", "say different things")
      assert.lengthOf(yield* rowsOf(account.id), 1)
    }))

  it.effect("a budget in _meta holds as one of the header does", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const lite = answeredBy(yield* call("dear", { key, meta: { "svc/budget": { budget_per_run_cents: 2 } } }))
      assert.strictEqual(lite.meta["svc/mode"], "lite")
      assert.deepStrictEqual(yield* counted(account.id, "credits"), [1, 0])
      demandedBy(yield* call("dear", { key, meta: { "svc/budget": { budget_per_run_cents: 0 } } }))
    }))

  it.effect.each(["", "k".repeat(256)])(
    "a key that cannot be kept is refused and not passed over (%j)",
    (chosen) =>
      Effect.gen(function*() {
        const { account, key } = yield* open
        assert.strictEqual(codeOf(yield* call("priced", { key, headers: { "idempotency-key": chosen } })), "INVALID_ARGUMENTS")
        assert.lengthOf(yield* rowsOf(account.id), 0)
      })
  )

  it.effect("no card number is taken by what keeps text; fractions are none", () =>
    Effect.gen(function*() {
      const { key } = yield* open
      const keep = (kept: unknown) =>
        Effect.map(call("keeping", { key, arguments: { kept } }), (answer) =>
          answer._tag === "Refused" ? `${answer.data.code} ${answer.data.detail}` : answer._tag)
      assert.match(
        yield* keep({ note: "my card 4242 4242 4242 4242" }),
        /^INVALID_ARGUMENTS kept.note: holds what looks like a card number/u
      )
      assert.match(yield* keep({ "4242424242424242": 1 }), /^INVALID_ARGUMENTS kept: /u)
      assert.strictEqual(yield* keep([0.4242424242424242, 0.5]), "Answered")
      assert.strictEqual(codeOf(yield* call("priced", { key, arguments: { text: "4242424242424242" } })), "Answered")
    }))

  it.effect("credits that are used up are asked for, and nothing is charged", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      yield* call("priced", { key })
      yield* (yield* SqlClient.SqlClient)`UPDATE counters SET spent = 1000 WHERE account_id = ${account.id}`
      const demand = demandedBy(yield* call("priced", { key }))
      assert.deepInclude(demand.body, { error_code: "CREDITS_EXHAUSTED", price: "0.01", status: 402 })
      assert.lengthOf(yield* rowsOf(account.id), 1)
    }))

  it.effect.each<readonly [string, AgentPolicy, string]>([
    ["no policy", {}, "Answered"],
    ["the tool among others", { allowed_tools: ["list_programs", "priced"] }, "Answered"],
    ["other tools", { allowed_tools: ["list_programs"] }, "AGENT_TOOL_NOT_ALLOWED"],
    ["no tools", { allowed_tools: [] }, "AGENT_TOOL_NOT_ALLOWED"],
    ["as much as it costs", { max_amount_minor_cents: 1 }, "Answered"],
    ["less than it costs", { max_amount_minor_cents: 0 }, "AGENT_AMOUNT_NOT_ALLOWED"],
    ["a budget that it fits", { budgets: { hour: 1, day: 5, month: 5, life: 5 } }, "Answered"],
    ["no budget this hour", { budgets: { hour: 0 } }, "AGENT_BUDGET_EXCEEDED"],
    ["no budget today", { budgets: { day: 0 } }, "AGENT_BUDGET_EXCEEDED"],
    ["no budget this month", { budgets: { month: 0 } }, "AGENT_BUDGET_EXCEEDED"],
    ["no budget at all", { budgets: { life: 0 } }, "AGENT_BUDGET_EXCEEDED"],
    ["no calls a minute", { rate_limit_per_minute: 0 }, "RATE_LIMITED"]
  ])("an agent with %s", ([, policy, outcome]) =>
    Effect.gen(function*() {
      const { account } = yield* open
      const answer = yield* call("priced", { key: yield* agentOf(account, policy) })
      assert.strictEqual(codeOf(answer), outcome)
      assert.deepStrictEqual(yield* counted(account.id, "credits"), outcome === "Answered" ? [1, 0] : [0, 0])
    }))

  it.effect("agents that share a budget never pass it", () =>
    Effect.gen(function*() {
      const { account } = yield* open
      const key = yield* agentOf(account, { budgets: { day: 5 } })
      const answers = yield* Effect.all(Array.from({ length: 20 }, () => call("priced", { key })), { concurrency: "unbounded" })
      assert.deepStrictEqual([...Map.groupBy(answers.map(codeOf), (code) => code)].map(([code, all]) => [code, all.length]).sort(), [[
        "AGENT_BUDGET_EXCEEDED",
        15
      ], ["Answered", 5]])
      assert.deepStrictEqual(yield* counted(account.id, "agent_budget"), [5, 0])
      assert.deepStrictEqual(yield* counted(account.id, "credits"), [5, 0])
    }))

  it.effect("an agent's own budget chooses the mode, or is told what would fit", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const budget = (cents: number) => ({ "x-agent-budget": JSON.stringify({ budget_per_run_cents: cents }) })
      assert.deepStrictEqual(answeredBy(yield* call("dear", { key, headers: budget(3) })).meta, {})
      const lite = answeredBy(yield* call("dear", { key, headers: budget(2) }))
      assert.strictEqual(lite.meta["svc/mode"], "lite")
      assert.strictEqual(lite.headers["x-svc-request-cost"], "1")
      const { body } = demandedBy(yield* call("dear", { key, headers: budget(0) }))
      assert.deepInclude(body["counter_offer"], { mode: "lite", price: "0.01", currency: "USD" })
      assert.strictEqual(codeOf(yield* call("dear", { key, headers: { "x-agent-budget": "a lot" } })), "INVALID_ARGUMENTS")
      assert.deepStrictEqual((yield* rowsOf(account.id)).map(({ price }) => price), [3, 1])
    }))

  it.effect("an agent's own budget for a window holds for all its calls there, at once as well", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const headers = { "x-agent-budget": "{\"budget_per_run_cents\":4,\"spending_window\":\"daily\"}" }
      const answers = yield* Effect.all(Array.from({ length: 10 }, () => call("priced", { key, headers })), { concurrency: "unbounded" })
      assert.lengthOf(answers.filter(({ _tag }) => _tag === "Answered"), 4)
      assert.lengthOf(answers.filter((answer) => codeOf(answer) === "AGENT_BUDGET_EXCEEDED"), 6)
      assert.deepStrictEqual(yield* counted(account.id, "asked_budget"), [4, 0])
      assert.strictEqual(codeOf(yield* call("priced", { key })), "Answered")
    }))

  it.effect("an account that came by a token has one call free when its credits are used up, and earns for the other by paying", () =>
    Effect.gen(function*() {
      const referrals = yield* Referrals
      const [ada, bob] = [yield* open, yield* open]
      const headers = { "x-svc-referral-token": yield* referrals.token(ada.account.id) }
      yield* call("priced", { key: bob.key, headers })
      yield* (yield* SqlClient.SqlClient)`UPDATE counters SET spent = 1000 WHERE account_id = ${bob.account.id} AND name = 'credits'`
      const answers = yield* Effect.all(Array.from({ length: 8 }, () => call("priced", { key: bob.key })), { concurrency: "unbounded" })
      assert.lengthOf(answers.filter(({ _tag }) => _tag === "Answered"), 1)
      const demand = demandedBy(answers.find(({ _tag }) => _tag === "PaymentRequired") ?? assert.fail("nothing was asked for"))
      assert.deepStrictEqual(yield* counted(bob.account.id, "free_call"), [1, 0])
      yield* (yield* SqlClient.SqlClient)`UPDATE tool_calls SET paid_by = 'card', price = ${
        EARNED_AFTER - 1
      } WHERE account_id = ${bob.account.id} AND paid_by = 'credits'`
      assert.deepInclude(yield* referrals.status(ada.account.id), { joined: 1, paying: 0, earned_cents: 0 })
      answeredBy(yield* call("priced", { key: bob.key, meta: cardFor(demand, "spt_test_9") }))
      assert.deepInclude(yield* referrals.status(ada.account.id), { joined: 1, paying: 1, earned_cents: 100 })
      assert.deepStrictEqual((yield* rowsOf(bob.account.id)).map(({ paid_by, price }) => [paid_by, price]), [["card", EARNED_AFTER - 1], [
        "referral",
        0
      ], ["card", 1]])
      const late = yield* open
      assert.isFalse(yield* referrals.join(yield* referrals.token(late.account.id), bob.account.id))
    }))

  it.effect("who has no key pays when calling: held, run, taken, once", () =>
    Effect.gen(function*() {
      const merchantAccount = yield* (yield* MerchantAccount).merchant(true)
      const intents = Effect.flatMap(SqlClient.SqlClient, (sql) =>
        sql<{ readonly state: string; readonly captured_amount: number }>`
        SELECT state, captured_amount FROM payment_intents WHERE merchant_id = ${merchantAccount.id} ORDER BY id`)
      const { length } = yield* intents
      const demand = demandedBy(yield* call("ping_payment"))
      const meta = cardFor(demand, "spt_test_1")
      const paid = answeredBy(yield* call("ping_payment", { meta }))
      assert.deepInclude(paid.result, { ok: true, settled_cents: 1 })
      assert.isDefined(paid.meta["org.paymentauth/receipt"])
      const again = answeredBy(yield* call("ping_payment", { meta }))
      assert.deepStrictEqual(again.result, paid.result)
      assert.deepInclude(again.meta, { "svc/replayed": true, "org.paymentauth/receipt": paid.meta["org.paymentauth/receipt"] })
      assert.deepStrictEqual((yield* intents).slice(length), [{ state: "captured", captured_amount: 1 }])
      assert.isNull((yield* verifyBooks(merchantAccount.id)).first_break)
    }))

  it.effect("a payer whose answer was lost has the result itself, with or without a payment, before another challenge", () =>
    Effect.gen(function*() {
      const { key } = yield* open
      const merchantAccount = yield* (yield* MerchantAccount).merchant(true)
      const taken = Effect.map(
        Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1 FROM payment_intents WHERE merchant_id = ${merchantAccount.id}`),
        ({ length }) => length
      )
      const before = yield* taken
      const fresh = { key, headers: { "x-svc-allow-duplicate": "true" } }
      const [first, second, third] = yield* Effect.replicateEffect(Effect.map(call("ping_payment", fresh), demandedBy), 3)
      const pay = (demand: UnpaidAnswer | undefined, token: string) => cardFor(demand ?? assert.fail("no challenge"), token)
      const paid = answeredBy(yield* call("ping_payment", { key, meta: pay(first, "spt_test_a") }))
      const unpaid = answeredBy(yield* call("ping_payment", { key }))
      const signedAgain = answeredBy(yield* call("ping_payment", { key, meta: pay(second, "spt_test_b") }))
      for (const again of [unpaid, signedAgain]) {
        assert.deepStrictEqual(again.result, paid.result)
        assert.deepInclude(again.meta, { "svc/replayed": true, "org.paymentauth/receipt": paid.meta["org.paymentauth/receipt"] })
        const url = /^<(.+\/v1\/calls\/call_\w+\?token=.+)>; rel="related"$/u.exec(again.headers["link"] ?? "")?.[1] ?? "no link"
        assert.include(JSON.stringify(again.meta["svc/notes"]), url)
        assert.deepInclude(again.headers, { "x-svc-request-cost": "0", "x-svc-replayed": "true" })
      }
      assert.strictEqual((yield* taken) - before, 1)
      // Who wants another one says so, and pays.
      answeredBy(yield* call("ping_payment", { ...fresh, meta: pay(third, "spt_test_c") }))
      assert.strictEqual((yield* taken) - before, 2)
      // A key of its own names another call, which is asked to be paid and then answered under that key.
      const headers = { "idempotency-key": makeId("test", 4) }
      const demand = demandedBy(yield* call("ping_payment", { key, headers }))
      answeredBy(yield* call("ping_payment", { key, headers, meta: cardFor(demand, "spt_test_d") }))
      assert.strictEqual(answeredBy(yield* call("ping_payment", { key, headers })).meta["svc/replayed"], true)
      assert.strictEqual(
        codeOf(yield* call("ping_payment", { key, headers: { ...headers, "x-agent-mode": "lite" } })),
        "IDEMPOTENCY_CONFLICT"
      )
      assert.strictEqual((yield* taken) - before, 3)
    }))

  it.effect("a client of x402 version 1 finds its requirements in the result, and pays in _meta", () =>
    Effect.gen(function*() {
      const [offered] = decodeV1(demandedBy(yield* call("ping_payment")).inBand["x402_v1"]).accepts
      if (offered === undefined) return assert.fail("nothing is offered")
      const validBefore = String(Math.floor((yield* now).epochMilliseconds / 1000) + 280)
      const authorization = {
        from: PAYER,
        to: offered.payTo,
        value: offered.maxAmountRequired,
        validAfter: "0",
        validBefore,
        nonce: `0x${hash("sha256", "v1", "hex")}`
      }
      const payment = {
        x402Version: 1,
        scheme: offered.scheme,
        network: offered.network,
        payload: { signature: signed(authorization), authorization }
      }
      const meta = { "x402.payment": base64(payment) }
      for (const replayed of [false, true]) {
        const paid = answeredBy(yield* call("ping_payment", { meta }))
        assert.deepInclude(paid.meta["x402.payment-response"], { success: true, network: offered.network, payer: PAYER })
        assert.strictEqual(paid.meta["svc/replayed"] === true, replayed)
      }
    }))

  /** Requirements of x402 for a call that the account has no credits for, and a payment in `_meta` that answers them. */
  const asksForX402 = Effect.fnUntraced(function*() {
    const { account, key } = yield* open
    yield* call("priced", { key })
    yield* (yield* SqlClient.SqlClient)`UPDATE counters SET spent = 1000 WHERE account_id = ${account.id}`
    const [offered] = decodeV1(demandedBy(yield* call("priced", { key, arguments: { text: "a" } })).inBand["x402_v1"]).accepts
    if (offered === undefined) return assert.fail("nothing is offered")
    const validBefore = String(Math.floor((yield* now).epochMilliseconds / 1000) + 280)
    const nonce = `0x${hash("sha256", account.id, "hex")}`
    const authorization = { from: PAYER, to: offered.payTo, value: offered.maxAmountRequired, validAfter: "0", validBefore, nonce }
    const metaOf = (payload: object) => ({
      "x402.payment": base64({ x402Version: 1, scheme: offered.scheme, network: offered.network, payload })
    })
    return { account, key, authorization, metaOf }
  })

  it.effect.each<readonly [string, object]>([
    ["whose amount was lowered after it was signed", { value: "1" }],
    ["that another payer is said to have signed", { from: "0x000000000000000000000000000000000000dEaD" }],
    ["that goes to somebody else", { to: "0x000000000000000000000000000000000000bEEF" }]
  ])("a payment in _meta %s pays nothing", ([, tampered]) =>
    Effect.gen(function*() {
      const { account, authorization, key, metaOf } = yield* asksForX402()
      const meta = metaOf({ signature: signed(authorization), authorization: { ...authorization, ...tampered } })
      demandedBy(yield* call("priced", { key, arguments: { text: "a" }, meta }))
      assert.deepStrictEqual((yield* rowsOf(account.id)).map(({ paid_by }) => paid_by), ["credits"])
    }))

  it.effect.each<readonly [string, object]>([
    ["for less than the price", { value: "1" }],
    ["for another recipient", { to: "0x000000000000000000000000000000000000bEEF" }]
  ])("a payment in _meta that is signed %s pays nothing", ([, other]) =>
    Effect.gen(function*() {
      const { account, authorization, key, metaOf } = yield* asksForX402()
      const wrong = { ...authorization, ...other }
      demandedBy(yield* call("priced", { key, arguments: { text: "a" }, meta: metaOf({ signature: signed(wrong), authorization: wrong }) }))
      assert.deepStrictEqual((yield* rowsOf(account.id)).map(({ paid_by }) => paid_by), ["credits"])
    }))

  it.effect("a payment in _meta pays for one call: with other arguments, and from another account, it has no answer", () =>
    Effect.gen(function*() {
      const { account, authorization, key, metaOf } = yield* asksForX402()
      const other = yield* asksForX402()
      const meta = metaOf({ signature: signed(authorization), authorization })
      answeredBy(yield* call("priced", { key, arguments: { text: "a" }, meta }))
      assert.notStrictEqual((yield* call("priced", { key, arguments: { text: "b" }, meta }))._tag, "Answered")
      assert.notStrictEqual((yield* call("priced", { key: other.key, arguments: { text: "b" }, meta }))._tag, "Answered")
      assert.notStrictEqual((yield* call("priced", { key: other.key, arguments: { text: "a" }, meta }))._tag, "Answered")
      const charged = Effect.fnUntraced(function*(id: string) {
        return (yield* rowsOf(id)).flatMap(({ paid_by, state }) => state === "settled" ? [paid_by] : [])
      })
      assert.deepStrictEqual([yield* charged(account.id), yield* charged(other.account.id)], [["credits", "stablecoin"], ["credits"]])
    }))

  it.effect("a card in _meta pays at the price and for the account of its challenge alone", () =>
    Effect.gen(function*() {
      const { key } = yield* asksForX402()
      const other = yield* asksForX402()
      const demand = demandedBy(yield* call("priced", { key, arguments: { text: "a" } }))
      const credential = cardFor(demand, "spt_test_foreign")["org.paymentauth/credential"]
      const foreign = { "org.paymentauth/credential": credential }
      assert.notStrictEqual((yield* call("priced", { key: other.key, arguments: { text: "a" }, meta: foreign }))._tag, "Answered")
      const request = Buffer.from(JSON.stringify({ amount: "0", currency: "usd" })).toString("base64url")
      const cheap = { "org.paymentauth/credential": { ...credential, challenge: { ...credential.challenge, request } } }
      demandedBy(yield* call("priced", { key, arguments: { text: "a" }, meta: cheap }))
    }))

  it.effect("a result that is kept no longer is spoken of by its state's address first", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      const headers = { "idempotency-key": makeId("test", 5) }
      const demand = demandedBy(yield* call("ping_payment", { key, headers }))
      answeredBy(yield* call("ping_payment", { key, headers, meta: cardFor(demand, "spt_test_e") }))
      yield* (yield* SqlClient.SqlClient)`DELETE FROM paid_calls WHERE account_id = ${account.id}`
      const refused = yield* call("ping_payment", { key, headers })
      assert.strictEqual(codeOf(refused), "POSSIBLE_DUPLICATE")
      if (refused._tag !== "Refused") return assert.fail("answered")
      assert.isTrue(
        refused.message.startsWith(
          `This call is paid for already; do not pay again. Its state and receipt are at ${String(refused.data["status_url"])} `
        ),
        refused.message
      )
      assert.strictEqual(refused.headers["link"], `<${String(refused.data["status_url"])}>; rel="related"`)
    }))

  it.effect("a card that is declined is asked for again, and a challenge of another call pays nothing", () =>
    Effect.gen(function*() {
      const demand = demandedBy(yield* call("ping_payment"))
      const declined = demandedBy(yield* call("ping_payment", { meta: cardFor(demand, "spt_test_decline_1") }))
      assert.include(String(declined.body["type"]), "verification-failed")
      const lite = demandedBy(yield* call("ping_payment", { headers: { "x-agent-mode": "lite" } }))
      const other = demandedBy(yield* call("ping_payment", { meta: cardFor(lite, "spt_test_2") }))
      assert.include(String(other.body["type"]), "invalid-challenge")
    }))

  it.effect("whoever was asked to pay is known by the challenge, when the payment took the key's place", () =>
    Effect.gen(function*() {
      const { account, key } = yield* open
      yield* call("priced", { key })
      yield* (yield* SqlClient.SqlClient)`UPDATE counters SET spent = 1000 WHERE account_id = ${account.id}`
      const demand = demandedBy(yield* call("priced", { key }))
      assert.notInclude(JSON.stringify(demand), key)
      const paid = answeredBy(yield* call("priced", { meta: cardFor(demand, "spt_test_3") }))
      assert.strictEqual(paid.headers["x-svc-tier"], "free")
      assert.deepStrictEqual((yield* rowsOf(account.id)).map(({ paid_by }) => paid_by), ["credits", "card"])
    }))
})
