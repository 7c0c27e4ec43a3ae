/** The commands of README.md, run as they stand there: from nothing to a captured payment and a verified ledger. */
import { assert, it } from "@effect/vitest"
import { makeClient } from "@svc/client/client"
import { Effect, Schema } from "effect"
import { FetchHttpClient } from "effect/http"
import { spawn } from "node:child_process"
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { freePorts } from "./ports.ts"

const root = fileURLToPath(new URL("../../..", import.meta.url))
const TIMEOUT_MILLIS = 150_000

interface Block {
  readonly background: boolean
  readonly commands: string
}

/** The fenced `sh` blocks. One that runs until it is stopped is marked `sh background`. */
const blocks: ReadonlyArray<Block> = Array.from(
  readFileSync(join(root, "README.md"), "utf8").matchAll(/^```sh( background)?\n([\s\S]*?)^```$/gm),
  ([, background, commands]) => ({ background: background !== undefined, commands: commands?.trim() ?? "" })
)

/** What a background command says once it can be used. */
const readiness: Readonly<Record<string, string>> = {
  "npm start": "svc is ready",
  "npm run svc -- listen": "Listening for webhooks"
}

/** A folder that looks like a fresh clone to npm, so that `.data` is a new one. */
const clone = Effect.acquireRelease(
  Effect.sync(() => {
    const folder = mkdtempSync(join(tmpdir(), "svc-readme-"))
    // The database may run under another account, which has to get to its own folder below this one.
    chmodSync(folder, 0o755)
    copyFileSync(join(root, "package.json"), join(folder, "package.json"))
    symlinkSync(join(root, "scripts"), join(folder, "scripts"))
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
        if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGTERM")
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
        duration: "60 seconds",
        orElse: () => Effect.die(new Error(`"${commands}" did not say "${text}" ${times} times:\n${output()}`))
      }))
  })))

const foreground = Effect.fnUntraced(function*(commands: string, cwd: string, env: NodeJS.ProcessEnv) {
  const { ended, output } = startOf(commands, cwd, env)
  const code = yield* Effect.promise(() => ended)
  assert.strictEqual(code, 0, output())
  return output()
})

const Credentials = Schema.fromJsonString(Schema.Struct({ base_url: Schema.String, secret_key: Schema.String, account_id: Schema.String }))

it.live("README.md: its commands take a payment, verify its webhooks and verify the ledger", () =>
  Effect.gen(function*() {
    const started = blocks.filter((block) => block.background).map(({ commands }) => commands)
    assert.deepStrictEqual(started, Object.keys(readiness))

    const folder = yield* clone
    const { api, tools, webhooks } = yield* freePorts("api", "tools", "webhooks")
    const env = { ...plainEnv, API_PORT: String(api), TOOLS_PORT: String(tools), WEBHOOK_URL: `http://127.0.0.1:${webhooks}/webhooks` }
    const [, listener] = yield* Effect.forEach(started, Effect.fnUntraced(function*(commands) {
      const running = yield* background(commands, folder, env)
      yield* running.says(readiness[commands] ?? "")
      return running
    }))
    assert(listener !== undefined)

    // One shell for all of them: a terminal keeps its variables. Twice: the page says that nothing is charged twice.
    const inOrder = blocks.filter((block) => !block.background).map(({ commands }) => commands).join("\n")
    const [first, second] = yield* Effect.all([foreground(inOrder, folder, env), foreground(inOrder, folder, env)])
    for (const output of [first, second]) {
      assert.include(output, "\"state\":\"captured\"")
      assert.include(output, "\"ok\":true")
      assert.strictEqual(output.split("ok: true").length - 1, 2, output)
      assert.include(output, "Settled 1 cent")
    }

    const credentials = yield* Schema.decodeEffect(Credentials)(readFileSync(join(folder, ".data", "credentials.json"), "utf8"))
    const client = yield* makeClient({ baseUrl: credentials.base_url, secretKey: credentials.secret_key })
    const { data: payments } = yield* client.payment_intents.list({ query: { page: 1, per_page: 100 } })
    assert.deepStrictEqual(
      payments.map(({ amount, captured_amount, state }) => ({ amount, captured_amount, state })),
      [{ amount: 1999, captured_amount: 1999, state: "captured" }, { amount: 2499, captured_amount: 2499, state: "captured" }]
    )
    const verification = yield* client.financial_events.verify({ query: {} })
    assert.isTrue(verification.ok)

    yield* listener.says("  verified", 6)
    for (const type of ["created", "authorized", "captured"]) {
      yield* listener.says(`payment_intent.${type}  evt_`, 2)
      assert.strictEqual(listener.output().match(new RegExp(`payment_intent\\.${type}  evt_\\w+  whq_\\w+  verified`, "g"))?.length, 2, listener.output())
    }
    assert.notInclude(listener.output(), "NOT VERIFIED")
  }).pipe(Effect.scoped, Effect.provide(FetchHttpClient.layer)), TIMEOUT_MILLIS)
