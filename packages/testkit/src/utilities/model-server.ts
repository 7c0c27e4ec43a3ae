/** `@dwmkerr/mock-llm` in the place of a language model, in a process of its own: other people's idea of what OpenAI's API answers. */
import { Effect, Schedule } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"
import { folder, installed } from "../clients/install.ts"
import { freePorts } from "../ports.ts"

const MAIN = join(folder, "node_modules/@dwmkerr/mock-llm/dist/main.js")

/** Its address, until the scope ends. It repeats what it is asked, unless rules are posted to `/config`. */
export const modelServer = Effect.gen(function*() {
  yield* installed
  const { port } = yield* freePorts("port")
  yield* Effect.acquireRelease(
    Effect.sync(() =>
      spawn(process.execPath, [MAIN], {
        env: { ...process.env, HOST: "127.0.0.1", PORT: String(port) },
        stdio: ["ignore", "ignore", "inherit"]
      })
    ),
    (child) => Effect.sync(() => void child.kill())
  )
  const url = `http://127.0.0.1:${port}`
  yield* Effect.tryPromise(() => fetch(`${url}/ready`)).pipe(
    Effect.retry(Schedule.spaced("50 millis").pipe(Schedule.upTo({ duration: "30 seconds" }))),
    Effect.orDie
  )
  return url
})
