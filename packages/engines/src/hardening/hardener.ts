/** Asks a confined child how the files of an agent are hardened. */
import { type Engine, EngineFailed } from "@svc/confined/model"
import { Confined } from "@svc/confined/service"
import { pack } from "@svc/programs/confined/pack"
import { HardenAnswer, type HardenOptions } from "@svc/programs/hardening/model"
import { Effect, Schema } from "effect"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import type { SourceFile } from "../analysis/model.ts"
import { MIB } from "../analysis/refusal.ts"

const fileOf = (module: string) => fileURLToPath(import.meta.resolve(module))
const packageOf = (file: string) => dirname(dirname(dirname(file)))

const hardening: Engine = {
  module: fileOf("@svc/programs/confined/harden"),
  shows: [
    packageOf(fileOf("@svc/programs/confined/harden")),
    packageOf(fileOf("@svc/kernel/values/json")),
    dirname(dirname(fileOf("modern-tar/package.json")))
  ],
  webAssembly: false,
  // Never kept: a file that leaves the parser broken would harm the next request.
  warm: false,
  limits: { memory: 500 * MIB, seconds: 30, output: 64 * MIB }
}

export interface HardeningRequest extends HardenOptions {
  readonly account: string
  readonly files: ReadonlyArray<Pick<SourceFile, "path" | "deflated">>
}

const decodeAnswer = Schema.decodeUnknownEffect(HardenAnswer)

export const makeHardener = Effect.gen(function*() {
  const confined = yield* Confined
  const harden = ({ account, files, secrets, shown }: HardeningRequest) =>
    confined.ask(hardening, {
      account,
      bytes: pack(files.map(({ deflated, path }) => ({ name: path, bytes: deflated }))),
      options: { secrets: secrets.map(({ line, path }) => ({ path, line })), shown }
    }).pipe(Effect.flatMap((given) =>
      Effect.mapError(decodeAnswer(given), () => new EngineFailed({ reason: "refused", message: "The answer is not what was asked for." }))
    ))
  return { harden }
})
