/** The disputes of the payments API, as the tools ask for them. */
import { Accounts } from "@svc/accounts/accounts/service"
import { EvidencePackage } from "@svc/compliance/representment"
import { nothing } from "@svc/kernel/parts/part"
import { internalCause } from "@svc/kernel/resource/idempotency"
import { parseJson } from "@svc/kernel/values/json"
import { type Dispute, disputes as table } from "@svc/payments/disputes/model"
import { Disputes as PaymentDisputes } from "@svc/payments/disputes/service"
import type { CallAccount } from "@svc/tool-kit/call"
import { DisputeNotOpen, Disputes, OwnDispute } from "@svc/tool-kit/services/disputes"
import { Effect, Layer, Schema } from "effect"
import { evidenceFrom } from "./evidence.ts"

const ownOf = Schema.decodeUnknownSync(OwnDispute)
const packageOf = Schema.decodeUnknownSync(Schema.toCodecJson(EvidencePackage))

const shown = (dispute: Dispute): OwnDispute => ownOf(parseJson(table.encode(dispute).wire))

const api = Effect.gen(function*() {
  const accounts = yield* Accounts
  const disputes = yield* PaymentDisputes
  const find = ({ id: account }: CallAccount, id: string) =>
    Effect.match(disputes.get(account, id), { onFailure: () => undefined, onSuccess: shown })
  const submit = Effect.fnUntraced(
    function*(
      { id: account }: CallAccount,
      { evidence, id, idempotency_key }: { readonly id: string; readonly evidence: Schema.Json; readonly idempotency_key: string }
    ) {
      const keyed = { key: internalCause("representment", idempotency_key), operation: "dispute.submit", fingerprint: id }
      const { body } = yield* disputes.submit({
        account: yield* accounts.facts(account),
        id,
        keyed,
        payload: evidenceFrom(packageOf(evidence))
      }).pipe(
        Effect.mapError(({ message }) => new DisputeNotOpen({ message }))
      )
      return ownOf(parseJson(body))
    }
  )
  return { find, submit }
})

export const ownDisputes = {
  ...nothing,
  services: Layer.effect(Disputes, Effect.map(api, (value) => ({ get: Effect.succeed(value) })))
}
