/**
 * The Dockerfile of a plan, and what its context leaves out. A Dockerfile of the repository wins: it is quoted. Else there is a stage that
 * installs and builds, where there is something to install or to build, and one that runs, without rights of an administrator.
 */
import { posix } from "node:path"
import { codeFile, type CodeLine, comments, shellWord } from "../claims/comments.ts"
import { absence, type Artifact, type Evidence, question, rule } from "../claims/model.ts"
import { placesOf } from "../claims/places.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import type { BuildPlan, Language, OwnDockerfile } from "./model.ts"
import { isQuotable } from "./own-files.ts"
import { planOf } from "./plan.ts"
import { foldersInTheWay, SETUPTOOLS } from "./setuptools.ts"

/** A first comment such as `syntax=IMAGE` is no comment: it names the program that builds. A folder may be called like that. */
const placesText = (evidence: Evidence): string => clip(placesOf(evidence).join(", "), 300).replace(/^(?=\w+\s*=)/u, "./")

/** An instruction below the places that it comes from: only whole lines can be comments. */
const step = (text: string, evidence?: Evidence): ReadonlyArray<CodeLine> =>
  evidence === undefined ? [{ text }] : [{ text: `# ${placesText(evidence)}` }, { text, evidence }]

interface Images {
  readonly build: string
  readonly run: string
  readonly user: string
}

/** Images by version, and a tag that moves where no version is known. `nobody` is a user of Debian, `nonroot` one of distroless. */
const imagesOf = (version: string | null, usesWrapper: boolean): Readonly<Record<Language, Images>> => {
  const node = `node:${version ?? "lts"}-slim`
  const python = `python:${version ?? "3"}-slim`
  const java = version === null ? "eclipse-temurin:latest" : `eclipse-temurin:${version}-jre`
  const jdk = version === null ? "eclipse-temurin:latest" : `eclipse-temurin:${version}-jdk`
  const maven = version === null ? "maven:latest" : `maven:3-eclipse-temurin-${version}`
  return {
    node: { build: node, run: node, user: "node" },
    python: { build: python, run: python, user: "nobody" },
    go: { build: `golang:${version ?? "1"}`, run: "gcr.io/distroless/static:nonroot", user: "nonroot" },
    rust: { build: `rust:${version ?? "1"}-slim-bookworm`, run: "gcr.io/distroless/cc-debian12:nonroot", user: "nonroot" },
    java: { build: usesWrapper ? jdk : maven, run: java, user: "nobody" }
  }
}

const imagesFor = ({ build, runtime }: BuildPlan): Images =>
  imagesOf(runtime.value.version, build?.value.startsWith("./") === true)[runtime.value.language]

/** Where files of the plan lie in its images. */
export const homeOf = ({ name }: BuildPlan): string => `/srv/${name}`

/** A JSON array is a word of a Dockerfile whatever it holds. */
const words = (all: ReadonlyArray<string>): string => `[${all.map((word) => JSON.stringify(word)).join(", ")}]`

const copy = (root: string, files: ReadonlyArray<string>): string => `COPY ${words([...files.map((file) => posix.join(root, file)), "./"])}`

const copyAll = ({ root }: BuildPlan): string => root === "." ? "COPY . ." : `COPY ${words([`${root}/`, "./"])}`

/** The folder of the package within that of the lock file. */
const inner = ({ folder, root }: BuildPlan): string => posix.relative(root, folder)

const enter = (plan: BuildPlan): ReadonlyArray<CodeLine> =>
  inner(plan) === "" ? [] : step(`WORKDIR ${posix.join(homeOf(plan), inner(plan))}`)

/** Packages that are there for development only, and that starting does not name. */
const prunes = (project: Project, { folder, install, start }: BuildPlan): boolean => {
  const development = project.facts("dependency").filter(({ evidence: [{ path }], value: { scope } }) =>
    scope === "development" && path === posix.join(folder, "package.json")
  )
  const said = start?.evidence.map((fact) => fact.kind === "script" ? JSON.stringify(fact.value) : "").join(" ") ?? ""
  return install?.value.commands.at(-1) === "npm ci" && development.length > 0 &&
    (start?.value[0] === "node" || !development.some(({ subject }) => said.includes(subject)))
}

const VENV = "/opt/venv"

/** The bundle that this file is of may lie in the context. */
const withoutArtifacts = (project: Project, plan: BuildPlan): ReadonlyArray<CodeLine> => {
  const folders = foldersInTheWay(project, plan)
  return folders.length === 0
    ? []
    : [
      ...comments("#", [rule("Setuptools would take folders of artifacts for packages.", SETUPTOOLS)]),
      ...step(`RUN rm -rf ${folders.join(" ")}`)
    ]
}

const installing = (project: Project, plan: BuildPlan): ReadonlyArray<CodeLine> => {
  const { install } = plan
  if (install === undefined) return step(copyAll(plan))
  const { commands, needs } = install.value
  const runs = commands.flatMap((command, at) => step(`RUN ${command}`, at === commands.length - 1 ? install.evidence : undefined))
  return needs.length === 0
    ? [...step(copyAll(plan)), ...withoutArtifacts(project, plan), ...runs]
    : [...step(copy(plan.root, needs)), ...runs, ...step(copyAll(plan))]
}

const buildStage = (project: Project, plan: BuildPlan): ReadonlyArray<CodeLine> => {
  const { build, runtime } = plan
  return [
    ...step(`FROM ${imagesFor(plan).build} AS build`, runtime.evidence),
    ...step(`WORKDIR ${homeOf(plan)}`),
    ...plan.language === "python" ? [...step(`RUN python -m venv ${VENV}`), ...step(`ENV VIRTUAL_ENV=${VENV} PATH=${VENV}/bin:$PATH`)] : [],
    ...installing(project, plan),
    ...enter(plan),
    ...build === undefined ? [] : step(`RUN ${build.value}`, build.evidence),
    ...prunes(project, plan) ? [...inner(plan) === "" ? [] : step(`WORKDIR ${homeOf(plan)}`), ...step("RUN npm prune --omit=dev")] : []
  ]
}

/** What the last stage takes from the one before. */
const taking = (plan: BuildPlan): ReadonlyArray<CodeLine> => {
  const { language, output, start } = plan
  const home = homeOf(plan)
  if (output !== undefined) {
    const to = language === "java" ? "app.jar" : `/usr/local/bin/${shellWord(start?.value[0] ?? plan.name)}`
    return step(`COPY --from=build ${posix.join(home, output)} ${to}`)
  }
  if (language !== "python") return [...step(`COPY --from=build ${home} ./`), ...enter(plan)]
  return [
    ...step(`COPY --from=build ${VENV} ${VENV}`),
    ...step(`ENV VIRTUAL_ENV=${VENV} PATH=${VENV}/bin:$PATH PYTHONUNBUFFERED=1`),
    ...step(copyAll(plan)),
    ...enter(plan)
  ]
}

const runStage = (plan: BuildPlan, isBuilt: boolean): ReadonlyArray<CodeLine> => {
  const { port, runtime, start } = plan
  const { run, user } = imagesFor(plan)
  const variable = port?.value.variable ?? null
  return [
    ...step(`FROM ${run}`, isBuilt ? undefined : runtime.evidence),
    ...step(`WORKDIR ${homeOf(plan)}`),
    ...plan.language === "node" ? step("ENV NODE_ENV=production") : [],
    ...isBuilt ? taking(plan) : [...step(copyAll(plan)), ...enter(plan)],
    ...port === undefined || variable === null ? [] : step(`ENV ${variable}=${port.value.number}`, port.evidence),
    ...step(`USER ${user}`),
    ...port === undefined ? [] : step(`EXPOSE ${port.value.number}`, variable === null ? port.evidence : undefined),
    ...start === undefined ? [] : step(`CMD ${words(start.value)}`, start.evidence)
  ]
}

const quoted = ({ instructions }: OwnDockerfile): ReadonlyArray<CodeLine> =>
  instructions.flatMap((fact) => step(`${fact.value.instruction} ${fact.value.value}`, [fact]))

/** Said where the file itself stands, because whoever builds it sees nothing of what `COPY` takes along. */
const copiesAll = (project: Project): ReadonlyArray<CodeLine> =>
  project.paths.includes(".dockerignore")
    ? []
    : comments("#", [
      absence("No .dockerignore: .git and .env files are copied. First copy deploy/Dockerfile.dockerignore to it.", project.searched())
    ])

const madeLines = (project: Project, plan: BuildPlan): ReadonlyArray<CodeLine> => {
  const isBuilt = plan.install !== undefined || plan.build !== undefined
  return [
    ...comments("#", plan.questions.map((text) => question(text))),
    ...isBuilt ? [...buildStage(project, plan), { text: "" }] : [],
    ...runStage(plan, isBuilt)
  ]
}

export const NO_PACKAGE = "No manifest of npm, Python, Go, Rust or Java."

export interface DockerfileOptions {
  /** A file beside it names what is left out, as `deploy/Dockerfile.dockerignore` does. */
  readonly hasIgnoreFile: boolean
}

/** Built from the root of the repository, whatever folder it stands in; a quoted one from its own context. */
export const dockerfile = (project: Project, { hasIgnoreFile }: DockerfileOptions): Artifact => {
  const plan = planOf(project)
  // A file without instructions is no Dockerfile: this one builds, and holds nothing.
  if (plan === undefined) return codeFile([...comments("#", [absence(NO_PACKAGE, project.searched())]), { text: "FROM scratch" }])
  const own = plan.dockerfile
  if (own !== undefined && isQuotable(own)) return codeFile(quoted(own))
  return codeFile([...hasIgnoreFile ? [] : copiesAll(project), ...madeLines(project, plan)])
}

/** The folder that `docker build` is given. */
export const contextOf = ({ dockerfile: own }: BuildPlan): string => own !== undefined && isQuotable(own) ? own.context : "."

/** Folders that tools write, by language. */
const WRITTEN: Readonly<Record<Language, ReadonlyArray<string>>> = {
  node: ["**/node_modules"],
  python: ["**/__pycache__", "**/*.pyc", "**/.venv"],
  go: ["bin"],
  rust: ["**/target"],
  java: ["**/target", "**/build", "**/.gradle"]
}

/** Files of the repository that no image needs: tests, and what is for continuous integration. */
const isLeftOut = (path: string): boolean => /^(?:\.github|\.gitlab|\.circleci|\.husky|\.vscode|\.idea)(?:\/|$)/u.test(path)

export const dockerignore = (project: Project): Artifact => {
  const plan = planOf(project)
  if (plan === undefined) return codeFile(comments("#", [absence(NO_PACKAGE, project.searched())]))
  const own = project.factsOf(posix.join(contextOf(plan), ".dockerignore"), "setting")
  if (own.length > 0) return codeFile(own.flatMap((line) => step(line.value.value, [line])))
  const folders = [...new Set(project.paths.filter(isLeftOut).map((path) => path.slice(0, path.indexOf("/"))))]
  const firstOf = (folder: string) => project.facts("file").find(({ evidence: [{ path }] }) => path.startsWith(`${folder}/`))
  return codeFile([
    ...step([".git", "**/.env", "**/.env.*", ...WRITTEN[plan.language]].join("\n"), plan.manifest).flatMap(({ evidence, text }) =>
      text.split("\n").map((line) => evidence === undefined ? { text: line } : { text: line, evidence })
    ),
    ...folders.flatMap((folder) => {
      const file = firstOf(folder)
      return file === undefined ? [] : step(folder, [file])
    })
  ])
}
