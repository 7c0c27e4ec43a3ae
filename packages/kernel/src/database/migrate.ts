/**
 * Brings a database up to date: the migrations of each package, package by package from the lowest floor up, each
 * package with a table of its own of what was applied.
 */
import { Data, Effect } from "effect"
import { Migrator, SqlClient } from "effect/sql"
import type { MigrationSet } from "./migrations.ts"

/**
 * A migration that is older than one that was applied, and was never applied itself: it came with a branch that was merged late. Or two
 * of one number. Nothing is migrated before that is mended.
 */
export class MigrationGap extends Data.TaggedError("MigrationGap")<{ readonly message: string }> {}

/** Where a package keeps which of its migrations were applied. */
export const tableOf = ({ name }: Pick<MigrationSet, "name">): string => `svc_migrations_${name}`

const idOf = (name: string): number => Number.parseInt(name, 10)

/** Reads the catalog itself: `to_regclass` answers from the connection's cache, where a table that another process dropped may still be. */
const exists = Effect.fnUntraced(function*(table: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly there: boolean }>`
    SELECT EXISTS (SELECT FROM pg_class WHERE relname = ${table} AND relnamespace = current_schema()::regnamespace) AS there`.unprepared
  return row?.there === true
})

/** The migrations that a table records, by number and name. Empty when there is no such table. */
const recordedIn = Effect.fnUntraced(function*(table: string) {
  if (!(yield* exists(table))) return new Set<string>()
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<{ readonly migration_id: number; readonly name: string }>`SELECT migration_id, name FROM ${sql(table)}`.unprepared
  return new Set(rows.map(({ migration_id, name }) => `${migration_id}_${name}`))
})

/**
 * The migrations of this package that were applied under the name of the package that they moved from. The name must be the same beside the
 * number, because two packages may use one number.
 */
const movedHere = ({ formerly, migrations }: MigrationSet) =>
  formerly === undefined
    ? Effect.succeed([])
    : Effect.map(recordedIn(tableOf({ name: formerly })), (recorded) => Object.keys(migrations).filter((name) => recorded.has(name)))

/** Whether the database records all of these, by package: then {@link migrate} has nothing to do. */
export const hasAll = (names: Readonly<Record<string, ReadonlyArray<string>>>) =>
  Effect.map(
    Effect.forEach(Object.entries(names), ([name, migrations]) =>
      Effect.map(recordedIn(tableOf({ name })), (recorded) =>
        migrations.every((migration) => recorded.has(migration)))),
    (has) =>
      has.every(Boolean)
  )

export interface SetState {
  readonly set: MigrationSet
  /** Names still to be applied. */
  readonly missing: ReadonlyArray<string>
  /** The migrations of these that will never be applied, because a later one was. */
  readonly skipped: ReadonlyArray<string>
}

/** What each package's migrations still lack in this database. */
export const inspect = (sets: ReadonlyArray<MigrationSet>) =>
  Effect.forEach(sets, (set) =>
    Effect.map(Effect.all([recordedIn(tableOf(set)), movedHere(set)]), ([recorded, moved]): SetState => {
      const applied = new Set([...recorded, ...moved].map(idOf))
      const latest = Math.max(0, ...applied)
      const missing = Object.keys(set.migrations).filter((name) => !applied.has(idOf(name)))
      return { set, missing, skipped: missing.filter((name) => idOf(name) <= latest) }
    }))

/** What is wrong with a gap and what to do, in one line; undefined when there is none. */
export const gapIn = (states: ReadonlyArray<SetState>): string | undefined => {
  const gaps = states.filter(({ skipped }) => skipped.length > 0)
  return gaps.length === 0 ?
    undefined :
    `${
      gaps.map(({ set, skipped }) => `${skipped.join(", ")} of ${set.name}`).join("; ")
    } was never applied here, although a later migration was. ` +
    "It was merged late: give it a number above the applied ones, or apply it by hand and record it in its table, and start again."
}

/** The names in a package that have one number, which only one of them could be applied under. */
const ofOneNumber = ({ migrations, name }: MigrationSet): ReadonlyArray<string> =>
  Array.from(Map.groupBy(Object.keys(migrations), idOf).values())
    .filter((names) => names.length > 1)
    .map((names) => `${names.join(" and ")} of ${name} have one number`)

/** Before each package had a table of its own, all migrations were recorded in this one. */
const COMMON_TABLE = "svc_migrations"

/** Held while records are written into other tables, so that processes that start at once do it one after another. */
const ADOPTION_LOCK = 7_716_031_542

/** Makes the table where a package keeps which of its migrations were applied, as Effect's Migrator makes it. */
const makeTable = Effect.fnUntraced(function*(set: MigrationSet) {
  const sql = yield* SqlClient.SqlClient
  yield* sql`CREATE TABLE IF NOT EXISTS ${
    sql(tableOf(set))
  } (migration_id integer PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), name text NOT NULL)`.unprepared
})

/** Tells each package which of its migrations a database of before has: all up to the last that was recorded. */
const adopt = Effect.fnUntraced(function*(sets: ReadonlyArray<MigrationSet>) {
  const sql = yield* SqlClient.SqlClient
  // Its rows are read under the lock: another process may remove the table at any moment before.
  if (!(yield* exists(COMMON_TABLE))) return
  yield* sql.withTransaction(Effect.gen(function*() {
    yield* sql`SELECT pg_advisory_xact_lock(${ADOPTION_LOCK}::bigint)`.unprepared
    const latest = Math.max(0, ...Array.from(yield* recordedIn(COMMON_TABLE), idOf))
    for (const set of latest === 0 ? [] : sets) {
      yield* makeTable(set)
      for (const name of Object.keys(set.migrations).filter((known) => idOf(known) <= latest)) {
        yield* sql`INSERT INTO ${sql(tableOf(set))} (migration_id, name) VALUES (${idOf(name)}, ${
          name.slice(name.indexOf("_") + 1)
        }) ON CONFLICT DO NOTHING`.unprepared
      }
    }
    yield* sql`DROP TABLE IF EXISTS ${sql(COMMON_TABLE)}`.unprepared
  }))
})

/**
 * Copies the records of migrations that moved from one package to another. The former package's records stay: a process of the version
 * before may still start beside this one.
 */
const carryOver = Effect.fnUntraced(function*(sets: ReadonlyArray<MigrationSet>) {
  const sql = yield* SqlClient.SqlClient
  for (const set of sets.filter(({ formerly }) => formerly !== undefined)) {
    const [recorded, moved] = yield* Effect.all([recordedIn(tableOf(set)), movedHere(set)])
    if (moved.every((name) => recorded.has(name))) continue
    yield* sql.withTransaction(Effect.gen(function*() {
      yield* sql`SELECT pg_advisory_xact_lock(${ADOPTION_LOCK}::bigint)`.unprepared
      yield* makeTable(set)
      yield* sql`
        INSERT INTO ${sql(tableOf(set))} (migration_id, created_at, name)
        SELECT migration_id, created_at, name FROM ${sql(tableOf({ name: set.formerly ?? "" }))}
        WHERE migration_id || '_' || name = ANY(${moved}::text[]) ON CONFLICT DO NOTHING`.unprepared
    }))
  }
})

/**
 * Applies what is missing, each package's in one transaction, and returns the names of what it applied. Safe when
 * several processes start at once. Fails with {@link MigrationGap} before anything is applied.
 */
export const migrate = Effect.fnUntraced(function*(sets: ReadonlyArray<MigrationSet>) {
  const twice = sets.flatMap(ofOneNumber)
  if (twice.length > 0) {
    return yield* new MigrationGap({ message: `${twice.join("; ")}. Give the newer one a number above all others of its package.` })
  }
  yield* adopt(sets)
  yield* carryOver(sets)
  const states = yield* inspect(sets)
  const gap = gapIn(states)
  if (gap !== undefined) return yield* new MigrationGap({ message: `A migration would be left out for ever: ${gap}` })
  const applied = yield* Effect.forEach(
    // The Migrator locks the table even against those who read it, so that a start would wait for the end of a backup.
    states.filter(({ missing }) => missing.length > 0),
    ({ set }) => Migrator.make({})({ loader: Migrator.fromRecord(set.migrations), table: tableOf(set) })
  )
  return applied.flat().map(([id, name]) => `${id}_${name}`)
})
