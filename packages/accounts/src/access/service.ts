/** What a key may be shown besides what it asks for: `expand[]` shows nothing that the key could not retrieve by itself. */
import type { Forbidden } from "@svc/kernel/errors"
import { expander, type Expansion } from "@svc/kernel/expansion"
import type { Page } from "@svc/kernel/pages"
import { Effect } from "effect"
import { Caller, lacksScope } from "./model.ts"

const refusalFor = ({ kind, scopes }: Caller["Service"], needed: ReadonlyArray<string>): Forbidden | undefined => {
  const missing = kind === "secret" ? undefined : needed.find((scope) => scopes?.has(scope) !== true)
  return missing === undefined ? undefined : lacksScope(missing)
}

/** For the handlers of a resource: what the query asks to expand, in one that is loaded or in a page. The key's scopes are looked at before anything is loaded. */
export const expanding = <Fields, R, Path extends string>(expansion: Expansion<Fields, R, Path>) =>
  Effect.map(expander(expansion), ({ expand, scopes }) => {
    const among = Effect.fnUntraced(function*<Found, A extends object, E, R2>(
      paths: ReadonlyArray<Path>,
      load: Effect.Effect<Found, E, R2>,
      rowsOf: (found: Found) => ReadonlyArray<A>
    ) {
      const caller = yield* Caller
      const refused = refusalFor(caller, scopes(paths))
      if (refused !== undefined) return yield* refused
      const found = yield* load
      return { found, rows: yield* expand(caller.account.id, rowsOf(found), paths) }
    })
    return {
      one: <A extends object, E, R2>(paths: ReadonlyArray<Path> | undefined, load: Effect.Effect<A, E, R2>) =>
        Effect.map(among(paths ?? [], load, (found) => [found]), ({ found, rows: [row = found] }) => row),
      page: <A extends object, E, R2>(paths: ReadonlyArray<Path> | undefined, load: Effect.Effect<Page<A>, E, R2>) =>
        Effect.map(among(paths ?? [], load, ({ data }) => data), ({ found, rows }): Page<A> => ({ ...found, data: rows }))
    }
  })
