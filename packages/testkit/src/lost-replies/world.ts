/** Two processes of the service on one database and one facilitator. One that dies is followed by the other; what was durable stays. */
import { Committer } from "@svc/kernel/road/committer"
import type { Commit } from "@svc/kernel/road/decision"
import type { TimerHandlers } from "@svc/kernel/timers/timers"
import type { CallStatuses } from "@svc/paywall/call-status/service"
import * as gate from "@svc/paywall/gate/gate"
import { Catalog } from "@svc/tool-kit/derive"
import type { Gate } from "@svc/tool-kit/gate/model"
import { billed, tool } from "@svc/tool-kit/tool"
import { Data, Deferred, Effect, Layer, Schema } from "effect"
import { processWith } from "../process.ts"
import { replacing } from "../replacing.ts"

/** The process died here. Whoever waited gets no answer. */
export class Crash extends Data.TaggedError("Crash")<{ readonly where: string }> {}

/** Where a process is to die next: once, then no more. */
export interface Fate {
  /** Before or after the first commit for which this holds. */
  commit: { readonly when: "before" | "after"; readonly of: (commit: Commit<unknown>) => boolean; left: number } | undefined
  /** In the tool's run. */
  run: boolean
  /** As soon as the facilitator has moved the money. */
  moved: boolean
  /** The next run says that it has begun, and waits. */
  held: { readonly running: Deferred.Deferred<void>; readonly goOn: Deferred.Deferred<void> } | undefined
  /** Nothing more comes of this process but what was durable. */
  dead: boolean
  crashes: number
}

export const makeFate = (): Fate => ({ commit: undefined, run: false, moved: false, held: undefined, dead: false, crashes: 0 })

const die = (fate: Fate, where: string) =>
  Effect.suspend(() => {
    fate.dead = true
    fate.crashes++
    return Effect.die(new Crash({ where }))
  })

const mortal = (fate: Fate) =>
  replacing(Committer, (committer) => ({
    commit: (commit) =>
      Effect.gen(function*() {
        if (fate.dead) return yield* Effect.die(new Crash({ where: "after its death" }))
        const plan = fate.commit?.of(commit) === true && fate.commit.left-- === 0 ? fate.commit : undefined
        if (plan !== undefined) fate.commit = undefined
        if (plan?.when === "before") return yield* die(fate, "before a commit")
        yield* committer.commit(commit)
        if (plan?.when === "after") return yield* die(fate, "after a commit")
      })
  }))

export const PRICE = 5
/** What a permission of at most the price is charged. */
export const DELIVERED = 3

const limits = { seconds: 20, bytes: 1024 }
const payload = Schema.Struct({ order: Schema.String, fails: Schema.optionalKey(Schema.Boolean) })
const result = Schema.Struct({ order: Schema.String, ok: Schema.Boolean })

class OutOfOrder extends Schema.TaggedError<OutOfOrder>()("OutOfOrder", { message: Schema.String }) {}

/** A tool that only reads, and one that acts: both cost, and come to less than their price. */
const toolsOf = (fate: Fate) => {
  const run = Effect.fnUntraced(function*({ fails = false, order }: typeof payload.Type) {
    const held = fate.held
    fate.held = undefined
    if (held !== undefined) {
      yield* Deferred.succeed(held.running, undefined)
      yield* Deferred.await(held.goOn)
    }
    if (fate.run) {
      fate.run = false
      return yield* die(fate, "in the run")
    }
    if (fails) return yield* new OutOfOrder({ message: "It does not work today." })
    return billed({ order, ok: true }, DELIVERED)
  })
  const about = (name: string, readOnly: boolean) =>
    tool({
      name,
      title: name,
      description: "Costs five cents, and comes to three.",
      auth: "none",
      kind: "inline",
      prices: { standard: PRICE },
      paidByCall: true,
      hints: { readOnly, destructive: false, idempotent: false, openWorld: false },
      limits,
      payload,
      result,
      error: OutOfOrder,
      examples: [{ order: "1" }],
      run
    })
  return new Map([about("look_up", true), about("act", false)].map(({ compiled, name }) => [name, compiled]))
}

/** What a history asks of a process. */
export type Process = Gate | CallStatuses | TimerHandlers

/** One process: everything but the database and the facilitator, which outlive it. */
export const process = (fate: Fate, environment: Readonly<Record<string, string>>) =>
  Layer.provide(gate.layer, Layer.succeed(Catalog, toolsOf(fate))).pipe(
    Layer.provideMerge(processWith({ environment })),
    mortal(fate)
  )
