/** What runs confined, what bounds it, and what comes of it. */
import { Data, type Schema, type Stream } from "effect"

/**
 * `bubblewrap`: Linux namespaces and a system call filter around any program. `webassembly`: a child process of Node.js whose foreign code
 * runs inside WebAssembly, or whose permission model closes files, processes and the network.
 */
export type Rung = "bubblewrap" | "webassembly"

export interface Limits {
  /** Bytes of memory, of the whole tree where the machine lets us limit that, else of each process. */
  readonly memory: number
  readonly seconds: number
  /** Bytes of standard output, and as many of standard error. */
  readonly output: number
}

/** What one warm child answers before it is thrown away. */
export const MOST_REQUESTS = 100

/** An interpreter of this machine and the code that it runs. Only bubblewrap confines these. */
export interface Interpreter {
  /** Path of the program, below `/usr` or among `shows`. */
  readonly path: string
  /** What stands between the program and its code. */
  readonly args: ReadonlyArray<string>
  /** Becomes a file that the program reads; without code, `args` are all. */
  readonly code?: string
  readonly stdin: Uint8Array | StreamedBytes
  /** Files and folders of this machine that the program may read, beside `/usr`. */
  readonly shows: ReadonlyArray<string>
  /** Whether the program reserves addresses far beyond the memory that it uses, as V8 does: then only what it writes to is counted. */
  readonly reservesAddresses?: boolean
  readonly limits: Limits
}

/** Why a program ended: by itself, or stopped at a limit. */
export type EndReason = "exit" | "timeout" | "output"

export interface Ended {
  readonly reason: EndReason
  /** Null unless the program ended by itself. */
  readonly exitCode: number | null
  readonly stdout: Buffer
  readonly stderr: Buffer
}

/** A module of ours that exports `engine: (bytes, options) => JSON`, run by Node.js in a child process. */
export interface Engine {
  readonly module: string
  /** Files and folders that the module imports from, beside the module itself. */
  readonly shows: ReadonlyArray<string>
  /** Whether the module runs foreign code inside WebAssembly, so that Node.js itself never does. */
  readonly webAssembly: boolean
  /** Whether one child answers many requests of one account. */
  readonly warm: boolean
  readonly limits: Limits
}

/** The compile cache of an engine's program, as Node.js has written it. */
export interface Compiled {
  readonly folder: string
  /** What Node.js calls the folder: its version, the machine, the flags of V8 and at last the number of the user. */
  readonly name: string
}

/** `Engine["module"]` exports one as `engine`. */
export type EngineFunction = (bytes: Uint8Array, options: Schema.Json) => Schema.Json | Promise<Schema.Json>

/** Bytes that are never in this process as a whole. A place is taken while they are read, so they come from this machine. */
export interface StreamedBytes {
  readonly size: number
  readonly stream: Stream.Stream<Uint8Array>
}

export interface EngineRequest {
  /** Children are shared by no two accounts. */
  readonly account: string
  readonly bytes: Uint8Array | StreamedBytes
  readonly options: Schema.Json
  /** Instead of the engine's own. */
  readonly seconds?: number
}

/** What stands around foreign work on this machine. */
export interface WallReport {
  readonly rung: Rung
  /** With version, such as `bubblewrap 0.8.0`. */
  readonly name: string
  /** What is weaker than this rung can be, and what would mend it. */
  readonly weaknesses: ReadonlyArray<string>
}

/** Every place was taken for ten seconds. */
export class SandboxBusy extends Data.TaggedError("SandboxBusy")<{ readonly message: string }> {}

/** No rung takes this work here: why, and what would change it. */
export class NoWall extends Data.TaggedError("NoWall")<{
  readonly message: string
  readonly remedy: string
  /** Whether what the rung lacks is being fetched. */
  readonly isComing?: boolean
}> {}

/** The child gave no answer: stopped at a limit, ended by itself, or refused by the engine. */
export class EngineFailed extends Data.TaggedError("EngineFailed")<{
  readonly reason: "timeout" | "output" | "ended" | "refused"
  /** Of `refused`, the engine's own words: text from outside. */
  readonly message: string
}> {}
