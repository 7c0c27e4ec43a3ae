/** A database with the data of a dump, brought up to date by the present migrations. */
import { PgClient } from "@effect/sql-pg"
import { DatabaseConfig } from "@svc/kernel/database/client"
import { migrate } from "@svc/kernel/database/migrate"
import type { MigrationSet } from "@svc/kernel/database/migrations"
import { registry } from "@svc/kernel/database/types"
import { migrationSets } from "@svc/server/packages"
import { Effect, Layer } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"
import { layerEmptyDatabase } from "../database.ts"
import type { Dump } from "./dump.ts"

/** pg_dump hides every schema, and functions of older states call each other by their bare names. */
const inPublic = (dump: string): string =>
  dump.replace("set_config('search_path', '', false)", "set_config('search_path', 'public', false)")

/** One statement of many: the client sends one at a time. */
const together = (statements: string): string => `DO $dump$ BEGIN EXECUTE $statements$${statements}$statements$; END $dump$`

/** Applies migrations one group after another, as versions do that were installed one after another. */
export const restored = ({ sql: text }: Dump, versions: ReadonlyArray<ReadonlyArray<MigrationSet>> = [migrationSets]) =>
  Layer.effect(
    DatabaseConfig,
    Effect.gen(function*() {
      const config = yield* DatabaseConfig
      // A connection of its own: a dump changes the settings of the one that reads it.
      yield* Effect.scoped(
        Effect.flatMap(PgClient.make({ ...config, maxConnections: 1 }), (sql) => sql.unsafe(together(inPublic(text))).unprepared)
      )
      for (const sets of versions) {
        yield* migrate(sets).pipe(Effect.provide(PgClient.layer({ ...config, types: registry, maxConnections: 1 })), Effect.orDie)
      }
      return config
    })
  ).pipe(Layer.provide(Reactivity.layer), Layer.provide(layerEmptyDatabase))
