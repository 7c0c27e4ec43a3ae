/** What needs a person, for those who may know of it. */
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Layer } from "effect"
import type { Caller } from "../access/model.ts"
import type { AttentionItem } from "./model.ts"
import { AttentionRepository } from "./repository.ts"

export class Attention extends Context.Service<Attention, {
  /** Of the kinds that the caller may read. */
  readonly list: (caller: Pick<Caller["Service"], "account" | "kind" | "scopes">) => Effect.Effect<ReadonlyArray<AttentionItem>>
}>()("@svc/accounts/Attention") {
  static readonly layer = Layer.effect(
    Attention,
    Effect.map(AttentionRepository, ({ open }) =>
      Attention.of({
        list: Effect.fn("Attention.list")(function*({ account, kind, scopes }: Pick<Caller["Service"], "account" | "kind" | "scopes">) {
          return yield* open(account.id, yield* now, ({ reads }) => kind === "secret" || scopes?.has(reads) === true)
        })
      }))
  )
}
