/** The commit road as the service has it, for tests: entries go to the ledger, events to the log, and no worker is told. */
import { AttentionSources } from "@svc/accounts/attention/repository"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import { Committer } from "@svc/kernel/road/committer"
import * as journal from "@svc/ledger/financial-events/journal"
import { financialEvents } from "@svc/ledger/financial-events/resource"
import { Ledger } from "@svc/ledger/financial-events/service"
import * as outbox from "@svc/webhooks/events/outbox"
import { Effect, Layer } from "effect"
import { layerDatabase } from "./database.ts"
import { connections, realTime } from "./real-time.ts"

/** What remains to be given is the database. */
export const layerRoad = Committer.layer.pipe(Layer.provide([journal.layer, outbox.layerSilent]))

/** The road and idempotency over a database of their own, for tests of what stands below every resource. The others take `services`. */
export const road = Idempotency.layer.pipe(
  Layer.provideMerge(layerRoad),
  Layer.provideMerge(connections),
  Layer.provideMerge(Layer.provide(layerDatabase, realTime))
)

/** Recomputes the chain of an account, and compares it with its head and its balances. */
export const verifyBooks = (account: string) =>
  Effect.provide(Effect.flatMap(Ledger, (books) => books.verify(account)), Layer.provide(financialEvents.services, AttentionSources.layer))
