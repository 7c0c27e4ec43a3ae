/** Plays a plan, then brings everything that was begun to its end, as merchants and workers would. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { defaultSettings } from "@svc/accounts/accounts/settings"
import type { AccountSettings } from "@svc/accounts/accounts/settings"
import { Plans } from "@svc/billing/plans/service"
import type { Reply } from "@svc/kernel/http/reply"
import { runDue, TimerHandlers } from "@svc/kernel/timers/timers"
import { fingerprint } from "@svc/kernel/values/fingerprint"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { now } from "@svc/kernel/values/time"
import type { GiftCards } from "@svc/payments/gift-cards/service"
import { PaymentIntents } from "@svc/payments/payment-intents/service"
import { Quotes } from "@svc/payments/quotes/service"
import type { Reserves } from "@svc/treasury/reserves/service"
import { Cause, Clock, Context, Effect, Exit, Layer, Schema, Scope } from "effect"

import type { Types } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { makeBooks } from "../provider-books.ts"
import { type BillingStep, type Catalog, openCatalog, sendBilling, targetOf } from "./billing.ts"
import { makeChance } from "./chance.ts"
import { type DisputeStep, sendDispute } from "./disputes.ts"
import { heldRequests, type HeldStep } from "./held.ts"
import { earn, type PayoutStep, sendPayout } from "./payouts.ts"
import { makesIntent, MERCHANTS, plan } from "./plan.ts"
import type { RequestStep } from "./plan.ts"
import { Crash, process } from "./world.ts"
import type { Faults } from "./world.ts"

/** A request that was sent, with every answer it got. A request with no final answer is sent again at the end. */
export interface Sent {
  readonly step: RequestStep
  readonly merchant: number
  /** The intent it was about; empty where it makes one. */
  readonly target: string
  readonly answers: Array<Reply>
  readonly refusals: Array<{ readonly error: string; readonly message: string }>
  crashes: number
}

const createdOf = Schema.decodeSync(fromJsonText(Schema.Struct({ id: Schema.String })))
const declinedOf = Schema.decodeSync(fromJsonText(Schema.Struct({ details: Schema.Struct({ payment_intent_id: Schema.String }) })))

/** The intent of an answer, also of one that says that its money was refused. */
const intentOf = ({ body, status }: Reply): string => status === 402 ? declinedOf(body).details.payment_intent_id : createdOf(body).id

type Services =
  | PaymentIntents
  | Quotes
  | TimerHandlers
  | Accounts
  | Plans
  | Effect.Services<ReturnType<typeof sendBilling>>
  | Effect.Services<ReturnType<typeof sendDispute>>
  | GiftCards
  | Reserves
  | Effect.Services<ReturnType<typeof sendPayout>>

/** Refusals after which the same request may still succeed: nothing was decided about it. */
const undecided = new Set(["idempotency_in_progress", "payment_in_flight", "provider_unavailable", "version_conflict", "internal"])

const isRefusal = (error: unknown): error is { readonly error: string; readonly message: string } =>
  typeof error === "object" && error !== null && "error" in error && "message" in error

const isCrash = (defect: unknown): boolean => defect instanceof Crash

const bodyOf = ({ amount, capture, currency, destination, metadata, token, verb }: RequestStep) => {
  switch (verb) {
    case "create":
      return { amount, currency, destination_currency: destination, metadata }
    case "pay":
      return { amount, currency, destination_currency: destination, metadata, payment_method_id: token, capture }
    case "authorize":
      return { payment_method_id: token, capture }
    case "capture":
    case "refund":
      return amount % 3 === 0 ? { amount } : {}
    default:
      return {}
  }
}

/** The quote of the step, which is the same one whenever it is sent. */
const quotedFor = Effect.fnUntraced(function*(account: AccountFacts, { amount, currency, destination, key, quoted }: RequestStep) {
  if (!quoted || destination === null || destination === currency) return {}
  const keyed = { key: `${key}-quote`, operation: "quote.create", fingerprint: "0".repeat(64) }
  const { body } = yield* (yield* Quotes).create(account, {
    source_amount: amount,
    source_currency: currency,
    target_currency: destination
  }, keyed)
  return { quote_id: createdOf(body).id }
})

const send = Effect.fnUntraced(function*(account: AccountFacts, target: string, step: RequestStep, body: object) {
  const intents = yield* PaymentIntents
  const keyed = {
    key: step.key,
    operation: makesIntent(step.verb) ? "payment_intent.create" : `payment_intent.${step.verb}`,
    fingerprint: fingerprint({ method: "POST", path: `/${target}/${step.verb}`, body })
  }
  const command = { account, id: target, keyed, payload: body }
  switch (step.verb) {
    case "create":
      return yield* intents.create({
        ...command,
        payload: { amount: step.amount, currency: step.currency, metadata: step.metadata, ...body, ...(yield* quotedFor(account, step)) }
      })
    case "pay": {
      const payload = {
        amount: step.amount,
        currency: step.currency,
        payment_method_id: step.token,
        ...body,
        ...(yield* quotedFor(account, step))
      }
      return yield* intents.createAndAuthorize({ ...command, payload })
    }
    case "authorize":
      return yield* intents.authorize({ ...command, payload: { payment_method_id: step.token, ...body } })
    default:
      return yield* intents[step.verb](command)
  }
})

/** Merchants with settings of their own. */
const unusual: Readonly<Record<number, Partial<AccountSettings>>> = {
  0: { settlement_delay_days: 0 },
  1: { require_approval_above: 20_000 },
  2: { fee_refund_policy: "proportional", block_above: 45_000 },
  3: { settlement_delay_days: 0, payouts: { schedule: "daily", minimum: 500 } },
  4: { settlement_delay_days: 0, payout_fee: 25 }
}

/** Everything a finished history left behind, for the invariants to look at. */
export interface Played {
  readonly seed: string
  readonly accounts: ReadonlyArray<AccountFacts>
  readonly sent: ReadonlyArray<Sent>
  /** Answers to one key under another body or from another merchant. */
  readonly misuse: ReadonlyArray<{ readonly step: RequestStep; readonly answer: string }>
  readonly books: ReturnType<typeof makeBooks>
  readonly timersRun: number
  readonly crashes: number
}

export const play = Effect.fn("simulation.play")(function*(seed: string, length: number) {
  const chance = makeChance(`faults/${seed}`)
  const faults: Faults = { enabled: true }
  const clock = yield* Clock.Clock
  const sql = yield* SqlClient.SqlClient
  const books = makeBooks(() => "https://provider.example/actions", () => clock.currentTimeMillisUnsafe())
  const outer = yield* Effect.context<Layer.Services<ReturnType<typeof process>>>()
  const played: Types.Mutable<Played> = { seed, accounts: [], sent: [], misuse: [], books, timersRun: 0, crashes: 0 }
  const sent: Array<Sent> = []
  const misuse: Array<Played["misuse"][number]> = []

  let scope = yield* Scope.make()
  const start = Effect.gen(function*() {
    yield* Scope.close(scope, Exit.void)
    scope = yield* Scope.make()
    const built: Context.Context<Services> = yield* Layer.buildWithScope(Layer.fresh(process(books, chance, faults)), scope).pipe(
      Effect.provideContext(outer)
    )
    return built
  })
  let running = yield* start

  const within = <A, E>(effect: Effect.Effect<A, E, Services>) => Effect.provideContext(effect, running)

  const setUp = Effect.gen(function*() {
    const accounts = yield* Accounts
    return yield* Effect.forEach(Array.from({ length: MERCHANTS }, (_, n) => n), (n) =>
      Effect.gen(function*() {
        const { account } = yield* accounts.create({ name: `Merchant ${n}`, sandbox: true })
        const settings: AccountSettings = { ...defaultSettings, ...unusual[n] }
        yield* sql`UPDATE accounts SET settings = ${JSON.stringify(settings)}::jsonb WHERE id = ${account.id}`
        return { ...account, settings }
      }))
  })
  faults.enabled = false
  const accounts: ReadonlyArray<AccountFacts> = yield* within(setUp)
  const intentsOf = accounts.map((): Array<string> => [])
  const catalogs: ReadonlyArray<Catalog> = yield* Effect.forEach(accounts, (account) => within(openCatalog(account)))
  faults.enabled = true

  const record = (entry: Sent) => <E>(exit: Exit.Exit<Reply, E>) => {
    if (Exit.isSuccess(exit)) {
      entry.answers.push(exit.value)
      if (makesIntent(entry.step.verb) && entry.answers.length === 1) intentsOf[entry.merchant]?.push(intentOf(exit.value))
      return
    }
    const failure = exit.cause.reasons[0]
    if (failure?._tag === "Fail" && isRefusal(failure.error)) {
      entry.refusals.push({ error: failure.error.error, message: failure.error.message })
    } else if (failure?._tag === "Die" && isCrash(failure.defect)) {
      entry.crashes++
      played.crashes++
    } else throw new Error(`seed ${seed}, step ${entry.step.number} (${entry.step.verb}): ${Cause.pretty(exit.cause)}`)
  }

  const accountOf = (merchant: number): AccountFacts => {
    const account = accounts[merchant]
    if (account === undefined) throw new RangeError(`no merchant ${merchant}`)
    return account
  }
  const once = (entry: Sent) =>
    Effect.map(Effect.exit(within(send(accountOf(entry.merchant), entry.target, entry.step, bodyOf(entry.step)))), record(entry))

  const timers = Effect.gen(function*() {
    const exit = yield* Effect.exit(Effect.flatMap(now, (at) => runDue(at)).pipe(Effect.provideContext(Context.merge(outer, running))))
    if (Exit.isSuccess(exit)) played.timersRun += exit.value
    else throw new Error(`seed ${seed}: timers: ${Cause.pretty(exit.cause)}`)
  })

  /** Requests about subscriptions that have no final answer yet: each is sent again in the end. */
  const unanswered = new Map<BillingStep, string | undefined>()

  /** Sent again until it is answered, as merchants do with what they lost. A refusal that decides something is an answer. */
  const bill = Effect.fnUntraced(function*(step: BillingStep, known?: string) {
    const catalog = catalogs[step.merchant]
    if (catalog === undefined) return
    const target = known ?? targetOf(catalog, step)
    unanswered.set(step, target)
    for (let tries = 0; tries < 5; tries++) {
      const exit = yield* Effect.exit(within(sendBilling(accountOf(step.merchant), catalog, step, target)))
      const failure = Exit.isFailure(exit) ? exit.cause.reasons[0] : undefined
      if (failure?._tag === "Die" && isCrash(failure.defect)) {
        played.crashes++
        continue
      }
      if (Exit.isFailure(exit) && !(failure?._tag === "Fail" && isRefusal(failure.error))) {
        throw new Error(`seed ${seed}, ${step.verb}: ${Cause.pretty(exit.cause)}`)
      }
      if (failure?._tag !== "Fail" || !isRefusal(failure.error) || !undecided.has(failure.error.error)) unanswered.delete(step)
      return
    }
  })

  const ofMerchant = ({ intent, merchant }: { readonly intent: number; readonly merchant: number }): string | undefined => {
    const known = intentsOf[merchant] ?? []
    return known[known.length - 1 - (intent % Math.max(1, known.length))]
  }

  /** Such requests that have no final answer yet: each is sent again in the end. */
  const unheard: Array<readonly [what: string, sending: Effect.Effect<unknown, unknown, Services>]> = []

  /**
   * Its key is written with what it does, so that a crash leaves nothing half done; sent again a few times, as somebody who waits would.
   */
  const patiently = Effect.fnUntraced(function*<A, E>(what: string, sending: Effect.Effect<A, E, Services>) {
    for (let tries = 0; tries < 5; tries++) {
      const exit = yield* Effect.exit(within(sending))
      if (Exit.isSuccess(exit)) return true
      const [failure] = exit.cause.reasons
      if (failure?._tag === "Die" && isCrash(failure.defect)) {
        played.crashes++
        continue
      }
      if (!(failure?._tag === "Fail" && isRefusal(failure.error))) throw new Error(`seed ${seed}, ${what}: ${Cause.pretty(exit.cause)}`)
      if (!undecided.has(failure.error.error)) return true
      break
    }
    unheard.push([what, sending])
    return false
  })

  const dispute = Effect.fnUntraced(function*(step: DisputeStep) {
    const intent = ofMerchant(step)
    if (intent !== undefined) yield* patiently(`${step.verb} a dispute`, sendDispute(accountOf(step.merchant), intent, step))
  })

  /** What was paid has arrived in between: two merchants are settled at once. */
  const hold = Effect.fnUntraced(function*(step: HeldStep) {
    for (const [what, sending] of heldRequests(accountOf(step.merchant), step)) {
      // Whoever does not know what became of one request sends no other that rests on it.
      if (!(yield* patiently(`${what} of a ${step.verb}`, sending))) return
      if (what === "capture" && step.amount % 2 === 0) yield* timers
    }
  })

  /** Payments that are made to be paid out: each is asked for again in the end, in case nobody heard what became of it. */
  const earnings: Array<PayoutStep> = []
  const payOut = (step: PayoutStep) => patiently(`${step.verb} a payout`, sendPayout(accountOf(step.merchant), step))

  for (const step of plan(seed, length)) {
    switch (step._tag) {
      case "Payout":
        if (step.verb !== "cancel") earnings.push(step)
        yield* payOut(step)
        break
      case "Dispute":
        yield* dispute(step)
        break
      case "Held":
        yield* hold(step)
        break
      case "Billing":
        yield* bill(step)
        break
      case "Request": {
        const target = makesIntent(step.verb) ? "" : ofMerchant(step)
        if (target === undefined) break
        const entry: Sent = { step, merchant: step.merchant, target, answers: [], refusals: [], crashes: 0 }
        sent.push(entry)
        yield* Effect.forEach(Array.from({ length: step.senders }), () => once(entry), { concurrency: "unbounded", discard: true })
        break
      }
      case "Again": {
        const entry = sent[sent.length - step.back]
        if (entry === undefined) break
        if (step.twist === "same") {
          yield* once(entry)
          break
        }
        const merchant = step.twist === "merchant" ? (entry.merchant + 1) % MERCHANTS : entry.merchant
        const body = step.twist === "body" ? { ...bodyOf(entry.step), amount: entry.step.amount + 1 } : bodyOf(entry.step)
        if (!makesIntent(entry.step.verb) || entry.answers.length === 0) break
        const exit = yield* Effect.exit(within(send(accountOf(merchant), entry.target, entry.step, body)))
        const failure = Exit.isFailure(exit) ? exit.cause.reasons[0] : undefined
        if (failure?._tag === "Die" && isCrash(failure.defect)) {
          played.crashes++
          break
        }
        misuse.push({
          step: entry.step,
          answer: failure?._tag === "Fail" && isRefusal(failure.error) ? `${failure.error.error}: ${failure.error.message}` : "accepted"
        })
        break
      }
      case "Wait":
        yield* TestClock.adjust(step.seconds * 1000)
        break
      case "Timers":
        yield* timers
        break
      case "Restart":
        running = yield* start
    }
  }

  // From here on nothing breaks any more: what was begun comes to its end.
  faults.enabled = false
  running = yield* start
  for (let round = 0; round < 6; round++) {
    yield* TestClock.adjust("61 seconds")
    yield* timers
    for (const entry of sent) {
      const last = entry.refusals.at(-1)
      if (entry.answers.length === 0 && (last === undefined || undecided.has(last.error))) yield* once(entry)
    }
    for (const [step, target] of Array.from(unanswered)) yield* bill(step, target)
    for (const [what, sending] of unheard.splice(0)) yield* patiently(what, sending)
    for (const step of earnings) yield* patiently("a payment to pay out", earn(accountOf(step.merchant), step))
  }
  // Payouts that fell due meanwhile are submitted, answered and returned in days after that.
  for (const wait of ["15 days", "2 days", "4 days"] as const) {
    yield* TestClock.adjust(wait)
    yield* timers
  }
  // A repetition of every answered request is answered the same.
  for (const entry of sent) if (entry.answers.length > 0) yield* once(entry)
  yield* Scope.close(scope, Exit.void)
  const result: Played = { ...played, accounts, sent, misuse }
  return result
})
