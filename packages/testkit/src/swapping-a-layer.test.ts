/** The code of docs/swapping-a-layer.md: each block of that page stands here, word for word, and is run. */
import { assert, it, layer } from "@effect/vitest"
import { Accounts } from "@svc/accounts/accounts/service"
import { TestClocks } from "@svc/accounts/test-clocks/service"
import { IdempotencyKey } from "@svc/kernel/resource/idempotency"
import { runDue } from "@svc/kernel/timers/timers"
import { fromJsonText } from "@svc/kernel/values/json"
import { now } from "@svc/kernel/values/time"
import { BalanceAccount, BalanceAccountId } from "@svc/ledger/balances/model"
import { BalanceRepository } from "@svc/ledger/balances/repository"
import { Balances } from "@svc/ledger/balances/service"
import { PaymentIntentRepository } from "@svc/payments/payment-intents/repository"
import { Quotes } from "@svc/payments/quotes/service"
import { Rails } from "@svc/payments/rails/rail"
import { NotConfigured } from "@svc/tool-kit/backend"
import { Catalog } from "@svc/tool-kit/derive"
import { Embedder, type EmbedRequest } from "@svc/tool-kit/services/models"
import { WriteOffs } from "@svc/treasury/write-offs/service"
import { DateTime, Effect, Schema } from "effect"
import { TestClock } from "effect/testing"
import { randomUUID } from "node:crypto"
import { readFileSync } from "node:fs"
import { advanceClock } from "./account-clock.ts"
import * as agents from "./agents/service.ts"
import { call } from "./agents/tenants/rows.ts"
import { jsonOf, layerWith, openMerchant, send } from "./contract/service.ts"
import { replacing, replacingWithin } from "./replacing.ts"
import { services } from "./services.ts"

const openAccount = Effect.gen(function*() {
  return (yield* (yield* Accounts).create({ name: "Acme", sandbox: true })).account
})

const decodeId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: Schema.String })))

const quoteOf = Effect.fnUntraced(function*(account: Effect.Success<typeof openAccount>) {
  const { body } = yield* (yield* Quotes).create(account, { source_amount: 10_000, source_currency: "USD", target_currency: "EUR" })
  return { account: account.id, id: decodeId(body).id }
})

const statusOf = ({ account, id }: Effect.Success<ReturnType<typeof quoteOf>>) =>
  Effect.map(Effect.flatMap(Quotes, ({ get }) => get(account, id)), ({ status }) => status)

const declining = replacing(
  Rails,
  ({ all }) => Rails.these(all.map((rail) => ({ ...rail, authorize: () => Effect.succeed({ _tag: "Declined", code: "expired_card" }) })))
)

layer(layerWith({}).pipe(declining), { excludeTestServices: true, timeout: "60 seconds" })("where every rail declines", (it) => {
  it.effect("a payment fails, and its answer has the code of the decline", () =>
    Effect.gen(function*() {
      const { key } = yield* openMerchant("declined")
      const body = { amount: 1999, currency: "USD", payment_method_id: "tok_visa", idempotency_key: randomUUID() }
      const answer = yield* send("POST", "/v1/payment_intents", { key, body })
      assert.strictEqual(answer.status, 402)
      assert.deepInclude(jsonOf(answer), { error: "card_declined", decline_code: "expired_card" })
    }))
})

const busy = replacing(PaymentIntentRepository, { held: () => Effect.succeed(3) })

layer(services.pipe(busy), { timeout: "60 seconds" })("a repository with payments under way", (it) => {
  it.effect("makes the closing of the account fail", () =>
    Effect.gen(function*() {
      const { id } = yield* openAccount
      const refused = yield* Effect.flip((yield* Accounts).move(id, "close"))
      assert.strictEqual(refused._tag, "InvalidState")
      assert.include(refused.message, "3 payments are authorized or under way")
    }))
})

const owing = BalanceAccount.make({
  id: BalanceAccountId.make("ba_01KDVK5D80000000000000000A"),
  account_id: "acct_01KDVK5D80000000000000000A",
  currency: "EUR",
  available: -500,
  pending: 200,
  reserved: 0,
  updated_at: DateTime.makeUnsafe(0)
})

const openBalance = replacingWithin(BalanceRepository, { open: () => Effect.succeed([owing]) })

layer(services.pipe(openBalance), { timeout: "60 seconds" })("a repository that its resource keeps to itself", (it) => {
  it.effect("makes the closing of the account fail", () =>
    Effect.gen(function*() {
      const { id } = yield* openAccount
      const refused = yield* Effect.flip((yield* Accounts).move(id, "close"))
      assert.include(refused.message, "the EUR balance is not zero (available -500, pending 200, reserved 0")
    }))
})

const debt = replacing(Balances, {
  ofCurrency: () => Effect.succeed(owing),
  againstClosing: () => Effect.succeed(["500 euro cents are owed"])
})

layer(services.pipe(debt), { timeout: "60 seconds" })("balances of a test", (it) => {
  it.effect("are what accounts and write-offs see", () =>
    Effect.gen(function*() {
      const { id } = yield* openAccount
      const open = yield* Effect.flip((yield* Accounts).move(id, "close"))
      assert.include(open.message, "500 euro cents are owed")
      const early = yield* Effect.flip((yield* WriteOffs).create({
        keyed: { key: IdempotencyKey.make("debt"), operation: "write_off.create", fingerprint: "0".repeat(64) },
        payload: { merchant_id: id, currency: "EUR", reason: "The business has closed" }
      }))
      assert.include(early.message, "The account owes 500 minor units of EUR, and 200 of its money are still pending")
    }))
})

const embedder = replacing(Embedder, {
  get: Effect.succeed({
    embed: ({ input }: EmbedRequest) =>
      Effect.succeed({ vectors: input.map(() => [1, 0]), dimensions: 2, model_used: "test", semantic: false })
  })
})

layer(agents.layerWith().pipe(embedder), { excludeTestServices: true, timeout: "60 seconds" })("a tool on the backend of a test", (it) => {
  it.effect("answers what the backend says", () =>
    Effect.gen(function*() {
      const caller = yield* agents.openCaller("embeds")
      yield* agents.grantCredits(caller, 100)
      const answer = yield* call(caller, "svc_embeddings", { input: ["a red bicycle"] })
      assert.include(answer.text, "\"model_used\":\"test\"")
    }))
})

const withoutEmbedder = replacing(Embedder, {
  get: new NotConfigured({ reason: "embedder_unset", detail: "There is no embedder.", remediation: "Set EMBEDDINGS_URL." })
})

layer(agents.layerWith().pipe(withoutEmbedder), { excludeTestServices: true, timeout: "60 seconds" })(
  "a tool without its backend",
  (it) => {
    it.effect("says so, and costs nothing", () =>
      Effect.gen(function*() {
        const caller = yield* agents.openCaller("asks")
        const answer = yield* call(caller, "svc_embeddings", { input: ["a red bicycle"] })
        assert.include(answer.text, "\"_not_configured\":true")
        assert.include(answer.text, "\"reason\":\"embedder_unset\"")
        assert.strictEqual(answer.headers["x-svc-request-cost"], "0")
      }))
  }
)

layer(services, { timeout: "60 seconds" })("time in a test", (it) => {
  it.effect("moves for all accounts that have no clock of their own", () =>
    Effect.gen(function*() {
      const quote = yield* quoteOf(yield* openAccount)
      yield* TestClock.adjust("1 day")
      yield* runDue(yield* now)
      assert.strictEqual(yield* statusOf(quote), "expired")
    }))

  it.effect("moves for one account alone by its test clock", () =>
    Effect.gen(function*() {
      const [mine, other] = [yield* openAccount, yield* openAccount]
      yield* (yield* TestClocks).create(mine)
      const quotes = [yield* quoteOf(mine), yield* quoteOf(other)]
      yield* advanceClock(mine.id, DateTime.add(yield* now, { days: 1 }).epochMilliseconds)
      assert.deepStrictEqual(yield* Effect.forEach(quotes, statusOf), ["expired", "active"])
    }))
})

it("docs/swapping-a-layer.md shows code of this file, and CONTRIBUTING.md names the page", () => {
  const textOf = (file: string) => readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8")
  const code = textOf("packages/testkit/src/swapping-a-layer.test.ts")
  const blocks = Array.from(textOf("docs/swapping-a-layer.md").matchAll(/^```ts\n([\s\S]*?)^```$/gmu), ([, block = ""]) => block)
  assert.isAtLeast(blocks.length, 6)
  for (const block of blocks) assert.include(code, block)
  assert.include(textOf("CONTRIBUTING.md"), "(docs/swapping-a-layer.md)")
})

it("what the application does not provide, or has another shape, does not compile", () => {
  // @ts-expect-error a catalog is no part of the services: the doors bring it
  services.pipe(replacing(Catalog, new Map()))
  // @ts-expect-error a number is no list of words
  services.pipe(replacing(Balances, { againstClosing: () => Effect.succeed(0) }))
  // @ts-expect-error accounts do not fail so
  // @effect-diagnostics-next-line missingEffectError:off
  services.pipe(replacing(Accounts, { move: () => Effect.fail("no") }))
})
