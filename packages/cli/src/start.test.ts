/** What the command line loads before it does anything: nothing of what runs the service. */
import { assert, it } from "@effect/vitest"
import { execFile } from "node:child_process"
import { promisify } from "node:util"

const run = promisify(execFile)

/** Writes the address of each module to standard error when it is loaded. */
const HOOK = `import { registerHooks } from "node:module"
registerHooks({ load(url, context, next) { process.stderr.write(url + "\\n"); return next(url, context) } })`

/** What a command prints, and the addresses of the modules that it loads. */
const ran = async (args: string) => {
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`
  const { stderr, stdout } = await run(process.execPath, ["--import", hook, `${import.meta.dirname}/main.ts`, ...args.split(" ")])
  const loaded = stderr.split("\n")
  assert.include(loaded.join("\n"), "/cli/src/main.ts")
  return { stdout, loaded }
}

it.each(["--help", "help payouts", "payouts create --help"])("svc %s loads no implementation", async (args) => {
  const { loaded, stdout } = await ran(args)
  assert.include(stdout, "payouts")
  assert.deepStrictEqual(loaded.filter((url) => /\/packages\/.*\/(?:http|jobs|repository|service)\.ts$/u.test(url)), [])
})

it("the client of the API, with which svc clock asks, loads nothing of the database", async () => {
  const { loaded, stdout } = await ran("clock --help")
  assert.include(stdout, "advance")
  assert.include(loaded.join("\n"), "/client/src/client.ts")
  const ofDatabase = /\/sql-pg\/|\/kernel\/src\/(?:database\/(?:client|rows)|road\/committer)\.ts$/u
  assert.deepStrictEqual(loaded.filter((url) => ofDatabase.test(url)), [])
})
