/** Runs foreign code, and our parsers over foreign bytes, behind the best wall that this machine has. */
import * as NodeChildProcessSpawner from "@effect/platform-node/NodeChildProcessSpawner"
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import * as NodePath from "@effect/platform-node/NodePath"
import { fetchNote } from "@svc/platform/fetched/model"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { Cache, Context, Duration, Effect, Exit, Layer, Semaphore } from "effect"
import type { Schema } from "effect"
import { ChildProcessSpawner } from "effect/process"
import { join } from "node:path"
import { makeChildren } from "./children.ts"
import { makeCompiled } from "./compiled.ts"
import {
  type Ended,
  type Engine,
  type EngineFailed,
  type EngineRequest,
  type Interpreter,
  type NoWall,
  SandboxBusy,
  type WallReport
} from "./model.ts"
import { CLOSES_NETWORK, newerNode, nodeIn } from "./newer-node.ts"
import { OWN } from "./node-child.ts"
import { runToEnd } from "./run.ts"
import { ConfinedSettings } from "./settings.ts"
import { makeSlots } from "./slots.ts"
import { findWall, type Machine, openNetwork } from "./walls.ts"

/** Beside the cache of the service's own code, and with the rights of that code. */
const COMPILED = join(OWN, "..", "..", ".node", "compiled")

/** How long a caller waits for a place. */
const PATIENCE = "10 seconds"

export class Confined extends Context.Service<Confined, {
  /** What stands around foreign work here. The first question runs the self-tests. */
  readonly wall: Effect.Effect<WallReport, NoWall>
  /** Runs a program once. */
  readonly run: (interpreter: Interpreter) => Effect.Effect<Ended, NoWall | SandboxBusy>
  /** What the engine makes of the bytes. */
  readonly ask: (engine: Engine, request: EngineRequest) => Effect.Effect<Schema.Json, EngineFailed | NoWall | SandboxBusy>
}>()("@svc/confined/Confined") {
  static readonly make = Effect.fnUntraced(function*(settings: ConfinedSettings) {
    const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
    const slots = yield* makeSlots
    const fetched = yield* FetchedPackages
    const machine: Machine = { settings, slots, spawner, compiledOf: yield* makeCompiled(spawner, COMPILED) }
    const children = yield* makeChildren(machine)
    /** A Node.js that was fetched is used as soon as it is there. */
    const node = settings.node !== undefined || CLOSES_NETWORK
      ? Effect.succeed(settings.node ?? process.execPath)
      : Effect.map(fetched.state(newerNode), (state) => state._tag === "Ready" ? nodeIn(state.folder) : process.execPath)
    // A wall that has passed stays. A machine that was too busy to pass is asked again.
    const walls = yield* Cache.makeWith((path: string) => findWall(machine, path), {
      capacity: 2,
      timeToLive: (exit) => Exit.isSuccess(exit) ? Duration.infinity : "1 minute"
    })
    const wall = Effect.flatMap(node, (path) => Cache.get(walls, path))

    /** What runs in JavaScript needs a Node.js that closes the network, which is fetched where the settings allow it. */
    const wallFor = Effect.fnUntraced(function*({ webAssembly }: Engine) {
      const around = yield* wall
      if (!webAssembly && !around.closesNetwork && settings.node === undefined) {
        yield* Effect.mapError(fetched.folderOf(newerNode), openNetwork)
      }
      return around
    })
    const lacksNode = Effect.match(wall, { onFailure: () => false, onSuccess: ({ closesNetwork }) => !closesNetwork })
    if (settings.node === undefined) yield* fetched.atStart(newerNode, lacksNode)
    const places = yield* Semaphore.make(settings.places)

    const busy = new SandboxBusy({ message: `All ${settings.places} places for foreign programs are taken. Try again in some seconds.` })
    const place = Effect.acquireRelease(
      Effect.timeoutOrElse(places.take(1), { duration: PATIENCE, orElse: () => Effect.fail(busy) }),
      () => places.release(1),
      { interruptible: true }
    )

    const run = Effect.fn("Confined.run")(function*(interpreter: Interpreter) {
      const { interpreter: confine } = yield* wall
      yield* place
      const slot = yield* slots.acquire(interpreter.limits.memory)
      const command = yield* Effect.fromResult(confine(slot, interpreter))
      return yield* Effect.orDie(runToEnd(spawner, command, interpreter.stdin, interpreter.limits))
    }, Effect.scoped)

    const ask = Effect.fn("Confined.ask")(function*(engine: Engine, request: EngineRequest) {
      const around = yield* wallFor(engine)
      yield* place
      return yield* children(around, engine, request)
    }, Effect.scoped)

    const report = Effect.gen(function*() {
      const { closesNetwork, report } = yield* wall
      const note = closesNetwork || settings.node !== undefined ? undefined : fetchNote(newerNode, yield* fetched.state(newerNode))
      return note === undefined ? report : { ...report, weaknesses: [...report.weaknesses, note] }
    })

    return Confined.of({ wall: report, run, ask })
  })

  /** With these settings. */
  static readonly layerOf = (settings: ConfinedSettings) =>
    Layer.effect(Confined, Confined.make(settings)).pipe(
      Layer.provide(NodeChildProcessSpawner.layer),
      Layer.provide([NodeFileSystem.layer, NodePath.layer])
    )

  static readonly layer = Layer.unwrap(Effect.map(ConfinedSettings, Confined.layerOf))
}
