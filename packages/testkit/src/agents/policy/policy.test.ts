/**
 * Every field of an agent key's policy, at a real door: what it refuses, and what it lets through. A field that joins the policy joins
 * here, or the test fails.
 */
import { assert, layer } from "@effect/vitest"
import { AgentBudgets, AgentPolicy } from "@svc/accounts/agent-keys/model"
import { all } from "@svc/tools/catalog/index"
import { Effect } from "effect"
import { field } from "../../clients/conformance/parts.ts"
import { send, Service } from "../../contract/service.ts"
import { parse } from "../fuzz/judge.ts"
import { grantCredits, issueAgent, layer as tools, openCaller } from "../service.ts"

interface Row {
  readonly tool: string
  readonly args: object
  readonly refuses: AgentPolicy
  /** The code of the refusal; or what the result says of a payment that waits. */
  readonly as: string
  readonly allows: AgentPolicy
}

const PRICE = 1
const search = { tool: "svc_web_search", args: { operation: "search", namespace: "n", query: "refunds" } }
const AMOUNT = 1_999
const payment = {
  tool: "execute_payment",
  args: { idempotency_key: "policy", amount: AMOUNT, currency: "USD", payment_method_id: "tok_visa" }
}

const budget = (window: keyof AgentBudgets): Row => ({
  ...search,
  refuses: { budgets: { [window]: PRICE - 1 } },
  as: "AGENT_BUDGET_EXCEEDED",
  allows: { budgets: { [window]: PRICE } }
})

const rows: Readonly<Record<string, Row>> = {
  allowed_tools: {
    ...search,
    refuses: { allowed_tools: ["list_programs"] },
    as: "AGENT_TOOL_NOT_ALLOWED",
    allows: { allowed_tools: ["list_programs", "svc_web_search"] }
  },
  max_amount_minor_cents: {
    ...search,
    refuses: { max_amount_minor_cents: PRICE - 1 },
    as: "AGENT_AMOUNT_NOT_ALLOWED",
    allows: { max_amount_minor_cents: PRICE }
  },
  rate_limit_per_minute: { ...search, refuses: { rate_limit_per_minute: 0 }, as: "RATE_LIMITED", allows: { rate_limit_per_minute: 1 } },
  allowed_currencies: {
    ...payment,
    refuses: { allowed_currencies: ["EUR"] },
    as: "AGENT_CURRENCY_NOT_ALLOWED",
    allows: { allowed_currencies: ["EUR", "USD"] }
  },
  allowed_providers: {
    ...payment,
    refuses: { allowed_providers: ["nobody"] },
    as: "AGENT_PROVIDER_NOT_ALLOWED",
    allows: { allowed_providers: ["card_a", "card_b"] }
  },
  require_approval_above: {
    ...payment,
    refuses: { require_approval_above: AMOUNT - 1 },
    as: "requires_approval",
    allows: { require_approval_above: AMOUNT }
  },
  "budgets.hour": budget("hour"),
  "budgets.day": budget("day"),
  "budgets.month": budget("month"),
  "budgets.life": budget("life")
}

const fields = [
  ...Object.keys(AgentPolicy.fields).filter((name) => name !== "budgets"),
  ...Object.keys(AgentBudgets.fields).map((name) => `budgets.${name}`)
]

const catalog = new Set<string>(all.map(({ name }) => name))

const messageOf = ({ args, tool }: Row) => ({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: tool, arguments: args } })

/** Each door answers a refusal in its own way, and none lets through what another does not. */
const doors: Readonly<Record<string, (row: Row, key: string) => ReturnType<typeof send>>> = {
  "a message alone": (row, key) => send("POST", "/mcp", { key, body: messageOf(row) }),
  "a batch": (row, key) => send("POST", "/v1/mcp", { key, body: [messageOf(row)] }),
  "a typed procedure": ({ args, tool }, key) =>
    Effect.flatMap(Service, (wire) =>
      // A line of JSON, which ends as lines do.
      Effect.orDie(
        wire.send({
          method: "POST",
          target: "/rpc",
          headers: [["Authorization", `Bearer ${key}`]],
          body: Buffer.from(`${JSON.stringify({ _tag: "Request", id: "1", tag: tool, payload: args, headers: [] })}\n`)
        })
      )),
  "2026-07-28": (row, key) => {
    const { params, ...rest } = messageOf(row)
    return send("POST", "/mcp", {
      key,
      headers: { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": row.tool },
      body: {
        ...rest,
        params: {
          ...params,
          _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} }
        }
      }
    })
  }
}

/** What the refusal is called, wherever the door puts it. */
const outcome = (text: string, as: string): string => {
  const body = parse(text.split("\n")[0] ?? "")
  const message = Array.isArray(body) ? body[0] : body
  const code = field(message, "error", "data", "code")
  if (typeof code === "string") return code
  return text.includes(`"${as}"`) || text.includes(`\\"${as}\\"`)
    ? as
    : text.includes("\"isError\":false") || text.includes("\"Success\"")
    ? "allowed"
    : text
}

layer(tools, { excludeTestServices: true, timeout: "60 seconds" })("the policy of an agent key", (it) => {
  it.effect("has a row for each of its fields", () => Effect.sync(() => assert.sameMembers(Object.keys(rows), fields)))

  for (const [name, row] of Object.entries(rows)) {
    for (const [door, ask] of Object.entries(doors)) {
      it.effect.skipIf(!catalog.has(row.tool))(`${name}, at ${door}`, () =>
        Effect.gen(function*() {
          const account = yield* openCaller(name)
          yield* grantCredits(account, 100)
          const [refused, allowed] = [yield* issueAgent(account, row.refuses), yield* issueAgent(account, row.allows)]
          assert.strictEqual(outcome((yield* ask(row, refused.token)).text, row.as), row.as)
          const own = { ...row, args: row.tool === payment.tool ? { ...row.args, idempotency_key: `${name} ${door}` } : row.args }
          assert.strictEqual(outcome((yield* ask(own, allowed.token)).text, row.as), "allowed")
          // A key that is cut from the one may no more than it, whatever else it asks for.
          const cut = yield* issueAgent(account, {}, refused)
          assert.strictEqual(outcome((yield* ask(row, cut.token)).text, row.as), row.as, "of a key that was cut from it")
        }))
    }
  }

  it.effect("room that a call gave back is there for the next one, and a refused call takes none", () =>
    Effect.gen(function*() {
      const account = yield* openCaller("room")
      const { token } = yield* issueAgent(account, { budgets: { life: 1 } })
      const ping = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "ping_payment", arguments: {} } }
      const pay = Effect.fnUntraced(function*(spt: string) {
        const asked = parse((yield* send("POST", "/mcp", { key: token, body: [ping] })).text)
        const challenges = field(
          Array.isArray(asked) ? asked[0] : undefined,
          "result",
          "_meta",
          "org.paymentauth/payment-required",
          "challenges"
        )
        const challenge: unknown = Array.isArray(challenges)
          ? challenges.find((one: unknown) => field(one, "method") === "stripe")
          : undefined
        return (yield* send("POST", "/mcp", {
          key: token,
          headers: { "X-Svc-Allow-Duplicate": "true" },
          body: { ...ping, params: { ...ping.params, _meta: { "org.paymentauth/credential": { challenge, payload: { spt } } } } }
        })).text
      })
      assert.include(yield* pay("spt_test_decline_1"), "verification-failed")
      assert.include(yield* pay("spt_test_1"), "settled_cents")
      assert.include(yield* pay("spt_test_2"), "AGENT_BUDGET_EXCEEDED")
    }))
})
