/** The workers' own connections, so that deliveries and requests do not wait for each other. */
import { PgClient } from "@effect/sql-pg"
import { DatabaseConfig } from "@svc/kernel/database/client"
import { registry } from "@svc/kernel/database/types"
import { Context, Effect, Layer } from "effect"
import * as Reactivity from "effect/reactivity/Reactivity"

/** The client that claims and completes deliveries, and listens for new ones. */
export class WorkerClient extends Context.Service<WorkerClient, PgClient.PgClient>()("@svc/webhooks/WorkerClient") {
  static readonly layer = Layer.effect(
    WorkerClient,
    Effect.gen(function*() {
      return yield* PgClient.make({
        types: registry,
        applicationName: "svc webhooks",
        ...(yield* DatabaseConfig),
        // A connection claims, another completes, a third listens.
        maxConnections: 3,
        startupParameters: {
          statement_timeout: "15000",
          lock_timeout: "5000",
          idle_in_transaction_session_timeout: "30000",
          // A claim or completion that a crash of the database takes back costs a repeated delivery, and no commit waits for theirs to be on
          // disk.
          synchronous_commit: "off",
          // A plan that was made while the tables were small must not scan them when they are large.
          plan_cache_mode: "force_generic_plan",
          enable_seqscan: "off",
          enable_hashjoin: "off",
          enable_mergejoin: "off"
        }
      })
    })
  ).pipe(Layer.provide(Reactivity.layer))
}
