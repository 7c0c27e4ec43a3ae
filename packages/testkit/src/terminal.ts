/** Commands of a page, run as somebody at a terminal does in a fresh clone. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePorts } from "./ports.ts"

export const root = fileURLToPath(new URL("../../..", import.meta.url))

export interface Block {
  readonly background: boolean
  readonly commands: string
}

/** The fenced `sh` blocks of a page. One that runs until it is stopped is marked `sh background`. */
export const blocksOf = (page: string): ReadonlyArray<Block> =>
  Array.from(
    readFileSync(join(root, page), "utf8").matchAll(/^```sh( background)?\n([\s\S]*?)^```$/gm),
    ([, background, commands]) => ({ background: background !== undefined, commands: commands?.trim() ?? "" })
  )

/** The commands of pages that end, in their order: a terminal keeps its variables from one block to the next. */
export const commandsOf = (...pages: ReadonlyArray<string>): string =>
  pages.flatMap(blocksOf).filter(({ background }) => !background).map(({ commands }) => commands).join("\n")

/** A folder that looks like a fresh clone to npm, so that `.data` is a new one. */
const clone = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "svc-pages-"))
    // The database may run under another account, which has to get to its own folder below this one.
    chmodSync(folder, 0o755)
    copyFileSync(join(root, "package.json"), join(folder, "package.json"))
    for (const name of ["docs", "scripts"]) symlinkSync(join(root, name), join(folder, name))
    return folder
  }),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)

/** This process's environment without what the test runner added, as somebody at a terminal has it. */
const plainEnv = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(npm_|VITEST|NODE_OPTIONS$|NODE_ENV$|DATA_DIR$|DATABASE_URL$|TEST$)/.test(name))
)

interface Running {
  /** Everything it printed so far. */
  readonly output: () => string
  /** Waits until it has printed the text this often, and fails with all it printed when it ends first. */
  readonly says: (text: string, times?: number) => Effect.Effect<void>
}

const startOf = (commands: string, cwd: string, env: NodeJS.ProcessEnv) => {
  // A process group of its own: npm, its shell and the program stop together.
  const child = spawn("bash", ["-euo", "pipefail", "-c", commands], { cwd, env, detached: true, stdio: ["ignore", "pipe", "pipe"] })
  let text = ""
  const listeners = new Set<() => void>()
  const heard = (chunk: unknown) => {
    text += String(chunk)
    for (const listener of listeners) listener()
  }
  child.stdout.on("data", heard)
  child.stderr.on("data", heard)
  const ended = new Promise<number | null>((resolve) => child.once("close", resolve))
  return { child, ended, listeners, output: () => text }
}

const background = (commands: string, cwd: string, env: NodeJS.ProcessEnv) =>
  Effect.acquireRelease(
    Effect.sync(() => startOf(commands, cwd, env)),
    ({ child, ended }) =>
      Effect.promise(async () => {
        if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid, "SIGTERM")
        await ended
      })
  ).pipe(Effect.map(({ ended, listeners, output }): Running => ({
    output,
    says: (text, times = 1) =>
      Effect.callback<void>((resume) => {
        const look = () => {
          if (output().split(text).length > times) resume(Effect.void)
        }
        listeners.add(look)
        void ended.then(() => resume(Effect.die(new Error(`"${commands}" ended before it said "${text}":\n${output()}`))))
        look()
        return Effect.sync(() => listeners.delete(look))
      }).pipe(Effect.timeoutOrElse({
        duration: "300 seconds",
        orElse: () => Effect.die(new Error(`"${commands}" did not say "${text}" ${times} times:\n${output()}`))
      }))
  })))

/** A fresh clone, and terminals in it. The ports are free ones. */
export const terminals = Effect.gen(function*() {
  const folder = yield* clone
  const { api, tools, webhooks } = yield* freePorts("api", "tools", "webhooks")
  const env = { ...plainEnv, API_PORT: String(api), TOOLS_PORT: String(tools), WEBHOOK_URL: `http://127.0.0.1:${webhooks}/webhooks` }
  return {
    folder,
    /** Runs the commands until the test ends, and goes on once they say this. */
    background: Effect.fnUntraced(function*(commands: string, ready: string) {
      const running = yield* background(commands, folder, env)
      yield* running.says(ready)
      return running
    }),
    /** Runs the commands in one shell, which have to succeed. All that they print. */
    run: Effect.fnUntraced(function*(commands: string) {
      const { ended, output } = startOf(commands, folder, env)
      const code = yield* Effect.promise(() => ended)
      assert.strictEqual(code, 0, output())
      return output()
    })
  }
})
