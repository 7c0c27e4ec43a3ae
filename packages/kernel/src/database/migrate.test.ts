import { assert, layer } from "@effect/vitest"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Fiber, Latch, Layer } from "effect"
import { SqlClient } from "effect/sql"
import * as Database from "./client.ts"
import { gapIn, hasAll, inspect, migrate, tableOf } from "./migrate.ts"
import { type MigrationSet, statements } from "./migrations.ts"

const table = (name: string) => statements(`CREATE TABLE ${name} (n int)`)
const exists = Effect.fnUntraced(function*(name: string) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<{ readonly there: boolean }>`SELECT to_regclass(${name}) IS NOT NULL AS there`
  return row?.there
})

let numbers = 0
/** A package that no other test has. */
const packageOf = (migrations: MigrationSet["migrations"]): MigrationSet => ({ name: `test_${++numbers}`, migrations })

layer(Database.layer.pipe(Layer.provideMerge(layerDatabase)))("migrations", (it) => {
  it.effect("are applied package by package, each once, and each package has a table of its own", () =>
    Effect.gen(function*() {
      const lower = packageOf({ "26113002_first": table("first_of_lower") })
      const upper = packageOf({ "26113001_second": statements("ALTER TABLE first_of_lower ADD COLUMN m int") })
      assert.deepStrictEqual(yield* migrate([lower, upper]), ["26113002_first", "26113001_second"])
      assert.deepStrictEqual(yield* migrate([lower, upper]), [])
      assert.isTrue(yield* exists(tableOf(lower)))
      assert.isTrue(yield* exists(tableOf(upper)))
    }))

  it.effect("are all there once they were applied, and not before the last of them was", () =>
    Effect.gen(function*() {
      const [one, other] = [packageOf({ "26113001_one": table("there_one") }), packageOf({ "26113001_other": table("there_other") })]
      const names = { [one.name]: ["26113001_one"], [other.name]: ["26113001_other"] }
      assert.isFalse(yield* hasAll(names))
      yield* migrate([one])
      assert.isFalse(yield* hasAll(names))
      yield* migrate([one, other])
      assert.isTrue(yield* hasAll(names))
      assert.isFalse(yield* hasAll({ ...names, [one.name]: ["26113001_one", "26113002_next"] }))
    }))

  it.effect("that are all there wait for nobody who reads the tables, as a backup does until its end", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      const set = packageOf({ "26113001_first": table("read_by_backup") })
      yield* migrate([set])
      const [begun, ended] = [yield* Latch.make(), yield* Latch.make()]
      const backup = yield* sql`LOCK TABLE ${sql(tableOf(set))} IN ACCESS SHARE MODE`.pipe(
        Effect.andThen(begun.open),
        Effect.andThen(ended.await),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* begun.await
      assert.deepStrictEqual(yield* migrate([set]), [])
      yield* ended.open
      yield* Fiber.join(backup)
    }))

  it.effect("that were merged late stop the start with one line, and nothing is applied", () =>
    Effect.gen(function*() {
      const before = packageOf({ "26113002_kept": table("kept") })
      yield* migrate([before])
      const merged: MigrationSet = {
        name: before.name,
        migrations: { "26113001_late": table("late"), ...before.migrations, "26113003_next": table("next_one") }
      }
      const other = packageOf({ "26113001_other": table("other") })
      const gap = yield* Effect.flip(migrate([other, merged]))
      assert.strictEqual(gap._tag, "MigrationGap")
      assert.include(gap.message, `26113001_late of ${before.name} was never applied here, although a later migration was`)
      assert.notInclude(gap.message, "\n")
      assert.notInclude(gap.message, "26113003_next")
      for (const name of ["late", "next_one", "other"]) assert.isFalse(yield* exists(name), name)
      assert.strictEqual(gapIn(yield* inspect([merged])), gapIn(yield* inspect([merged, other])))
      assert.isUndefined(gapIn(yield* inspect([before, other])))
    }))

  it.effect("of one package have a number each; two packages may have the same", () =>
    Effect.gen(function*() {
      const [one, two] = [
        packageOf({ "26113001_a": table("one_a"), "26113001_b": table("one_b") }),
        packageOf({ "26113001_a": table("two_a") })
      ]
      const refused = yield* Effect.flip(migrate([two, one]))
      assert.include(refused.message, `26113001_a and 26113001_b of ${one.name} have one number`)
      assert.isFalse(yield* exists("two_a"))
      assert.deepStrictEqual(yield* migrate([packageOf({ "26113001_a": table("one_a") }), two]), ["26113001_a", "26113001_a"])
    }))

  it.effect("of a database that knew one table for all packages are known to have been applied, whoever of several starts first", () =>
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      for (let round = 0; round < 10; round++) {
        const [one, two] = [
          packageOf({ "26112100_a": table(`a_${round}`), "26112104_new": table(`new_${round}`) }),
          packageOf({ "26112103_b": table(`b_${round}`) })
        ]
        yield* sql`CREATE TABLE ${sql(`a_${round}`)} (n int)`
        yield* sql`CREATE TABLE ${sql(`b_${round}`)} (n int)`
        yield* sql`CREATE TABLE svc_migrations (migration_id integer PRIMARY KEY, created_at timestamptz NOT NULL DEFAULT now(), name text NOT NULL)`
        yield* sql`INSERT INTO svc_migrations (migration_id, name) VALUES (26112101, 'foundation'), (26112103, 'last')`
        const all = yield* Effect.all(Array.from({ length: 6 }, () => migrate([one, two])), { concurrency: "unbounded" })
        assert.deepStrictEqual(all.flat(), ["26112104_new"])
        assert.isFalse(yield* exists("svc_migrations"))
        assert.isTrue(yield* exists(`new_${round}`))
      }
    }))

  it.effect("that moved to another package are known to have been applied, and those that were not are applied there", () =>
    Effect.gen(function*() {
      const whole = packageOf({ "26113001_calls": table("moved_calls"), "26113002_stays": table("stays") })
      const [parted, stayed] = [
        { ...packageOf({ "26113001_calls": table("moved_calls"), "26113003_answers": table("moved_answers") }), formerly: whole.name },
        { name: whole.name, migrations: { "26113002_stays": table("stays") } }
      ]
      yield* migrate([whole])
      assert.deepStrictEqual((yield* inspect([parted])).map(({ missing, skipped }) => [missing, skipped]), [[["26113003_answers"], []]])
      const all = yield* Effect.all([migrate([parted, stayed]), migrate([parted, stayed])], { concurrency: 2 })
      assert.deepStrictEqual(all.flat(), ["26113003_answers"])
      assert.isTrue(yield* exists("moved_answers"))
      const sql = yield* SqlClient.SqlClient
      const recorded = (name: string) =>
        sql<{ readonly created_at: Date; readonly name: string }>`SELECT name, created_at FROM ${sql(name)} WHERE migration_id = 26113001`
      assert.deepStrictEqual(yield* recorded(tableOf(parted)), yield* recorded(tableOf(whole)))
      // A process of the version before starts once more.
      assert.deepStrictEqual(yield* migrate([whole]), [])
      assert.deepStrictEqual(yield* migrate([parted, stayed]), [])
    }))

  it.effect("of a package that others moved from are not taken for theirs by their number", () =>
    Effect.gen(function*() {
      const former = packageOf({ "26113001_own": table("own_of_former") })
      const parted = { ...packageOf({ "26113001_other": table("other_of_parted") }), formerly: former.name }
      assert.deepStrictEqual(yield* migrate([former, parted]), ["26113001_own", "26113001_other"])
      assert.isTrue(yield* exists("other_of_parted"))
    }))

  it.effect("that moved from a package of which this database knows nothing are applied", () =>
    Effect.gen(function*() {
      const parted = { ...packageOf({ "26113001_new": table("new_of_parted") }), formerly: "never_here" }
      assert.deepStrictEqual(yield* migrate([parted]), ["26113001_new"])
      assert.deepStrictEqual(yield* migrate([parted]), [])
    }))
})
