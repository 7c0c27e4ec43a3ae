/**
 * Runs once per test run, in the main process: answers workers that ask for a Postgres, and starts it for the first of them.
 */
import { Cause, Exit, ManagedRuntime, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { chromiumPath } from "./browser/chromium.ts"
import { Answer } from "./database.ts"
import { layerTemplateServer, type ServerAddress, TemplateServer } from "./postgres.ts"

/** An error's message and those of its causes: what Postgres itself said is at the end of that chain. */
const messages = (error: unknown): string =>
  error instanceof Error ? [error.message, ...(error.cause === undefined ? [] : [messages(error.cause)])].join(": ") : String(error)

const answer = (exit: Exit.Exit<ServerAddress, unknown>): typeof Answer.Type =>
  Exit.match(exit, {
    onSuccess: (address) => ({ address }),
    onFailure: (cause) => ({ error: `The Postgres of the tests did not start: ${messages(Cause.squash(cause))}` })
  })

const encode = Schema.encodeSync(Answer)

/** A machine that only runs tests, as root, gets the browser that pages are tried in. Elsewhere those tests are skipped, and say so. */
const installChromium = (): void => {
  if (process.env["CI"] === undefined || process.getuid?.() !== 0 || chromiumPath() !== undefined) return
  spawnSync("apt-get", ["install", "-y", "--no-install-recommends", "chromium"], { stdio: "ignore", timeout: 300_000 })
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  installChromium()
  const folder = await mkdtemp(join(tmpdir(), "svc-run-"))
  const path = process.platform === "win32" ? `\\\\.\\pipe\\${folder.replaceAll(/[\\/:]/g, "-")}` : join(folder, "control.sock")
  const runtime = ManagedRuntime.make(layerTemplateServer)
  const server = createServer((socket) => {
    socket.on("error", () => {}) // a worker that was stopped while it waited
    void runtime.runPromiseExit(TemplateServer).then((exit) => socket.end(encode(answer(exit))))
  })
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve))
  project.provide("testPostgres", path)
  return async () => {
    await new Promise((resolve) => server.close(resolve))
    await runtime.dispose()
    await rm(folder, { recursive: true, force: true })
  }
}
