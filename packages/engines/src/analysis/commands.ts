/** Commands that artifacts would advise, run on the files of a project: what came of each. */
import type { Interpreter } from "@svc/confined/model"
import { Confined } from "@svc/confined/service"
import type { Advised, MakeOptions } from "@svc/programs/confined/model"
import { Duration, Effect, Stream } from "effect"
import { createTarPacker } from "modern-tar"
import { dirname } from "node:path"
import { inflateRawSync } from "node:zlib"
import type { SourceFile } from "./model.ts"
import { MIB } from "./refusal.ts"

export type Ran = MakeOptions["ran"][number]

/** Of all commands together. */
const SECONDS = 60
/** What the sandbox's own folder takes, with what a command writes. */
const MOST_BYTES = 32 * MIB
const MOST_SHOWN = 2000
/** What a shell answers for a program that is not there. */
const NOT_FOUND = 127

/** The project arrives by standard input; the command gets an empty one. */
const SCRIPT = `
export CI=1 PATH="$PATH:$1"
mkdir /tmp/project && cd /tmp/project && /usr/bin/tar -x -f - && cd -- "$2" || exit ${NOT_FOUND}
exec /bin/sh -c "$3" < /dev/null
`

const NODE_FOLDER = dirname(process.execPath)

const projectTar = (files: ReadonlyArray<SourceFile>): Stream.Stream<Uint8Array> => {
  const pack = async function*(): AsyncGenerator<Uint8Array> {
    const { controller, readable } = createTarPacker()
    const writing = (async () => {
      for (const { bytes, deflated, path } of files) {
        const writer = controller.add({ name: path, type: "file", size: bytes, mode: 0o755 }).getWriter()
        await writer.write(inflateRawSync(deflated, { maxOutputLength: Math.max(1, bytes) }))
        await writer.close()
      }
      controller.finalize()
    })()
    yield* readable
    await writing
  }
  return Stream.orDie(Stream.fromAsyncIterable(pack(), (error) => error))
}

const interpreterOf = ({ command, folder }: Advised, files: ReadonlyArray<SourceFile>, seconds: number): Interpreter => ({
  path: "/usr/bin/bash",
  args: ["-c", SCRIPT, "bash", NODE_FOLDER, folder, command],
  stdin: { size: 0, stream: projectTar(files) },
  shows: [process.execPath],
  reservesAddresses: true,
  limits: { memory: 1024 * MIB, seconds, output: MIB }
})

/** Commands that are not run, and why. */
export const notRun = (commands: ReadonlyArray<Advised>, reason: string): ReadonlyArray<Ran> =>
  commands.map(({ command, end_line, needs, path, start_line }) => ({
    command,
    path,
    start_line,
    end_line,
    exit_code: null,
    output: "",
    reason: needs ?? reason
  }))

/** Runs the commands that need nothing which a snapshot lacks, one after another, without a network. */
export const makeRunCommands = Effect.gen(function*() {
  const confined = yield* Confined

  const run = Effect.fnUntraced(function*(advised: Advised, files: ReadonlyArray<SourceFile>, seconds: number) {
    const [skipped] = notRun([advised], "all commands together may take a minute, which was over")
    if (skipped === undefined || advised.needs !== null || seconds < 1) return skipped
    const { exitCode, reason, stderr, stdout } = yield* confined.run(interpreterOf(advised, files, seconds))
    const output = `${stdout.toString()}${stderr.toString()}`.trim().slice(-MOST_SHOWN).toWellFormed()
    const why = reason === "timeout"
      ? `it took longer than ${Math.floor(seconds)} seconds`
      : reason === "output"
      ? "it printed more than 1 MiB"
      : exitCode === NOT_FOUND
      ? "a program that it needs is not on this server"
      : null
    return { ...skipped, exit_code: why === null ? exitCode : null, output, reason: why }
  })

  return Effect.fnUntraced(function*(commands: ReadonlyArray<Advised>, files: ReadonlyArray<SourceFile>) {
    const size = files.reduce((sum, { bytes }) => sum + bytes, 0)
    if (size > MOST_BYTES) return notRun(commands, `the project is larger than the ${MOST_BYTES / MIB} MiB that a sandbox takes`)
    let left = SECONDS
    const ran: Array<Ran> = []
    for (const advised of commands) {
      const [taken, one] = yield* run(advised, files, left).pipe(
        Effect.catchTags({
          NoWall: () => Effect.succeed(notRun([advised], "this server confines no commands of a project")[0]),
          SandboxBusy: () => Effect.succeed(notRun([advised], "this server had no place for it")[0])
        }),
        Effect.timed
      )
      left -= Duration.toSeconds(taken)
      if (one !== undefined) ran.push(one)
    }
    return ran
  })
})
