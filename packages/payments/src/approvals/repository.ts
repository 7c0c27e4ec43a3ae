/** Approvals in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { Context, Effect, Layer } from "effect"
import { type Approval, type ApprovalFilter, approvalFilters, approvals } from "./model.ts"

export class ApprovalRepository extends Context.Service<
  ApprovalRepository,
  Reader<Approval, ApprovalFilter> & {
    /** The latest of this payment. */
    readonly findByIntent: (account: string, intent: string) => Effect.Effect<Approval | undefined>
  }
>()("@svc/payments/ApprovalRepository") {
  static readonly layer = Layer.effect(
    ApprovalRepository,
    Effect.gen(function*() {
      const reader = yield* readerOf(approvals, { name: "approval", prefix: "apr", filters: approvalFilters })
      const byKey = yield* KeyReader

      const first = (text: string, values: ReadonlyArray<string>) =>
        Effect.orDie(Effect.map(byKey.unsafe(text, values), ([row]) => row === undefined ? undefined : approvals.decode(row)))

      return ApprovalRepository.of({
        ...reader,
        findByIntent: (account, intent) =>
          first("SELECT * FROM approvals WHERE merchant_id = $1 AND payment_intent_id = $2 ORDER BY id DESC LIMIT 1", [account, intent])
      })
    })
  )
}
