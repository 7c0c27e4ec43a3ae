/** One seed from beginning to end: merchants of its own, a history, the invariants. Seeds share a database, one after another. */
import * as database from "@svc/kernel/database/client"
import type { DatabaseConfig } from "@svc/kernel/database/client"
import { Effect, Layer } from "effect"
import { SecureRandom } from "effect/crypto"
import { makeBooks } from "../provider-books.ts"
import { makeChance } from "./chance.ts"
import { play } from "./history.ts"
import { broken } from "./invariants.ts"
import { realTime } from "../real-time.ts"
import { process } from "./world.ts"

/** Steps of a history. */
export const LENGTH = 60

/** Plays a seed and returns what it broke, and how much happened. */
export const simulate = Effect.fn("simulate")(function*(seed: string, length: number = LENGTH) {
  const played = yield* play(seed, length)
  const still = { enabled: false }
  const problems = yield* broken(played).pipe(
    Effect.provide(process(makeBooks(() => "", () => 0), makeChance(seed), still))
  )
  return { problems, requests: played.sent.length, crashes: played.crashes, timers: played.timersRun }
})

/** What a history needs from outside: connections to a database. */
export const layer: Layer.Layer<
  Layer.Success<typeof database.layer> | SecureRandom.SecureRandom,
  Layer.Error<typeof database.layer>,
  DatabaseConfig
> = Layer.merge(database.layer, SecureRandom.layerWebCrypto).pipe(Layer.provide(realTime))
