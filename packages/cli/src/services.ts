/** The services that commands of the operator use, on this installation's database. */
import { KnownScopes } from "@svc/accounts/access/model"
import { accounts } from "@svc/accounts/layer"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import { Committer } from "@svc/kernel/road/committer"
import { Journal, Outbox } from "@svc/kernel/road/sink"
import { ledger } from "@svc/ledger/layer"
import { catalog } from "@svc/server/catalog"
import { ServerConfig } from "@svc/server/config"
import * as server from "@svc/server/services"
import { signingKeyOf } from "@svc/server/signing"
import { Effect, Layer } from "effect"
import { layer as database } from "./database.ts"

const signingKey = Layer.unwrap(Effect.map(ServerConfig, signingKeyOf))

/** `Accounts`, `ApiKeys`, `Ledger` and `Checkpoints`, and the database below them. */
export const services = Layer.provideMerge(ledger.services, accounts.services).pipe(
  // No command moves money or tells of anything.
  Layer.provide(Idempotency.layer.pipe(Layer.provideMerge(Committer.layer), Layer.provide([Journal.layerNone, Outbox.layerNone]))),
  Layer.provide(Layer.succeed(KnownScopes, catalog.scopes)),
  Layer.provide(signingKey),
  Layer.provideMerge(database)
)

/** All services, as the server has them, for commands that look at everything. No worker runs. */
export const whole = Layer.unwrap(Effect.map(ServerConfig, (config) =>
  server.layer(config, {
    base_url: config.publicUrl ?? `http://localhost:${config.apiPort}`,
    tools_url: config.toolsPublicUrl ?? `http://localhost:${config.toolsPort}`
  }))).pipe(Layer.provideMerge(database))
