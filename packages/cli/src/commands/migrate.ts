/** `svc migrate`: brings the database up to date. */
import { Console, Effect } from "effect"
import { Command } from "effect/cli"
import { layerAsIs, migrated } from "../database.ts"

export const migrate = Command.make("migrate", {}, Effect.fnUntraced(function*() {
  const applied = yield* migrated
  for (const name of applied) yield* Console.log(`applied  ${name}`)
  yield* Console.log(applied.length === 0 ? "The database is up to date." : `${applied.length} applied.`)
}, Effect.provide(layerAsIs))).pipe(
  Command.withDescription("Apply the migrations that the database lacks; safe while servers run")
)
