/** mcp/build-artifacts.md: what is built, by which command, where it goes, and which job publishes it. */
import { markdown } from "../claims/markdown.ts"
import { absence, type Artifact, type Block, claim, heading } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { nothingInMarkdown } from "./none.ts"

const BUILDS = /^(?:pre|post)?(?:build|compile|bundle|dist|pack|prepack|prepublish|prepublishOnly|release|publish)(?::|$)/u
const PUBLISHES =
  /\b(?:npm publish|pnpm publish|yarn npm publish|cargo publish|twine upload|gem push|docker push|goreleaser|changeset publish)\b/u

const scripts = (project: Project): ReadonlyArray<Block> =>
  project.facts("script").filter(({ subject }) => BUILDS.test(subject))
    .map((script) => claim(`\`${script.subject}\`: \`${script.value.command}\``, script))

const outputs = (project: Project): ReadonlyArray<Block> =>
  project.facts("manifest").filter(({ value: { entries } }) => entries.length > 0).map((manifest) =>
    claim(
      `\`${manifest.subject}\` ships ${manifest.value.entries.slice(0, 8).map(({ name, target }) => `${name} \`${target}\``).join(", ")}`,
      manifest
    )
  )

const publishing = (project: Project): ReadonlyArray<Block> =>
  project.facts("ci-step")
    .filter(({ value: { run, uses } }) => (run !== null && PUBLISHES.test(run)) || (uses !== null && /publish|release/iu.test(uses)))
    .map((step) => claim(`Job \`${step.value.job}\` of ${step.subject} publishes: \`${step.value.run ?? step.value.uses}\``, step))

const images = (project: Project): ReadonlyArray<Block> =>
  project.facts("container").filter(({ value: { instruction } }) => /^(?:FROM|ENTRYPOINT|CMD)$/u.test(instruction))
    .map((container) => claim(`\`${container.value.instruction} ${container.value.value}\``, container))

export const buildArtifacts = (project: Project): Artifact => {
  const blocks = [...scripts(project), ...outputs(project), ...images(project)]
  const releases = publishing(project)
  if (blocks.length + releases.length === 0) return nothingInMarkdown(project, "Build", "No build script, entry, image or publishing job.")
  return markdown([
    heading(1, `What ${project.description.project_name} builds`),
    ...blocks,
    heading(2, "Publishing"),
    ...(releases.length === 0 ? [absence("No job publishes.", project.searched({ roles: ["configuration"] }))] : releases)
  ])
}
