/**
 * For the layers below a test: pools and queues wait by a clock of their own. Under a test's clock they
 * would wait for ever, or take a jump of a day for a day without use.
 */
import * as Database from "@svc/kernel/database/client"
import { Clock, Context, Layer } from "effect"
import { SecureRandom } from "effect/crypto"

export const realTime = Layer.succeed(Clock.Clock, Context.get(Context.empty(), Clock.Clock))

/** What a process has of the outside: connections to the database of a `DatabaseConfig`, and chance. */
export const connections = Layer.merge(Database.layer, SecureRandom.layerWebCrypto).pipe(Layer.provide(realTime))
