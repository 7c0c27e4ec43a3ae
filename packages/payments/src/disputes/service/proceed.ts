/** The next step of a dispute that is due: the time for evidence is over, or the network has decided. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { notFound } from "@svc/kernel/resource/errors"
import { internalCause } from "@svc/kernel/resource/idempotency"
import { untilCommitted } from "@svc/kernel/resource/versions"
import { now } from "@svc/kernel/values/time"
import { Effect } from "effect"
import { PaymentIntentRepository } from "../../payment-intents/repository.ts"
import { DUE } from "../model.ts"
import * as network from "../provider/network.ts"
import { DisputeRepository } from "../repository.ts"
import { makeDisputeRoad } from "../road.ts"
import * as rules from "../rules.ts"

export const makeProceed = Effect.gen(function*() {
  const accounts = yield* Accounts
  const intents = yield* PaymentIntentRepository
  const repository = yield* DisputeRepository
  const road = yield* makeDisputeRoad

  const proceedOnce = Effect.fnUntraced(function*(account: string, id: string) {
    const dispute = yield* repository.get(account, id)
    const intent = (yield* intents.find(account, dispute.payment_intent_id)) ?? (yield* notFound("payment intent"))
    const { sandbox } = yield* accounts.get(AccountId.make(account))
    const verdict = sandbox ? network.simulatedVerdict(dispute.evidence) : undefined
    const decision = rules.proceed(dispute, intent, yield* now, verdict)
    if (decision !== undefined) yield* road.commit(decision, internalCause(DUE, `${id}:${dispute.version}`), intent)
  })

  return Effect.fn("Disputes.proceed")((account: string, id: string) => untilCommitted("dispute", proceedOnce(account, id)))
})
