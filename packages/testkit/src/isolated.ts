/** All tests as nothing else runs them: each file in a process of its own, and every number of the long random runs. */
import { Effect } from "effect"
import { spawn } from "node:child_process"
import { join } from "node:path"

const root = join(import.meta.dirname, "../../..")

/** Runs Vitest to its end, in our terminal. Succeeds with whether all tests passed. */
export const allTests = Effect.callback<boolean>((resume) => {
  const child = spawn(process.execPath, [join(root, "node_modules/vitest/vitest.mjs"), "run", "--config", "vitest.workspace.ts"], {
    cwd: root,
    env: { ...process.env, TEST_ISOLATION: "files", TEST_PART: "all" },
    stdio: "inherit"
  })
  child.once("error", (error) => resume(Effect.die(error)))
  child.once("close", (code) => resume(Effect.succeed(code === 0)))
  return Effect.sync(() => void child.kill())
})
