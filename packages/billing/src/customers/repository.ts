/** Customers in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { listPage, mapPage } from "@svc/kernel/listing"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { type Customer, type CustomerFilter, decodeRow } from "./model.ts"

export class CustomerRepository extends Context.Service<CustomerRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Customer | undefined>
  /** The one that the merchant calls so. */
  readonly findByReference: (account: string, reference: string) => Effect.Effect<Customer | undefined>
  /** Those of the account that the merchant calls so, in any order. */
  readonly findAll: (account: string, references: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Customer>>
  /** Newest first. */
  readonly list: (account: string, filter: CustomerFilter, page: PageRequest) => Effect.Effect<Page<Customer>>
}>()("@svc/billing/CustomerRepository") {
  static readonly layer = Layer.effect(CustomerRepository, Effect.gen(function*() {
    const sql = yield* SqlClient.SqlClient
    const reader = yield* KeyReader

    const first = (text: string, values: ReadonlyArray<string>) =>
      Effect.orDie(Effect.map(reader.unsafe(text, values), ([row]) => row === undefined ? undefined : decodeRow(row)))

    const list = (account: string, { customer_id, email }: CustomerFilter, page: PageRequest) => {
      const where = [
        sql`account_id = ${account}`,
        ...(customer_id === undefined ? [] : [sql`customer_id = ${customer_id}`]),
        ...(email === undefined ? [] : [sql`email = ${email}`])
      ]
      return Effect.orDie(Effect.map(listPage(sql, { table: "customers", where }, page), (rows) => mapPage(rows, decodeRow)))
    }

    return CustomerRepository.of({
      find: (account, id) => first("SELECT * FROM customers WHERE account_id = $1 AND id = $2", [account, id]),
      findByReference: (account, reference) => first("SELECT * FROM customers WHERE account_id = $1 AND customer_id = $2", [account, reference]),
      findAll: (account, references) =>
        Effect.orDie(Effect.map(sql`SELECT * FROM customers WHERE account_id = ${account} AND customer_id = ANY(${references}::text[])`, (rows) => rows.map((row) => decodeRow(row)))),
      list
    })
  }))
}
