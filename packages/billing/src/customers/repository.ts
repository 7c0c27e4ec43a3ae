/** Customers in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { comparedAddress } from "@svc/kernel/values/email-address"
import { Context, Effect, Layer } from "effect"
import { rowsOf } from "../common/rows.ts"
import { type Customer, type CustomerFilter, customerFilters, customers } from "./model.ts"

export class CustomerRepository extends Context.Service<
  CustomerRepository,
  Reader<Customer, CustomerFilter> & {
    /** The customer with this reference of the merchant's. */
    readonly findByReference: (account: string, reference: string) => Effect.Effect<Customer | undefined>
    /** The customer whose reference is this e-mail address, in whatever capitals. */
    readonly findByAddress: (account: string, address: string) => Effect.Effect<Customer | undefined>
    /** The customers with these references, in any order. */
    readonly findAll: (account: string, references: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Customer>>
  }
>()("@svc/billing/CustomerRepository") {
  static readonly layer = Layer.effect(
    CustomerRepository,
    Effect.gen(function*() {
      const keyReader = yield* KeyReader
      const reader = yield* readerOf(customers, {
        name: "customer",
        prefix: "cus",
        filters: customerFilters,
        caseless: ["email"]
      })
      const { among } = yield* rowsOf(customers)

      const findByReference = Effect.fnUntraced(function*(account: string, reference: string) {
        const [row] = yield* keyReader.unsafe("SELECT * FROM customers WHERE account_id = $1 AND customer_id = $2", [account, reference])
        return row === undefined ? undefined : customers.decode(row)
      }, Effect.orDie)

      // In the same spelling first. Others are found by their own address, of which there is an index without capitals.
      const findByAddress = Effect.fnUntraced(function*(account: string, address: string) {
        const [row] = yield* keyReader.unsafe(
          `SELECT * FROM customers WHERE account_id = $1
            AND (customer_id IN ($2, $3) OR (lower(email) IN (lower($2), lower($3)) AND lower(customer_id) IN (lower($2), lower($3))))
          ORDER BY customer_id <> $2, id LIMIT 1`,
          [account, address, comparedAddress(address)]
        )
        return row === undefined ? undefined : customers.decode(row)
      }, Effect.orDie)

      return CustomerRepository.of({ ...reader, findByReference, findByAddress, findAll: among("customer_id") })
    })
  )
}
