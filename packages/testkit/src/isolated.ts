/** All tests as `npm test` does not run them, and a check as `npm run check` does not. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"

const root = join(import.meta.dirname, "../../..")

/** Runs a program of this checkout to its end, in our terminal. Succeeds with whether its exit code was 0. */
const succeeds = (program: ReadonlyArray<string>, environment: Readonly<Record<string, string>> = {}) =>
  Effect.callback<boolean>((resume) => {
    const child = spawn(process.execPath, program, {
      cwd: root,
      env: { ...process.env, ...environment },
      stdio: "inherit"
    })
    child.once("error", (error) => resume(Effect.die(error)))
    child.once("close", (code) => resume(Effect.succeed(code === 0)))
    return Effect.sync(() => void child.kill())
  })

/** Whether all tests passed. */
const testsWith = (environment: Readonly<Record<string, string>>) =>
  succeeds([join(root, "node_modules/vitest/vitest.mjs"), "run", "--config", "vitest.workspace.ts"], environment)

/** Whether every regular expression takes linear time, judged anew. */
export const allPatterns = succeeds(["scripts/check-patterns.ts", "--all"])

/** Each file in a process of its own, and every number of the long random runs. */
export const allTests = testsWith({ TEST_ISOLATION: "files", TEST_PART: "all" })

const busyLoop = Effect.acquireRelease(
  Effect.sync(() => spawn(process.execPath, ["--eval", "for (;;);"], { stdio: "ignore" })),
  (child) => Effect.sync(() => void child.kill("SIGKILL"))
)

/** One part of the numbers, while two programs beside the tests do nothing but take the processor. */
export const loadedTests = (part: number) =>
  Effect.scoped(Effect.andThen(Effect.all([busyLoop, busyLoop]), testsWith({ TEST_PART: String(part) })))
