/** Calls that are paid for when they are made: asked for with 402, held before the run, taken after it, and never twice. */
import { Idempotency } from "@svc/kernel/idempotency"
import { fromJsonText } from "@svc/kernel/json"
import { now } from "@svc/kernel/time"
import { Data, type DateTime, Effect, Layer, Result, Schema } from "effect"
import { hash } from "node:crypto"
import type { Cents } from "../call.ts"
import { plans } from "../plans.ts"
import { type Outcome, priceIn } from "../tool.ts"
import { type BudgetExceeded, type ToolCall, ToolCallId } from "../tool-calls/model.ts"
import { Meter } from "../tool-calls/service.ts"
import { answered, standingHeaders } from "../gate/answers.ts"
import { type Admitted, run } from "../gate/admitted.ts"
import type { Answered, PaymentRequired, Refused, ToolAnswer, ToolRequest } from "../gate/model.ts"
import { Paywall, type Priced, type Why } from "../gate/paywall.ts"
import { refuse } from "../gate/refusals.ts"
import * as Credentials from "../payment/credentials.ts"
import { Facilitator } from "../payment/facilitator.ts"
import type { Methods, Payment, Problem } from "../payment/model.ts"
import { paymentRequired } from "../payment/required.ts"
import { open, seal } from "../payment/sealed.ts"
import { House } from "./house.ts"
import { PaymentMethods } from "./methods.ts"
import { type Claim, PaidCallRepository, type Taken } from "./repository.ts"
import { Pages } from "./pages.ts"
import { Till } from "./till.ts"

/** The call does not go on, and this is its answer. */
class Stopped extends Data.TaggedError("Stopped")<{ readonly answer: ToolAnswer }> {}

const Kept = Schema.Struct({
  result: Schema.Unknown,
  headers: Schema.Record(Schema.String, Schema.String),
  meta: Schema.Record(Schema.String, Schema.Unknown)
})
const decodeKept = Schema.decodeUnknownSync(fromJsonText(Kept))

/** A payment that is good for a call, before anything has moved. */
interface Paying extends Admitted {
  readonly payment: Payment
  readonly methods: Methods
  readonly payer: string | undefined
  /** On whose books the call stands: the caller's, or our own where nobody is known. */
  readonly account_id: string
  readonly sandbox: boolean
  readonly at: DateTime.Utc
}

const isStablecoin = (payment: Payment): payment is Extract<Payment, { readonly _tag: "Stablecoin" }> => payment._tag === "Stablecoin"

/** What may happen once: the payment itself, the caller's key for it, and the same call of the same payer within ten minutes. */
const claimsOf = ({ account_id, arguments_sha256, call, caller, payer, payment, request, tool }: Paying, keys: ReadonlyArray<string>): ReadonlyArray<Claim> => {
  const chosen = request.headers["idempotency-key"] ?? (isStablecoin(payment) ? payment.identifier : undefined)
  // Of a card that nobody known pays with, it is not known whose it is: the challenge alone is used once.
  const whose = payer ?? caller?.account.id
  const again = request.headers["x-svc-allow-duplicate"]?.toLowerCase() === "true"
  return [
    ...(chosen === undefined || chosen === "" ? [] : [{ key: `key:${hash("sha256", `${account_id}\n${chosen}`, "hex")}`, fleeting: false }]),
    ...keys.map((key) => ({ key, fleeting: false })),
    ...(whose === undefined || again || chosen !== undefined ? [] : [{ key: `same:${hash("sha256", `${whose}\n${tool.name}\n${call.mode}\n${arguments_sha256}`, "hex")}`, fleeting: true }])
  ]
}

const chargeOf = ({ account_id, arguments_sha256, call, caller, chain, payment, prepared, tool }: Paying) => ({
  draft: {
    id: ToolCallId.make(call.id),
    account_id,
    agent_key_id: caller?.credential.kind === "agent_key" ? caller.credential.id : null,
    tool: tool.name,
    mode: call.mode,
    arguments_sha256,
    paid_by: isStablecoin(payment) ? "stablecoin" as const : "card" as const
  },
  chain,
  quote: prepared.quote
})

const refusedBudget = ({ key, left, limit, message, period }: BudgetExceeded): Refused =>
  refuse("AGENT_BUDGET_EXCEEDED", message, { agent_key_id: key, period, limit_cents: limit, left_cents: left })

/** The answer of the call that has what this one wanted. */
const makeEarlier = Effect.gen(function*() {
  const meter = yield* Meter
  const repository = yield* PaidCallRepository
  const pages = yield* Pages
  return Effect.fnUntraced(function*({ account_id, call_id, key }: Taken, { arguments_sha256, call, tool }: Paying): Effect.fn.Return<ToolAnswer> {
    const kept = yield* repository.answer(account_id, call_id)
    const found = yield* Effect.orDie(meter.get(account_id, call_id))
    if (found.state === "pending") return { _tag: "Pending", call_id, status_url: pages.status(call_id), headers: {} }
    if (found.state === "reserved") return refuse("IDEMPOTENCY_CONFLICT", `Call ${call_id} is still running.`, { retry_after: 1 }, { "retry-after": "1" })
    if (kept === undefined) return refuse("POSSIBLE_DUPLICATE", `It was paid for by call ${call_id}, whose answer is not kept any more.`, { call_id, receipt: found.receipt })
    if (kept.arguments_sha256 !== arguments_sha256 || found.mode !== call.mode) return refuse("IDEMPOTENCY_CONFLICT", "They were used for another call.")
    if (key.startsWith("same:") && !tool.meta.hints.readOnly) return refuse("POSSIBLE_DUPLICATE", `It was call ${call_id}.`, { call_id, receipt: found.receipt })
    const { headers, meta, result } = decodeKept(kept.body)
    return { _tag: "Answered", result, isError: false, headers: { ...headers, "x-svc-replayed": "true" }, meta: { ...meta, "svc/replayed": true } }
  })
})

const hasCredential = ({ headers, meta }: ToolRequest): boolean =>
  /(?:^|,)\s*payment\s/iu.test(headers["authorization"] ?? "") || headers["payment-signature"] !== undefined || headers["x-payment"] !== undefined ||
  "org.paymentauth/credential" in meta || "x402/payment" in meta

const make = Effect.gen(function*() {
  const meter = yield* Meter
  const house = yield* House
  const methods = yield* PaymentMethods
  const repository = yield* PaidCallRepository
  const facilitator = yield* Facilitator
  const till = yield* Till
  const pages = yield* Pages
  const earlier = yield* makeEarlier
  const idempotency = yield* Idempotency

  const demanded = Effect.fnUntraced(function*(admitted: Admitted, why: Why, problem?: Problem): Effect.fn.Return<PaymentRequired> {
    const { arguments_sha256, call, caller, prepared, request, tool } = admitted
    const lite = priceIn(tool.meta.prices, "lite")
    const secret = yield* house.secret
    const key = caller === undefined ? undefined : admitted.key
    const cents = prepared.quote
    const plan = why === "TIER_REQUIRED" && tool.meta.planOnly === true ? { cents: plans.pro.price, plan: "pro" } : { cents }
    const answer = paymentRequired({
      purchase: { tool: tool.name, mode: call.mode, argumentsSha256: arguments_sha256, ...plan, ...(key === undefined ? {} : { account: seal(secret, key) }) },
      ...(lite < cents ? { litePriceCents: lite } : {}),
      why,
      methods: methods.of(caller?.account.sandbox ?? true),
      callId: call.id,
      url: request.url,
      now: yield* now,
      secret,
      ...pages.of(call.id),
      accept: request.headers["accept-payment"],
      ...(request.body === undefined ? {} : { body: request.body }),
      ...(admitted.terms.counterOffer === undefined ? {} : { more: { counter_offer: admitted.terms.counterOffer } }),
      ...(problem === undefined ? {} : { problem })
    })
    if (caller === undefined) return answer
    return { ...answer, headers: { ...answer.headers, ...standingHeaders(yield* meter.standing(caller.account.id)) } }
  })

  /** Moves the money for what was delivered; where that is not known, the call is pending. */
  const collected = Effect.fnUntraced(function*(paying: Paying, intent: string | undefined, cents: Cents) {
    const { call, methods: { stablecoin }, payment, prepared, sandbox } = paying
    const merchant = yield* house.merchant(sandbox)
    if (!isStablecoin(payment)) {
      yield* till.take(merchant, call.id, intent ?? "", cents)
      return { reference: intent ?? "", simulated: sandbox }
    }
    if (stablecoin === undefined) return yield* Effect.die("a stablecoin payment was accepted without a stablecoin")
    const settled = yield* facilitator.settle({ payment, stablecoin, cents: prepared.quote }, payment.signed.scheme === "upto" ? cents : prepared.quote)
    if (settled._tag !== "Settled") return settled
    yield* till.book(merchant, call.id, cents, settled.transaction)
    return { reference: settled.transaction, simulated: settled.simulated }
  })

  const finish = Effect.fnUntraced(function*(paying: Paying, reserved: ToolCall, intent: string | undefined, outcome: Extract<Outcome, { readonly _tag: "Done" }>): Effect.fn.Return<ToolAnswer> {
    const { account_id, arguments_sha256, at, call, caller, methods: offered, payment } = paying
    const kept = (receipt: Pick<Answered, "headers" | "meta">) => JSON.stringify({ result: outcome.result, headers: receipt.headers, meta: receipt.meta })
    const money = yield* collected(paying, intent, outcome.cents)
    if ("_tag" in money) {
      if (money._tag === "Unknown") {
        yield* repository.keep(account_id, call.id, { arguments_sha256, body: kept({ headers: {}, meta: {} }) }, at)
        yield* Effect.orDie(meter.doubt(reserved))
        return { _tag: "Pending", call_id: call.id, status_url: pages.status(call.id), headers: {} }
      }
      yield* Effect.orDie(meter.release(reserved, "not_settled"))
      yield* repository.unclaim(account_id, call.id)
      return yield* demanded(paying, "PAYMENT_REQUIRED", { name: "verification-failed", why: `The transfer was not carried out: ${money._tag === "Refused" ? money.reason : ""}. Nothing was charged.` })
    }
    const receipt = Credentials.receipt(payment, { ...money, at, cents: outcome.cents }, offered)
    yield* repository.keep(account_id, call.id, { arguments_sha256, body: kept(receipt) }, at)
    yield* Effect.orDie(meter.settle(reserved, outcome.cents, { result_sha256: hash("sha256", JSON.stringify(outcome.result), "hex"), receipt: money.reference }))
    const standing = caller === undefined ? {} : standingHeaders(yield* meter.standing(account_id), outcome.cents)
    return { _tag: "Answered", result: outcome.result, isError: false, headers: { ...standing, ...receipt.headers }, meta: receipt.meta }
  })

  const paid = Effect.fnUntraced(function*(paying: Paying, keys: ReadonlyArray<string>): Effect.fn.Return<ToolAnswer, Stopped> {
    const { account_id, at, call, payment, prepared, sandbox, tool } = paying
    const taken = yield* repository.claim(account_id, call.id, claimsOf(paying, keys), at)
    if (taken !== undefined) return yield* earlier(taken, paying)
    const giveUp = (answer: ToolAnswer) => Effect.andThen(repository.unclaim(account_id, call.id), new Stopped({ answer }))
    const merchant = yield* house.merchant(sandbox)
    const quoted = yield* Effect.orDie(meter.quoted(chargeOf(paying)))
    const reserved = yield* meter.reserve(quoted, tool.meta.limits.seconds).pipe(Effect.catchTags({
      BudgetExceeded: (refused) => giveUp(refusedBudget(refused)),
      CreditsExhausted: Effect.die,
      CommitRefused: Effect.die
    }))
    const back = (error: string) => Effect.andThen(Effect.orDie(meter.release(reserved, error)), repository.unclaim(account_id, call.id))
    const intent = isStablecoin(payment) ? undefined : yield* till.hold(merchant, call.id, prepared.quote, payment.token).pipe(
      Effect.catch(({ why }) => Effect.andThen(back("declined"), Effect.flatMap(demanded(paying, "PAYMENT_REQUIRED", { name: "verification-failed", why }), (answer) => new Stopped({ answer }))))
    )
    const outcome = yield* run(paying)
    if (outcome._tag === "Done") return yield* finish(paying, reserved, intent, outcome)
    if (intent !== undefined) yield* till.letGo(merchant, call.id, intent)
    yield* back("not_delivered")
    return answered(outcome)
  })

  const keyOf = Effect.fnUntraced(function*(request: ToolRequest, call: Priced) {
    const secret = yield* house.secret
    const { credential } = Credentials.read(request, { secret, now: yield* now, call, methods: methods.of(true) })
    const account = credential._tag === "Card" || credential._tag === "Stablecoin" ? credential.challenge?.account : undefined
    return account === undefined ? undefined : open(secret, account)
  })

  const demand = Effect.fnUntraced(function*(admitted: Admitted, why: Why): Effect.fn.Return<ToolAnswer, Refused> {
    const { arguments_sha256, call, caller, prepared, request, tool } = admitted
    const at = yield* now
    const sandbox = caller?.account.sandbox ?? true
    const offered = methods.of(sandbox)
    const { credential } = Credentials.read(request, {
      secret: yield* house.secret,
      now: at,
      call: { tool: tool.name, argumentsSha256: arguments_sha256, mode: call.mode },
      methods: offered
    })
    if (credential._tag === "None") return yield* demanded(admitted, why)
    if (credential._tag === "Malformed") return yield* demanded(admitted, why, credential.problem)
    const checked = Credentials.check(credential, { cents: prepared.quote, methods: offered, now: at })
    if (Result.isFailure(checked)) return yield* demanded(admitted, why, checked.failure)
    const account_id = caller?.account.id ?? (yield* house.merchant(sandbox)).id
    const paying: Paying = { ...admitted, payment: credential, methods: offered, payer: checked.success.payer, account_id, sandbox, at }
    // What pays is carried to its end, also when whoever pays hangs up.
    return yield* idempotency.toTheEnd(paid(paying, checked.success.keys)).pipe(Effect.catchTag("Stopped", ({ answer }) => Effect.succeed(answer)))
  })

  return Paywall.of({
    keyOf,
    demand,
    hasCredential
  })
})

export const layer = Layer.effect(Paywall, make)
