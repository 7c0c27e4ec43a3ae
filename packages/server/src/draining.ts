/** The time between the signal to stop and the stop, in which load balancers learn that this process takes no new work. */
import { Reference } from "@svc/kernel/values/reference"
import { Duration, Effect, Layer, Ref } from "effect"
import type { ServerConfig } from "./config.ts"

/** Whether the process was told to stop. `/readyz` answers 503 then; everything else is served until the stop. */
export class Draining extends Reference<Effect.Effect<boolean>>("@svc/server/Draining", { defaultValue: () => Effect.succeed(false) }) {}

const SECONDS_BEHIND_A_LOAD_BALANCER = 5

/** How long the process drains. Without a public address no load balancer is waited for. */
export const drainSecondsOf = ({ drainSeconds, publicUrl }: ServerConfig): number =>
  drainSeconds ?? (publicUrl === undefined ? 0 : SECONDS_BEHIND_A_LOAD_BALANCER)

/** Runs `main`, and drains for so long before it ends. */
export const drained = <E, R>(main: Layer.Layer<never, E, R>, seconds: number): Layer.Layer<never, E, R> =>
  Layer.unwrap(Effect.map(Ref.make(false), (draining) => {
    const drain = Effect.addFinalizer(() => Effect.andThen(Ref.set(draining, true), Effect.sleep(Duration.seconds(seconds))))
    return Layer.effectDiscard(drain).pipe(Layer.provide(main), Layer.provide(Layer.succeed(Draining, Ref.get(draining))))
  }))
