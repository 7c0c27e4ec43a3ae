/** One request that creates, authorizes and captures: what the three requests do, in one commit, and as safe to repeat. */
import { assert, layer } from "@effect/vitest"
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { defaultSettings } from "@svc/accounts/accounts/settings"
import type { AccountSettings } from "@svc/accounts/accounts/settings"
import { runDue } from "@svc/kernel/timers/timers"
import { now } from "@svc/kernel/values/time"
import { replacing } from "@svc/testkit/replacing"
import { verifyBooks } from "@svc/testkit/road"
import { services } from "@svc/testkit/services"
import { Rebuild } from "@svc/webhooks/log/rebuild"
import { Effect, Exit } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { PaymentMethods } from "../payment-methods/service.ts"
import { Quotes } from "../quotes/service.ts"
import type { RailRequest } from "../rails/model.ts"
import { Rails } from "../rails/rail.ts"
import { type PaymentIntent, paymentIntents } from "./model.ts"
import type { CreateAndAuthorizeRequest } from "./model/requests.ts"
import { PaymentIntents } from "./service.ts"

const openAccount = Effect.fnUntraced(
  function*(settings: Partial<AccountSettings> = {}): Effect.fn.Return<AccountFacts, never, Accounts | SqlClient.SqlClient> {
    const sql = yield* SqlClient.SqlClient
    const { account } = yield* (yield* Accounts).create({ name: "Acme", sandbox: true })
    const all = { ...defaultSettings, ...settings }
    yield* Effect.orDie(sql`UPDATE accounts SET settings = ${JSON.stringify(all)}::jsonb WHERE id = ${account.id}`)
    return { ...account, settings: all }
  }
)

let keys = 0
const commandOf = (account: AccountFacts, payload: Partial<CreateAndAuthorizeRequest> = {}) => ({
  account,
  keyed: { key: `one-request-${account.id}-${keys++}`, operation: "payment_intent.create", fingerprint: "0".repeat(64) },
  payload: { amount: 10_000, currency: "USD", payment_method_id: "tok_visa", capture: true, ...payload }
})

const send = Effect.fnUntraced(function*(command: ReturnType<typeof commandOf>) {
  return yield* (yield* PaymentIntents).createAndAuthorize(command)
})
const pay = (account: AccountFacts, payload: Partial<CreateAndAuthorizeRequest> = {}) => send(commandOf(account, payload))

const intentIn = ({ body }: { readonly body: string }): PaymentIntent => JSON.parse(body)
const only = Effect.fnUntraced(function*(account: AccountFacts) {
  const { data } = yield* (yield* PaymentIntents).list(account.id, {}, { page: 1, per_page: 100 })
  assert.strictEqual(data.length, 1)
  return data[0]!
})
const after = (duration: Parameters<typeof TestClock.adjust>[0]) =>
  Effect.andThen(TestClock.adjust(duration), Effect.flatMap(now, (at) => runDue(at)))

/** What the account's tables hold of its payments. */
const left = Effect.fnUntraced(function*({ id }: AccountFacts) {
  const sql = yield* SqlClient.SqlClient
  const events = yield* sql<{ readonly type: string; readonly version: number; readonly state: string }>`
    SELECT type, resource_version AS version, data::jsonb->>'state' AS state FROM events WHERE account_id = ${id} AND resource_type = 'payment_intent' ORDER BY seq`
  const entries = yield* sql<
    { readonly event_type: string }
  >`SELECT event_type FROM financial_events WHERE merchant_id = ${id} ORDER BY sequence_id`
  const timers = yield* sql<{ readonly kind: string }>`SELECT kind FROM timers WHERE account_id = ${id} ORDER BY kind`
  const [head] = yield* sql<{ readonly commit_seq: number }>`SELECT commit_seq FROM account_heads WHERE account_id = ${id}`
  return {
    events: events.map(({ state, type, version }) => `${type.slice("payment_intent.".length)} ${version} ${state}`),
    entries: entries.map(({ event_type }) => event_type),
    timers: timers.map(({ kind }) => kind),
    commits: head?.commit_seq ?? 0
  }
})

/** The ledger verifies, and every table is what the log makes of it. */
const holds = Effect.fnUntraced(function*({ id }: AccountFacts) {
  assert.isTrue((yield* verifyBooks(id)).ok)
  assert.deepStrictEqual(yield* (yield* Rebuild).differences(id), [])
})

const CAPTURED = ["payment_authorized", "payment_captured", "fee_charged", "settlement_queued"]

/** What rails were asked to authorize, by the provider's key, and how often the next calls let the process die behind them. */
const provider = { asked: new Array<RailRequest>(), deaths: 0 }

const railsThat = (inline: boolean) =>
  replacing(Rails, ({ all }) =>
    Rails.these(all.map((rail) => ({
      ...rail,
      inline,
      authorize: (request) =>
        Effect.tap(rail.authorize(request), () =>
          Effect.suspend(() => {
            provider.asked.push(request)
            return provider.deaths-- > 0 ? Effect.die("the process died") : Effect.void
          }))
    }))))

for (const inline of [true, false]) {
  // A rail behind a network is announced first: one commit, and one version of the intent, more.
  const announced = inline ? 0 : 1
  layer(services.pipe(railsThat(inline)), { timeout: 60_000 })(`one request over ${inline ? "inline" : "remote"} rails`, (it) => {
    it.effect("creates, authorizes and captures, with the events and entries of three requests, and is answered the same again", () =>
      Effect.gen(function*() {
        const account = yield* openAccount()
        const before = (yield* left(account)).commits
        const command = commandOf(account)
        const first = yield* send(command)
        const intent = yield* only(account)
        assert.deepStrictEqual([first.status, first.replayed, intentIn(first).state], [201, false, "captured"])
        assert.deepInclude(intent, {
          state: "captured",
          captured_amount: 10_000,
          fee_amount: 320,
          payment_method_id: "tok_visa",
          selected_rail: "card_a",
          open_call: null,
          version: 3
        })
        assert.strictEqual(first.body, paymentIntents.encode(intent).wire)
        const { commits, entries, events, timers } = yield* left(account)
        assert.deepStrictEqual(
          events,
          inline
            ? ["created 1 created", "authorized 2 authorized", "captured 3 captured"]
            : ["created 1 created", "authorized 3 authorized", "captured 3 captured"]
        )
        assert.deepStrictEqual(entries, CAPTURED)
        assert.deepStrictEqual(timers, ["settlement.due"])
        assert.strictEqual(commits - before, 1 + announced)
        const again = yield* send(command)
        assert.deepStrictEqual([again.status, again.replayed, again.body], [200, true, first.body])
        assert.deepStrictEqual(yield* left(account), { commits, entries, events, timers })
        yield* holds(account)
      }))

    it.effect("holds the money where it is not told to capture, until the hold ends", () =>
      Effect.gen(function*() {
        const account = yield* openAccount()
        const reply = yield* pay(account, { capture: false })
        assert.deepStrictEqual([reply.status, intentIn(reply).state, intentIn(reply).version], [201, "authorized", 2 + announced])
        assert.deepStrictEqual((yield* left(account)).timers, ["payment_intent.expires"])
        yield* holds(account)
        yield* after("7 days")
        assert.strictEqual((yield* only(account)).state, "cancelled")
      }))

    it.effect("that is declined answers 402, leaves the intent failed, and is answered the same again", () =>
      Effect.gen(function*() {
        const account = yield* openAccount()
        const command = commandOf(account, { payment_method_id: "tok_insufficient_funds" })
        const first = yield* send(command)
        const intent = yield* only(account)
        assert.strictEqual(first.status, 402)
        assert.deepInclude(JSON.parse(first.body), {
          error: "card_declined",
          decline_code: "insufficient_funds",
          details: { payment_intent_id: intent.id, state: "failed" }
        })
        assert.deepStrictEqual([intent.state, intent.failure_reason], ["failed", "insufficient_funds"])
        const { entries, events, timers } = yield* left(account)
        assert.deepStrictEqual([events, entries, timers], [["created 1 created", `failed ${2 + announced} failed`], ["payment_failed"], []])
        assert.deepStrictEqual(yield* send(command), { ...first, replayed: true })
        yield* holds(account)
      }))

    it.effect("that a fraud rule stops answers 402, and goes on once a reviewer lets it pass", () =>
      Effect.gen(function*() {
        const account = yield* openAccount()
        const reply = yield* pay(account, { payment_method_id: "tok_fraudulent" })
        assert.deepStrictEqual([reply.status, JSON.parse(reply.body).decline_code], [402, "fraudulent"])
        const { id, state } = yield* only(account)
        assert.strictEqual(state, "blocked")
        yield* holds(account)
        const intents = yield* PaymentIntents
        yield* intents.approve({ ...commandOf(account), id, payload: {} })
        yield* intents.authorize({ ...commandOf(account), id, payload: { payment_method_id: "tok_fraudulent", capture: true } })
        assert.strictEqual((yield* only(account)).state, "captured")
      }))

    it.effect.each([["tok_requires_action", "requires_action"], ["tok_usdc", "async_rail"]] as const)(
      "with %s waits, as %s, and is captured by the answer",
      ([token, reason]) =>
        Effect.gen(function*() {
          const account = yield* openAccount()
          const reply = yield* pay(account, { payment_method_id: token })
          const { next_action, pending_reason, state } = intentIn(reply)
          assert.deepStrictEqual([reply.status, state, pending_reason], [201, "pending", reason])
          yield* holds(account)
          // The simulator's page speaks for the rails of this process alone.
          if (reason === "requires_action" && !inline) return
          if (reason === "requires_action") yield* (yield* PaymentIntents).completeAction(next_action?.url.split("/").at(-1) ?? "", true)
          else yield* after("10 seconds")
          assert.deepInclude(yield* only(account), { state: "captured", captured_amount: 10_000 })
          assert.deepStrictEqual((yield* left(account)).events.map((event) => event.split(" ")[0]), ["created", "authorized", "captured"])
          yield* holds(account)
        })
    )

    it.effect.each(
      [
        ["late_success", "captured", null],
        ["late_decline", "failed", "generic_decline"],
        ["timeout", "failed", "provider_never_received"],
        ["amount_mismatch", "failed", "amount_mismatch"]
      ] as const
    )(
      "whose outcome nobody knew (%s) ends %s",
      ([outcome, state, reason]) =>
        Effect.gen(function*() {
          const account = yield* openAccount()
          const command = commandOf(account, { metadata: { "sim.outcome": outcome } })
          const first = yield* send(command)
          assert.deepStrictEqual([first.status, intentIn(first).pending_reason], [201, "unknown_outcome"])
          yield* after("10 seconds")
          const settled = yield* only(account)
          assert.deepStrictEqual([settled.state, settled.failure_reason], [state, reason])
          assert.strictEqual((yield* send(command)).body, first.body)
          yield* holds(account)
        })
    )

    it.effect("that needs approval waits for it, and one that a policy blocks for a review: no rail hears of either", () =>
      Effect.gen(function*() {
        const account = yield* openAccount({ require_approval_above: 5_000, block_above: 20_000 })
        provider.asked.length = 0
        const waiting = yield* pay(account)
        assert.deepStrictEqual([waiting.status, intentIn(waiting).state, intentIn(waiting).pending_reason], [
          201,
          "pending",
          "requires_approval"
        ])
        const blocked = yield* pay(account, { amount: 20_001 })
        assert.deepStrictEqual([blocked.status, intentIn(blocked).state, intentIn(blocked).failure_reason], [
          201,
          "blocked",
          "policy_amount"
        ])
        assert.deepStrictEqual([provider.asked.length, (yield* left(account)).entries], [0, []])
        yield* holds(account)
        const approved = yield* (yield* PaymentIntents).approve({ ...commandOf(account), id: intentIn(waiting).id, payload: {} })
        assert.strictEqual(intentIn(approved).state, "captured")
        yield* holds(account)
      }))

    it.effect("falls over to the next rail", () =>
      Effect.gen(function*() {
        const account = yield* openAccount()
        const intent = intentIn(yield* pay(account, { payment_method_id: "tok_processing_error" }))
        assert.deepStrictEqual([intent.state, intent.selected_rail, intent.attempts.map(({ outcome, rail }) => `${rail} ${outcome}`)], [
          "captured",
          "card_b",
          ["card_a declined", "card_b approved"]
        ])
        yield* holds(account)
      }))

    it.effect("takes a stored method, and is refused with one that is gone, which leaves nothing behind", () =>
      Effect.gen(function*() {
        const account = yield* openAccount()
        const stored = yield* (yield* PaymentMethods).create(account, { type: "card", token: "tok_mastercard", customer_id: "customer-1" })
        const { id: payment_method_id } = JSON.parse(stored.body)
        const command = commandOf(account, { payment_method_id: "pm_01KDVK5D80000000000000000A" })
        assert.deepInclude(yield* Effect.flip(send(command)), { _tag: "ValidationError", code: "payment_method_id" })
        // Its key is free.
        const paid = intentIn(yield* send({ ...command, payload: { ...command.payload, payment_method_id } }))
        assert.deepStrictEqual([paid.state, paid.payment_method_id], ["captured", payment_method_id])
        assert.strictEqual((yield* only(account)).id, paid.id)
      }))

    it.effect("is settled in another currency, by a quote that this payment uses up or at the rate of the day", () =>
      Effect.gen(function*() {
        const account = yield* openAccount()
        const quoted = yield* (yield* Quotes).create(account, { source_amount: 9_680, source_currency: "USD", target_currency: "EUR" })
        const { id: quote_id } = JSON.parse(quoted.body)
        const byQuote = intentIn(yield* pay(account, { destination_currency: "EUR", quote_id }))
        assert.deepInclude(byQuote.conversion, { quote_id, target_currency: "EUR" })
        assert.deepInclude(yield* (yield* Quotes).get(account.id, quote_id), { status: "used", payment_intent_id: byQuote.id })
        assert.deepInclude(yield* Effect.flip(pay(account, { destination_currency: "EUR", quote_id })), {
          _tag: "ValidationError",
          code: "quote_id"
        })
        assert.deepInclude(intentIn(yield* pay(account, { destination_currency: "EUR" })).conversion, {
          quote_id: null,
          target_currency: "EUR"
        })
        yield* holds(account)
      }))

    it.effect("sent by many at once is one payment and one call of the rail that counts", () =>
      Effect.gen(function*() {
        const account = yield* openAccount()
        const command = commandOf(account)
        const sent = yield* Effect.forEach(Array.from({ length: 8 }), () => Effect.exit(send(command)), { concurrency: "unbounded" })
        const bodies = new Set(sent.flatMap((exit) => Exit.isSuccess(exit) ? [exit.value.body] : []))
        assert.strictEqual(bodies.size, 1)
        assert.strictEqual((yield* only(account)).state, "captured")
        assert.deepStrictEqual((yield* left(account)).entries, CAPTURED)
        assert.strictEqual((yield* send(command)).body, [...bodies][0])
      }))

    it.effect("is refused for a suspended account, and its key for anything else", () =>
      Effect.gen(function*() {
        const account = yield* openAccount()
        const command = commandOf(account)
        assert.strictEqual(
          (yield* Effect.flip(send({ ...command, account: { ...account, status: "suspended" } })))._tag,
          "AccountSuspended"
        )
        yield* send(command)
        const changed = { ...command, keyed: { ...command.keyed, fingerprint: "1".repeat(64) } }
        assert.strictEqual((yield* Effect.flip(send(changed)))._tag, "IdempotencyKeyReused")
        assert.strictEqual((yield* Effect.flip(send({ ...command, account: yield* openAccount() })))._tag, "IdempotencyKeyReused")
      }))

    it.effect("that reaches no rail is 503 and charges nothing, and the same request goes on when one can be reached", () =>
      Effect.gen(function*() {
        const account = yield* openAccount()
        const command = commandOf(account, { metadata: { "sim.unreachable": "card_a,card_b" } })
        assert.strictEqual((yield* Effect.flip(send(command)))._tag, "ProviderUnavailable")
        const { entries, events } = yield* left(account)
        // A rail behind a network was announced, so the payment is there; of the others nothing is.
        assert.deepStrictEqual([events, entries], [inline ? [] : ["created 1 created"], []])
        assert.strictEqual((yield* Effect.flip(send(command)))._tag, "ProviderUnavailable")
        const sql = yield* SqlClient.SqlClient
        if (!inline) {
          // A provider that can be reached again: the simulator reads it in the payment.
          yield* sql`UPDATE payment_intents SET metadata = '{}'::jsonb, version = version + 1 WHERE merchant_id = ${account.id}`
        }
        const reply = yield* send(inline ? { ...command, payload: { ...command.payload, metadata: {} } } : command)
        assert.strictEqual(intentIn(reply).state, "captured")
        assert.strictEqual((yield* only(account)).state, "captured")
      }))
  })
}

layer(services.pipe(railsThat(false)), { timeout: 60_000 })("one request whose process dies", (it) => {
  it.effect("behind the call of the rail is taken up by its repetition, and the provider is not asked a second time", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const command = commandOf(account)
      provider.asked.length = 0
      provider.deaths = 1
      assert.isTrue(Exit.isFailure(yield* Effect.exit(send(command))))
      assert.strictEqual((yield* only(account)).open_call?.request?.key, command.keyed.key)
      assert.strictEqual((yield* Effect.flip(send(command)))._tag, "IdempotencyInProgress")
      yield* TestClock.adjust("61 seconds")
      const taken = yield* send(command)
      assert.deepStrictEqual([taken.status, intentIn(taken).state, provider.asked.length], [201, "captured", 1])
      const again = yield* send(command)
      assert.deepStrictEqual([again.status, again.replayed, again.body], [200, true, taken.body])
      assert.deepStrictEqual((yield* left(account)).entries, CAPTURED)
      yield* holds(account)
    }))

  it.effect("and that nobody repeats is brought to its end by the timer, whose answer a late repetition gets", () =>
    Effect.gen(function*() {
      const account = yield* openAccount()
      const command = commandOf(account)
      provider.deaths = 1
      yield* Effect.exit(send(command))
      yield* after("61 seconds")
      const intent = yield* only(account)
      assert.strictEqual(intent.state, "captured")
      const late = yield* send(command)
      assert.deepStrictEqual([late.status, late.replayed, late.body], [200, true, paymentIntents.encode(intent).wire])
      yield* holds(account)
    }))
})
