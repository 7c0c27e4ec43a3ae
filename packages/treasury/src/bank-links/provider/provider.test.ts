/** One contract, which the provider within the process and the one in another process keep alike. */
import { assert, describe, it } from "@effect/vitest"
import * as Egress from "@svc/kernel/egress/service"
import type { Faults } from "@svc/testkit/provider"
import { startProvider } from "@svc/testkit/provider"
import { Context, Effect, Layer } from "effect"
import { BankLinkProvider } from "./provider.ts"
import { remoteBankLinks } from "./remote-simulator.ts"
import { simulatedBankLinks } from "./simulator.ts"

const providerOf = <E, R>(layer: Layer.Layer<BankLinkProvider, E, R>) => Effect.map(Layer.build(layer), Context.get(BankLinkProvider))
const remoteAt = (url: string, timeout = 30_000) =>
  providerOf(Layer.provide(remoteBankLinks({ url, timeout }), Egress.layer({ allow: ["127.0.0.1"] })))

const publicToken = (
  provider: BankLinkProvider["Service"],
  link_token: string,
  outcome: "ok" | "no_accounts" | "expired" | "already_used"
) => provider.simulate?.(link_token, outcome) ?? assert.fail("a simulator gives public tokens")

const strike = (url: string, faults: Partial<Faults>) =>
  Effect.promise(() => fetch(`${url}/faults`, { method: "POST", body: JSON.stringify(faults) }))

describe.each([
  ["within this process", providerOf(simulatedBankLinks)],
  ["in another process", Effect.flatMap(startProvider(0), ({ url }) => remoteAt(url))]
])("the provider %s", (_where, start) => {
  it.live("answers a repetition as the first call, and finds the link of a public token", () =>
    Effect.gen(function*() {
      const provider = yield* start
      const begun = yield* provider.begin({ key: "k1", account: "acct_1" })
      assert.deepStrictEqual(yield* provider.begin({ key: "k1", account: "acct_1" }), begun)
      assert.notStrictEqual((yield* provider.begin({ key: "k2", account: "acct_1" })).link_token, begun.link_token)
      const public_token = publicToken(provider, begun.link_token, "ok")
      assert.strictEqual(yield* provider.linkTokenOf(public_token), begun.link_token)
      assert.isNull(yield* provider.linkTokenOf("public_sandbox_ok_of nobody"))
      const linked = yield* provider.exchange({ key: "bl_1", public_token })
      assert.deepStrictEqual(yield* provider.exchange({ key: "bl_1", public_token }), linked)
      assert(linked._tag === "Linked")
      assert.deepStrictEqual(linked.accounts.map(({ country, currency }) => [country, currency]), [["US", "USD"], ["DE", "EUR"]])
      const asked = { key: "bl_1:2", item_id: linked.item_id, bank_account_id: linked.accounts[0]?.id ?? "" }
      const token = yield* provider.processorToken(asked)
      assert.strictEqual(yield* provider.processorToken(asked), token)
      assert.notStrictEqual(yield* provider.processorToken({ ...asked, key: "bl_1:3" }), token)
    }).pipe(Effect.scoped))

  it.live.each(["no_accounts", "expired", "already_used"] as const)(
    "refuses a public token that is %s",
    (reason) =>
      Effect.gen(function*() {
        const provider = yield* start
        const { link_token } = yield* provider.begin({ key: "k1", account: "acct_1" })
        const said = yield* provider.exchange({ key: "bl_1", public_token: publicToken(provider, link_token, reason) })
        assert.deepStrictEqual(said, { _tag: "Refused", reason })
      }).pipe(Effect.scoped)
  )
})

describe("a provider in trouble", () => {
  it.live.each<[kind: Faults["kind"], links: number]>([
    ["refuse", 0],
    ["reset_before", 0],
    ["reset_after", 1],
    ["drop_reply", 1],
    ["delay_ms", 1]
  ])("%s: the exchange is unavailable, %d links, and the same key links once in the end", ([kind, links]) =>
    Effect.gen(function*() {
      const { bankLinks, url } = yield* startProvider(0)
      const provider = yield* remoteAt(url, 100)
      const { link_token } = yield* provider.begin({ key: "k1", account: "acct_1" })
      const exchange = provider.exchange({ key: "bl_1", public_token: publicToken(provider, link_token, "ok") })
      yield* strike(url, { kind, delay_ms: 300, operations: ["exchange"] })
      assert.strictEqual((yield* Effect.flip(exchange))._tag, "BankLinkProviderUnavailable")
      assert.lengthOf(bankLinks().items, links)
      yield* strike(url, { kind: "none" })
      assert.strictEqual((yield* exchange)._tag, "Linked")
      assert.lengthOf(bankLinks().items, 1)
    }).pipe(Effect.scoped))

  it.live("is asked again behind the scenes where one answer in two is lost", () =>
    Effect.gen(function*() {
      const { bankLinks, url } = yield* startProvider(0)
      const provider = yield* remoteAt(url)
      yield* strike(url, { kind: "reset_after", probability: 0.5, seed: 3, operations: ["begin"] })
      yield* Effect.forEach(
        Array.from({ length: 8 }, (_, n) => `k${n}`),
        (key) => Effect.retry(provider.begin({ key, account: "acct_1" }), { times: 20 })
      )
      const { calls, effects } = bankLinks()
      assert.strictEqual(effects, 8)
      assert.isAbove(calls, 8)
    }).pipe(Effect.scoped))
})
