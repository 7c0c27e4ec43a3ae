/** How a package is started, and what building leaves for it. */
import { posix } from "node:path"
import { MANUALS } from "../claims/manuals.ts"
import { type Source, sourced } from "../claims/model.ts"
import type { AnyFact, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { folderOf } from "../map/graph.ts"
import { memo } from "../map/memo.ts"
import { entriesOf } from "../map/packages.ts"
import { isTestFile, pathOf } from "../map/uses.ts"
import { callOf } from "../skills/scripts.ts"
import type { Language, Said } from "./model.ts"
import { type Buildable, isIn, plainName } from "./packages.ts"
import { listensOf } from "./ports.ts"

export interface Start {
  readonly words: Said<ReadonlyArray<string>>
  /** What has to be built for it, and the file that this leaves. */
  readonly built?: { readonly command: string; readonly output: string }
}

const start = (words: ReadonlyArray<string>, fact: AnyFact, ...more: ReadonlyArray<AnyFact>): Start => ({
  words: { value: words, evidence: [fact, ...more] }
})

/** What is started is what a tool builds by its manual. */
const compiled = ({ words }: Start, manual: Source, built: NonNullable<Start["built"]>): Start => ({
  words: sourced(words, manual),
  built
})

/** Words that a shell takes as they stand. */
const PLAIN = /^[\w@%+=:,./ -]+$/u
const isPlainPath = (path: string): boolean => /^[\w@+./-]+$/u.test(path) && !path.startsWith("-")

const ofProcfile = (project: Project, folder: string): Start | undefined => {
  const script = project.factsOf(posix.join(folder, "Procfile"), "script").find(({ subject }) => subject === "web")
  if (script === undefined) return undefined
  const { command } = script.value
  return start(PLAIN.test(command) ? command.split(/\s+/u) : ["sh", "-c", command], script)
}

const STARTING = ["start:prod", "start:production", "start", "serve", "run"]
/** What is for who changes the project: it watches, or is installed for development only. */
const OF_DEVELOPMENT = /\b(?:nodemon|--watch|watch|ts-node-dev|next dev|vite dev|nuxt dev|--reload)\b|^vite$/u

const scriptsByFolder = memo((project) =>
  Map.groupBy(
    project.facts("script").filter((script) => !OF_DEVELOPMENT.test(script.value.command)),
    (script) => folderOf(pathOf(script))
  )
)

const ofScripts = (project: Project, folder: string): Start | undefined => {
  const scripts = scriptsByFolder(project).get(folder) ?? []
  for (const name of STARTING) {
    const script = scripts.find(({ subject, value: { runner } }) => subject === name && runner !== "procfile")
    const call = script === undefined ? undefined : callOf(project, script)
    if (script === undefined || call === undefined) continue
    const { command, runner } = script.value
    if (/^(?:node|python3?|java) [\w@%+=:,./ -]+$/u.test(command)) return start(command.split(/\s+/u), script)
    return start(runner === "npm" ? ["npm", "run", name] : call.split(" "), script)
  }
  return undefined
}

const relative = (folder: string, path: string): string => posix.relative(folder, path)

/** A file that opens a port, or the command that the package brings. */
const ofNode = (project: Project, { folder }: Buildable): Start | undefined => {
  const entries = entriesOf(project).filter(({ fact }) => folderOf(pathOf(fact)) === folder)
  const listening = listensOf(project, folder)
  const runs = (path: string | undefined): path is string => path !== undefined && isPlainPath(path) && /\.[cm]?js$/u.test(path)
  for (const { fact, path } of entries.filter(({ name }) => name === "main" || name === "module")) {
    const listen = listening.find((one) => pathOf(one) === path)
    if (runs(path) && listen !== undefined) return start(["node", relative(folder, path)], listen, fact)
  }
  const [first, second] = listening
  if (first !== undefined && runs(pathOf(first)) && (second === undefined || pathOf(second) === pathOf(first))) {
    return start(["node", relative(folder, pathOf(first))], first)
  }
  const bin = entries.find(({ name, target }) => (name === "bin" || name.startsWith("bin.")) && isPlainPath(target))
  return bin === undefined ? undefined : start(["node", posix.normalize(bin.target)], bin.fact)
}

const moduleOf = (folder: string, path: string): string =>
  relative(folder, path).replace(/^src\//u, "").replace(/(?:\/__main__|\/__init__)?\.py$/u, "").replaceAll("/", ".")

/** `app = FastAPI()` is served by uvicorn, where the package depends on it. */
const ofUvicorn = (project: Project, folder: string): Start | undefined => {
  const dependency = project.facts("dependency").find(({ evidence: [{ path }], subject }) => subject === "uvicorn" && isIn(path, folder))
  const call = project.facts("call").find((one) =>
    /^(?:FastAPI|Starlette)$/u.test(one.subject) && isIn(pathOf(one), folder) && !isTestFile(project, pathOf(one))
  )
  if (dependency === undefined || call === undefined) return undefined
  const [{ path, start_line }] = call.evidence
  const name = project.factsOf(path, "symbol").find(({ evidence: [span] }) => span.start_line === start_line)?.subject
  const module = moduleOf(folder, path)
  if (name === undefined || !/^[\w.]+$/u.test(`${module}${name}`)) return undefined
  const { words } = start(["uvicorn", `${module}:${name}`, "--host", "0.0.0.0", "--port", "8000"], call, dependency)
  return { words: sourced(words, MANUALS.uvicorn) }
}

const ofPython = (project: Project, { folder, name }: Buildable): Start | undefined => {
  const commands = project.facts("entry").filter((entry) =>
    folderOf(pathOf(entry)) === folder && /^(?:scripts|console_scripts)\.[\w.-]+$/u.test(entry.subject)
  )
  const command = commands.find(({ subject }) => plainName(subject.replace(/^[^.]*\./u, "")) === name) ?? commands[0]
  if (command !== undefined) return start([command.subject.replace(/^[^.]*\./u, "")], command)
  const [listen] = listensOf(project, folder).filter((one) => pathOf(one).endsWith(".py"))
  if (listen === undefined) return ofUvicorn(project, folder)
  const path = pathOf(listen)
  const isPart = project.factsOf(path, "import").some(({ subject }) => subject.startsWith("."))
  const module = moduleOf(folder, path)
  if (isPart && /^[\w.]+$/u.test(module)) return start(["python", "-m", module], listen)
  return isPlainPath(path) ? start(["python", relative(folder, path)], listen) : undefined
}

const isPlainName = (name: string): boolean => /^[A-Za-z_][\w-]*$/u.test(name)

const ofGo = (project: Project, { folder, name }: Buildable): Start | undefined => {
  const mains = project.facts("symbol").filter((symbol) =>
    symbol.subject === "main" && symbol.value.kind === "function" && pathOf(symbol).endsWith(".go") && isIn(pathOf(symbol), folder) &&
    !isTestFile(project, pathOf(symbol))
  )
  const folders = mains.map((main) => ({ main, at: relative(folder, folderOf(pathOf(main))) }))
  const found = folders.find(({ at }) => at === "") ?? folders.find(({ at }) => posix.basename(at) === name) ?? folders[0]
  if (found === undefined || !isPlainPath(`./${found.at}`)) return undefined
  const program = found.at === "" ? name : plainName(posix.basename(found.at))
  const output = `bin/${program}`
  const command = `CGO_ENABLED=0 go build -o ${output} ${found.at === "" ? "." : `./${found.at}`}`
  return compiled(start([program], found.main), MANUALS.go, { command, output })
}

const ofRust = (project: Project, { evidence, folder }: Buildable): Start | undefined => {
  const [manifest] = evidence
  const [entry] = project.facts("entry").filter((one) =>
    folderOf(pathOf(one)) === folder && one.value.ecosystem === "cargo" && one.subject.startsWith("bin.")
  )
  const [main] = project.factsOf(posix.join(folder, "src/main.rs"), "file")
  const program = entry?.subject.slice("bin.".length) ?? manifest.subject
  const fact = entry ?? main
  if (fact === undefined || !isPlainName(program)) return undefined
  const locked = project.paths.includes(posix.join(folder, "Cargo.lock")) ? " --locked" : ""
  return compiled(start([program], fact), MANUALS.cargo, {
    command: `cargo build --release${locked}`,
    output: `target/release/${program}`
  })
}

/** Spring's plugins make one file that runs; of others it is not known what starts. */
const ofJava = (project: Project, { evidence: [manifest], folder }: Buildable): Start | undefined => {
  const plugin = project.facts("dependency").find(({ evidence: [{ path }], subject, value: { scope } }) =>
    scope === "build" && folderOf(path) === folder && /^org\.springframework\.boot(?::spring-boot-maven-plugin)?$/u.test(subject)
  )
  if (plugin === undefined) return undefined
  const has = (file: string): boolean => project.paths.includes(posix.join(folder, file))
  const words = start(["java", "-jar", "app.jar"], plugin)
  if (!has("pom.xml")) {
    return compiled(words, MANUALS.springGradle, {
      command: `${has("gradlew") ? "./gradlew" : "gradle"} --no-daemon bootJar`,
      output: "build/libs/*.jar"
    })
  }
  const artifact = manifest.subject.split(":").at(-1) ?? ""
  const version = manifest.kind === "manifest" ? (manifest as Fact<"manifest">).value.version : null
  if (version === null || !isPlainPath(`${artifact}-${version}`)) return undefined
  return compiled(words, MANUALS.spring, {
    command: `${has("mvnw") ? "./mvnw" : "mvn"} --batch-mode package`,
    output: `target/${artifact}-${version}.jar`
  })
}

const OF_LANGUAGE: Readonly<Record<Language, (project: Project, buildable: Buildable) => Start | undefined>> = {
  node: ofNode,
  python: ofPython,
  go: ofGo,
  rust: ofRust,
  java: ofJava
}

/** What is compiled is started as what it is compiled to; everything else as the repository says. */
export const startOf = (project: Project, buildable: Buildable): Start | undefined => {
  const { folder, language } = buildable
  const own = OF_LANGUAGE[language](project, buildable)
  if (own?.built !== undefined) return own
  return ofProcfile(project, folder) ?? ofScripts(project, folder) ?? own
}
