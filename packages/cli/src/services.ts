/** The services that commands of the operator use, on this installation's database. */
import { KnownScopes } from "@svc/accounts/access/model"
import { accounts } from "@svc/accounts/layer"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import { Committer } from "@svc/kernel/road/committer"
import { Journal, Outbox } from "@svc/kernel/road/sink"
import { ledger } from "@svc/ledger/layer"
import { ServerConfig } from "@svc/server/config"
import { signingKeyOf } from "@svc/server/signing"
import { Effect, Layer } from "effect"
import { layer as database } from "./database.ts"

const signingKey = Layer.unwrap(Effect.map(ServerConfig, signingKeyOf))

/** `Accounts`, `ApiKeys`, `Ledger` and `Checkpoints`, and the database below them, for commands that give nobody scopes. */
export const services = Layer.provideMerge(ledger.services, accounts.services).pipe(
  // No command moves money or tells of anything.
  Layer.provide(Idempotency.layer.pipe(Layer.provideMerge(Committer.layer), Layer.provide([Journal.layerNone, Outbox.layerNone]))),
  Layer.provide(signingKey),
  Layer.provideMerge(database)
)

/** The same for commands that give scopes. The contract of every package says which there are, and takes a second to load. */
export const servicesAndScopes = services.pipe(
  Layer.provide(Layer.effect(KnownScopes, Effect.map(Effect.promise(() => import("@svc/server/catalog")), ({ catalog }) => catalog.scopes)))
)
