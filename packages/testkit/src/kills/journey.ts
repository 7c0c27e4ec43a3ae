/** What a merchant does with one payment, from its creation to its refunds, insisting on an answer at every step. */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Effect, Schema } from "effect"
import type { HttpClient } from "effect/http"
import type { Chance } from "../simulation/chance.ts"
import { hear, insist, read } from "./requests.ts"
import type { Answer, Heard, Merchant } from "./requests.ts"

/** Longer than an unfinished request owns its key, several times over. */
const PATIENCE_MILLIS = 240_000
const RETRY_MILLIS = [100, 600] as const

const tokens = [
  "tok_visa",
  "tok_visa",
  "tok_visa",
  "tok_visa",
  "tok_visa",
  "tok_mastercard",
  "tok_amex",
  "tok_generic_decline",
  "tok_processing_error",
  "tok_usdc"
]
const outcomes = ["amount_mismatch", "amount_mismatch", "amount_mismatch", "late_success", "late_success", "late_decline", "timeout"]
/** What is paid on a rail that takes only dollars must be dollars; the rest may be either. */
const currencies = ["USD", "USD", "EUR"]

const Intent = fromJsonText(Schema.Struct({ id: Schema.String, state: Schema.String, captured_amount: Schema.Int }))
const readIntent = (text: string) => Effect.orDie(Schema.decodeEffect(Intent)(text))

export interface World {
  readonly merchants: ReadonlyArray<Merchant>
  /** What each merchant sells again and again, by the merchant's id: the ids of plans. */
  readonly plans: ReadonlyMap<string, ReadonlyArray<string>>
  /** A server that runs; undefined when none does. */
  readonly base: () => string | undefined
  /** Everything that was asked, for the end. */
  readonly heard: Array<Heard>
}

/** Who does something, and what it is called. */
export interface Actor {
  readonly world: World
  readonly chance: Chance
  readonly merchant: Merchant
  readonly name: string
}

const pause = (chance: Chance) => () => chance.between(...RETRY_MILLIS)

/** What is sent, and the name of the key that it has. */
export interface Sending {
  readonly path: string
  readonly verb: string
  readonly body: Readonly<Record<string, unknown>>
  readonly tellsPresent?: boolean
}

/** One operation; sometimes sent by two at once. Its answer, or undefined when there is none, and for a decline. */
export const send = Effect.fnUntraced(
  function*(
    { chance, merchant, name, world }: Actor,
    { body, verb, ...sending }: Sending
  ): Effect.fn.Return<Answer | undefined, never, HttpClient.HttpClient> {
    const heard = hear({ merchant, ...sending, body: { ...body, idempotency_key: `kill-${name}-${verb}` } })
    world.heard.push(heard)
    const senders = Array.from({ length: chance.happens(0.15) ? 2 : 1 })
    yield* Effect.forEach(senders, () => insist(heard, world.base, pause(chance), PATIENCE_MILLIS), {
      concurrency: "unbounded",
      discard: true
    })
    const answer = heard.answers[0]
    return answer === undefined || answer.status === 402 ? undefined : answer
  }
)

const sendPayment = (actor: Actor, path: string, verb: string, body: Readonly<Record<string, unknown>>) =>
  Effect.flatMap(send(actor, { path, verb, body }), (answer) => answer === undefined ? Effect.undefined : readIntent(answer.text))

/** Waits until the provider has decided. */
const decided = Effect.fnUntraced(function*({ chance, merchant, world }: Actor, id: string) {
  for (let tries = 0; tries < 200; tries++) {
    const base = world.base()
    const answer = base === undefined ? undefined : yield* read(base, merchant, `/v1/payment_intents/${id}`)
    const intent = answer?.status === 200 ? yield* readIntent(answer.text) : undefined
    if (intent !== undefined && intent.state !== "pending") return intent
    yield* Effect.sleep(chance.between(300, 900))
  }
  return undefined
})

export const journey = Effect.fnUntraced(
  function*(world: World, chance: Chance, name: string): Effect.fn.Return<void, never, HttpClient.HttpClient> {
    const payment: Actor = { world, chance, merchant: chance.pick(world.merchants), name }
    const metadata = chance.happens(0.2) ? { "sim.outcome": chance.pick(outcomes) } : {}
    const asked = { amount: chance.between(200, 20_000), currency: chance.pick(currencies), metadata }
    const paying = { payment_method_id: chance.pick(tokens), capture: chance.happens(0.3) }
    const atOnce = chance.happens(0.3)
    const created = yield* sendPayment(payment, "/v1/payment_intents", "create", atOnce ? { ...asked, ...paying } : asked)
    if (created === undefined) return
    const on = (action: string) => `/v1/payment_intents/${created.id}/${action}`
    const authorized = atOnce ? created : yield* sendPayment(payment, on("authorize"), "authorize", paying)
    if (authorized === undefined) return
    let intent = authorized.state === "pending" ? yield* decided(payment, created.id) : authorized
    if (intent?.state === "authorized") {
      intent = chance.happens(0.25)
        ? yield* sendPayment(payment, on("void"), "void", {})
        : yield* sendPayment(payment, on("capture"), "capture", chance.happens(0.3) ? { amount: 150 } : {})
    }
    if (intent?.state !== "captured") return
    for (let refund = 0; refund < chance.between(0, 2); refund++) {
      yield* sendPayment(payment, on("refund"), `refund-${refund}`, { amount: 50 })
    }
  }
)
