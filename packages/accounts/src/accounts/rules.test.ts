import { assert, describe, it } from "@effect/vitest"
import { CURRENT_API_VERSION } from "@svc/kernel/resource/api-version"
import { InvalidState } from "@svc/kernel/resource/errors"
import { allows, type StateMachine } from "@svc/kernel/resource/state-machine"
import { DateTime, Effect, Equal, Result, Schema } from "effect"
import { accountMachine } from "./machine.ts"
import {
  Account,
  type AccountMove,
  type AccountPatch,
  type AccountStatus,
  accountStatuses,
  type AccountTrigger,
  UpdateAccountRequest
} from "./model.ts"
import { move, openLive, update } from "./rules.ts"
import { defaultSettings } from "./settings.ts"

const machine: StateMachine<AccountStatus, AccountTrigger> = accountMachine
const moves: ReadonlyArray<AccountMove> = ["activate", "suspend", "reactivate", "close"]
const created = DateTime.makeUnsafe("2026-01-01T00:00:00.000Z")
const later = DateTime.makeUnsafe("2026-01-02T00:00:00.000Z")

const account = (fields: Partial<Account> = {}): Account =>
  Schema.decodeSync(Account)({
    id: "acct_01KDTQ2E8000000000000000AA",
    name: "Acme",
    status: fields.status ?? "active",
    sandbox: true,
    api_key_prefix: null,
    capabilities: ["charges"],
    restrictions: [],
    fee_tier_bps: null,
    payout_destination: "ti_1",
    payout_method: "bank_transfer",
    settlement_asset: "USD",
    webhook_url: null,
    settings: defaultSettings,
    api_version: CURRENT_API_VERSION,
    created_at: "2026-01-01T00:00:00.000Z",
    updated_at: DateTime.formatIso(created),
    version: fields.version ?? 3
  })

describe("the table", () => {
  it("names known states only, and nothing leaves a terminal one", () => {
    for (const { from, to } of machine.transitions) {
      assert.include(accountStatuses, to)
      if (from !== null) assert.include(accountStatuses, from)
      if (from !== null) assert.notInclude(machine.terminal, from)
    }
  })

  it("reaches every state from creation", () => {
    const reached = new Set<AccountStatus>()
    for (const _ of accountStatuses) {
      for (const { from, to } of machine.transitions) if (from === null || reached.has(from)) reached.add(to)
    }
    assert.sameMembers([...reached], [...accountStatuses])
  })
})

describe("move", () => {
  for (const status of accountStatuses) {
    for (const trigger of moves) {
      const legal = allows(machine, status, trigger)
      it(`${status} ${trigger}: ${legal ? "moves" : "is refused"}`, () => {
        const before = account({ status })
        const result = move(before, trigger, [], later)
        if (Result.isSuccess(result)) {
          assert.isTrue(allows(machine, status, trigger, result.success.status))
          assert.strictEqual(result.success.version, before.version + 1)
          assert.strictEqual(result.success.updated_at, later)
          assert.deepStrictEqual({ ...result.success, status, version: before.version, updated_at: before.updated_at }, { ...before })
        } else {
          assert.isFalse(legal)
          assert.instanceOf(result.failure, InvalidState)
          assert.strictEqual(result.failure.details?.["state"], status)
        }
      })
    }
  }

  it("follows the life of an account as the field knows it", () => {
    const path = (["activate", "suspend", "reactivate", "suspend", "close"] as const).reduce<ReadonlyArray<Account>>(
      (seen, trigger) => [...seen, Result.getOrThrow(move(seen.at(-1) ?? account({ status: "pending" }), trigger, [], later))],
      []
    )
    assert.deepStrictEqual(path.map(({ status }) => status), ["active", "suspended", "active", "suspended", "closed"])
  })

  it("does not close over an obstacle, and says which", () => {
    const refused = Result.getOrThrow(Result.flip(move(account(), "close", ["the EUR balance is not zero"], later)))
    assert.instanceOf(refused, InvalidState)
    assert.include(refused.message, "the EUR balance is not zero")
    assert.deepStrictEqual(refused.details?.["obstacles"], ["the EUR balance is not zero"])
  })

  it("heeds obstacles when closing only", () => {
    assert.strictEqual(Result.getOrThrow(move(account(), "suspend", ["the EUR balance is not zero"], later)).status, "suspended")
  })
})

describe("update", () => {
  const renamed: AccountPatch = { name: "Acme Ltd" }
  const redirected: AccountPatch = { payout_destination: "ti_2" }
  const table: ReadonlyArray<readonly [AccountStatus, AccountPatch, "changes" | "keeps" | "AccountSuspended" | "InvalidState"]> = [
    ["pending", renamed, "changes"],
    ["pending", redirected, "changes"],
    ["active", renamed, "changes"],
    ["active", redirected, "changes"],
    ["active", { payout_destination: null, payout_method: null, settlement_asset: null }, "changes"],
    ["active", {}, "keeps"],
    ["active", { name: "Acme", settlement_asset: "USD" }, "keeps"],
    ["suspended", renamed, "changes"],
    ["suspended", redirected, "AccountSuspended"],
    ["suspended", { payout_method: "usdc_wallet" }, "AccountSuspended"],
    ["suspended", { settlement_asset: null }, "AccountSuspended"],
    ["suspended", { ...renamed, ...redirected }, "AccountSuspended"],
    ["suspended", { payout_destination: "ti_1" }, "keeps"],
    ["closed", renamed, "InvalidState"],
    ["closed", {}, "InvalidState"]
  ]
  it.each(table)("%s account, %o", (status, patch, expected) => {
    const before = account({ status })
    const result = update(before, patch, later)
    if (expected !== "changes" && expected !== "keeps") {
      assert.strictEqual(Result.getOrThrow(Result.flip(result))._tag, expected)
      return
    }
    const after = Result.getOrThrow(result)
    if (expected === "keeps") assert.strictEqual(after, before)
    else assert.deepStrictEqual({ ...after }, { ...before, ...patch, version: before.version + 1, updated_at: later })
  })

  const { version: _, ...patchFields } = UpdateAccountRequest.fields
  it.effect.prop(
    "changes nothing but what the patch names, and counts a change once",
    [Schema.Struct(patchFields)],
    ([patch]) =>
      Effect.sync(() => {
        const before = account()
        const after = Result.getOrThrow(update(before, patch, later))
        const { settings, ...fields } = patch
        const { billing, branding, legal, payouts, people, portal_settings } = before.settings
        const merged = {
          ...before.settings,
          ...settings,
          billing: { ...billing, ...settings?.billing },
          branding: { ...branding, ...settings?.branding },
          legal: { ...legal, ...settings?.legal },
          payouts: { ...payouts, ...settings?.payouts },
          people: { ...people, ...settings?.people },
          portal_settings: { ...portal_settings, ...settings?.portal_settings }
        }
        const same = Object.entries(fields).every(([field, value]) => Reflect.get(before, field) === value) &&
          Equal.equals(merged, before.settings)
        assert.strictEqual(after.version, before.version + (same ? 0 : 1))
        assert.deepStrictEqual({ ...after, version: 0, updated_at: later }, {
          ...before,
          ...fields,
          settings: merged,
          version: 0,
          updated_at: later
        })
      }),
    { arbitrary: { runs: 1000 } }
  )
})

it("the live account of a sandbox is run like it, and names nothing of it", () => {
  const settings = {
    ...defaultSettings,
    fee_bps: 111,
    payouts: { schedule: "daily", minimum: 500 },
    portal_settings: { ...defaultSettings.portal_settings, plans: ["plan_1"] }
  } as const
  const sandbox: Account = { ...account(), settings, restrictions: ["payouts_disabled"], fee_tier_bps: 9 }
  const { id } = sandbox
  assert.deepInclude(openLive(id, sandbox, later), {
    sandbox: false,
    name: "Acme",
    restrictions: ["payouts_disabled"],
    fee_tier_bps: 9,
    payout_destination: null,
    settings: {
      ...settings,
      payouts: { schedule: "manual", minimum: 500 },
      portal_settings: { ...defaultSettings.portal_settings, plans: null }
    },
    created_at: later,
    version: 1
  })
})
