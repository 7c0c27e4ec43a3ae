/** mcp/project-setup.md: what a machine needs before anything of the repository runs. */
import { markdown } from "../claims/markdown.ts"
import { type Artifact, type Block, claim, heading } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { requirementOf, variablesOf } from "../map/uses.ts"
import { nothingInMarkdown } from "./none.ts"
import { rootScripts, workspacePackages } from "./workspace.ts"

const runtimes = (project: Project): ReadonlyArray<Block> =>
  project.facts("manifest").flatMap((manifest) =>
    manifest.value.requires.map((requirement) =>
      claim(`\`${manifest.subject}\` requires \`${requirement}\`.`, requirementOf(project, manifest, requirement))
    )
  )

const LIFECYCLE = /^(?:pre|post)?(?:install|prepare|prepack|bootstrap|setup|generate|codegen|dev|start)(?::|$)/u

const scripts = (project: Project): ReadonlyArray<Block> =>
  rootScripts(project).filter(({ subject }) => LIFECYCLE.test(subject)).map((script) =>
    claim(`\`${script.value.runner} run ${script.subject}\` is \`${script.value.command}\``, script)
  )

/** Services that a compose file starts. */
const services = (project: Project): ReadonlyArray<Block> =>
  project.facts("container").filter(({ value: { instruction } }) => instruction === "image" || instruction === "service")
    .map((container) => claim(`\`${container.subject}\` runs \`${container.value.value}\` in a container.`, container))

/** Reading alone does not say that a value is needed. */
const variable = (fact: Fact<"environment">): Block => {
  const { fallback, required } = fact.value
  return claim(`\`${fact.subject}\`${fallback !== null ? `, else \`${fallback}\`` : required ? " must be set" : " may be set"}`, fact)
}

const MOST_VARIABLES = 30

/** The first place of each variable. */
const variables = (project: Project): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(variablesOf(project), ({ subject }) => subject).values()).slice(0, MOST_VARIABLES)
    .flatMap(([first]) => first === undefined ? [] : [variable(first)])

const chapter = (title: string, blocks: ReadonlyArray<Block>): ReadonlyArray<Block> =>
  blocks.length === 0 ? [] : [heading(2, title), ...blocks]

export const projectSetup = (project: Project): Artifact => {
  const chapters = [
    ...chapter("Runtime", runtimes(project)),
    ...chapter("Scripts", scripts(project)),
    ...chapter("Containers", services(project)),
    ...chapter("Variables", variables(project)),
    ...chapter(
      "Packages",
      workspacePackages(project).slice(0, 40).map(({ folder, manifest }) => claim(`\`${folder}\` is \`${manifest.subject}\`.`, manifest))
    )
  ]
  return chapters.length === 0
    ? nothingInMarkdown(project, "Setup", "No manifest, script, container or variable.")
    : markdown([heading(1, `Set up ${project.description.project_name}`), ...chapters])
}
