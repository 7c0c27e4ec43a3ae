/** Runs in a confined child: Python in CPython, which is WebAssembly. It reaches files in memory, and its three streams. */
import type { EngineFunction } from "@svc/confined/model"
import { readFileSync } from "node:fs"
import { loadEmscripten } from "../fetched/emscripten.ts"

interface Options {
  readonly packages: string
  readonly output: number
  readonly seconds: number
  readonly stdin: string
}

interface OpenFile {
  stream_ops: object
}

interface Program {
  readonly FS: {
    readonly init: (stdin: () => number | null, stdout: () => void, stderr: () => void) => void
    readonly chdir: (path: string) => void
    readonly mkdirTree: (path: string) => void
    readonly writeFile: (path: string, bytes: Uint8Array) => void
    readonly getStream: (descriptor: number) => OpenFile
  }
  readonly ENV: Record<string, string>
  readonly callMain: (args: ReadonlyArray<string>) => number
}

type HostFunction = (...args: ReadonlyArray<unknown>) => unknown
type Imports = Readonly<Record<string, Readonly<Record<string, HostFunction>>>>

interface Exports extends WebAssembly.Exports {
  readonly memory: WebAssembly.Memory
  readonly Py_EMSCRIPTEN_SIGNAL_HANDLING: WebAssembly.Global
}

const LIBRARY = "/lib/python313.zip"
const CODE_FILE = "/run/code"
const ENVIRONMENT = { PYTHONHOME: "/", PYTHONPATH: LIBRARY, PATH: "/usr/bin", HOME: "/tmp", LANG: "C.UTF-8" }

/** Ends the program: what is thrown through WebAssembly, Python cannot catch. */
class Stop extends Error {
  readonly reason: "timeout" | "output"
  constructor(reason: Stop["reason"]) {
    super(reason)
    this.reason = reason
  }
}

const eachValue = <A, B>(record: Readonly<Record<string, A>>, change: (value: A) => B): Record<string, B> =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]))

export const engine: EngineFunction = async (bytes, options) => {
  const { output, packages, seconds, stdin } = options as unknown as Options
  const folder = `${packages}/node_modules/just-bash/vendor/cpython-emscripten`
  const input = Buffer.from(stdin)
  let read = 0
  const printed: Record<1 | 2, Array<Buffer>> = { 1: [], 2: [] }
  const room = { 1: output, 2: output }
  let deadline = Infinity
  const checkTime = () => {
    if (performance.now() > deadline) throw new Stop("timeout")
  }
  const writer = (stream: 1 | 2) => (_: unknown, memory: Int8Array, offset: number, length: number) => {
    printed[stream].push(Buffer.from(new Uint8Array(memory.buffer, memory.byteOffset + offset, Math.min(length, room[stream]))))
    room[stream] -= length
    if (room[stream] < 0) throw new Stop("output")
    return length
  }
  /** Python asks every few instructions whether a signal came, and looks at the clock while it sleeps: both ask for the time, too. */
  const instantiate = async (imports: Imports, done: (instance: WebAssembly.Instance) => void) => {
    const timed = eachValue(imports, (functions) =>
      eachValue(functions, (call) => (...args: ReadonlyArray<unknown>) => {
        checkTime()
        return call(...args)
      }))
    const { instance } = await WebAssembly.instantiate(
      readFileSync(`${folder}/python.wasm`),
      timed
    )
    const { Py_EMSCRIPTEN_SIGNAL_HANDLING: asks, memory } = instance.exports as unknown as Exports
    new Uint8Array(memory.buffer)[asks.value] = 1
    done(instance)
  }
  const prepare = ({ ENV, FS }: Program) => {
    FS.init(() => input[read++] ?? null, () => {}, () => {})
    for (const stream of [1, 2] as const) FS.getStream(stream).stream_ops = { ...FS.getStream(stream).stream_ops, write: writer(stream) }
    for (const path of ["/lib", "/run", "/tmp"]) FS.mkdirTree(path)
    FS.writeFile(LIBRARY, readFileSync(`${folder}/python313.zip`))
    FS.writeFile(CODE_FILE, bytes)
    FS.chdir("/tmp")
    Object.assign(ENV, ENVIRONMENT)
  }
  const program = await loadEmscripten<Program>(`${folder}/python.cjs`, {
    noInitialRun: true,
    thisProgram: "/usr/bin/python3",
    instantiateWasm: instantiate,
    preRun: [prepare]
  })
  const answer = (reason: "exit" | Stop["reason"], exit_code: number | null, failure = "") => ({
    reason,
    exit_code,
    stdout: Buffer.concat(printed[1]).toString(),
    stderr: Buffer.concat(printed[2]).toString() + failure
  })
  deadline = performance.now() + seconds * 1000
  try {
    return answer("exit", program.callMain([CODE_FILE]))
  } catch (error) {
    return error instanceof Stop ? answer(error.reason, null) : answer("exit", 1, `Python ended: ${String(error)}\n`)
  }
}
