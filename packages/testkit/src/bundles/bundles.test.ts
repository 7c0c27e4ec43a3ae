/** What the program deploy makes builds and answers: its Dockerfile is run, instruction by instruction, behind bubblewrap. */
import { assert, describe, it } from "@effect/vitest"
import { deploy } from "@svc/programs/deploy/program"
import { makeProject } from "@svc/programs/facts/project"
import { factsIn } from "@svc/programs/testing/repository"
import { spawnSync } from "node:child_process"
import { mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import type { Files } from "../analysis/projects.ts"
import { BUBBLEWRAP_MISSING, bubblewrapPath } from "../bubblewrap.ts"
import { answerOf, buildDockerfile, inFolder, type Machine, StepFailed } from "./dockerfile-run.ts"
import { buoy, harbour, lighthouse } from "./fixtures.ts"

const found = (program: string, ...args: ReadonlyArray<string>): string | undefined => {
  const { status, stdout } = spawnSync(program, args, { encoding: "utf8" })
  return status === 0 ? stdout.trim() : undefined
}

/** The folder of a program's installation, where it does not lie with those of the system. */
const installations = {
  node: dirname(dirname(process.execPath)),
  python: found("python3", "-c", "import sys; print(sys.base_prefix)"),
  rust: found("rustc", "--print", "sysroot")
}

const machineWith = (bubblewrap: string, folder: string): Machine => ({
  bubblewrap,
  shows: folder.startsWith("/usr") ? [] : [folder],
  environment: { PATH: `${join(folder, "bin")}:/usr/local/bin:/usr/bin:/bin`, HOME: "/tmp", CARGO_HOME: "/tmp/cargo" }
})

const dockerfileOf = async (files: Files): Promise<string> => {
  const project = makeProject({ project_name: "bundle" }, await factsIn(files))
  return deploy.artifacts[0]?.make(project).text ?? assert.fail("no Dockerfile")
}

/** The answer of what the Dockerfile of some files builds to, which may be of other files. */
const answer = (machine: Machine, files: Files, of: Files = files): Promise<string> =>
  inFolder(async (folder) => {
    const context = join(folder, "context")
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(context, path)), { recursive: true })
      writeFileSync(join(context, path), text)
    }
    return answerOf(machine, buildDockerfile(machine, await dockerfileOf(of), context, folder))
  })

const refused = async (promise: Promise<string>): Promise<string> => {
  try {
    return await promise
  } catch (error) {
    if (error instanceof StepFailed) return `refused: ${error.message}`
    throw error
  }
}

const cases = [
  { language: "Node.js", installed: installations.node, files: harbour, broken: { "build.js": "process.exit(7)\n" } },
  { language: "Python", installed: installations.python, files: lighthouse, broken: { "lamp.py": "raise SystemExit(7)\n" } },
  { language: "Rust", installed: installations.rust, files: buoy, broken: { "src/main.rs": "fn main() { ring() }\n" } }
]

const bubblewrap = bubblewrapPath()

/** Without bubblewrap or the language, the tests are skipped, and say so. */
const missing = (language: string, installed: string | undefined): string | undefined =>
  bubblewrap === undefined ? BUBBLEWRAP_MISSING : installed === undefined ? `skipped: there is no ${language} here` : undefined

for (const { broken, files, installed, language } of cases) {
  const lacks = missing(language, installed)
  describe.skipIf(lacks !== undefined)(lacks ?? `a bundle of ${language}`, () => {
    const machine = machineWith(bubblewrap ?? "", installed ?? "")

    it("is built by its Dockerfile, and answers on the port that it exposes", async () => {
      assert.match(await answer(machine, files), /^HTTP\/1\.[01] 200 OK/mu)
    }, 120_000)

    it("is refused where the project is broken", async () => {
      assert.match(await refused(answer(machine, { ...files, ...broken }, files)), /^refused: (?:RUN|CMD) /u)
    }, 120_000)
  })
}
