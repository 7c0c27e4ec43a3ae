/** The rungs of this machine: which programs they are made of, and whether they pass their self-test. */
import type { BeingFetched, NotFetched } from "@svc/platform/fetched/model"
import { Effect, Result } from "effect"
import type { ChildProcessSpawner } from "effect/process"
import { accessSync, constants } from "node:fs"
import { bounded, bubblewrapped, CODE_FILE, hasUtilities, type Inside } from "./bubblewrap.ts"
import { type Compiled, type Engine, type Interpreter, type Limits, NoWall, type WallReport } from "./model.ts"
import { permissionsOf, permittedNode, plainNode } from "./node-child.ts"
import { type Command, runToEnd } from "./run.ts"
import { NODE_TEST, SHELL_TEST } from "./self-test.ts"
import type { ConfinedSettings } from "./settings.ts"
import type { Slot, Slots } from "./slots.ts"
import { isArchitecture } from "./syscalls.ts"

export interface Wall {
  readonly report: WallReport
  /** Whether its children reach no network, so that parsers and interpreters in JavaScript may run there. */
  readonly closesNetwork: boolean
  readonly interpreter: (slot: Slot, interpreter: Interpreter) => Result.Result<Command, NoWall>
  readonly engine: (slot: Slot, engine: Engine, limits: Limits) => Effect.Effect<Command, NoWall>
}

const MIB = 1024 * 1024
const TEST_LIMITS: Limits = { memory: 512 * MIB, seconds: 10, output: 64 * 1024 }
const NOTHING = new Uint8Array()

const FOLDERS = ["/usr/bin", "/usr/sbin", "/bin", "/sbin", "/usr/local/bin"]

const isExecutable = (path: string): boolean =>
  Result.isSuccess(Result.try({ try: () => accessSync(path, constants.X_OK), catch: () => undefined }))

/** Only folders of the system are searched: a program in `PATH` may be anybody's. */
export const programOf = (name: string): string | undefined => FOLDERS.map((folder) => `${folder}/${name}`).find(isExecutable)

const REMEDY =
  "Install bubblewrap (apt-get install bubblewrap) where user namespaces are allowed: an ordinary container's default profile refuses them."
const noWall = (message: string, remedy = REMEDY) => new NoWall({ message, remedy })

const OPEN_NETWORK = "Node.js before version 25 leaves the network open to a child"
const NEWER_NODE = "Install bubblewrap, or set CONFINED_NODE to a Node.js of version 25 or newer."

/** Why bash and parsers in JavaScript do not run, where a newer Node.js is fetched or could not be. */
export const openNetwork = (error: BeingFetched | NotFetched): NoWall =>
  error._tag === "BeingFetched"
    ? new NoWall({ message: `${OPEN_NETWORK}. ${error.message}`, remedy: NEWER_NODE, isComing: true })
    : noWall(`${OPEN_NETWORK}. ${error.message}`, error.remedy)

const weaknessesOf = ({ limitsTrees, separatesUsers }: Slots): ReadonlyArray<string> => [
  ...(separatesUsers ? [] : ["programs run as the service's own user: start as root for a user id for each place"]),
  ...(limitsTrees
    ? []
    : ["memory is limited for each process, not for all of a program's together: start as root where cgroups can be written"])
]

const plain = (path: string, args: ReadonlyArray<string>): Command => ({ path, args, inputs: [], namesFirstProcess: false })

/** What the machine and the self-tests are asked with. */
export interface Machine {
  readonly spawner: ChildProcessSpawner.ChildProcessSpawner["Service"]
  readonly slots: Slots
  readonly settings: ConfinedSettings
  readonly compiledOf: (engine: Engine) => Effect.Effect<Compiled | undefined>
}

const runOnce = ({ slots, spawner }: Machine, command: (slot: Slot) => Command, limits: Limits) =>
  Effect.scoped(Effect.flatMap(slots.acquire(limits.memory), (slot) => runToEnd(spawner, command(slot), NOTHING, limits)))

const bubblewrap = Effect.fnUntraced(function*(machine: Machine) {
  const bwrap = programOf("bwrap")
  if (bwrap === undefined || !hasUtilities()) return yield* noWall("bubblewrap is not installed")
  const architecture = process.arch
  if (!isArchitecture(architecture)) return yield* noWall(`the system call filter is not written for ${architecture}`)
  // Root may open the settings below /proc/sys for writing, also without capabilities.
  if (machine.slots.isRoot && !machine.slots.separatesUsers) return yield* noWall("this root can take no other user id")
  const wrap = (slot: Slot, inside: Inside) => bubblewrapped(bwrap, architecture, slot, inside)
  const test: Inside = {
    path: "/bin/sh",
    args: ["-c", SHELL_TEST, "sh", import.meta.filename],
    shows: [],
    limits: TEST_LIMITS,
    isTest: true
  }
  const { exitCode, reason, stderr, stdout } = yield* runOnce(machine, (slot) => wrap(slot, test), TEST_LIMITS)
  const findings = String(stdout).split("\n").filter((line) => line !== "")
  if (reason === "timeout") findings.push("what it starts outlives it")
  if (reason === "exit" && exitCode !== 0) findings.push(`does not start: ${String(stderr).trim().slice(0, 200)}`)
  if (findings.length > 0) return yield* noWall(`bubblewrap fails its self-test: a program in it ${findings.join(", ")}`)
  const version = yield* runToEnd(machine.spawner, plain(bwrap, ["--version"]), NOTHING, TEST_LIMITS)
  const wall: Wall = {
    closesNetwork: true,
    report: { rung: "bubblewrap", name: String(version.stdout).trim(), weaknesses: weaknessesOf(machine.slots) },
    interpreter: (slot, { args, code, ...rest }) =>
      Result.succeed(wrap(slot, { ...rest, code, args: code === undefined ? args : [...args, CODE_FILE] })),
    engine: (slot, engine, limits) => Effect.map(machine.compiledOf(engine), (compiled) => wrap(slot, plainNode(engine, limits, compiled)))
  }
  return wall
})

const webAssembly = Effect.fnUntraced(function*(machine: Machine, node: string) {
  const start = (slot: Slot, inside: Inside): Command => hasUtilities() ? bounded(slot, inside) : plain(inside.path, inside.args)
  const test: Inside = {
    path: node,
    args: [...permissionsOf([]), "-e", NODE_TEST],
    shows: [],
    reservesAddresses: true,
    limits: TEST_LIMITS,
    isTest: true
  }
  const { exitCode, stderr, stdout } = yield* runOnce(machine, (slot) => start(slot, test), TEST_LIMITS)
  const findings = String(stdout).split("\n").filter((line) => line !== "" && line !== "network")
  if (exitCode !== 0) findings.push(`does not start: ${String(stderr).trim().slice(0, 200)}`)
  if (findings.length > 0) return yield* noWall(`Node's permission model fails its self-test: a child ${findings.join(", ")}`)
  const closesNetwork = !String(stdout).includes("network")
  const version = yield* runToEnd(machine.spawner, plain(node, ["--version"]), NOTHING, TEST_LIMITS)
  const wall: Wall = {
    closesNetwork,
    report: {
      rung: "webassembly",
      name: `Node.js ${String(version.stdout).trim().slice(1)}`,
      weaknesses: [
        "interpreters with fewer modules than this machine's: install bubblewrap for the others",
        ...(closesNetwork || machine.settings.node === undefined
          ? []
          : ["no bash and no parsers in JavaScript: set CONFINED_NODE to a Node.js of version 25 or newer"])
      ]
    },
    interpreter: () => Result.fail(noWall("only bubblewrap confines programs of this machine")),
    engine: (slot, engine, limits) =>
      engine.webAssembly || closesNetwork
        ? Effect.succeed(start(slot, permittedNode(node, engine, limits)))
        : noWall(`${OPEN_NETWORK}.`, NEWER_NODE)
  }
  return wall
})

const bestWall = (machine: Machine, node: string): Effect.Effect<Wall, NoWall> => {
  const guarded = <E extends { readonly message: string }>(wall: Effect.Effect<Wall, E>) =>
    Effect.mapError(wall, (error) => error instanceof NoWall ? error : noWall(error.message))
  switch (machine.settings.confined) {
    case "bubblewrap":
      return guarded(bubblewrap(machine))
    case "webassembly":
      return guarded(webAssembly(machine, node))
    case "none":
      return Effect.fail(noWall("CONFINED is none", "Set CONFINED to best."))
    case "best":
      return Effect.catch(
        guarded(bubblewrap(machine)),
        (first) => Effect.mapError(guarded(webAssembly(machine, node)), ({ message }) => noWall(`${first.message}; ${message}`))
      )
  }
}

/**
 * The best rung that the settings allow and that passes. `node` runs the children of the WebAssembly rung; one that was fetched may not run
 * on a machine with another C library, and then that of the service does.
 */
export const findWall = (machine: Machine, node: string): Effect.Effect<Wall, NoWall> => {
  const own = process.execPath
  const isFetched = node !== own && machine.settings.node === undefined
  return isFetched ? Effect.catch(bestWall(machine, node), () => bestWall(machine, own)) : bestWall(machine, node)
}
