import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { once } from "node:events"
import { claim, freePorts } from "./ports.ts"

it.effect("a port is given once, also when nothing listens there yet", () =>
  Effect.gen(function*() {
    const given = yield* Effect.forEach(Array.from({ length: 60 }), () => Effect.map(freePorts("port"), ({ port }) => port))
    assert.strictEqual(new Set(given).size, given.length)
    assert.isTrue(given.every((port) => port >= 10_000 && port < 32_768))
  }))

/** Asks for a port, and keeps it until it is killed. */
const HOLDER = `
import { Effect } from "effect"
import { freePorts } from ${JSON.stringify(new URL("ports.ts", import.meta.url).href)}
const { port } = await Effect.runPromise(freePorts("port"))
process.stdout.write(String(port))
process.stdin.resume()`

it("a port that another process was given is nobody else's until that process ends", async () => {
  const holder = spawn(process.execPath, ["--input-type=module", "--eval", HOLDER], {
    cwd: import.meta.dirname,
    stdio: ["pipe", "pipe", "inherit"]
  })
  const ended = once(holder, "close")
  try {
    const [text] = await once(holder.stdout, "data")
    const port = Number(text)
    assert.isFalse(await claim(port))
    holder.kill("SIGKILL")
    await ended
    assert.isTrue(await claim(port))
  } finally {
    holder.kill("SIGKILL")
  }
})
