/**
 * Runs in a confined child: bash as just-bash reads it, with commands of its own and files in memory. It is JavaScript, so its child is one
 * that reaches no network either.
 */
import type { EngineFunction } from "@svc/confined/model"
import { createRequire } from "node:module"

interface Options {
  readonly packages: string
  readonly memory: number
  readonly output: number
  readonly seconds: number
  readonly stdin: string
}

interface Ran {
  readonly stdout: string
  readonly stderr: string
  readonly exitCode: number
}

interface Library {
  readonly Bash: new(options: object) => {
    readonly exec: (code: string, options: { readonly stdin: string }) => Promise<Ran>
  }
}

const MIB = 1024 * 1024
/** Time ends a loop, not a count. */
const ANY = 1e9
/** just-bash counts what goes into files, too. */
const OUTPUT_OF_COMMANDS = 8

const limitsOf = ({ memory, output, seconds }: Options) => ({
  maxExecutionTimeMs: seconds * 1000,
  maxOutputSize: OUTPUT_OF_COMMANDS * output,
  maxLiveBytes: memory,
  maxFileSystemBytes: memory / 2,
  maxStringLength: 16 * MIB,
  maxCommandCount: ANY,
  maxLoopIterations: ANY,
  maxWorkUnits: ANY,
  maxAwkIterations: ANY,
  maxAwkParserOperations: ANY,
  maxSedIterations: ANY,
  maxJqIterations: ANY,
  maxBraceExpansionResults: 1e6
})

export const engine: EngineFunction = async (bytes, given) => {
  const options = given as unknown as Options
  const { output, packages, seconds, stdin } = options
  const { Bash }: Library = createRequire(`${packages}/`)("just-bash")
  const bash = new Bash({ cwd: "/tmp", env: { HOME: "/tmp", LANG: "C.UTF-8" }, executionLimits: limitsOf(options) })
  const deadline = performance.now() + seconds * 1000
  const { exitCode, stderr, stdout } = await bash.exec(Buffer.from(bytes).toString(), { stdin })
  const isTooLong = stdout.length > output || stderr.length > output
  const reason = isTooLong ? "output" : performance.now() >= deadline ? "timeout" : "exit"
  return {
    reason,
    exit_code: reason === "exit" ? exitCode : null,
    stdout: stdout.slice(0, output),
    stderr: stderr.slice(0, output)
  }
}
