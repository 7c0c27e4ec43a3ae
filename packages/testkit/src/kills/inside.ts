/** The services in this process, on the database that the killed servers share: to make merchants, and to look at what is left. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Accounts } from "@svc/accounts/accounts/service"
import { Effect, Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import { processWith } from "../process.ts"
import { connections } from "../real-time.ts"

/** What storms and kills need beside a `DatabaseConfig`. The rails in it are never called. */
export const layer = Layer.mergeAll(Layer.provideMerge(processWith(), connections), FetchHttpClient.layer, NodeFileSystem.layer)

/** Sandbox merchants, each with its secret key. */
export const makeMerchants = (count: number) =>
  Effect.gen(function*() {
    const accounts = yield* Accounts
    return yield* Effect.forEach(Array.from({ length: count }, (_, n) => n), (n) =>
      Effect.map(
        accounts.create({ name: `Merchant ${n}`, sandbox: true }),
        ({ account, key }) => ({ id: account.id, secret: key.secret, account })
      ))
  })
