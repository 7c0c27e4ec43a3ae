/**
 * Runs the commands of a Dockerfile as they stand, behind bubblewrap. Containers cannot be run everywhere: in the place of images
 * stands this machine, read-only, with the context and each stage in folders of their own. What an image would bring, such as
 * Node.js, is this machine's.
 */
import { Cmd, Copy, DockerfileParser, From, type Instruction, JSONInstruction } from "dockerfile-ast"
import { spawn, spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, statSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, posix } from "node:path"
import { setTimeout } from "node:timers/promises"

/** A stage: its folders by their paths within, what its environment is, and where commands run. */
interface Stage {
  readonly root: string
  readonly environment: Record<string, string>
  workdir: string
}

export interface Built {
  /** The last stage. */
  readonly stage: Stage
  readonly command: ReadonlyArray<string>
  readonly ports: ReadonlyArray<number>
}

/** A command that did not end well: what was run, and what it said. */
export class StepFailed extends Error {}

const MINUTE = 60_000

/** Folders of this machine that programs are in; of a toolchain below a home, those that the environment names. */
const machine = (shows: ReadonlyArray<string>): ReadonlyArray<string> => [
  ...["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc/alternatives", "/etc/ssl", "/etc/java-17-openjdk", ...shows].filter((path) =>
    existsSync(path)
  )
    .flatMap((path) => ["--ro-bind", path, path]),
  "--dev",
  "/dev",
  "--proc",
  "/proc",
  "--tmpfs",
  "/tmp"
]

export interface Machine {
  readonly bubblewrap: string
  /** Further folders, such as that of a compiler. */
  readonly shows: ReadonlyArray<string>
  readonly environment: Readonly<Record<string, string>>
}

/** What is written in a stage stays there: its folders are laid over those of the machine. */
const writable = ({ root }: Stage): ReadonlyArray<string> =>
  ["srv", "opt", "app"].flatMap((name) => {
    mkdirSync(join(root, name), { recursive: true })
    return ["--bind", join(root, name), `/${name}`]
  })

/** Programs that a stage has copied stand in the place of those of the machine. */
const programs = ({ root }: Stage): ReadonlyArray<string> =>
  existsSync(join(root, "usr/local/bin")) ? ["--bind", join(root, "usr/local/bin"), "/usr/local/bin"] : []

const wall = ({ environment, shows }: Machine, stage: Stage): ReadonlyArray<string> => [
  "--unshare-all",
  "--die-with-parent",
  "--new-session",
  "--clearenv",
  ...machine(shows),
  ...writable(stage),
  ...programs(stage),
  ...Object.entries({ ...environment, ...stage.environment }).flatMap(([name, value]) => ["--setenv", name, value]),
  "--chdir",
  stage.workdir
]

const run = (on: Machine, stage: Stage, shell: string): void => {
  const { error, status, stderr, stdout } = spawnSync(on.bubblewrap, [...wall(on, stage), "/bin/sh", "-c", shell], {
    encoding: "utf8",
    timeout: 2 * MINUTE
  })
  if (status !== 0) throw new StepFailed(`RUN ${shell}\n${error?.message ?? ""}${stdout}${stderr}`)
}

/** A place within a stage as a path of this machine. */
const within = ({ root, workdir }: Stage, path: string): string => join(root, posix.resolve(workdir, path))

const copy = (instruction: Copy, stage: Stage, context: string, stages: ReadonlyMap<string, Stage>): void => {
  const words = instruction instanceof JSONInstruction && instruction.getJSONStrings().length > 0
    ? instruction.getJSONStrings().map((word) => word.getJSONValue())
    : instruction.getArguments().map((word) => word.getValue())
  const from = instruction.getFromFlag()?.getValue()
  const source = from === undefined || from === null ? undefined : stages.get(from)
  const to = words.at(-1) ?? "."
  for (const word of words.slice(0, -1)) {
    const path = source === undefined ? join(context, word) : within({ ...source, workdir: "/" }, word)
    if (!existsSync(path)) throw new StepFailed(`COPY ${word}: it is not there`)
    const into = !statSync(path).isDirectory() && to.endsWith("/")
    cpSync(path, into ? join(within(stage, to), posix.basename(path)) : within(stage, to), { recursive: true })
  }
}

/** `A=1 PATH=/x:$PATH`: variables of the stage stand for themselves. */
const setVariables = (text: string, stage: Stage, base: Readonly<Record<string, string>>): void => {
  for (const pair of text.trim().split(/\s+/u)) {
    const [name = "", ...value] = pair.split("=")
    const known: Readonly<Record<string, string>> = { ...base, ...stage.environment }
    stage.environment[name] = value.join("=").replaceAll(/\$\{?(\w+)\}?/gu, (_, of: string) => known[of] ?? "")
  }
}

/** Builds what the Dockerfile says, in the order of its lines. The folder is the caller's to remove. */
export const buildDockerfile = (on: Machine, text: string, context: string, folder: string): Built => {
  const stages = new Map<string, Stage>()
  let stage: Stage | undefined
  let command: ReadonlyArray<string> = []
  const ports: Array<number> = []
  const step = (instruction: Instruction): void => {
    const said = instruction.getArgumentsContent() ?? ""
    if (instruction instanceof From) {
      stage = { root: mkdtempSync(join(folder, "stage-")), environment: {}, workdir: "/" }
      stages.set(instruction.getBuildStage() ?? String(stages.size), stage)
      return
    }
    if (stage === undefined) throw new StepFailed(`${instruction.getKeyword()} stands before FROM`)
    if (instruction instanceof Copy) copy(instruction, stage, context, stages)
    else if (instruction instanceof Cmd) command = instruction.getJSONStrings().map((word) => word.getJSONValue())
    else if (instruction.getKeyword() === "RUN") run(on, stage, said)
    else if (instruction.getKeyword() === "ENV") setVariables(said, stage, on.environment)
    else if (instruction.getKeyword() === "EXPOSE") ports.push(Number(said))
    else if (instruction.getKeyword() === "WORKDIR") {
      stage.workdir = posix.resolve(stage.workdir, said)
      mkdirSync(within(stage, "."), { recursive: true })
    } else if (instruction.getKeyword() !== "USER") throw new StepFailed(`${instruction.getKeyword()} is not known here`)
  }
  for (const instruction of DockerfileParser.parse(text).getInstructions()) step(instruction)
  if (stage === undefined) throw new StepFailed("there is no FROM")
  return { stage, command, ports }
}

/** Asks a port of its own namespace until it answers, and says so; `bash` opens the socket, which every machine with a shell has. */
const ASK = `"$@" & program=$!
for try in $(seq 1 100); do
  kill -0 "$program" 2>/dev/null || { echo "the program has ended"; exit 3; }
  if exec 3<>"/dev/tcp/127.0.0.1/$ASKED"; then
    printf 'GET / HTTP/1.0\\r\\n\\r\\n' >&3
    head -n 1 <&3
    kill "$program"
    exit 0
  fi 2>/dev/null
  sleep 0.1
done
echo "nothing answers"
exit 4`

/** The first line of what the program of the last stage answers on the first port that it exposes, as a user without rights. */
export const answerOf = async (on: Machine, { command, ports: [port], stage }: Built): Promise<string> => {
  if (port === undefined || command.length === 0) throw new StepFailed("there is no EXPOSE or no CMD")
  const user = ["--unshare-user", "--uid", "65534", "--gid", "65534", "--setenv", "ASKED", String(port)]
  const child = spawn(on.bubblewrap, [...wall(on, stage), ...user, "/bin/bash", "-c", ASK, "ask", ...command])
  let said = ""
  child.stdout.on("data", (data: Buffer) => said += data.toString())
  child.stderr.on("data", (data: Buffer) => said += data.toString())
  const code = await Promise.race([
    new Promise<number | null>((resolve) => child.once("close", resolve)),
    setTimeout(MINUTE, null, { ref: false })
  ])
  if (code === null) child.kill("SIGKILL")
  if (code !== 0) throw new StepFailed(`CMD ${command.join(" ")}: ${said}`)
  return said
}

/** A folder for a test, without links on its way, that is gone afterwards. */
export const inFolder = async <A>(use: (folder: string) => Promise<A>): Promise<A> => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "svc-bundle-")))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
