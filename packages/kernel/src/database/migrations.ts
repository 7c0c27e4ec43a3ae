/**
 * The tables of a package: its migrations by number and name, such as `26112101_accounts`. The number is a date and a
 * counter (yymmddnn, an int4), so that two branches rarely collide. A released migration never changes.
 */
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { SqlError } from "effect/sql"

export type Migration = Effect.Effect<void, SqlError.SqlError, SqlClient.SqlClient>
export type Migrations = Readonly<Record<string, Migration>>

/** The migrations of one package, which have a table of their own where it is kept which of them were applied. */
export interface MigrationSet {
  /** The package. */
  readonly name: string
  /** The package whose migrations some of these were. What was applied under that name is not applied again. */
  readonly formerly?: string
  readonly migrations: Migrations
}

/** A migration of these statements, one after another. */
export const statements = (...all: ReadonlyArray<string>): Migration =>
  Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    for (const statement of all) yield* sql.unsafe(statement).unprepared
  })

/** How many partitions a table that grows for ever has. */
const PARTITIONS = 8

/** A table `table` that is declared `PARTITION BY HASH` gets its partitions. */
export const partitionsOf = (table: string): ReadonlyArray<string> =>
  Array.from(
    { length: PARTITIONS },
    (_, n) => `CREATE TABLE ${table}_p${n} PARTITION OF ${table} FOR VALUES WITH (MODULUS ${PARTITIONS}, REMAINDER ${n})`
  )

/** The names of a table's partitions. */
export const partitionNames = (table: string): ReadonlyArray<string> => Array.from({ length: PARTITIONS }, (_, n) => `${table}_p${n}`)
