/** Searches an account: all that a text may be, at once. */
import type { Caller } from "@svc/accounts/access/model"
import { now } from "@svc/kernel/values/time"
import { Context, Effect, Layer, Option, PartitionedSemaphore } from "effect"
import type { SearchAnswer } from "./model.ts"
import { SearchRepository } from "./repository.ts"
import { readingsOf, shownOf } from "./rules.ts"

/** Statements of searches in this process, the accounts in turn: connections are few (kernel/database/client.ts). */
const STATEMENTS = 2

/** No person waits longer for what is found by then. */
const PATIENCE = "2 seconds"

export class Search extends Context.Service<Search, {
  /** Of the kinds that the caller may read. */
  readonly find: (caller: Pick<Caller["Service"], "account" | "kind" | "scopes">, text: string) => Effect.Effect<SearchAnswer>
}>()("@svc/desk/Search") {
  static readonly layer = Layer.effect(
    Search,
    Effect.gen(function*() {
      const repository = yield* SearchRepository
      const searching = yield* PartitionedSemaphore.make<string>({ permits: STATEMENTS })
      return Search.of({
        find: Effect.fn("Search.find")(
          function*({ account, kind, scopes }: Pick<Caller["Service"], "account" | "kind" | "scopes">, text: string) {
            const readings = readingsOf(text, yield* now)
            const found = yield* Effect.forEach(
              readings,
              (reading) =>
                repository.find(account.id, reading, (scope) => kind === "secret" || scopes?.has(scope) === true).pipe(
                  searching.withPermit(account.id),
                  Effect.timeoutOption(PATIENCE)
                ),
              { concurrency: "unbounded" }
            )
            return {
              data: shownOf(found.map(Option.getOrElse(() => []))),
              understood_as: readings.map(({ by }) => by),
              unfinished: readings.filter((_, n) => found[n] !== undefined && Option.isNone(found[n])).map(({ by }) => by)
            }
          }
        )
      })
    })
  )
}
