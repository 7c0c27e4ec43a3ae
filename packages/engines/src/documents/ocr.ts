/** The text of a picture, behind the wall: by the Tesseract of this machine, or by one in WebAssembly. */
import type { Engine, EngineRequest } from "@svc/confined/model"
import { Confined } from "@svc/confined/service"
import { fetchNote } from "@svc/platform/fetched/model"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { Effect, Stream } from "effect"
import { dirname } from "node:path"
import { ocrPackages } from "../fetched/groups.ts"
import { MIB } from "./document.ts"
import { DocumentRefused } from "./reader.ts"

const TESSERACT = "/usr/bin/tesseract"
const MOST_BYTES = 10 * MIB
const LIMITS = { memory: 512 * MIB, seconds: 60, output: MIB }

const tesseract = (folder: string): Engine => ({
  module: `${import.meta.dirname}/tesseract.ts`,
  shows: [dirname(dirname(import.meta.dirname)), folder],
  webAssembly: true,
  warm: true,
  limits: LIMITS
})
const IN_WEBASSEMBLY = "tesseract.js-core 7.0.0"

const tooSlow = new DocumentRefused({
  reason: "too_large",
  message: `OCR takes more than ${LIMITS.seconds} seconds. Make the picture smaller.`
})
const damaged = new DocumentRefused({ reason: "damaged", message: "The picture cannot be read. Save it anew as PNG." })

export const makeOcr = Effect.gen(function*() {
  const confined = yield* Confined
  const fetched = yield* FetchedPackages
  /** One for each folder, because a warm child is found by it. */
  const engines = new Map<string, Engine>()

  const run = (args: ReadonlyArray<string>, stdin: Uint8Array) => confined.run({ path: TESSERACT, args, stdin, shows: [], limits: LIMITS })

  /** The Tesseract of this machine, which only bubblewrap confines. */
  const installed = Effect.gen(function*() {
    if ((yield* confined.wall).rung !== "bubblewrap") return undefined
    const { stdout } = yield* run(["--version"], new Uint8Array())
    return /^tesseract [\d.]+/u.exec(String(stdout))?.[0]
  })

  const readByProgram = Effect.fnUntraced(function*(picture: Uint8Array) {
    const { exitCode, reason, stdout } = yield* run(["stdin", "stdout"], picture)
    if (reason === "timeout") return yield* tooSlow
    return exitCode === 0 ? String(stdout) : yield* damaged
  })

  const readInWebAssembly = Effect.fnUntraced(function*(picture: Uint8Array, account: string) {
    const folder = yield* fetched.folderOf(ocrPackages)
    const engine = engines.get(folder) ?? tesseract(folder)
    engines.set(folder, engine)
    const answer = yield* confined.ask(engine, { account, bytes: picture, options: { packages: folder } }).pipe(
      Effect.catchTag("EngineFailed", ({ reason }) => Effect.fail(reason === "timeout" ? tooSlow : damaged))
    )
    return typeof answer === "string" ? answer : yield* damaged
  })

  const read = Effect.fnUntraced(function*({ account, bytes }: Pick<EngineRequest, "account" | "bytes">) {
    const picture = bytes instanceof Uint8Array ? bytes : yield* Stream.mkUint8Array(bytes.stream)
    if (picture.length > MOST_BYTES) {
      return yield* new DocumentRefused({
        reason: "too_large",
        message: `The picture has more than ${MOST_BYTES / MIB} MiB. Make it smaller.`
      })
    }
    const program = yield* installed
    const text = (program === undefined ? yield* readInWebAssembly(picture, account) : yield* readByProgram(picture)).trim()
    if (text === "") return yield* new DocumentRefused({ reason: "without_text", message: "OCR found no text in the picture." })
    return { program: program ?? IN_WEBASSEMBLY, text }
  })

  const needsPackages = Effect.orElseSucceed(Effect.map(installed, (program) => program === undefined), () => false)
  yield* fetched.atStart(ocrPackages, needsPackages)

  /** What is weaker until the packages are there. */
  const note = Effect.gen(function*() {
    return (yield* needsPackages) ? fetchNote(ocrPackages, yield* fetched.state(ocrPackages)) : undefined
  })

  return { read, note }
})
