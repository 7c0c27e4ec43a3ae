/** Texts for the pages of Docker Hub and of GitHub's marketplace: what the repository says, and what somebody still has to say. */
import { code } from "../claims/inline.ts"
import { absence, type Artifact, type Block, claim, heading, question } from "../claims/model.ts"
import { claimOf, page, type Row, rowOf, table } from "../claims/sections.ts"
import type { BuildPlan } from "../delivery/model.ts"
import { planOf } from "../delivery/plan.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { listedValue } from "../map/listings.ts"
import { nothingInMarkdown } from "../mcp/none.ts"
import { actionPath, dockerfileOf } from "./marketplaces.ts"
import { variableRows } from "./plans.ts"
import { listingsOf, productOf, textOf } from "./product.ts"

const MOST_SHORT = 100
const MOST_ROWS = 30

const short = (project: Project): ReadonlyArray<Block> => {
  const { described, tagline } = productOf(project)
  if (tagline === undefined) return [question("what is the image in a hundred characters?")]
  const words = clip(tagline, MOST_SHORT)
  return described === undefined ? [heading(3, words)] : [claim(words, described)]
}

const SHOWN = /^(?:FROM|EXPOSE|VOLUME|USER|WORKDIR|ENTRYPOINT|CMD|HEALTHCHECK)$/u

/** What the repository's Dockerfile says, or what the one that is made for it says. */
const imageRows = (project: Project, plan: BuildPlan | undefined): ReadonlyArray<Row> => {
  const path = dockerfileOf(project)
  if (path !== undefined) {
    return project.factsOf(path, "container").filter(({ value: { instruction } }) => SHOWN.test(instruction)).slice(0, MOST_ROWS)
      .flatMap((one) => rowOf([one.value.instruction, code(one.value.value)], [one]))
  }
  if (plan?.start === undefined) return []
  const { language, version } = plan.runtime.value
  return [
    ...rowOf(["runs", version === null ? language : `${language} ${version}`], plan.runtime.evidence),
    ...rowOf(["starts", code(plan.start.value.join(" "))], plan.start.evidence, plan.start.source),
    ...plan.port === undefined ? [] : rowOf(["answers at port", String(plan.port.value.number)], plan.port.evidence)
  ]
}

export const dockerHubRepository = (project: Project): Artifact => {
  const plan = planOf(project)
  const rows = imageRows(project, plan)
  if (rows.length === 0) {
    return nothingInMarkdown(project, "Docker Hub", "No Dockerfile and no start command say what an image would run.")
  }
  return page(productOf(project).name, [
    { title: "Short description", blocks: short(project) },
    { title: "The image", blocks: table(["what", "value"], rows) },
    {
      title: "Variables",
      blocks: plan === undefined ? [] : table(["variable", "else"], variableRows(plan)),
      none: absence("No variable is read.", project.searched({ roles: ["source"] }))
    },
    { title: "Open", blocks: [question(`in which namespace is ${productOf(project).name}, and by which tags?`)] }
  ])
}

const inputs = (project: Project, path: string): ReadonlyArray<Block> => {
  const fact = listingsOf(project, path).get("inputs")
  const value: unknown = fact === undefined ? undefined : listedValue(fact)
  if (fact === undefined || typeof value !== "object" || value === null) return []
  const rows = Object.entries(value).slice(0, MOST_ROWS).flatMap(([name, input]: readonly [string, unknown]) => {
    const said = new Map<string, unknown>(typeof input === "object" && input !== null ? Object.entries(input) : [])
    return rowOf([
      code(name),
      said.get("required") === "true" ? "must be given" : code(String(said.get("default") ?? "")),
      code(String(said.get("description") ?? ""))
    ], [fact])
  })
  return table(["input", "else", "is"], rows)
}

export const githubMarketplaceListing = (project: Project): Artifact => {
  const path = actionPath(project)
  if (path === undefined) return nothingInMarkdown(project, "GitHub Marketplace", "No action.yml in the root: nothing can be listed.")
  const listings = listingsOf(project, path)
  const said = ["name", "description", "author", "branding"].flatMap((name) => {
    const fact = listings.get(name)
    return claimOf(`${name}: ${fact === undefined ? "" : code(textOf(fact))}`, fact === undefined ? [] : [fact])
  })
  return page(productOf(project).name, [
    { title: "The action", blocks: said },
    { title: "Inputs", blocks: inputs(project, path), none: absence("The action takes no input.", 1) },
    { title: "Open", blocks: [question("which two categories of the marketplace is the action listed in?")] }
  ])
}
