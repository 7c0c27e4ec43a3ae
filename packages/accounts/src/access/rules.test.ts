/** No key makes one that may do more than itself: the rule for keys of every kind. */
import { assert, describe, it } from "@effect/vitest"
import { Forbidden } from "@svc/kernel/resource/errors"
import { Effect, Result, Schema } from "effect"
import type { AgentPolicy } from "../agent-keys/model.ts"
import { toolScopes } from "../fixture.ts"
import type { ApiKeyScope } from "./model.ts"
import { excessOf, mayManage, type Reach } from "./rules.ts"

const scopes: ReadonlyArray<ApiKeyScope> = ["account:read", "account:write", "api_keys:read", "ledger:read"]
const secret: Reach = { kind: "secret" }
const tool: Reach = { kind: "tool" }
const operator: Reach = { kind: "operator" }
const restricted = (...of: ReadonlyArray<ApiKeyScope>): Reach => ({ kind: "restricted", scopes: of })
const agent = (policy: AgentPolicy = {}): Reach => ({ kind: "agent", policy })
const calling = (...allowed_tools: ReadonlyArray<string>): Reach => agent({ allowed_tools })
const by = (reach: Reach) => ({ reach, tools: toolScopes })
const covers = (key: Reach, other: Reach): boolean => excessOf(key, other, toolScopes) === undefined

const Scopes = Schema.Array(Schema.Literals(scopes))

describe("mayManage", () => {
  const table: ReadonlyArray<readonly [string, Reach, Reach, boolean]> = [
    ["a secret key, a secret key", secret, secret, true],
    ["a secret key, a key of every scope", secret, restricted(...scopes), true],
    ["a secret key, a tool key", secret, tool, true],
    ["a secret key, an agent key without limits", secret, agent(), true],
    ["a secret key, an operator key", secret, operator, false],
    ["a key of every scope, a secret key", restricted(...scopes), secret, false],
    ["a key of every scope, a tool key", restricted(...scopes), tool, false],
    ["a key of every scope, an operator key", restricted(...scopes), operator, false],
    ["the same scopes", restricted("ledger:read", "account:read"), restricted("account:read", "ledger:read"), true],
    ["fewer scopes", restricted("ledger:read", "account:read"), restricted("account:read"), true],
    ["one scope more", restricted("ledger:read"), restricted("ledger:read", "account:read"), false],
    ["read is not write", restricted("api_keys:read"), restricted("api_keys:write"), false],
    ["write is not read", restricted("api_keys:write"), restricted("api_keys:read"), false],
    ["agent keys, an agent key without limits", restricted("agent_keys:write"), agent(), false],
    [
      "agent keys, all tools up to an amount",
      restricted("agent_keys:write"),
      agent({ max_amount_minor_cents: 0, budgets: { life: 0 } }),
      false
    ],
    ["agent keys, payments", restricted("agent_keys:write"), calling("execute_payment"), false],
    ["agent keys, payments among others", restricted("agent_keys:write"), calling("svc_validate", "execute_payment"), false],
    ["agent keys, quotes", restricted("agent_keys:write"), calling("get_quote"), false],
    ["agent keys, a tool that does nothing of the payments API", restricted("agent_keys:write"), calling("svc_validate"), true],
    ["agent keys, no tools", restricted("agent_keys:write"), calling(), true],
    ["agent keys, a tool that nobody knows", restricted("agent_keys:write"), calling("svc_validate", "a_tool_of_tomorrow"), false],
    ["payments, payments", restricted("agent_keys:write", "payment_intents:write"), calling("execute_payment"), true],
    ["reading payments, payments", restricted("agent_keys:write", "payment_intents:read"), calling("execute_payment"), false],
    [
      "payments, payments and quotes",
      restricted("agent_keys:write", "payment_intents:write"),
      calling("execute_payment", "get_quote"),
      false
    ],
    [
      "payments and quotes, payments and quotes",
      restricted("payment_intents:write", "quotes:write"),
      calling("execute_payment", "get_quote"),
      true
    ],
    ["payments and quotes, all tools, also later ones", restricted("payment_intents:write", "quotes:write"), agent(), false],
    ["one of two scopes of a tool", restricted("disputes:read"), calling("assemble_representment"), false],
    ["both scopes of a tool", restricted("disputes:read", "disputes:write"), calling("assemble_representment"), true],
    ["an agent key, itself", calling("execute_payment"), calling("execute_payment"), true],
    ["an agent key, a key without limits of its own: those above hold", agent({ max_amount_minor_cents: 5 }), agent(), true],
    ["an agent key, a tool more", calling("svc_validate"), calling("svc_validate", "execute_payment"), false],
    ["an agent key, a larger amount", agent({ max_amount_minor_cents: 5 }), agent({ max_amount_minor_cents: 6 }), false],
    ["an agent key, a larger budget", agent({ budgets: { day: 5 } }), agent({ budgets: { day: 6 } }), false],
    ["an agent key, a later approval", agent({ require_approval_above: 5 }), agent({ require_approval_above: 6 }), false],
    ["an agent key without limits, a restricted key", agent(), restricted("ledger:read"), false],
    ["an agent key without limits, a secret key", agent(), secret, false],
    ["an agent key without limits, a tool key", agent(), tool, false],
    ["a tool key, an agent key", tool, calling("svc_validate"), false],
    ["a tool key, a tool key", tool, tool, false],
    ["an operator key, a secret key", operator, secret, false]
  ]
  it.each(table)("%s", (_, key, other, allowed) => {
    const result = mayManage(by(key), other)
    assert.strictEqual(Result.isSuccess(result), allowed)
    if (Result.isFailure(result)) assert.instanceOf(result.failure, Forbidden)
  })

  it("names the scopes that are missing, and no others", () => {
    const { message } = Result.getOrThrow(
      Result.flip(mayManage(by(restricted("ledger:read")), restricted("ledger:read", "webhooks:write")))
    )
    assert.include(message, "webhooks:write")
    assert.notInclude(message, "ledger:read")
  })

  it("says what to do where a tool is not covered", () => {
    const { details, message } = Result.getOrThrow(Result.flip(mayManage(by(restricted("agent_keys:write")), calling("execute_payment"))))
    assert.match(message, /lacks the scope payment_intents:write.*execute_payment.*Leave the tool out/)
    assert.deepStrictEqual(details, { required_scope: "payment_intents:write" })
  })

  it("covers no tool for a restricted key where nobody says what tools do", () => {
    const closed = { reach: restricted("agent_keys:write", "payment_intents:write"), tools: undefined }
    assert.isTrue(Result.isFailure(mayManage(closed, calling("svc_validate"))))
    assert.isTrue(Result.isSuccess(mayManage(closed, calling())))
  })

  it.effect.prop(
    "no chain of keys made by keys reaches further than the first",
    [Scopes, Scopes, Scopes],
    ([first, second, third]) =>
      Effect.sync(() => {
        const [a, b, c] = [restricted(...first), restricted(...second), restricted(...third)]
        if (covers(a, b) && covers(b, c)) assert.isTrue(covers(a, c))
        assert.isTrue(covers(a, a))
        assert.isFalse(covers(a, secret))
        assert.strictEqual(covers(a, b), new Set([...first, ...second]).size === new Set(first).size)
      }),
    { arbitrary: { runs: 1000 } }
  )

  const ToolScope = Schema.Array(Schema.Literals(["payment_intents:write", "quotes:write", "disputes:read", "disputes:write"]))
  const Tools = Schema.Array(Schema.Literals(["svc_validate", "get_quote", "execute_payment", "assemble_representment"]))
  it.effect.prop(
    "nor does an agent key at the end of such a chain",
    [ToolScope, ToolScope, Tools, Tools],
    ([first, second, third, fourth]) =>
      Effect.sync(() => {
        const [a, b, c, d] = [restricted(...first), restricted(...second), calling(...third), calling(...fourth)]
        if (covers(a, b) && covers(b, c) && covers(c, d)) assert.isTrue(covers(a, d))
        const opened = new Set(third.flatMap((name) => toolScopes.get(name) ?? []))
        assert.strictEqual(covers(a, c), Array.from(opened).every((scope) => first.some((one) => one === scope)))
      }),
    { arbitrary: { runs: 1000 } }
  )
})
