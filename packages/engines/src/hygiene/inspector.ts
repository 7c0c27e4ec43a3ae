/** Asks a confined child what is wrong with files: the rules read the text of strangers. */
import type { Engine } from "@svc/confined/model"
import { Confined } from "@svc/confined/service"
import { pack } from "@svc/programs/confined/pack"
import { Data, Effect, Schema } from "effect"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { MIB } from "../analysis/refusal.ts"
import { InspectAnswer, type InspectOptions } from "./model.ts"

const fileOf = (module: string) => fileURLToPath(import.meta.resolve(module))
const packageOf = (file: string) => dirname(dirname(dirname(file)))

const inspection: Engine = {
  module: `${import.meta.dirname}/inspect.ts`,
  shows: [
    dirname(dirname(import.meta.dirname)),
    packageOf(fileOf("@svc/kernel/values/json")),
    packageOf(fileOf("@svc/programs/confined/read")),
    dirname(dirname(fileOf("modern-tar/package.json")))
  ],
  webAssembly: false,
  // Never kept: a file that leaves a parser broken would harm the next request.
  warm: false,
  limits: { memory: 512 * MIB, seconds: 25, output: 64 * MIB }
}

/** The files cannot be inspected, and another try would end the same. */
export class InspectionRefused extends Data.TaggedError("InspectionRefused")<{
  readonly reason: "paths" | "too_slow"
  readonly message: string
}> {}

const decodeAnswer = Schema.decodeUnknownEffect(InspectAnswer)

const tooSlow = () =>
  new InspectionRefused({
    reason: "too_slow",
    message: `The files take more than ${inspection.limits.seconds} seconds or too much memory to inspect. Send fewer.`
  })

interface Files {
  readonly account: string
  readonly files: ReadonlyArray<{ readonly path: string; readonly content: string }>
}
export interface InspectionRequest extends Files, Omit<InspectOptions, "only"> {}

export const makeInspector = Effect.gen(function*() {
  const confined = yield* Confined

  const ask = Effect.fnUntraced(function*({ account, files }: Files, options: InspectOptions) {
    const bytes = pack(files.map(({ content, path }) => ({ name: path, bytes: Buffer.from(content) })))
    // What an engine that failed says may quote a file: it goes no further.
    const answer = yield* confined.ask(inspection, { account, bytes, options: { ...options } }).pipe(
      Effect.catchTag("EngineFailed", () => Effect.fail(tooSlow())),
      Effect.flatMap((given) => Effect.mapError(decodeAnswer(given), tooSlow))
    )
    if ("refused" in answer) return yield* new InspectionRefused({ reason: "paths", message: answer.refused })
    return answer
  })

  const inspect = Effect.fnUntraced(function*({ account, files, ...options }: InspectionRequest) {
    const answer = yield* ask({ account, files }, options)
    return "grade" in answer ? answer : yield* tooSlow()
  })
  const findSecrets = Effect.fnUntraced(function*(files: Files) {
    const answer = yield* ask(files, { config: {}, plan: false, patch: false, only: "secrets" })
    return "secrets" in answer ? answer : yield* tooSlow()
  })
  return { inspect, findSecrets, wall: confined.wall }
})
