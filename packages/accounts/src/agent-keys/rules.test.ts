/** What an agent key may be: policies within policies, levels, expiry, and what ends with what. */
import { assert, describe, it } from "@effect/vitest"
import { InvalidState, ValidationError } from "@svc/kernel/resource/errors"
import { DateTime, Effect, Result, Schema } from "effect"
import { agentKeyMachine } from "./machine.ts"
import { AgentKey, AgentKeyId, agentKeys, AgentPolicy, IssueAgentKeyRequest, MAX_CUTS, MAX_DEPTH } from "./model.ts"
import { end, issue, meet, type NewAgentKey, update, within } from "./rules.ts"

const at = DateTime.makeUnsafe("2026-01-01T12:00:00.000Z")
const later = (hours: number) => DateTime.add(at, { hours })
const idOf = (n: number) => AgentKeyId.make(`agk_01KDVK5D8000000000000000${String(n).padStart(2, "0")}`)
const live = { id: "acct_1", sandbox: false, status: "active" } as const
const sandbox = { ...live, sandbox: true }

const issuing = (more: Partial<NewAgentKey> = {}): NewAgentKey => ({
  id: idOf(1),
  hash: "h",
  account: live,
  request: { name: "Agent" },
  at,
  ...more
})
const keyOf = (more: Partial<NewAgentKey> = {}): AgentKey => Result.getOrThrow(issue(issuing(more))).key
const cut = (key: AgentKey, request: Partial<IssueAgentKeyRequest> = {}, more: Partial<NewAgentKey> = {}) =>
  issue(issuing({ id: idOf(2), parent: { key, cuts: 0 }, request: { name: "Helper", ...request }, ...more }))
const failure = <E>(result: Result.Result<unknown, E>): E => Result.getOrThrow(Result.flip(result))

describe("a policy within another", () => {
  const parent: AgentPolicy = {
    allowed_currencies: ["USD", "EUR"],
    allowed_providers: ["simulator"],
    allowed_tools: ["get_quote", "ping_payment"],
    max_amount_minor_cents: 100,
    rate_limit_per_minute: 60,
    require_approval_above: 50,
    budgets: { hour: 10, day: 20, month: 30, life: 40 }
  }
  const table: ReadonlyArray<readonly [string, AgentPolicy, string | undefined]> = [
    ["nothing said", {}, undefined],
    ["the same", parent, undefined],
    ["a tool less", { allowed_tools: ["ping_payment"] }, undefined],
    ["no tool at all", { allowed_tools: [] }, undefined],
    ["another tool", { allowed_tools: ["get_quote", "deploy"] }, "policy.allowed_tools"],
    ["another currency", { allowed_currencies: ["JPY"] }, "policy.allowed_currencies"],
    ["another provider", { allowed_providers: ["simulator", "other"] }, "policy.allowed_providers"],
    ["a smaller amount", { max_amount_minor_cents: 99 }, undefined],
    ["a larger amount", { max_amount_minor_cents: 101 }, "policy.max_amount_minor_cents"],
    ["more calls", { rate_limit_per_minute: 61 }, "policy.rate_limit_per_minute"],
    ["approval from a larger amount on", { require_approval_above: 51 }, "policy.require_approval_above"],
    ["approval of everything", { require_approval_above: 0 }, undefined],
    ["a larger hour", { budgets: { hour: 11 } }, "policy.budgets.hour"],
    ["a larger day", { budgets: { hour: 1, day: 21 } }, "policy.budgets.day"],
    ["a larger month", { budgets: { month: 31 } }, "policy.budgets.month"],
    ["a larger life", { budgets: { life: 41 } }, "policy.budgets.life"]
  ]
  it.each(table)("%s", (_, asked, refused) => {
    const result = within(parent, asked)
    if (refused === undefined) {
      return assert.deepStrictEqual(Result.getOrThrow(result), { ...parent, ...asked, budgets: { ...parent.budgets, ...asked.budgets } })
    }
    const error = failure(result)
    assert.instanceOf(error, ValidationError)
    assert.strictEqual(error.code, refused)
    assert.isTrue(error.message.startsWith(`${refused}: `))
  })

  it("is anything where the other limits nothing", () => {
    for (const [, asked] of table) assert.deepStrictEqual(Result.getOrThrow(within({}, asked)), asked)
  })

  it.effect.prop("whatever lies within allows nothing that the other does not, and stays within what it lies in", [
    Schema.toType(AgentPolicy),
    Schema.toType(AgentPolicy)
  ], ([one, other]) =>
    Effect.sync(() => {
      const both = meet(one, other)
      for (const policy of [one, other]) assert.deepStrictEqual(Result.getOrThrow(within(policy, both)), both)
      const asked = within(one, other)
      if (Result.isSuccess(asked)) assert.deepStrictEqual(meet(one, asked.success), meet(one, other))
    }))
})

describe("issuing", () => {
  it("makes a key of the account as it was asked for", () => {
    const { begins, key, others } = Result.getOrThrow(issue(issuing({ request: { name: "Agent", policy: { rate_limit_per_minute: 5 } } })))
    assert.deepInclude(key, {
      status: "active",
      depth: 1,
      parent_id: null,
      sandbox: false,
      expires_at: null,
      version: 1,
      policy: { rate_limit_per_minute: 5 }
    })
    assert.deepStrictEqual([begins, others], [[key], []])
  })

  const ends: ReadonlyArray<readonly [string, Partial<NewAgentKey>, number | null]> = [
    ["a live key, never", {}, null],
    ["a live key, when asked", { request: { name: "a", expires_at: later(100) } }, 100],
    ["a sandbox key, after a day", { account: sandbox }, 24],
    ["a sandbox key that asks for null, after a day", { account: sandbox, request: { name: "a", expires_at: null } }, 24],
    ["a sandbox key, sooner when asked", { account: sandbox, request: { name: "a", expires_at: later(1) } }, 1],
    ["a cut of a live key without end, never", { parent: { key: keyOf(), cuts: 0 } }, null],
    ["a cut, with the key above it", { parent: { key: keyOf({ request: { name: "a", expires_at: later(2) } }), cuts: 0 } }, 2],
    ["a sandbox cut that is made later, with the key above it", {
      account: sandbox,
      at: later(3),
      parent: { key: keyOf({ account: sandbox }), cuts: 0 }
    }, 24],
    ["a cut, sooner when asked", {
      parent: { key: keyOf({ request: { name: "a", expires_at: later(2) } }), cuts: 0 },
      request: { name: "b", expires_at: later(1) }
    }, 1]
  ]
  it.each(ends)("%s", (_, more, hours) => {
    assert.deepStrictEqual(keyOf(more).expires_at, hours === null ? null : later(hours))
  })

  const early: ReadonlyArray<readonly [string, Partial<NewAgentKey>]> = [
    ["the present", { request: { name: "a", expires_at: at } }],
    ["more than a day, in sandbox", { account: sandbox, request: { name: "a", expires_at: DateTime.add(later(24), { milliseconds: 1 }) } }],
    ["later than the key above", {
      parent: { key: keyOf({ request: { name: "a", expires_at: later(2) } }), cuts: 0 },
      request: { name: "b", expires_at: later(3) }
    }]
  ]
  it.each(early)("does not take as its end: %s", (_, more) => {
    const error = failure(issue(issuing(more)))
    assert.strictEqual(error instanceof ValidationError ? error.code : error._tag, "expires_at")
  })

  it("cuts keys to three levels, and takes what is left out from above", () => {
    const first = keyOf({ request: { name: "a", policy: { allowed_tools: ["get_quote"], budgets: { day: 5 } } } })
    const second = Result.getOrThrow(cut(first, { policy: { budgets: { hour: 2 } } }))
    assert.deepInclude(second.key, {
      depth: 2,
      parent_id: first.id,
      policy: { allowed_tools: ["get_quote"], budgets: { hour: 2, day: 5 } }
    })
    assert.deepStrictEqual(
      second.others,
      [{ ...first, version: 2 }],
      "the key above is written anew, so that it cannot end meanwhile"
    )
    const third = Result.getOrThrow(cut(second.key, {}, { id: idOf(3) }))
    assert.strictEqual(third.key.depth, MAX_DEPTH)
    assert.instanceOf(failure(cut(third.key)), InvalidState)
  })

  it("cuts no more than a key may have, nothing from a key that has ended, and nothing for a closed account", () => {
    const key = keyOf({ request: { name: "a", expires_at: later(2) } })
    assert.isTrue(Result.isSuccess(cut(key, {}, { parent: { key, cuts: MAX_CUTS - 1 } })))
    assert.instanceOf(failure(cut(key, {}, { parent: { key, cuts: MAX_CUTS } })), InvalidState)
    assert.instanceOf(failure(cut(key, {}, { at: later(2) })), InvalidState)
    for (const status of ["revoked", "expired"] as const) assert.instanceOf(failure(cut({ ...key, status })), InvalidState)
    assert.instanceOf(failure(issue(issuing({ account: { ...live, status: "closed" } }))), InvalidState)
  })
})

describe("ending", () => {
  const key = keyOf({ account: sandbox })
  const below = [Result.getOrThrow(cut(key, {}, { account: sandbox })).key]
  for (const status of ["revoked", "expired"] as const) {
    it(`makes it and all below it ${status}, once`, () => {
      const decided = end(key, below, status, later(1))
      assert(decided !== undefined)
      assert.deepStrictEqual(
        [decided.key, ...decided.others].map((one) => [one.status, one.version, one.updated_at]),
        [key, ...below].map(({ version }) => [status, version + 1, later(1)])
      )
      assert.deepStrictEqual(decided.ends, [key, ...below])
      assert.isUndefined(end(decided.key, [], "revoked", later(2)))
      assert.isTrue(agentKeyMachine.transitions.some((move) => move.from === "active" && move.to === status))
    })
  }
})

describe("updating", () => {
  const when = { at: later(1), expected: undefined }
  const key = keyOf({ request: { name: "a", policy: { allowed_tools: ["get_quote"] } } })
  it("puts the policy in the place of the other, as a whole", () => {
    const decided = Result.getOrThrow(update(key, undefined, { policy: { rate_limit_per_minute: 1 } }, when))
    assert.deepInclude(decided?.key, { name: "a", policy: { rate_limit_per_minute: 1 }, version: 2 })
  })
  it("writes nothing where nothing changes", () =>
    assert.isUndefined(Result.getOrThrow(update(key, undefined, { name: "a", policy: { allowed_tools: ["get_quote"] } }, when))))
  it("keeps what was cut within the key above", () => {
    const { key: second } = Result.getOrThrow(cut(key))
    assert.strictEqual(failure(update(second, key, { policy: { allowed_tools: ["deploy"] } }, when))._tag, "ValidationError")
    assert.deepStrictEqual(Result.getOrThrow(update(second, key, { policy: { rate_limit_per_minute: 1 } }, when))?.key.policy, {
      allowed_tools: ["get_quote"],
      rate_limit_per_minute: 1
    })
  })
  it("refuses another version, and a key that has ended", () => {
    assert.strictEqual(failure(update(key, undefined, { name: "b" }, { at, expected: 2 }))._tag, "VersionConflict")
    assert.strictEqual(failure(update({ ...key, status: "revoked" }, undefined, { name: "b" }, when))._tag, "InvalidState")
  })
})

/** Names are lines of text, whose pattern few generated texts fit. */
const Fields = Schema.Struct({ ...AgentKey.fields, name: Schema.Literal("Agent") })

describe("an agent key", () => {
  it.prop("is encoded as its schema does it", [Fields], ([fields]) => {
    const key = { ...fields, name: keyOf().name }
    assert.deepStrictEqual(agentKeys.encode(key).row, { ...Schema.encodeSync(AgentKey)(key) })
  })
})
