/** Makes checkout sessions. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Plans } from "@svc/billing/plans/service"
import { ValidationError } from "@svc/kernel/resource/errors"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import { type Command, keyedVerbs, type Work } from "@svc/kernel/resource/keyed-verbs"
import { nextId } from "@svc/kernel/values/ids"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { makeCustomerKeys } from "@svc/payments/customer-keys/service"
import { Effect, Schema } from "effect"
import { drawingAddresses } from "../../addresses/draw.ts"
import { withWholeAddress } from "../../addresses/sealed-url.ts"
import { type CheckoutSession, CheckoutSessionId, type CreateCheckoutSessionRequest } from "../model.ts"
import { CheckoutSessionRepository } from "../repository.ts"
import { checkoutSessionRoad, effectsOf } from "../road.ts"
import { create } from "../rules/creating.ts"
import { NAME } from "./changing.ts"

const readId = Schema.decodeUnknownSync(fromJsonText(Schema.Struct({ id: Schema.String })))

export const makeCreating = Effect.gen(function*() {
  const [addressOf, plans, road] = [yield* drawingAddresses("checkout"), yield* Plans, yield* checkoutSessionRoad]
  const customerKeys = yield* makeCustomerKeys
  const { get } = yield* CheckoutSessionRepository

  const planOf = ({ mode, plan_id }: CreateCheckoutSessionRequest, account: string) =>
    mode === "payment"
      ? Effect.succeed(undefined)
      : plan_id == null
      ? Effect.fail(new ValidationError({ code: "plan_id", message: "plan_id: is required in mode subscription" }))
      : plans.planFor(account, plan_id)

  const createOne = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, CreateCheckoutSessionRequest>) {
    const { account, at } = work
    const payload = yield* customerKeys.resolved(account.id, work.payload)
    const plan = yield* planOf(payload, account.id)
    const id = CheckoutSessionId.make(yield* nextId("cs"))
    const decision = yield* Effect.fromResult(create(payload, { id, account_id: account.id, ...(yield* addressOf(id)), plan, at }))
    return yield* road.answer(work, decision.session, effectsOf(decision), 201)
  })

  const verbs = keyedVerbs<AccountFacts, CheckoutSession, never>(yield* Idempotency, { name: NAME, get })
  const createOnce = verbs.making("CheckoutSessions.create", createOne)

  /** The answer has the whole address, which is not stored with the key. */
  return (command: Command<AccountFacts, CreateCheckoutSessionRequest>) =>
    Effect.flatMap(createOnce(command), (reply) =>
      Effect.map(
        Effect.orDie(get(command.account.id, readId(reply.body).id)),
        ({ url }) => ({ ...reply, body: withWholeAddress(reply.body, url) })
      ))
})
