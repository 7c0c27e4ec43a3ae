import { assert, describe, it } from "@effect/vitest"
import { type MigrationSet, statements } from "@svc/kernel/database/migrations"
import { MigrationOutOfOrder, withNewMigrations } from "./generators/landed-migrations.ts"

const setOf = (name: string, ...names: ReadonlyArray<string>): MigrationSet => ({
  name,
  migrations: Object.fromEntries(names.map((migration) => [migration, statements()]))
})

const landed = { payments: ["26112201_quotes", "26120102_files"], treasury: ["26112002_payouts"] }
const treasury = setOf("treasury", "26112002_payouts")

describe("the list of the migrations that have joined", () => {
  it("gets each new migration at the end of its package", () => {
    const payments = setOf("payments", "26120104_later", "26112201_quotes", "26120103_notes", "26120102_files")
    assert.deepStrictEqual(withNewMigrations(landed, [payments, treasury, setOf("stores", "26112101_texts")]), {
      payments: ["26112201_quotes", "26120102_files", "26120103_notes", "26120104_later"],
      treasury: ["26112002_payouts"],
      stores: ["26112101_texts"]
    })
  })

  it.each(["26112301_notes", "26120102_notes"])("refuses a new migration whose number is not the highest of its package: %s", (name) => {
    const payments = setOf("payments", name, "26112201_quotes", "26120102_files")
    assert.throws(
      () => withNewMigrations(landed, [payments, treasury]),
      MigrationOutOfOrder,
      new RegExp(`^${name} of payments must have a number above 26120102_files, .* Rename it to 26120103_notes or a higher number`)
    )
  })

  it("refuses a lower number that a merge has put into the list itself", () => {
    const merged = { ...landed, payments: [...landed.payments, "26120101_notes"] }
    const payments = setOf("payments", "26112201_quotes", "26120102_files", "26120101_notes")
    assert.throws(() => withNewMigrations(merged, [payments, treasury]), MigrationOutOfOrder, "26120101_notes of payments")
  })

  it("refuses a migration that is listed and gone", () => {
    assert.throws(
      () => withNewMigrations(landed, [setOf("payments", "26112201_quotes"), treasury]),
      MigrationOutOfOrder,
      "26120102_files of payments is listed"
    )
  })
})
