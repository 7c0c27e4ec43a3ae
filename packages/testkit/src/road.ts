/** The commit road as the service has it, for tests: entries go to the ledger, events to the log, and no worker is told. */
import { Committer } from "@svc/kernel/road/committer"
import * as journal from "@svc/ledger/financial-events/journal"
import { Ledger } from "@svc/ledger/financial-events/service"
import { ledger } from "@svc/ledger/layer"
import * as outbox from "@svc/webhooks/events/outbox"
import { Effect, Layer } from "effect"

/** What remains to be given is the database. */
export const layerRoad = Committer.layer.pipe(Layer.provide([journal.layer, outbox.layerSilent]))

/** Recomputes the chain of an account, and compares it with its head and its balances. */
export const verifyBooks = (account: string) => Effect.provide(Effect.flatMap(Ledger, (books) => books.verify(account)), ledger.services)
