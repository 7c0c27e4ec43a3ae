/** What is kept of the accounts that a bank tells: their numbers apart from everything else. */
import { endOf } from "../../transfer-instruments/rules.ts"
import type { LinkedAccount } from "../model.ts"
import type { BankAccount } from "./provider.ts"

/** What may be shown. */
export const linkedAccounts = (accounts: ReadonlyArray<BankAccount>): ReadonlyArray<LinkedAccount> =>
  accounts.map(({ country, currency, holder_name, id, name, number }) => ({
    id,
    name,
    holder_name,
    last_four: endOf(number),
    currency,
    country,
    destination_id: null
  }))

/** What is sealed, by the id of the account. */
export const numbersOf = (accounts: ReadonlyArray<BankAccount>) =>
  Object.fromEntries(accounts.map(({ id, number, routing_number }) => [id, { number, routing_number }]))
