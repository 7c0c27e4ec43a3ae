/** How an invoice is found, for those who may read it and for a verb that its status permits. */
import type { InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { atVersion } from "@svc/kernel/resource/versions"
import { Effect } from "effect"
import { may } from "../../engine/invoices/invoices.ts"
import { InvoiceRepository } from "../repository.ts"

export const NAME = "invoice"

/** What a verb on an invoice can fail with. `version` is the one that the caller read. */
export type ChangeFailure = NotFound | InvalidState | VersionConflict

/** Makes the functions that find. */
export const makeFinding = Effect.gen(function*() {
  const { get } = yield* InvoiceRepository

  /** The invoice as the caller read it, if it may move so. */
  const at = Effect.fnUntraced(function*(account: string, id: string, trigger: Parameters<typeof may>[1], version: number | undefined) {
    const invoice = yield* Effect.fromResult(atVersion(NAME, yield* get(account, id), version))
    return yield* Effect.fromResult(may(invoice, trigger))
  })

  return { at, get }
})
