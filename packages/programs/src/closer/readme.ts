/** packaging/README.md: how somebody who receives the product gets, builds, starts and tests it, and what has to be set first. */
import { code } from "../claims/inline.ts"
import { absence, type Artifact, type Block, claim, question, sourced } from "../claims/model.ts"
import { page, type Row, rowOf, type Section, table } from "../claims/sections.ts"
import type { BuildPlan, Said } from "../delivery/model.ts"
import { planOf } from "../delivery/plan.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { listedValue } from "../map/listings.ts"
import { pathOf } from "../map/uses.ts"
import { nothingInMarkdown } from "../mcp/none.ts"
import { checksOf } from "../skills/checks.ts"
import { copiedLicense, LICENSE_NAMES } from "./license.ts"
import { installCommands, productPlans, runnerOf, startCommand, variableRows, within } from "./plans.ts"
import { listingsOf, productOf } from "./product.ts"

const MOST_COMMAND = 160

/** The address of a repository, as npm takes it: alone, or within an object. */
const addressOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  return typeof value === "object" && value !== null && "url" in value && typeof value.url === "string" ? value.url : undefined
}

const about = (project: Project): ReadonlyArray<Block> => {
  const { described, manifest, tagline } = productOf(project)
  if (manifest === undefined) return []
  const { version } = manifest.value
  const repository = listingsOf(project, pathOf(manifest)).get("repository")
  const address = repository === undefined ? undefined : addressOf(listedValue(repository))
  return [
    claim(
      `${code(manifest.subject)}${version === null ? "" : ` ${version}`}${described === undefined ? "" : `: ${clip(tagline ?? "")}`}`,
      manifest,
      ...described === undefined ? [] : [described]
    ),
    ...repository === undefined || address === undefined
      ? [question(`where does the source of ${code(manifest.subject)} come from?`)]
      : [claim(`Source: ${code(address)}`, repository)]
  ]
}

const command = (what: string, text: string, { evidence, source }: Pick<Said<unknown>, "evidence" | "source">): ReadonlyArray<Row> =>
  rowOf([what, code(text, MOST_COMMAND)], evidence, source)

const commandsOf = (project: Project, plan: BuildPlan): ReadonlyArray<Row> => {
  const { build, folder, install, root, runtime, start } = plan
  const { language, version } = runtime.value
  const needs = version === null ? language : `${language} ${version}`
  return [
    ...install === undefined ? rowOf(["needs", needs], runtime.evidence) : rowOf(
      [`install ${plan.name}, by ${needs}`, installCommands(plan).map((text) => code(within(root, text), MOST_COMMAND)).join(", ")],
      [...runtime.evidence, ...install.evidence, ...plan.manifest],
      install.source
    ),
    ...build === undefined
      ? []
      : command("build", within(folder, build.value), { ...build, evidence: [...build.evidence, ...plan.manifest] }),
    ...start === undefined
      ? []
      : command("start", startCommand(plan), runnerOf(plan) === undefined ? start : sourced(start, install?.source)),
    ...checksOf(project, ["test"]).filter((test) => test.folder === folder)
      .flatMap((test) => command("test", within(folder, test.command), test))
  ]
}

const portBlocks = ({ closedTo, port }: BuildPlan): ReadonlyArray<Block> => [
  ...port === undefined ? [] : [
    claim(
      `Port ${port.value.number}${port.value.variable === null ? "" : `, unless ${code(port.value.variable)} names another`}`,
      ...port.evidence
    )
  ],
  ...closedTo === undefined ? [] : [claim("Only the machine that it runs on reaches it.", ...closedTo.evidence)]
]

const planSection = (project: Project, plan: BuildPlan): Section => ({
  title: plan.folder === "." ? "Commands" : `Commands in ${clip(plan.folder, 80)}`,
  blocks: [...table(["to", "run"], commandsOf(project, plan)), ...portBlocks(plan), ...plan.questions.map(question)]
})

/** More packages than these are a workspace that its own documents explain. */
const MOST_PLANS = 4

export const packagingReadme = (project: Project): Artifact => {
  const { name, tagline } = productOf(project)
  const plans = productPlans(project).slice(0, MOST_PLANS)
  const main = planOf(project)
  const copied = copiedLicense(project)
  if (plans.length === 0 && productOf(project).manifest === undefined) {
    return nothingInMarkdown(project, "Package", "No manifest: nothing says how this is installed, built or started.")
  }
  const words = project.description.packaging?.tagline === undefined ? undefined : tagline
  return page(words === undefined ? name : `${name}: ${words}`, [
    { title: "Product", blocks: about(project) },
    ...plans.map((plan) => planSection(project, plan)),
    {
      title: "Variables",
      blocks: main === undefined ? [] : table(["variable", "else"], variableRows(main)),
      none: absence("No variable is read.", project.searched())
    },
    {
      title: "Licence",
      blocks: copied === undefined ? [] : [claim(`LICENSE beside this file is ${code(copied.subject)} of the repository.`, copied)],
      none: absence(`No licence: no file is named ${LICENSE_NAMES}.`, project.searched())
    }
  ])
}
