/**
 * Hostile programs on both rungs, and a hostile parser in the place of ours: none reaches this machine, none outlives its run, and each
 * meets its limits. Real programs on the real machine: what they must not reach is there.
 */
import { assert, describe, expect, it, layer } from "@effect/vitest"
import { type Engine, EngineFailed, type Limits, SandboxBusy } from "@svc/confined/model"
import { CLOSES_NETWORK } from "@svc/confined/newer-node"
import { Confined } from "@svc/confined/service"
import type { ConfinedSettings } from "@svc/confined/settings"
import { isReadableByAll, ownUids } from "@svc/confined/slots"
import { sandboxPackages } from "@svc/engines/fetched/groups"
import { makeSandbox, type SandboxRequest } from "@svc/engines/sandbox/sandbox"
import { FetchedPackages } from "@svc/platform/fetched/service"
import type { FetchTime } from "@svc/platform/fetched/settings"
import { Context, Effect, Fiber, Layer, Result } from "effect"
import { TestClock } from "effect/testing"
import { spawnSync } from "node:child_process"
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync
} from "node:fs"
import { createServer, type Server } from "node:net"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { setFlagsFromString } from "node:v8"
import { runInNewContext } from "node:vm"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "../bubblewrap.ts"
import { fetchedFolder, missing } from "../fetched.ts"
import { bashProgram, nodeAttemptsBody, pythonProgram, quickJsProgram, type Targets } from "./attempts.ts"
import { NEWER_NODE_MISSING, newerNodePath } from "./newer-node.ts"
import { daemons, diskFloods, memoryFloods, outputFloods, processFloods, stubborn } from "./programs.ts"
import { pythonInWebAssembly } from "./python-in-webassembly.ts"

const MIB = 1024 * 1024

setFlagsFromString("--expose-gc")
const collectGarbage: () => void = runInNewContext("gc")

/** The things that hostile programs look for, and how often somebody came to the sockets. */
class Prey extends Context.Service<Prey, { readonly targets: Targets; readonly visits: () => number }>()("@svc/testkit/confined/Prey") {
  static readonly layer = Layer.effect(
    Prey,
    Effect.gen(function*() {
      const folder = yield* Effect.acquireRelease(
        Effect.sync(() => mkdtempSync(join(tmpdir(), "svc-prey-"))),
        (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
      )
      chmodSync(folder, 0o777)
      const file = join(folder, "secret")
      writeFileSync(file, "secret", { mode: 0o644 })
      let visits = 0
      const listen = (at: { readonly port: number; readonly host: string } | { readonly path: string }) =>
        Effect.acquireRelease(
          Effect.callback<Server>((resume) => {
            const server = createServer((socket) => {
              visits++
              socket.destroy()
            })
            server.listen(at, () => resume(Effect.succeed(server)))
          }),
          (server) => Effect.sync(() => void server.close())
        )
      const address = (yield* listen({ port: 0, host: "127.0.0.1" })).address()
      const socket = join(folder, "socket")
      yield* listen({ path: socket })
      yield* listen({ path: "\0svc-probe" })
      chmodSync(socket, 0o777)
      const port = typeof address === "object" && address !== null ? address.port : 0
      return Prey.of({ targets: { file, folder, port, socket, pid: process.pid }, visits: () => visits })
    })
  )
}

const textOf = (path: string): string => Result.getOrElse(Result.try(() => readFileSync(path, "utf8")), () => "")

/** Whether a process is a child of ours, or of one: by its user, or where all have ours, by its words. */
const isForeign = (pid: string, words: string): boolean => {
  const uid = Number(/^Uid:\t(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? -1)
  return uid >= ownUids.first && uid < ownUids.first + ownUids.count || /\/run\/code|sleep 300|(?:quickjs|python|bash)\.ts/.test(words)
}

/** The processes above one, its parent first. */
const ancestorsOf = (pid: string): ReadonlyArray<number> => {
  const parent = Number(/^PPid:\t(\d+)/m.exec(textOf(`/proc/${pid}/status`))?.[1] ?? 0)
  return parent === 0 ? [] : [parent, ...ancestorsOf(String(parent))]
}

/** What runs below somebody else's process is of another test or another person. What lost its parent may be of this file. */
const isOfOthers = (pid: string): boolean => {
  const above = ancestorsOf(pid)
  return above.length > 1 && !above.includes(process.pid)
}

/** Processes that run for a program, but for parsers that wait for their next request. */
const survivors = (): ReadonlyArray<string> =>
  readdirSync("/proc").filter((name) => /^\d+$/.test(name)).flatMap((pid) => {
    const words = textOf(`/proc/${pid}/cmdline`).replaceAll("\0", " ")
    const isLeft = words !== "" && isForeign(pid, words) && !words.includes("hostile-engine") && !isOfOthers(pid)
    return isLeft ? [words] : []
  })

/** Nobody came to the sockets, no file changed, no process is left, and no object of ours was changed. */
const unharmed = Effect.gen(function*() {
  const { targets, visits } = yield* Prey
  assert.strictEqual(visits(), 0, "a socket of the host was reached")
  assert.strictEqual(readFileSync(targets.file, "utf8"), "secret")
  assert.deepStrictEqual([targets.folder, "/", "/dev", "/usr/bin"].filter((folder) => existsSync(join(folder, "escaped"))), [])
  assert.deepStrictEqual(survivors(), [])
  assert.notProperty({}, "polluted")
})

/** Every attempt but those that are `allowed` was held. */
const isHeld = (findings: Readonly<Record<string, string>>, allowed: ReadonlyArray<string> = []): void => {
  assert.isAtLeast(Object.keys(findings).length, 40)
  assert.deepStrictEqual(Object.entries(findings).filter(([name, finding]) => finding !== "held" && !allowed.includes(name)), [])
}

const byLine = (stdout: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    stdout.trim().split("\n").map((line): [string, string] => {
      const at = line.lastIndexOf(": ")
      return [line.slice(0, at), line.slice(at + 2)]
    })
  )

const byJson = (stdout: string): Readonly<Record<string, string>> => JSON.parse(stdout)

const settings = (confined: ConfinedSettings["confined"], more: Partial<ConfinedSettings> = {}): ConfinedSettings => ({
  confined,
  places: 4,
  node: process.execPath,
  ...more
})

const confinedWith = (settings: ConfinedSettings) => Layer.provideMerge(Confined.layerOf(settings), FetchedPackages.layer("never"))

const provided = (settings: ConfinedSettings) => Layer.merge(confinedWith(settings), Prey.layer)

const run = (request: Pick<SandboxRequest, "code" | "runtime"> & Partial<SandboxRequest>) =>
  Effect.flatMap(makeSandbox, (sandbox) => sandbox.run({ account: "acct_1", stdin: "", seconds: 60, ...request }))

describe.skipIf(bubblewrapPath() === undefined)(bubblewrapPath() === undefined ? BUBBLEWRAP_MISSING : "within bubblewrap", () => {
  layer(provided(settings("bubblewrap")), { excludeTestServices: true, timeout: "60 seconds" })("code", (it) => {
    it.effect("of Python reaches nothing", () =>
      Effect.gen(function*() {
        const { targets } = yield* Prey
        const { stderr, stdout } = yield* run({ runtime: "python", code: pythonProgram(targets) })
        assert.strictEqual(stderr, "")
        isHeld(byJson(stdout))
        yield* unharmed
      }))

    it.effect("of Node.js reaches nothing", () =>
      Effect.gen(function*() {
        const { targets } = yield* Prey
        const code = `(async () => {${nodeAttemptsBody(targets, "console.log(JSON.stringify(findings)); process.exit()")}})()`
        const { stderr, stdout } = yield* run({ runtime: "node", code })
        assert.strictEqual(stderr, "")
        isHeld(byJson(stdout))
        yield* unharmed
      }))

    it.effect("of bash reaches nothing", () =>
      Effect.gen(function*() {
        const { targets } = yield* Prey
        const { stdout } = yield* run({ runtime: "bash", code: bashProgram(targets) })
        isHeld(byLine(stdout))
        yield* unharmed
      }))

    it("has no file open that the service inherited", () => {
      const script = `exec 200< ${import.meta.filename}; exec "$@"`
      const { stdout } = spawnSync("bash", ["-c", script, "bash", process.execPath, join(import.meta.dirname, "inherited.ts")])
      assert.deepStrictEqual(String(stdout).trim().split("\n"), ["0", "1", "2", "255"], "255 is bash's own: its code")
    })

    it.effect.each(daemons)("of %s leaves no daemon behind", ([runtime, code]) =>
      Effect.gen(function*() {
        const { exitCode, stdout } = yield* run({ runtime, code })
        assert.deepStrictEqual([stdout, exitCode], ["begun\n", 0])
        yield* unharmed
      }))

    it.effect.each(stubborn)("of %s that ignores signals ends at its time", ([runtime, code]) =>
      Effect.gen(function*() {
        const ended = yield* run({ runtime, code, seconds: 5 })
        assert.deepInclude(ended, { stdout: "begun\n", timedOut: true, exitCode: null })
        yield* unharmed
      }))

    it.effect.each(outputFloods)("of %s that floods its output is ended", ([runtime, code, stream]) =>
      Effect.gen(function*() {
        const ended = yield* run({ runtime, code })
        assert.strictEqual(ended[stream].length, MIB)
        assert.deepInclude(ended, { exitCode: null, timedOut: false })
        assert.match(ended.notes.join(), /printed more than 1048576 bytes/)
      }))

    it.effect.each(processFloods)("of %s has no more than 64 processes", ([runtime, code]) =>
      Effect.gen(function*() {
        const { stdout } = yield* run({ runtime, code })
        assert.isAtMost(Number(stdout || 0), 64, stdout)
        yield* unharmed
      }))

    it.effect.each(memoryFloods)("of %s that floods the memory fails", ([runtime, code]) =>
      Effect.gen(function*() {
        const { stdout } = yield* run({ runtime, code })
        assert.notInclude(stdout, "escaped")
        yield* unharmed
      }))

    it.effect.each(diskFloods)("of %s that floods the disk fails", ([runtime, code]) =>
      Effect.gen(function*() {
        const { stdout } = yield* run({ runtime, code })
        assert.match(stdout, /^(?:held\n)+$/)
      }))

    it.effect("prints any bytes, and reads all of its input or none", () =>
      Effect.gen(function*() {
        const bytes = yield* run({ runtime: "python", code: `import sys\nsys.stdout.buffer.write(bytes(range(256)))` })
        assert.isTrue(bytes.stdout.isWellFormed())
        assert.include(bytes.stdout, "\0")
        const stdin = "y".repeat(MIB)
        assert.strictEqual((yield* run({ runtime: "bash", code: "wc -c", stdin })).stdout.trim(), String(MIB))
        assert.strictEqual((yield* run({ runtime: "bash", code: "echo done", stdin })).stdout, "done\n")
      }))
  })
})

/** A parser that does as its options say. */
const hostile = (limits: Partial<Limits> = {}): Engine => ({
  module: join(import.meta.dirname, "hostile-engine.ts"),
  shows: [],
  webAssembly: false,
  warm: true,
  limits: { memory: 512 * MIB, seconds: 60, output: MIB, ...limits }
})
const parser = hostile()

interface Asked {
  readonly account?: string
  readonly engine?: Engine
  readonly seconds?: number
}
const ask = (code: string, { account = "acct_1", engine = parser, seconds = engine.limits.seconds }: Asked = {}) =>
  Effect.flatMap(
    Confined,
    (confined) => confined.ask(engine, { account, bytes: Buffer.from("foreign bytes"), options: code, seconds })
  )

const failureOf = (code: string, engine = parser) =>
  Effect.map(Effect.flip(ask(code, { engine })), (error) => {
    assert.instanceOf(error, EngineFailed)
    return error instanceof EngineFailed ? error.reason : ""
  })

/** As in root's home. */
const closedFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "svc-closed-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true }))
)

/** Whether another user may come to this file: each folder above it lets everybody pass. */
const isOpen = (path: string): boolean => path === dirname(path) || ((statSync(dirname(path)).mode & 0o001) !== 0 && isOpen(dirname(path)))

/** `beingRoot`: what a parser may do whose program lies where only the service may enter, and which therefore runs as the service does. */
const parserProbes = (
  it: Parameters<Parameters<ReturnType<typeof layer<Confined | Prey, never>>>[1]>[0],
  beingRoot: ReadonlyArray<string> = []
) => {
  it.effect("reaches nothing", () =>
    Effect.gen(function*() {
      const { targets } = yield* Prey
      const findings = yield* ask(nodeAttemptsBody(targets, "return findings"))
      isHeld(findings as Readonly<Record<string, string>>, isOpen(parser.module) ? [] : beingRoot)
      yield* unharmed
    }))

  it.effect("answers from a folder that only the service may enter, and reaches nothing", () =>
    Effect.gen(function*() {
      const { targets } = yield* Prey
      const module = join(yield* closedFolder, "hostile-engine.ts")
      copyFileSync(parser.module, module)
      const findings = yield* ask(nodeAttemptsBody(targets, "return findings"), { engine: { ...parser, module } })
      isHeld(findings as Readonly<Record<string, string>>, beingRoot)
      yield* unharmed
    }))

  it.effect("answers with data only", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* ask("return bytes.length"), 13)
      const answer = yield* ask(
        `return JSON.parse('{"__proto__": {"polluted": "yes"}, "constructor": {"prototype": {"polluted": "yes"}}}')`
      )
      assert.isObject(answer)
      const printed = `console.log("a library prints"); return 1`
      assert.strictEqual(yield* ask(printed), 1)
      yield* unharmed
    }))

  it.effect("is kept for its account, for no other, and never after it failed", () =>
    Effect.gen(function*() {
      const pid = "return process.pid + ':' + (globalThis.asked = (globalThis.asked ?? 0) + 1)"
      const asked = (account: string) => Effect.map(ask(pid, { account }), (answer) => Number(String(answer).split(":")[1]))
      assert.deepStrictEqual([yield* asked("acct_a"), yield* asked("acct_a"), yield* asked("acct_b"), yield* asked("acct_a")], [1, 2, 1, 3])
      assert.strictEqual(yield* failureOf("throw new Error('x')"), "refused")
      yield* Effect.flip(ask("throw new Error('x')", { account: "acct_a" }))
      assert.strictEqual(yield* asked("acct_a"), 1)
      for (let n = 2; n <= 100; n++) assert.strictEqual(yield* asked("acct_a"), n)
      assert.strictEqual(yield* asked("acct_a"), 1, "a child is thrown away after 100 requests")
    }))

  it.effect("may take its time for each request, not for all that it answers", () =>
    Effect.gen(function*() {
      const engine = hostile({ seconds: 1 })
      const work = "while (process.cpuUsage().user < 6e5 * asked);"
      const code = `const asked = globalThis.asked = (globalThis.asked ?? 0) + 1; ${work} return asked`
      // Together they take more than the two seconds that one request may. By the clock a busy machine may need longer.
      for (let n = 1; n <= 6; n++) assert.strictEqual(yield* ask(code, { engine, seconds: 60 }), n)
    }))

  it.effect("is kept without what it answered", () =>
    Effect.gen(function*() {
      // Whoever asks first finds the wall, and stays known to it.
      assert.strictEqual(yield* ask("return 1"), 1)
      const engine = hostile()
      const answer = yield* Effect.map(ask("return { large: true }", { engine }), (answer) => new WeakRef(Object(answer)))
      yield* Effect.promise(() => setImmediate())
      collectGarbage()
      assert.isUndefined(answer.deref())
    }))

  it.effect("meets its limits", () =>
    Effect.gen(function*() {
      assert.strictEqual(yield* failureOf("for (;;);", hostile({ seconds: 1 })), "timeout")
      assert.strictEqual(
        yield* failureOf("process.on('SIGTERM', () => {}); await new Promise(() => {})", hostile({ seconds: 1 })),
        "timeout"
      )
      assert.strictEqual(yield* failureOf("return 'x'.repeat(2 << 20)"), "output")
      assert.strictEqual(yield* failureOf("process.stdout.write(Buffer.alloc(8, 255)); await new Promise(() => {})"), "output")
      const chatter = "for (;;) await new Promise((done) => process.stderr.write('x'.repeat(65536), done))"
      assert.strictEqual(yield* failureOf(chatter), "output")
      assert.strictEqual(yield* failureOf("process.exit(0)"), "ended")
      assert.strictEqual(yield* failureOf("process.abort()"), "ended")
      assert.strictEqual(
        yield* failureOf(
          "const fs = await import('node:fs'); fs.writeSync(1, Buffer.from('\\0\\0\\0\\x03{x}')); await new Promise(() => {})"
        ),
        "ended"
      )
      assert.include(["ended", "refused"], yield* failureOf("const all = []; for (;;) all.push(Buffer.alloc(64 << 20, 1))"))
      assert.include(
        ["ended", "refused"],
        yield* failureOf("const all = []; for (;;) all.push(new Array(1e6).fill(all.length))", hostile())
      )
      yield* unharmed
    }), 180_000)
}

describe.skipIf(bubblewrapPath() === undefined)(bubblewrapPath() === undefined ? BUBBLEWRAP_MISSING : "within bubblewrap", () => {
  layer(provided(settings("bubblewrap")), { excludeTestServices: true, timeout: "60 seconds" })("a parser", (it) => {
    parserProbes(it)

    it.effect("reads its program compiled, and cannot change it", () =>
      Effect.gen(function*() {
        const code = `
          const [fs, { getCompileCacheDir }] = ["node:fs", "node:module"].map((name) => process.getBuiltinModule(name))
          const folder = getCompileCacheDir()
          const written = fs.readdirSync(folder)
          const refused = [folder, folder + "/" + written[0]].map((path) => {
            try { fs.writeFileSync(path + (path === folder ? "/new" : ""), "x") } catch (error) { return error.code }
          })
          return { count: written.length, read: written.filter((name) => fs.readFileSync(folder + "/" + name).length > 0).length, refused }`
        const answer = (yield* ask(code)) as { readonly count: number; readonly read: number; readonly refused: ReadonlyArray<string> }
        assert.deepStrictEqual(answer.refused, ["EROFS", "EROFS"])
        assert.isAbove(answer.count, 0)
        assert.strictEqual(answer.read, answer.count)
      }))

    it.effect("answers where somebody has removed what was compiled", () =>
      Effect.gen(function*() {
        const folder = yield* closedFolder
        chmodSync(folder, 0o755)
        const engine = { ...parser, module: join(folder, "hostile-engine.ts") }
        copyFileSync(parser.module, engine.module)
        const caches = join(import.meta.dirname, "../../../../.node/compiled")
        mkdirSync(caches, { recursive: true })
        const before = readdirSync(caches)
        assert.strictEqual(yield* ask("return 1", { engine }), 1)
        const made = readdirSync(caches).filter((name) => !before.includes(name))
        assert.isNotEmpty(made)
        for (const name of made) rmSync(join(caches, name), { recursive: true, force: true })
        assert.strictEqual(yield* ask("return 2", { engine, account: "acct_2" }), 2)
      }))
  })
})

const node = newerNodePath()
describe.skipIf(node === undefined)(node === undefined ? NEWER_NODE_MISSING : "under Node's permissions", () => {
  layer(provided(settings("webassembly", { node: node ?? "" })), { excludeTestServices: true, timeout: "60 seconds" })(
    "a parser",
    // Node's permissions say nothing of users.
    (it) => parserProbes(it, ["is root", "is another user"])
  )
})

layer(provided(settings("webassembly")), { excludeTestServices: true, timeout: "60 seconds" })("within WebAssembly, JavaScript", (it) => {
  it.effect("reaches nothing", () =>
    Effect.gen(function*() {
      const { stderr, stdout } = yield* run({ runtime: "node", code: quickJsProgram })
      assert.strictEqual(stderr, "")
      isHeld(byLine(stdout))
      yield* unharmed
    }))

  it.effect.each(
    [
      ["loops", "for (;;);"],
      ["adds jobs", "const again = () => Promise.resolve().then(again); again()"],
      ["raises to a power", "2n ** (2n ** 40n)"],
      ["matches slowly", "/^(a+)+$/.test('a'.repeat(40) + 'b')"],
      ["throws what loops", "throw { get name() { for (;;); }, get message() { for (;;); } }"],
      ["sorts forever", "for (;;) Array.from({ length: 1e5 }, (_, n) => -n).sort()"]
    ] as const
  )("that %s is ended", ([, code]) =>
    Effect.gen(function*() {
      const { exitCode, timedOut } = yield* run({ runtime: "node", code, seconds: 1 })
      assert.isTrue(timedOut || exitCode === 1)
      yield* unharmed
    }))

  it.effect.each(
    [
      ["floods its output", "for (;;) console.log('x'.repeat(1000))", null],
      ["floods the other output", "for (;;) console.error('x'.repeat(1000))", null],
      ["floods the memory", "const all = []; for (;;) all.push(new Uint8Array(1e7))", 1],
      ["makes a long text", "'x'.repeat(2 ** 29)", 1],
      ["makes a large array", "new Uint8Array(2 ** 31)", 1],
      ["recurses", "const f = () => f() + 1; f()", 1],
      [
        "imports a module of Node.js",
        "import('node:fs').then(({ readFileSync }) => print(readFileSync('/etc/passwd')), (e) => { throw e })",
        0
      ],
      ["imports like a module", "import fs from 'node:fs'; print(fs.readFileSync('/etc/passwd'))", 1],
      ["throws nothing", "throw null", 1],
      ["throws a trap", "throw new Proxy({}, { get() { throw 1 }, ownKeys() { throw 1 } })", 1],
      ["throws a symbol", "throw Symbol('x')", 1],
      ["prints what throws", "console.log({ toJSON() { throw 1 } })", 1],
      ["prints a frame of ours", "print('\\0\\0\\0\\x02{}')", 0],
      ["prints half a character", "print('\\ud800')", 0],
      [
        "changes the printer",
        "globalThis.print = null; Object.prototype.reason = 'exit'; Object.prototype.exit_code = 7; console.log(1)",
        0
      ]
    ] as const
  )("that %s ends by itself or at a limit", ([, code, exitCode]) =>
    Effect.gen(function*() {
      const ended = yield* run({ runtime: "node", code })
      assert.strictEqual(ended.exitCode, exitCode, JSON.stringify(ended).slice(0, 300))
      assert.notInclude(ended.stdout, "root:")
      assert.isAtMost(ended.stdout.length + ended.stderr.length, 2 * MIB)
      yield* unharmed
    }))
})

/** Files in memory, and an address that Emscripten makes up: nothing of the host's, as `unharmed` sees. */
const OF_PYTHON = ["lists homes", "writes to its root", "writes to devices", "writes to its code", "asks for a name"]
/** Files in memory, too, also below `/dev/tcp`, and a name that is always the same. */
const OF_BASH = [
  "writes to the host's folder",
  "writes to programs",
  "writes to its root",
  "writes to devices",
  "writes to the kernel's settings",
  "spares itself from the memory killer",
  "connects to loopback",
  "connects to the metadata service",
  "connects to the outside",
  "sends datagrams",
  "changes the name of the machine"
]

const isFetched = await fetchedFolder(sandboxPackages) !== undefined

describe.skipIf(!isFetched)(isFetched ? "within WebAssembly" : missing(sandboxPackages), () => {
  layer(provided(settings("webassembly")), { excludeTestServices: true, timeout: "60 seconds" })("Python", (it) => {
    it.effect("reaches nothing", () =>
      Effect.gen(function*() {
        const { targets } = yield* Prey
        const { stderr, stdout } = yield* run({ runtime: "python", code: pythonInWebAssembly(targets) })
        assert.strictEqual(stderr, "")
        isHeld(byJson(stdout), OF_PYTHON)
        yield* unharmed
      }))

    it.effect("says its version, reads its input, and has a disk of its own", () =>
      Effect.gen(function*() {
        const code = `import os, sys
open("note", "w").write(sys.stdin.read())
print(open("/tmp/note").read(), os.getcwd(), sys.version_info[:2])
sys.exit(3)`
        const ended = yield* run({ runtime: "python", code, stdin: "héllo" })
        assert.deepInclude(ended, { stdout: "héllo /tmp (3, 13)\n", stderr: "", exitCode: 3, timedOut: false })
        assert.match(ended.image, /^CPython 3\.13\.\d+ of just-bash 3\.\S+, webassembly, Node\.js \d/u)
        assert.match(ended.notes.join(), /without threads, processes, sockets/u)
      }))

    it.effect.each(
      [
        ["loops", "print('begun', flush=True)\nwhile True: pass", "begun\n"],
        ["sleeps", "import time\nprint('begun', flush=True)\ntime.sleep(60)", "begun\n"],
        ["holds on", "while True:\n  try:\n    while True: pass\n  except BaseException: pass", ""],
        ["raises to a power", "2 ** (2 ** 40)", ""]
      ] as const
    )("that %s is ended", ([, code, printed]) =>
      Effect.gen(function*() {
        // Whoever is to print has the time to begin.
        const ended = yield* run({ runtime: "python", code, seconds: printed === "" ? 1 : 5 })
        assert.deepInclude(ended, { stdout: printed, timedOut: true, exitCode: null })
        yield* unharmed
      }))

    it.effect.each(
      [
        ["floods its output", "while True: print('x' * 1000)", null],
        ["floods the other output", "import sys\nwhile True:\n  try: sys.stderr.write('x' * 1000)\n  except BaseException: pass", null],
        ["floods the memory", "a = []\nwhile True: a.append(bytearray(10 ** 7))", 1],
        ["floods its disk", "f = open('/tmp/f', 'wb')\nwhile True: f.write(bytes(10 ** 8))", 1],
        ["recurses", "import sys\nsys.setrecursionlimit(10 ** 9)\ndef f(): return f()\nf()", 1],
        ["aborts", "import os\nos.abort()", 1],
        ["prints a frame of ours", "import sys\nsys.stdout.buffer.write(b'\\0\\0\\0\\x02{}')", 0],
        ["closes its streams", "import os\nos.close(1); os.close(2)", 0]
      ] as const
    )("that %s ends by itself or at a limit", ([, code, exitCode]) =>
      Effect.gen(function*() {
        const ended = yield* run({ runtime: "python", code })
        assert.strictEqual(ended.exitCode, exitCode, JSON.stringify(ended).slice(0, 300))
        assert.isFalse(ended.timedOut)
        assert.isAtMost(ended.stdout.length + ended.stderr.length, 2 * MIB)
        yield* unharmed
      }))
  })

  describe.skipIf(node === undefined)(node === undefined ? NEWER_NODE_MISSING : "in a newer Node.js", () => {
    layer(provided(settings("webassembly", { node: node ?? "" })), { excludeTestServices: true, timeout: "60 seconds" })("bash", (it) => {
      it.effect("reaches nothing", () =>
        Effect.gen(function*() {
          const { targets } = yield* Prey
          const { stdout } = yield* run({ runtime: "bash", code: bashProgram(targets) })
          isHeld(byLine(stdout), OF_BASH)
          yield* unharmed
        }))

      it.effect("reads its input, has commands and a disk of its own", () =>
        Effect.gen(function*() {
          const code = `cat > note; for n in 3 1 2; do echo $n; done | sort | tr '\n' ' '; wc -c < /tmp/note; exit 3`
          const ended = yield* run({ runtime: "bash", code, stdin: "héllo" })
          assert.deepInclude(ended, { stderr: "", exitCode: 3, timedOut: false })
          assert.match(ended.stdout, /^1 2 3 +6\n$/u)
          assert.match(ended.image, /^just-bash 3\.\S+, webassembly, Node\.js 2[5-9]/u)
        }))

      it.effect.each(
        [
          ["loops", "while :; do :; done"],
          ["sleeps", "sleep 60"],
          ["leaves a program behind", "sleep 60 & echo begun"],
          ["loops in a command", "awk 'BEGIN { while (1); }'"]
        ] as const
      )("that %s is ended", ([, code]) =>
        Effect.gen(function*() {
          const ended = yield* run({ runtime: "bash", code, seconds: 1 })
          assert.deepInclude(ended, { timedOut: true, exitCode: null })
          yield* unharmed
        }))

      it.effect.each(
        [
          ["floods its output", `x=$(printf '%100000s'); while :; do echo "$x"; done`, null],
          ["floods the memory", "x=a; while :; do x=$x$x; done", 126],
          ["floods its disk", `x=$(printf '%100000s'); while :; do echo "$x" >> /tmp/f; done`, 126],
          [
            "changes objects",
            "__proto__=1; declare -A a; a[__proto__]=x; a[constructor]=y; echo '{\"__proto__\": {\"polluted\": 1}}' | jq -c .",
            0
          ]
        ] as const
      )("that %s ends by itself or at a limit", ([, code, exitCode]) =>
        Effect.gen(function*() {
          const ended = yield* run({ runtime: "bash", code })
          assert.strictEqual(ended.exitCode, exitCode, JSON.stringify(ended).slice(0, 300))
          assert.isAtMost(ended.stdout.length + ended.stderr.length, 2 * MIB)
          yield* unharmed
        }))
    })
  })
})

describe.skipIf(CLOSES_NETWORK)("a parser under a Node.js that leaves the network open", () => {
  const failureWith = (time: FetchTime) =>
    Effect.gen(function*() {
      const folder = yield* closedFolder
      const packages = FetchedPackages.layerOf({ time, folder })
      const confined = Confined.layerOf(settings("webassembly", { node: undefined }))
      return yield* Effect.provide(Effect.flip(ask("return 1")), Layer.provide(confined, packages))
    })

  it.effect("waits for a newer one", () =>
    Effect.gen(function*() {
      assert.deepInclude(yield* failureWith("when_needed"), { _tag: "NoWall", isComing: true })
    }))

  it.effect("is refused where none may be fetched", () =>
    Effect.gen(function*() {
      const failure = yield* failureWith("never")
      assert.deepInclude(failure, { _tag: "NoWall" })
      assert.match("remedy" in failure ? failure.remedy : "", /FETCH_PACKAGES/u)
    }))
})

layer(provided(settings("webassembly", { places: 2 })))("places", (it) => {
  it.effect("are waited for, and refused after ten seconds", () =>
    Effect.gen(function*() {
      const long = Effect.forkChild(run({ runtime: "node", code: "for (;;);", seconds: 600 }), { startImmediately: true })
      const [first, second] = [yield* long, yield* long]
      const [refused, served] = [
        yield* Effect.forkChild(Effect.flip(run({ runtime: "node", code: "" })), { startImmediately: true }),
        yield* Effect.forkChild(Effect.delay(run({ runtime: "node", code: "print('served')" }), "5 seconds"), { startImmediately: true })
      ]
      // Holders have their places once their processes run.
      yield* Effect.promise(() => expect.poll(() => survivors().length, { timeout: 60_000 }).toBe(2))
      yield* TestClock.adjust("9 seconds")
      assert.isUndefined(refused.pollUnsafe())
      yield* TestClock.adjust("1 second")
      assert.instanceOf(yield* Fiber.join(refused), SandboxBusy)
      yield* Fiber.interrupt(first)
      assert.strictEqual((yield* Fiber.join(served)).stdout, "served\n", "a place was given back")
      yield* Fiber.interrupt(second)
      yield* unharmed
    }))
})

describe.skipIf(bubblewrapPath() === undefined)("where namespaces are refused, as in an ordinary container", () => {
  it("JavaScript runs within WebAssembly", () => {
    // No namespace can be made within this one, and its root is root of nothing else.
    const container = ["--unshare-user", "--uid", "0", "--gid", "0", "--disable-userns", "--dev-bind", "/", "/"]
    const program = [process.execPath, "--no-warnings", join(import.meta.dirname, "best-wall.ts")]
    const { stderr, stdout } = spawnSync(bubblewrapPath() ?? "", [...container, ...program], { encoding: "utf8" })
    assert.strictEqual(stderr, "")
    const { rung, ...result } = JSON.parse(stdout)
    assert.strictEqual(rung, "webassembly")
    assert.deepInclude(result, { stdout: "42\n", exitCode: 0 })
  })
})

const mayRunAsOthers = process.getuid?.() === 0 && [process.execPath, import.meta.filename].every(isReadableByAll)
describe.skipIf(bubblewrapPath() === undefined || !mayRunAsOthers)("a service that is not root's", () => {
  it.each(["best", "webassembly"])("runs code on the rung %s, however many processes its user has", (confined) => {
    const user = ["--reuid", "69000", "--regid", "69000", "--clear-groups"]
    const script = `for i in $(seq 80); do sleep 60 > /dev/null 2>&1 & done; "$@"; kill $(jobs -p)`
    const program = [process.execPath, "--no-warnings", join(import.meta.dirname, "best-wall.ts"), confined]
    const { stderr, stdout } = spawnSync("setpriv", [...user, "bash", "-c", script, "bash", ...program], { encoding: "utf8" })
    assert.strictEqual(stderr, "")
    assert.deepInclude(JSON.parse(stdout), { rung: confined === "best" ? "bubblewrap" : confined, stdout: "42\n", exitCode: 0 })
  })
})

const GROUPS = "/sys/fs/cgroup/memory"
describe.skipIf(process.getuid?.() !== 0 || !existsSync(`${GROUPS}/cgroup.procs`))("control groups of a service that was killed", () => {
  it.effect("are removed by the next", () =>
    Effect.gen(function*() {
      const { pid } = spawnSync("true")
      const left = `${GROUPS}/svc-${pid}-0`
      mkdirSync(left)
      yield* Effect.provide(Confined, confinedWith(settings("none")))
      assert.isFalse(existsSync(left))
    }))
})

describe("without a wall", () => {
  it.effect("nothing runs", () =>
    Effect.gen(function*() {
      const error = yield* Effect.flip(run({ runtime: "bash", code: "echo" }))
      assert.notInstanceOf(error, SandboxBusy)
      assert.include(error.message, "CONFINED is none")
    }).pipe(Effect.provide(confinedWith(settings("none")))))
})
