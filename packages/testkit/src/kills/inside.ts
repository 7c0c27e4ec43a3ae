/** The services in this process, on the database that the killed servers share: to make merchants, and to look at what is left. */
import { Accounts } from "@svc/accounts/accounts/service"
import { Effect, Layer } from "effect"
import { makeBooks } from "../provider-books.ts"
import { makeChance } from "../simulation/chance.ts"
import * as simulation from "../simulation/simulation.ts"
import * as world from "../simulation/world.ts"

/** Needs a `DatabaseConfig`. Its rails are never called. */
export const layer = world.process(makeBooks(() => "", () => 0), makeChance("inside"), { enabled: false }).pipe(
  Layer.provideMerge(simulation.layer)
)

/** Sandbox merchants, each with its secret key. */
export const makeMerchants = (count: number) =>
  Effect.gen(function*() {
    const accounts = yield* Accounts
    return yield* Effect.forEach(Array.from({ length: count }, (_, n) => n), (n) =>
      Effect.map(accounts.create({ name: `Merchant ${n}`, sandbox: true }), ({ account, key }) =>
        ({ id: account.id, secret: key.secret, account })))
  })
