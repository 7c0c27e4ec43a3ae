/** The services that commands of the operator use, on this installation's database. */
import * as accounts from "@svc/accounts/layer"
import * as ledger from "@svc/ledger/layer"
import { Layer } from "effect"
import { layer as database } from "./database.ts"

/** `Accounts`, `ApiKeys` and `Ledger`, and the database below them. */
export const services = Layer.merge(accounts.layer, ledger.layer).pipe(Layer.provideMerge(database))
