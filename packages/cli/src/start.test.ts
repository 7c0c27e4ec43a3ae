/** What the command line loads before it does anything: nothing of what runs the service. */
import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"

const run = promisify(execFile)

/** Writes the address of each module to standard error when it is loaded. */
const HOOK = `import { registerHooks } from "node:module"
registerHooks({ load(url, context, next) { process.stderr.write(url + "\\n"); return next(url, context) } })`

it.each(["--help", "help payouts", "payouts create --help"])("svc %s loads no implementation", async (args) => {
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`
  const { stderr, stdout } = await run(process.execPath, ["--import", hook, `${import.meta.dirname}/main.ts`, ...args.split(" ")])
  assert.include(stdout, "payouts")
  const loaded = stderr.split("\n").filter((url) => url.includes("/packages/"))
  assert.include(loaded.join("\n"), "/cli/src/main.ts")
  assert.deepStrictEqual(loaded.filter((url) => /\/(?:http|jobs|repository|service)\.ts$/u.test(url)), [])
})
