/** vscode-launch.json.template: how an editor starts the program under its debugger. JSON with comments, as the editor reads it. */
import { posix } from "node:path"
import { codeFile, type CodeLine, comments } from "../claims/comments.ts"
import { absence, type Artifact, type Evidence, question } from "../claims/model.ts"
import { placesOf } from "../claims/places.ts"
import { NO_PACKAGE } from "../delivery/dockerfile.ts"
import type { BuildPlan } from "../delivery/model.ts"
import { planOf } from "../delivery/plan.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { pathOf } from "../map/uses.ts"

type Configuration = Readonly<Record<string, unknown>>

/** `${…}` of the editor would be replaced in what a repository says. */
const plain = (text: string): string => text.replaceAll("${", "$ {")
const at = (...parts: ReadonlyArray<string>): string => `\${workspaceFolder}/${plain(posix.join(...parts))}`.replace(/\/\.?$/u, "")

const ofNode = ({ folder }: BuildPlan, [program = "", ...args]: ReadonlyArray<string>): Configuration => {
  const file = args.findIndex((word) => !word.startsWith("-"))
  return program === "node" && file >= 0
    ? {
      type: "node",
      runtimeArgs: args.slice(0, file).map(plain),
      program: at(folder, args[file] ?? ""),
      args: args.slice(file + 1).map(plain)
    }
    : { type: "node", runtimeExecutable: plain(program), runtimeArgs: args.map(plain) }
}

const ofPython = ({ folder }: BuildPlan, [program = "", first = "", ...args]: ReadonlyArray<string>): Configuration => {
  if (/^python3?$/u.test(program) && first === "-m") {
    return { type: "debugpy", module: plain(args[0] ?? ""), args: args.slice(1).map(plain) }
  }
  if (/^python3?$/u.test(program)) return { type: "debugpy", program: at(folder, first), args: args.map(plain) }
  // A command that installing makes lies in the environment that the editor has chosen.
  return program === "uvicorn"
    ? { type: "debugpy", module: "uvicorn", args: [first, ...args].map(plain) }
    : {
      type: "debugpy",
      program: `\${workspaceFolder}/.venv/bin/${plain(program)}`,
      args: [first, ...args].filter((word) => word !== "").map(plain)
    }
}

const configurationOf = (plan: BuildPlan, start: NonNullable<BuildPlan["start"]>): Configuration | undefined => {
  const [fact] = start.evidence
  switch (plan.language) {
    case "node":
      return ofNode(plan, start.value)
    case "python":
      return ofPython(plan, start.value)
    case "go":
      return { type: "go", mode: "auto", program: at(posix.dirname(pathOf(fact))) }
    case "rust":
      return { type: "lldb", cargo: { args: ["build", `--bin=${plain(start.value[0] ?? plan.name)}`] } }
    case "java":
      return undefined
  }
}

const environmentOf = ({ port, variables }: BuildPlan): Readonly<Record<string, string>> => ({
  ...port === undefined || port.value.variable === null ? {} : { [port.value.variable]: String(port.value.number) },
  ...Object.fromEntries(variables.filter(({ required }) => required).map(({ name }) => [name, `\${env:${name}}`]))
})

const indented = (text: string, by: string): ReadonlyArray<CodeLine> => text.split("\n").map((line) => ({ text: `${by}${line}` }))

const entry = (configuration: Configuration, evidence: Evidence, rest: string): ReadonlyArray<CodeLine> => [
  { text: `    // ${clip(placesOf(evidence).join(", "), 300)}`, evidence },
  ...indented(`${JSON.stringify(configuration, null, 2)}${rest}`, "    ")
]

export const launchTemplate = (project: Project): Artifact => {
  const plan = planOf(project)
  const start = plan?.start
  const own = plan === undefined || start === undefined ? undefined : configurationOf(plan, start)
  if (plan === undefined || start === undefined || own === undefined) {
    const why = plan === undefined ? absence(NO_PACKAGE, project.searched()) : question(`what starts ${plan.name} under a debugger?`)
    return codeFile([...comments("//", [why]), { text: `{ "version": "0.2.0", "configurations": [] }` }])
  }
  const environment = environmentOf(plan)
  const cwd = plan.folder === "." ? {} : { cwd: at(plan.folder) }
  const shared = { request: "launch", ...cwd, ...Object.keys(environment).length === 0 ? {} : { env: environment } }
  const test = plan.language === "node" ? plan.test : undefined
  return codeFile([
    { text: "{" },
    { text: `  "version": "0.2.0",` },
    { text: `  "configurations": [` },
    ...entry(
      { name: `Start ${plan.name}`, ...own, ...shared },
      [...start.evidence, ...plan.port?.evidence ?? []],
      test === undefined ? "" : ","
    ),
    ...test === undefined
      ? []
      : entry({ name: `Test ${plan.name}`, type: "node-terminal", request: "launch", command: test.value, ...cwd }, test.evidence, ""),
    { text: "  ]" },
    { text: "}" }
  ])
}
