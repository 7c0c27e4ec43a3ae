/** Whether a value fits the JSON schema of a caller, who may have written one that asks for years of work. */
import { beginningOf } from "@svc/kernel/values/text"
import { Data, Effect } from "effect"
import { Worker } from "node:worker_threads"

export const MAX_SCHEMA_BYTES = 64 * 1024
const TIMEOUT = "4 seconds"
const LIMITS = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16, stackSizeMb: 2 }
const SHOWN = 300

export interface Task {
  readonly schema: object
  readonly value: unknown
}

export type Checked =
  | { readonly _tag: "Checked"; readonly valid: boolean; readonly errors: ReadonlyArray<string> }
  | { readonly _tag: "Refused"; readonly why: string }

/** The schema cannot be used. */
export class SchemaRefused extends Data.TaggedError("SchemaRefused")<{ readonly message: string }> {}

const refused = (why: string) => new SchemaRefused({ message: `json_schema: ${beginningOf(why.replaceAll(/\s+/gu, " "), SHOWN)}.` })

/** The environment of this process, with its secrets, does not reach the thread. */
const inThread = (task: Task): Effect.Effect<Checked, SchemaRefused> =>
  Effect.callback<Checked, SchemaRefused>((resume) => {
    const worker = new Worker(new URL("./worker.ts", import.meta.url), { workerData: task, resourceLimits: LIMITS, env: {}, execArgv: [] })
    worker.once("message", (checked: Checked) => resume(Effect.succeed(checked)))
    worker.once("error", () => resume(Effect.fail(refused("it takes too much memory, or cannot be checked"))))
    return Effect.promise(() => worker.terminate())
  }).pipe(
    Effect.timeoutOrElse({ duration: TIMEOUT, orElse: () => Effect.fail(refused(`to check it takes more than ${TIMEOUT}`)) })
  )

export const checkJson = Effect.fnUntraced(function*(schema: object, value: unknown) {
  const bytes = Buffer.byteLength(JSON.stringify(schema))
  if (bytes > MAX_SCHEMA_BYTES) return yield* refused(`it has ${bytes} bytes, and may have ${MAX_SCHEMA_BYTES}`)
  const checked = yield* inThread({ schema, value })
  return checked._tag === "Checked" ? checked : yield* refused(checked.why)
})
