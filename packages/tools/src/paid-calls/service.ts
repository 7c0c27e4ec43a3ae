/** Calls that are paid when they are made: each step durable, so that whoever comes after a crash finishes what was delivered and undoes the rest. */
import { type NotFound, notFound } from "@svc/kernel/errors"
import { fromJsonText } from "@svc/kernel/json"
import type { CommitRefused } from "@svc/kernel/road/committer"
import { now, realNow } from "@svc/kernel/time"
import { isLostRace } from "@svc/kernel/versions"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { hash } from "node:crypto"
import type { Cents } from "../call.ts"
import * as Credentials from "../payment/credentials.ts"
import { Facilitator } from "../payment/facilitator.ts"
import { PaidWith, validUntil } from "../payment/model.ts"
import { open, seal } from "../payment/sealed.ts"
import { type BudgetExceeded, CreditsExhausted, type ToolCall } from "../tool-calls/model.ts"
import { delivered, doubt, giveUp, release, settle } from "../tool-calls/rules.ts"
import { type Charge, Meter } from "../tool-calls/service.ts"
import { House } from "./house.ts"
import { PaymentMethods } from "./methods.ts"
import { encode, FORGOTTEN, type PaidCall, paidCalls } from "./model.ts"
import { PaidCallRepository } from "./repository.ts"
import { askedAgain, begun, NEVER_KNOWN, ran, received, undone, writtenOff } from "./rules.ts"
import { Till } from "./till.ts"

const payment = fromJsonText(PaidWith)
const encodePayment = Schema.encodeSync(payment)
const decodePayment = Schema.decodeUnknownSync(payment)

/** How far a call is. */
export interface Step {
  readonly call: ToolCall
  readonly paid: PaidCall
}

/** What came of the money. */
export type Collected =
  | { readonly _tag: "Settled" | "Pending" | "WrittenOff"; readonly step: Step }
  | { readonly _tag: "Refused"; readonly reason: string }

export interface Beginning {
  readonly charge: Charge
  /** The tool's own limit. */
  readonly seconds: number
  readonly sandbox: boolean
  readonly payment: PaidWith
}

type Stored = Settled | { readonly _tag: "Unknown" } | { readonly _tag: "Refused"; readonly reason: string } | { readonly _tag: "Lost" }
interface Settled {
  readonly _tag: "Settled"
  readonly reference: string
  readonly simulated: boolean
}

/** Days for which what was paid for can be fetched. */
const DAYS = 1

const make = Effect.gen(function*() {
  const meter = yield* Meter
  const house = yield* House
  const methods = yield* PaymentMethods
  const repository = yield* PaidCallRepository
  const facilitator = yield* Facilitator
  const till = yield* Till

  const written = (paid: PaidCall) => ({ table: paidCalls, row: encode(paid).row })

  const begin = Effect.fnUntraced(function*({ charge, payment, sandbox, seconds }: Beginning): Effect.fn.Return<Step, BudgetExceeded | CommitRefused> {
    const { account_id, id } = charge.draft
    const secret = yield* house.secret
    const paid = begun({ id, account_id, sandbox, payment: seal(secret, encodePayment(payment)), signed_for: charge.quote }, yield* now)
    const taken = Effect.flatMap(meter.quoted(charge), (quoted) => meter.reserve(quoted, seconds, { writes: [written(paid)] }))
    // Credits do not pay for it, so they cannot be used up.
    const call = yield* Effect.catchIf(taken, (error) => error instanceof CreditsExhausted, Effect.die)
    return { call, paid }
  })

  const deliver = Effect.fnUntraced(function*({ call, paid }: Step, result: string, cents: Cents): Effect.fn.Return<Step, CommitRefused> {
    const at = yield* now
    const has = ran(paid, { cents, result }, at)
    return { call: yield* meter.step(delivered(call, hash("sha256", result, "hex"), at), at, { writes: [written(has)] }), paid: has }
  })

  const doubted = Effect.fnUntraced(function*({ call, paid }: Step) {
    const at = yield* now
    return { call: yield* meter.step(doubt(call, at), at), paid }
  })

  const forgetting = ({ id }: PaidCall, at: DateTime.Utc) => [{ kind: FORGOTTEN, resource_id: id, due_at: DateTime.add(at, { days: DAYS }) }]

  /** Lets go of the money, then of the claims, then of the room: so often as it takes. Pending while it is not known whether any is held. */
  const undo = Effect.fnUntraced(function*({ call, paid }: Step, error: string): Effect.fn.Return<"Undone" | "Pending", CommitRefused> {
    const at = yield* now
    const marked = call.error === null ? yield* meter.step(giveUp(call, error, at), at) : call
    if (call.paid_by === "card" && !(yield* till.letGo(yield* house.merchant(paid.sandbox), call.id))) {
      yield* doubted({ call: marked, paid })
      return "Pending"
    }
    yield* repository.unclaim(call.account_id, call.id)
    const nothing = undone(paid, at)
    yield* meter.step(release(marked, marked.error ?? error, at), at, { writes: [written(nothing)], set: forgetting(paid, at) })
    return "Undone"
  })

  const transferred = Effect.fnUntraced(function*({ call, paid }: Step, payment: Extract<PaidWith, { readonly _tag: "Stablecoin" }>, again: boolean): Effect.fn.Return<Stored> {
    const { stablecoin } = methods.of(paid.sandbox)
    if (stablecoin === undefined) return { _tag: "Unknown" }
    const merchant = yield* house.merchant(paid.sandbox)
    const books = again ? yield* till.booked(merchant, call.id) : undefined
    const answer = books === undefined
      ? yield* facilitator.settle({ payment, stablecoin, cents: paid.signed_for }, paid.taken)
      : { _tag: "Settled", transaction: books, simulated: facilitator.simulated } as const
    const { nonce } = payment.signed.authorization
    const known = again ? askedAgain(answer, { at: yield* realNow, nonce, until: validUntil(payment) }) : answer
    if (known._tag === "Used") return { _tag: "Unknown" }
    if (known._tag !== "Settled") return known
    yield* till.book(merchant, call.id, paid.taken, known.transaction)
    return { _tag: "Settled", reference: known.transaction, simulated: known.simulated }
  })

  const paymentOf = Effect.fnUntraced(function*({ payment }: PaidCall) {
    return decodePayment(open(yield* house.secret, payment ?? ""))
  })

  const settled = Effect.fnUntraced(function*({ call, paid }: Step, payment: PaidWith, { reference, simulated }: Settled): Effect.fn.Return<Collected, CommitRefused> {
    const at = yield* now
    const receipt = Credentials.receipt(payment, { reference, simulated, at, cents: paid.taken }, methods.of(paid.sandbox))
    const has = received(paid, JSON.stringify(receipt), at)
    const done = yield* meter.step(settle(call, paid.taken, { receipt: reference }, at), at, { writes: [written(has)], set: forgetting(paid, at) })
    return { _tag: "Settled", step: { call: done, paid: has } }
  })

  /** Takes the money for what was delivered. `again`: somebody may have tried before. */
  const collect = Effect.fnUntraced(function*(step: Step, again: boolean): Effect.fn.Return<Collected, CommitRefused> {
    const { call, paid } = step
    const payment = yield* paymentOf(paid)
    const merchant = yield* house.merchant(paid.sandbox)
    // A permission of which nothing is taken is not carried out, and of a card nothing stays held.
    const free: Effect.Effect<Stored> = Effect.map(till.letGo(merchant, call.id), (gone) => gone ? { _tag: "Settled", reference: "", simulated: paid.sandbox } : { _tag: "Unknown" })
    const card: Effect.Effect<Stored> = Effect.map(till.take(merchant, call.id, paid.taken), (took) => took._tag === "Settled" ? { ...took, simulated: paid.sandbox } : took)
    const money = yield* paid.taken === 0 ? free : payment._tag === "Card" ? card : transferred(step, payment, again)
    switch (money._tag) {
      case "Settled":
        return yield* settled(step, payment, money)
      case "Unknown":
        return { _tag: "Pending", step: yield* doubted(step) }
      case "Refused":
        return (yield* undo(step, "not_settled")) === "Pending" ? { _tag: "Pending", step } : money
      case "Lost": {
        const at = yield* now
        const kept = writtenOff(paid, at)
        return { _tag: "WrittenOff", step: { call: yield* meter.step(release(call, NEVER_KNOWN, at), at, { writes: [written(kept)], set: forgetting(paid, at) }), paid: kept } }
      }
    }
  })

  const find = Effect.fnUntraced(function*(account: string, id: string): Effect.fn.Return<Step, NotFound> {
    const call = yield* meter.get(account, id)
    const paid = yield* repository.find(account, id)
    return paid === undefined ? yield* notFound("call") : { call, paid }
  })

  const attempt = Effect.fnUntraced(function*(account: string, id: string) {
    const step = yield* find(account, id)
    const { call, paid } = step
    if (call.state === "settled" || call.state === "released") return
    if (paid.result === null || call.error !== null) return void (yield* undo(step, call.error ?? "abandoned"))
    const collected = yield* collect(step, true)
    if (collected._tag === "Settled" || collected._tag === "WrittenOff") yield* repository.renew(account, id, yield* realNow)
  })

  return {
    begin,
    deliver,
    doubted,
    undo,
    collect,
    find,
    finish: (account: string, id: string) => Effect.retry(attempt(account, id), { times: 5, while: isLostRace }),
    forget: repository.forget
  }
})

export class PaidCalls extends Context.Service<PaidCalls, {
  /** Reserves room, and keeps what it is paid with. From here on a timer looks after the call. */
  readonly begin: (beginning: Beginning) => Effect.Effect<Step, BudgetExceeded | CommitRefused>
  /** Keeps the result, before any money is taken for it. Refused where the call was given up meanwhile. */
  readonly deliver: (step: Step, result: string, cents: Cents) => Effect.Effect<Step, CommitRefused>
  /** Somebody has to be asked again, later. */
  readonly doubted: (step: Step) => Effect.Effect<Step, CommitRefused>
  readonly undo: (step: Step, error: string) => Effect.Effect<"Undone" | "Pending", CommitRefused>
  readonly collect: (step: Step, again: boolean) => Effect.Effect<Collected, CommitRefused>
  readonly find: (account: string, id: string) => Effect.Effect<Step, NotFound>
  /** For the timer: finishes what was delivered, undoes the rest. */
  readonly finish: (account: string, id: string) => Effect.Effect<void, NotFound | CommitRefused>
  /** For the timer: nobody asks for the result any more. */
  readonly forget: (account: string, id: string) => Effect.Effect<void>
}>()("@svc/tools/PaidCalls") {
  static readonly layer = Layer.effect(PaidCalls, make)
}
