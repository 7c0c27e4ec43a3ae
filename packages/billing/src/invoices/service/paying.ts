/** How an invoice is paid: its cycle is charged now, and a key is answered with what became of the try. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { RequestId } from "@svc/kernel/parts/request-id"
import { type NotFound, notFound } from "@svc/kernel/resource/errors"
import { Idempotency, keyDone, keyHeld, LEASE_SECONDS, once } from "@svc/kernel/resource/idempotency"
import type { CommandOn } from "@svc/kernel/resource/keyed-verbs"
import { type CommitRefused, Committer } from "@svc/kernel/road/committer"
import type { StoredReply } from "@svc/kernel/road/decision"
import { now, realNow } from "@svc/kernel/values/time"
import { CardDeclined } from "@svc/payments/payment-intents/errors"
import { DateTime, Effect, Schema } from "effect"
import type { ChargeNowFailure, ChargeOutcome } from "../../billing-cycles/service/charging-now.ts"
import { BillingCycles } from "../../billing-cycles/service/cycles.ts"
import { type Invoice, invoices, type PayInvoiceRequest } from "../model.ts"
import { makeFinding } from "./finding.ts"

/** What the key of a request that pays is kept for. */
const BILLING_CYCLE = "billing_cycle"

type PayCommand = CommandOn<AccountFacts, PayInvoiceRequest>

const encodeDeclined = Schema.encodeSync(CardDeclined)

const declined = (code: string | null) => {
  const decline_code = code ?? "generic_decline"
  const advice = "Ask the customer for another payment method, and send it as payment_method_id."
  return new CardDeclined({ decline_code, message: `The charge was declined: ${decline_code}. ${advice}` })
}

const howOf = ({ payment_method_id }: PayInvoiceRequest) => ({
  customer_present: false,
  ends_waiting: true,
  ...(payment_method_id === undefined ? {} : { payment_method_id })
})

/** Makes the functions that pay. */
export const makePaying = Effect.gen(function*() {
  const committer = yield* Committer
  const cycles = yield* BillingCycles
  const idempotency = yield* Idempotency
  const { at, get } = yield* makeFinding

  const cycleOf = Effect.fnUntraced(function*(account: string, id: string, version: number | undefined) {
    const { billing_cycle_id } = yield* at(account, id, "pay", version)
    return billing_cycle_id ?? (yield* notFound("billing cycle"))
  })

  const pay = Effect.fnUntraced(function*(
    account: AccountFacts,
    id: string,
    request: PayInvoiceRequest,
    version?: number
  ): Effect.fn.Return<Invoice, ChargeNowFailure | CardDeclined> {
    const { decline_code, status } = yield* cycles.chargeNow(account, yield* cycleOf(account.id, id, version), howOf(request))
    if (status === "failed") return yield* declined(decline_code)
    return yield* get(account.id, id)
  })

  const replyTo = Effect.fnUntraced(function*(
    account: string,
    id: string,
    { decline_code, status }: ChargeOutcome
  ): Effect.fn.Return<StoredReply, NotFound> {
    if (status !== "failed") return { status: 200, body: invoices.encode(yield* get(account, id)).wire }
    const { message, ...refusal } = declined(decline_code)
    const request_id = yield* RequestId
    const error = new CardDeclined({ ...refusal, message, ...(request_id === undefined ? {} : { request_id }) })
    return { status: 402, body: JSON.stringify(encodeDeclined(error)) }
  })

  const finish = Effect.fnUntraced(function*(
    { account, id, keyed }: PayCommand,
    outcome: ChargeOutcome
  ): Effect.fn.Return<StoredReply, NotFound | CommitRefused> {
    const reply = yield* replyTo(account.id, id, outcome)
    yield* committer.commit({
      account_id: account.id,
      at: yield* now,
      cause: keyed.key,
      writes: [],
      entries: [],
      events: [],
      set: [],
      clear: [],
      key: keyDone(keyed, { type: BILLING_CYCLE, id: outcome.cycle.id }, reply, "finish")
    })
    return reply
  })

  const payFirst = Effect.fnUntraced(function*(command: PayCommand): Effect.fn.Return<StoredReply, ChargeNowFailure | CommitRefused> {
    const { account, id, keyed, payload, version } = command
    const cycle = yield* cycleOf(account.id, id, version)
    const until = DateTime.add(yield* realNow, { seconds: LEASE_SECONDS })
    const leasedKey = keyHeld(keyed, { type: BILLING_CYCLE, id: cycle }, until)
    return yield* finish(command, yield* cycles.chargeKeyed(account, cycle, howOf(payload), leasedKey))
  })

  /** A key whose try was begun is answered with what became of that try. */
  const payKeyed = (command: PayCommand) => {
    const { account, keyed } = command
    const resume = (cycle: string) => Effect.flatMap(cycles.lastTry(account.id, cycle), (outcome) => finish(command, outcome))
    type Replied = Effect.Effect<StoredReply, ChargeNowFailure | CommitRefused>
    return idempotency.toTheEnd(
      once(idempotency, account.id, keyed, (begun): Replied => begun._tag === "Resume" ? resume(begun.resource_id) : payFirst(command))
    )
  }

  return { pay, payKeyed }
})
