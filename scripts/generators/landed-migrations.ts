/**
 * The migrations of each package, in the order in which they joined. A database applies no migration whose number is below one that it has
 * applied (`packages/kernel/src/database/migrate.ts`), so a migration that joins needs the highest number of its package. Tests cannot
 * notice a lower number, because they begin with an empty database.
 */
import type { MigrationSet } from "@svc/kernel/database/migrations"
import { migrationSets } from "@svc/server/packages"

export const LANDED_MIGRATIONS = "packages/server/src/landed-migrations.json"

/** The names of the migrations that have joined, by package. */
export type LandedMigrations = Readonly<Record<string, ReadonlyArray<string>>>

/** A migration that a database would never apply, or one that is gone. The message says what to do. */
export class MigrationOutOfOrder extends Error {}

const numberOf = (name: string): number => Number.parseInt(name, 10)

const tooLow = (migration: string, of: string, highest: string) => {
  const renamed = `${numberOf(highest) + 1}_${migration.slice(migration.indexOf("_") + 1)}`
  return new MigrationOutOfOrder(
    `${migration} of ${of} must have a number above ${highest}, which joined before: a database that has applied ${highest} would never ` +
      `apply ${migration}. Rename it to ${renamed} or a higher number, also in ${LANDED_MIGRATIONS} if it is listed there, and run ` +
      "npm run generate."
  )
}

const gone = (migration: string, of: string) =>
  new MigrationOutOfOrder(
    `${migration} of ${of} is listed in ${LANDED_MIGRATIONS}, and ${of} does not have it. Databases may have applied it: bring it back ` +
      "as it was. If it has never left this branch, take it out of the list. If it moved to another package, move it there in the list too."
  )

/** The list with the new migrations of the packages at its end. Throws a {@link MigrationOutOfOrder}. */
export const withNewMigrations = (landed: LandedMigrations, sets: ReadonlyArray<MigrationSet>): LandedMigrations =>
  Object.fromEntries(sets.map(({ migrations, name }) => {
    const listed = landed[name] ?? []
    const missing = listed.find((migration) => !Object.hasOwn(migrations, migration))
    if (missing !== undefined) throw gone(missing, name)
    const joining = Object.keys(migrations).filter((migration) => !listed.includes(migration))
    const inOrder = [...listed, ...joining.toSorted((a, b) => numberOf(a) - numberOf(b))]
    let highest: string | undefined
    for (const migration of inOrder) {
      if (highest !== undefined && numberOf(migration) <= numberOf(highest)) throw tooLow(migration, name, highest)
      highest = migration
    }
    return [name, inOrder]
  }))

export const landedMigrations = async (current: string): Promise<string> => {
  const landed: LandedMigrations = current === "" ? {} : JSON.parse(current)
  return `${JSON.stringify(withNewMigrations(landed, migrationSets), null, 2)}\n`
}
