/** Customers in Postgres. Every method takes the account first. */
import { KeyReader } from "@svc/kernel/database/client"
import { type Reader, readerOf } from "@svc/kernel/resource/reader"
import { Context, Effect, Layer } from "effect"
import { rowsOf } from "../common/rows.ts"
import { type Customer, type CustomerFilter, customerFilters, customers } from "./model.ts"

export class CustomerRepository extends Context.Service<
  CustomerRepository,
  Reader<Customer, CustomerFilter> & {
    /** The customer with this reference of the merchant's. */
    readonly findByReference: (account: string, reference: string) => Effect.Effect<Customer | undefined>
    /** The customers with these references, in any order. */
    readonly findAll: (account: string, references: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<Customer>>
  }
>()("@svc/billing/CustomerRepository") {
  static readonly layer = Layer.effect(
    CustomerRepository,
    Effect.gen(function*() {
      const keyReader = yield* KeyReader
      const reader = yield* readerOf(customers, { name: "customer", prefix: "cus", filters: customerFilters })
      const { among } = yield* rowsOf(customers)

      const findByReference = Effect.fnUntraced(function*(account: string, reference: string) {
        const [row] = yield* keyReader.unsafe("SELECT * FROM customers WHERE account_id = $1 AND customer_id = $2", [account, reference])
        return row === undefined ? undefined : customers.decode(row)
      }, Effect.orDie)

      return CustomerRepository.of({ ...reader, findByReference, findAll: among("customer_id") })
    })
  )
}
