/** `svc migrate`: brings the database up to date. */
import { Effect } from "effect"
import { Command } from "effect/cli"
import { layerOrNew, migrated } from "../database.ts"
import { print } from "../output.ts"

export const migrate = Command.make(
  "migrate",
  {},
  Effect.fnUntraced(function*() {
    const applied = yield* migrated
    yield* print(
      { applied },
      ...applied.map((name) => `applied  ${name}`),
      applied.length === 0 ? "The database is up to date." : `${applied.length} applied.`
    )
  }, Effect.provide(layerOrNew))
).pipe(
  Command.withDescription("Apply the migrations that the database lacks; safe while servers run")
)
