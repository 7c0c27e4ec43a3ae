/**
 * Runs once per test run, in the main process: answers workers that ask for a Postgres, and starts it for the first of them, or at once
 * where all tests run.
 */
import { Cause, Exit, ManagedRuntime, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { existsSync } from "node:fs"
import { mkdtemp, rm } from "node:fs/promises"
import { createServer } from "node:net"
import { tmpdir } from "node:os"
import { join } from "node:path"
import type { TestProject } from "vitest/node"
import { chromiumPath } from "./browser/chromium.ts"
import { bubblewrapPath } from "./bubblewrap.ts"
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

/** Packages of Debian besides the wall, and a file of each: what shows pages, speaks, listens, reads pictures, judges what tools make. */
const programs = [
  ["chromium-headless-shell", "/usr/bin/chromium-headless-shell"],
  ["espeak-ng", "/usr/bin/espeak-ng"],
  ["ffmpeg", "/usr/bin/ffmpeg"],
  ["ghostscript", "/usr/bin/gs"],
  ["pandoc", "/usr/bin/pandoc"],
  ["pocketsphinx", "/usr/bin/pocketsphinx_continuous"],
  ["pocketsphinx-en-us", "/usr/share/pocketsphinx/model/en-us/en-us/mdef"],
  ["shellcheck", "/usr/bin/shellcheck"],
  ["slowhttptest", "/usr/bin/slowhttptest"],
  ["tesseract-ocr", "/usr/bin/tesseract"]
] as const

/** A machine that only runs tests, as root, gets the programs of others that tests use. Elsewhere those tests are skipped, and say so. */
const installPrograms = (): void => {
  if (process.env["CI"] === undefined || process.getuid?.() !== 0) return
  const missing = [
    ...(bubblewrapPath() === undefined ? ["bubblewrap"] : []),
    ...programs.flatMap(([name, path]) => existsSync(path) ? [] : [name])
  ]
  // A package that is to be had nowhere must not keep the others away.
  const install = (names: ReadonlyArray<string>) =>
    spawnSync("apt-get", ["install", "-y", "--no-install-recommends", ...names], { stdio: "ignore", timeout: 300_000 }).status === 0
  if (missing.length > 0 && !install(missing)) { for (const name of missing) install([name]) }
  if (chromiumPath() === undefined) install(["chromium"])
}

export const setup = async (project: TestProject): Promise<() => Promise<void>> => {
  installPrograms()
  const folder = await mkdtemp(join(tmpdir(), "svc-run-"))
  const path = process.platform === "win32" ? `\\\\.\\pipe\\${folder.replaceAll(/[\\/:]/g, "-")}` : join(folder, "control.sock")
  const runtime = ManagedRuntime.make(layerTemplateServer)
  const server = createServer((socket) => {
    socket.on("error", () => {}) // a worker that was stopped while it waited
    void runtime.runPromiseExit(TemplateServer).then((exit) => socket.end(encode(answer(exit))))
  })
  await new Promise<void>((resolve, reject) => server.once("error", reject).listen(path, resolve))
  project.provide("testPostgres", path)
  const close = async () => {
    await new Promise((resolve) => server.close(resolve))
    await runtime.dispose()
    await rm(folder, { recursive: true, force: true })
  }
  // Most files of a whole run need it: where it does not start, as on a full disk, that is said once and at once.
  if (process.env["CI"] !== undefined) {
    const first = answer(await runtime.runPromiseExit(TemplateServer))
    if ("error" in first) {
      await close()
      throw new Error(first.error)
    }
  }
  return close
}
