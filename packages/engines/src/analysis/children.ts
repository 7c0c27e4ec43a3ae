/** The three engines of an analysis, each in a confined child, and their answers: foreign until they are decoded. */
import { type Engine, EngineFailed, type EngineRequest } from "@svc/confined/model"
import { Confined } from "@svc/confined/service"
import { MakeAnswer, type MakeOptions, ReadAnswer } from "@svc/programs/confined/model"
import { pack, type Piece } from "@svc/programs/confined/pack"
import { Effect, Schedule, Schema } from "effect"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { IntakeAnswer, type IntakeOptions } from "./model.ts"
import { MIB } from "./refusal.ts"

const fileOf = (module: string) => fileURLToPath(import.meta.resolve(module))
const packageOf = (file: string) => dirname(dirname(dirname(file)))

const ENGINES = dirname(dirname(import.meta.dirname))
const KERNEL = packageOf(fileOf("@svc/kernel/values/json"))
const PROGRAMS = packageOf(fileOf("@svc/programs/confined/read"))
const LIBRARIES = dirname(dirname(fileOf("modern-tar/package.json")))
const SHOWS = [ENGINES, KERNEL, PROGRAMS, LIBRARIES]

const engine = (module: string, limits: Engine["limits"], warm = true): Engine => ({
  module,
  shows: SHOWS,
  webAssembly: false,
  warm,
  limits
})

export interface AnalysisEngines {
  readonly intake: Engine
  readonly read: Engine
  readonly make: Engine
}

export const analysisEngines: AnalysisEngines = {
  intake: engine(`${import.meta.dirname}/intake.ts`, { memory: 768 * MIB, seconds: 60, output: 128 * MIB }),
  // Never kept: a file that leaves the parser broken would harm the files of the next request.
  read: engine(fileOf("@svc/programs/confined/read"), { memory: 500 * MIB, seconds: 60, output: 128 * MIB }, false),
  make: engine(fileOf("@svc/programs/confined/make"), { memory: 500 * MIB, seconds: 60, output: 64 * MIB })
}

/** A place is waited for ten seconds each time. */
const PATIENCE = Schedule.recurs(5)

export const makeAnalysisChildren = Effect.fnUntraced(function*(engines: AnalysisEngines) {
  const confined = yield* Confined

  const ask = <S extends Schema.Codec<unknown, unknown>>(engine: Engine, answer: S) => {
    const decode = Schema.decodeUnknownEffect(answer)
    return (request: EngineRequest): Effect.Effect<S["Type"], Effect.Error<ReturnType<typeof confined.ask>>> =>
      confined.ask(engine, request).pipe(
        Effect.retry({ schedule: PATIENCE, while: (error) => error._tag === "SandboxBusy" }),
        Effect.flatMap((given) =>
          Effect.mapError(decode(given), () => new EngineFailed({ reason: "refused", message: "The answer is not what was asked for." }))
        )
      )
  }
  const [askIntake, askRead, askMake] = [
    ask(engines.intake, IntakeAnswer),
    ask(engines.read, ReadAnswer),
    ask(engines.make, MakeAnswer)
  ]
  return {
    intake: (account: string, bytes: EngineRequest["bytes"], options: IntakeOptions) =>
      askIntake({ account, bytes, options: { ...options } }),
    read: (account: string, files: ReadonlyArray<Piece>) => askRead({ account, bytes: pack(files), options: {} }),
    make: (account: string, facts: ReadonlyArray<Piece>, options: MakeOptions) =>
      askMake({ account, bytes: pack(facts), options: { ...options, description: { ...options.description } } })
  }
})
export type AnalysisChildren = Effect.Success<ReturnType<typeof makeAnalysisChildren>>
