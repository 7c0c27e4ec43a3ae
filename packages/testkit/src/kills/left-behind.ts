/** What must hold of the database and of the provider once everything that was begun has come to its end. */
import type { AccountFacts } from "@svc/kernel/http/caller"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { makeBooks } from "../provider-books.ts"
import type { Provider } from "../provider.ts"
import { broken } from "../simulation/invariants.ts"

type Services = Effect.Services<ReturnType<typeof broken>> | SqlClient.SqlClient

/** The invariants of the simulated histories, on books that a provider outside kept; and that it holds no money nobody knows of. */
export const leftBehind = Effect.fn("leftBehind")(function*(
  accounts: ReadonlyArray<AccountFacts>,
  provider: Provider
): Effect.fn.Return<ReadonlyArray<string>, Effect.Error<ReturnType<typeof broken>>, Services> {
  const books = { ...makeBooks(() => "", () => 0), report: provider.report }
  return yield* broken({ seed: "", accounts, sent: [], misuse: [], books, timersRun: 0, crashes: 0 })
})
