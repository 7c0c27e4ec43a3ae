/** automation-pipeline.yaml: a workflow of GitHub that runs the repository's own commands. Texts are JSON, which is YAML. */
import { posix } from "node:path"
import { citedLine, codeFile, type CodeLine, comments } from "../claims/comments.ts"
import { absence, type Artifact, type Evidence, rule } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { fullChecks, runsComment } from "../skills/checks.ts"
import type { ProjectCommand } from "../skills/model.ts"

const text = (value: string): string => JSON.stringify(clip(value, 400))

const ACTIONS = rule("Actions that no workflow here names yet stand at the version of their manuals.", {
  name: "GitHub",
  url: "https://github.com/actions"
})

/** Each action as workflows of the repository name it, else as its manual does. */
const action = (project: Project, name: string, version: string): { readonly uses: string; readonly evidence?: Evidence } => {
  const step = project.facts("ci-step").find(({ value: { uses } }) => uses?.startsWith(`${name}@`) && /^[\w./@-]+$/u.test(uses))
  return step === undefined ? { uses: `${name}@${version}` } : { uses: step.value.uses ?? "", evidence: [step] }
}

const step = (indented: string, evidence: Evidence | undefined): CodeLine =>
  evidence === undefined ? { text: indented } : citedLine("#", indented, evidence)

const usesStep = (project: Project, name: string, version: string): CodeLine => {
  const { evidence, uses } = action(project, name, version)
  return step(`      - uses: ${uses}`, evidence)
}

interface Setup {
  /** A file in the folder, or the root, that says so. */
  readonly file: string
  readonly action?: readonly [name: string, version: string, input: string | undefined]
  readonly install: string
}

/** The first for which the file is there prepares the folder. */
const SETUPS: ReadonlyArray<Setup> = [
  { file: "package-lock.json", action: ["actions/setup-node", "v4", "node-version-file"], install: "npm ci" },
  {
    file: "pnpm-lock.yaml",
    action: ["actions/setup-node", "v4", "node-version-file"],
    install: "corepack enable && pnpm install --frozen-lockfile"
  },
  { file: "yarn.lock", action: ["actions/setup-node", "v4", "node-version-file"], install: "corepack enable && yarn install" },
  { file: "package.json", action: ["actions/setup-node", "v4", "node-version-file"], install: "npm install" },
  { file: "uv.lock", action: ["astral-sh/setup-uv", "v6", undefined], install: "uv sync" },
  { file: "requirements.txt", action: ["actions/setup-python", "v5", undefined], install: "pip install -r requirements.txt" },
  { file: "pyproject.toml", action: ["actions/setup-python", "v5", undefined], install: "pip install -e ." },
  { file: "go.mod", action: ["actions/setup-go", "v5", "go-version-file"], install: "go mod download" },
  { file: "Cargo.toml", install: "cargo fetch" }
]

const fileFact = (project: Project, path: string): Fact<"file"> | undefined =>
  project.facts("file").find(({ evidence: [span] }) => span.path === path)

/** The file that says which version of the language is meant; actions fail at one that does not. */
const versionFile = (project: Project, folder: string, manifest: string): string | undefined => {
  const named = [".nvmrc", ".node-version"].map((file) => posix.join(folder, file)).find((path) => project.paths.includes(path))
  if (manifest === "go.mod") return posix.join(folder, manifest)
  const path = posix.join(folder, manifest)
  return project.factsOf(path, "manifest").some(({ value: { requires } }) => requires.some((one) => one.startsWith("node "))) ? path : named
}

const setupOf = (project: Project, folder: string): ReadonlyArray<CodeLine> => {
  for (const above of new Set([folder, "."])) {
    for (const { action: named, file, install } of SETUPS) {
      const found = fileFact(project, posix.join(above, file))
      if (found === undefined) continue
      const [name, version, input] = named ?? []
      const said = input === undefined ? undefined : versionFile(project, above, file === "go.mod" ? file : "package.json")
      return [
        ...name === undefined || version === undefined ? [] : [usesStep(project, name, version)],
        ...said === undefined ? [] : [{ text: "        with:" }, { text: `          ${input}: ${text(said)}` }],
        citedLine("#", `      - run: ${install}`, [found]),
        ...above === "." ? [] : [{ text: `        working-directory: ${text(above)}` }]
      ]
    }
  }
  return []
}

const commandSteps = (project: Project) => ({ command, evidence, folder }: ProjectCommand): ReadonlyArray<CodeLine> => [
  ...runsComment(project, evidence[0]).map(({ text: line }) => ({ text: `      ${line}` })),
  citedLine("#", `      - run: ${text(command)}`, evidence),
  ...folder === "." ? [] : [{ text: `        working-directory: ${text(folder)}` }]
]

/** Ids of jobs are words. */
const jobOf = (folder: string): string => folder === "." ? "verify" : `verify-${folder.replaceAll(/[^\w-]+/gu, "-")}`

const HEAD = (name: string): ReadonlyArray<CodeLine> => [
  { text: `name: ${text(name)}` },
  { text: "on: [push, pull_request]" },
  { text: "permissions:" },
  { text: "  contents: read" },
  { text: "jobs:" }
]

export const automationPipeline = (project: Project): Artifact => {
  const folders = Array.from(Map.groupBy(fullChecks(project), ({ folder }) => folder))
  const name = `${project.description.project_name} verify`
  if (folders.length === 0) {
    return codeFile([
      ...comments("#", [absence("No script of a test, a type check, a build or a linter.", project.searched())]),
      ...HEAD(name),
      { text: "  verify:" },
      { text: "    runs-on: ubuntu-latest" },
      { text: "    steps:" },
      { text: `      - run: "echo nothing to verify"` }
    ])
  }
  return codeFile([
    ...comments("#", [ACTIONS]),
    ...HEAD(name),
    ...folders.flatMap(([folder, commands]) => [
      { text: `  ${jobOf(folder)}:` },
      { text: "    runs-on: ubuntu-latest" },
      { text: "    steps:" },
      usesStep(project, "actions/checkout", "v4"),
      ...setupOf(project, folder),
      ...commands.flatMap(commandSteps(project))
    ])
  ])
}
