/** The services that commands of the operator use, on this installation's database. */
import { KnownScopes } from "@svc/accounts/access/model"
import { accounts } from "@svc/accounts/layer"
import { ledger } from "@svc/ledger/layer"
import { catalog } from "@svc/server/catalog"
import { Layer } from "effect"
import { layer as database } from "./database.ts"

/** `Accounts`, `ApiKeys` and `Ledger`, and the database below them. */
export const services = Layer.merge(accounts.services, ledger.services).pipe(
  Layer.provide(Layer.succeed(KnownScopes, catalog.scopes)),
  Layer.provideMerge(database)
)
