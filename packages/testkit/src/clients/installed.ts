/** Programs written with the packages of `packages/testkit/clients`, each run as a process of its own. */
import { parseJson } from "@svc/kernel/values/json"
import { Data, Effect } from "effect"
import { execFile } from "node:child_process"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { folder, installed } from "./install.ts"

/** A program ended badly. `message` is the end of what it wrote to stderr. */
export class ClientFailed extends Data.TaggedError("ClientFailed")<{ readonly message: string; readonly cause: unknown }> {}

const run = (
  file: string,
  args: ReadonlyArray<string>,
  { input, env }: { readonly input?: string; readonly env?: Readonly<Record<string, string>> } = {}
) =>
  Effect.callback<string, ClientFailed>((resume) => {
    const child = execFile(
      file,
      args,
      { cwd: folder, env: { ...process.env, ...env }, maxBuffer: 16 * 1024 * 1024, timeout: 120_000 },
      (error, stdout, stderr) => {
        resume(error === null ? Effect.succeed(stdout) : Effect.fail(new ClientFailed({ message: stderr.slice(-4000), cause: error })))
      }
    )
    child.stdin?.end(input)
    return Effect.sync(() => void child.kill())
  })

/**
 * Runs a module of this folder with an input, JSON in `INPUT`, and answers with the JSON that it prints. It finds the packages because it
 * starts among them.
 */
export const runClient = Effect.fnUntraced(function*(module: string, input: unknown) {
  yield* installed
  const printed = yield* run(process.execPath, ["--input-type=module", "-"], {
    input: readFileSync(join(import.meta.dirname, module), "utf8"),
    env: { INPUT: JSON.stringify(input) }
  })
  return parseJson(printed)
})
