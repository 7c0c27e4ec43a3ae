import { assert, describe, it } from "@effect/vitest"
import { NeedsConfirmation } from "@svc/accounts/access/api"
import { Context, DateTime, Result } from "effect"
import { numberOf } from "../transfer-instruments/rules.ts"
import { BankLinksGroup } from "./api.ts"
import { bankLinkMachine, type BankLinkTrigger } from "./machine.ts"
import { type BankLink, BankLinkId, type BankLinkStatus, bankLinkStatuses } from "./model.ts"
import { exchangeToken, publicTokenOf } from "./provider/simulator.ts"
import * as rules from "./rules.ts"

const at = DateTime.makeUnsafe("2026-01-02T00:00:00.000Z")
const later = DateTime.add(at, { minutes: 30 })
const made = rules.create({
  id: BankLinkId.make("bl_01KDTQ2E8000000000000000AA"),
  account: { id: "acct_01KDTQ2E8000000000000000AA" },
  link_token: "link_sandbox_0123456789abcdef",
  expires_in: 1_800,
  at
})

const accounts = [{
  id: "ba_1",
  name: "Checking",
  holder_name: "Acme",
  last_four: "6789",
  currency: "USD",
  country: "US",
  destination_id: null
}]
const linked = { item_id: "item_1", accounts, public_token_hash: "00" } as const
const link = (status: BankLinkStatus): BankLink => ({ ...made.resource, status, ...(status === "linked" ? linked : {}) })

const statusOf = (decided: Result.Result<{ readonly resource: BankLink }, unknown>) => Result.getOrUndefined(decided)?.resource.status

/** Where each trigger leads from this state; undefined where it is refused. */
const attempts: Readonly<Record<Exclude<BankLinkTrigger, "create">, (from: BankLink) => BankLinkStatus | undefined>> = {
  simulate: (from) => Result.isSuccess(rules.mayExchange(from, at)) ? from.status : undefined,
  exchange: (from) => statusOf(rules.exchange(from, linked, at)),
  fail: (from) => rules.fail(from, at)?.resource.status,
  expire: (from) => rules.expire(from, later)?.resource.status,
  verify_payout: (from) =>
    Result.isSuccess(rules.accountOf(from, "verify_payout", "ba_1")) ? rules.verified(from, "ba_1", "ti_1", at).status : undefined,
  processor_token: (from) =>
    Result.isSuccess(rules.accountOf(from, "processor_token")) ? rules.tokenGiven(from, "00", at).status : undefined
}

describe("a bank link", () => {
  it("moves as the table says, and no other way", () => {
    for (const state of bankLinkStatuses) {
      for (const [trigger, attempt] of Object.entries(attempts)) {
        const row = bankLinkMachine.transitions.find(({ from, trigger: named }) => from === state && named === trigger)
        assert.strictEqual(attempt(link(state)), row?.to, `${trigger} from ${state}`)
      }
    }
  })

  it("is not exchanged once its time is over, also while its timer is late, and does not expire before", () => {
    assert.deepInclude(Result.getOrThrow(Result.flip(rules.mayExchange(link("pending"), later))).details, { state: "expired", allowed: [] })
    assert.isUndefined(rules.expire(link("pending"), at))
    assert.deepStrictEqual(made.set?.map(({ due_at }) => DateTime.formatIso(due_at)), [DateTime.formatIso(later)])
    assert.lengthOf(Result.getOrThrow(rules.exchange(link("pending"), linked, at)).clear ?? [], 1)
  })

  it("has no other accounts than its own", () => {
    const refused = Result.getOrThrow(Result.flip(rules.accountOf(link("linked"), "verify_payout", "ba_2")))
    assert.deepInclude(refused, { code: "bank_account_id" })
  })

  it("asks people for a fresh proof before it says where money goes", () => {
    const { processor_token, verify_payout } = BankLinksGroup.endpoints
    for (const { annotations } of [verify_payout, processor_token]) assert.isTrue(Context.getOrUndefined(annotations, NeedsConfirmation))
  })
})

it("the simulated accounts have numbers that banks would have written, and no two links the same", () => {
  const numbers = Array.from({ length: 50 }, (_, n) => {
    const said = exchangeToken(publicTokenOf(`link_sandbox_${String(n).padStart(16, "0")}`, "ok"))
    assert(said._tag === "Linked")
    for (const { currency, holder_name, number, routing_number } of said.accounts) {
      const request = { type: "bank_account", currency, holder_name, number, routing_number } as const
      assert.isTrue(Result.isSuccess(numberOf(request)), number)
    }
    return said.accounts.map(({ number }) => number).join()
  })
  assert.lengthOf(Array.from(new Set(numbers)), 50)
})
