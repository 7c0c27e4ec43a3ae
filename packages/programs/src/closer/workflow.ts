/** Lines of GitHub's workflows. Texts are JSON, which is YAML. */
import { citedLine, type CodeLine, shellWord } from "../claims/comments.ts"
import { type Evidence, evidenceOf, type Source } from "../claims/model.ts"
import type { BuildPlan, Language } from "../delivery/model.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { namedByScript } from "../map/dependencies.ts"
import { fullChecks } from "../skills/checks.ts"
import { installCommands, runnerOf } from "./plans.ts"
import { productOf } from "./product.ts"

/** Words that YAML reads as a text and as nothing else. */
const PLAIN = /^[A-Za-z][\w./-]*(?: [\w./=-]+)+$/u

/** A text that GitHub takes as it stands: it looks for expressions in whatever it reads. */
export const yamlText = (text: string): string => PLAIN.test(text) ? text : JSON.stringify(clip(text, 400).replaceAll("${{", "$ {{"))

export const nameLine = (project: Project, what: string): CodeLine => {
  const { manifest, name } = productOf(project)
  const text = `name: ${yamlText(`${name} ${what}`)}`
  return manifest === undefined ? { text } : citedLine("#", text, [manifest])
}

/** A line that follows a manual. */
export const byManual = (text: string, { name, url }: Source): CodeLine => ({
  text: `${text} # Source: [${name}]${url === undefined ? "" : `(${url})`}`
})

/** The version of each action where no workflow of the repository names one; each is a tag of its releases. */
const VERSIONS: Readonly<Record<string, string>> = {
  "actions/checkout": "v5.0.0",
  "actions/setup-node": "v5.0.0",
  "actions/setup-python": "v6.0.0",
  "actions/setup-go": "v5.5.0",
  "actions/setup-java": "v4.7.1",
  "pypa/gh-action-pypi-publish": "v1.13.0"
}

/** The action as a workflow of the repository takes it, or else at a version of its releases. */
export const usesStep = (project: Project, name: string): CodeLine => {
  const step = project.facts("ci-step").find(({ value: { uses } }) => uses?.startsWith(`${name}@`) && /^[\w./@-]+$/u.test(uses))
  if (step !== undefined) return citedLine("#", `      - uses: ${step.value.uses}`, [step])
  const version = VERSIONS[name]
  return byManual(`      - uses: ${name}@${version}`, { name, url: `https://github.com/${name}/releases/tag/${version}` })
}

const SETUPS: Readonly<Record<Language, { readonly action: string; readonly input: string } | undefined>> = {
  node: { action: "actions/setup-node", input: "node-version" },
  python: { action: "actions/setup-python", input: "python-version" },
  go: { action: "actions/setup-go", input: "go-version" },
  java: { action: "actions/setup-java", input: "java-version" },
  // GitHub's machines have Rust.
  rust: undefined
}

/** The language in the version that the package asks for. Where it asks for none, that of GitHub's machine. */
export const setupSteps = (project: Project, { runtime }: BuildPlan, inputs: ReadonlyArray<string> = []): ReadonlyArray<CodeLine> => {
  const { language, version } = runtime.value
  const setup = SETUPS[language]
  if (setup === undefined || (version === null && inputs.length === 0)) return []
  return [
    usesStep(project, setup.action),
    { text: "        with:" },
    ...language === "java" ? [{ text: "          distribution: temurin" }] : [],
    ...version === null ? [] : [citedLine("#", `          ${setup.input}: ${yamlText(version)}`, runtime.evidence)],
    ...inputs.map((input) => ({ text: `          ${input}` }))
  ]
}

/** A command, in its folder. Its places stand behind it where it is a script of that name, else above it. */
export const runStep = (command: string, folder: string, evidence?: Evidence): ReadonlyArray<CodeLine> => {
  const text = `      - run: ${yamlText(command)}`
  const places = evidence === undefined || evidence[0].kind === "script" ? [] : [citedLine("#", "     ", evidence)]
  return [
    ...places,
    evidence?.[0].kind === "script" ? citedLine("#", text, evidence) : { text },
    ...folder === "." ? [] : [{ text: `        working-directory: ${yamlText(folder)}` }]
  ]
}

const isNamed = (project: Project, name: string): boolean =>
  namedByScript(project, name) !== undefined || fullChecks(project).some(({ command }) => command.includes(name))

/** Tools of development that a manifest of Python names besides what the program needs: pip installs them by name. */
const developmentTools = (project: Project, { folder, manifest }: BuildPlan): ReadonlyArray<CodeLine> => {
  const tools = project.factsOf(manifest[0].evidence[0].path, "dependency").filter(({ subject, value: { range, scope } }) =>
    (scope === "development" || (scope === "optional" && isNamed(project, subject))) && /^[\w.-]+$/u.test(subject) &&
    /^[\w.,<>=!~* -]*$/u.test(range)
  )
  const words = tools.map(({ subject, value: { range } }) => shellWord(`${subject}${range.replaceAll(" ", "")}`))
  const evidence = evidenceOf(tools)
  return evidence === undefined ? [] : runStep(`pip install ${words.join(" ")}`, folder, evidence)
}

export const installSteps = (project: Project, plan: BuildPlan): ReadonlyArray<CodeLine> => {
  const { install, language, root } = plan
  const [runner, steps] = [runnerOf(plan), installCommands(plan).flatMap((command) => runStep(command, root, install?.evidence))]
  if (runner === undefined) return [...steps, ...language === "python" ? developmentTools(project, plan) : []]
  return [
    ...runner === "poetry" ? [{ text: "      - run: echo POETRY_VIRTUALENVS_IN_PROJECT=true >> \"$GITHUB_ENV\"" }] : [],
    ...steps,
    { text: `      - run: echo "$PWD/.venv/bin" >> "$GITHUB_PATH"` },
    ...root === "." ? [] : [{ text: `        working-directory: ${yamlText(root)}` }]
  ]
}

/** Ids of jobs are words that begin with a letter. */
export const jobId = (name: string): string => `job-${name}`.replaceAll(/[^\w-]+/gu, "-").replace(/^job-(?=[A-Za-z_])/u, "")
