/** mcp/monorepo-structure.md: the packages of the workspace, and which of them depend on which. */
import { markdown } from "../claims/markdown.ts"
import { type Artifact, type Block, claim, heading } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { nothingInMarkdown } from "./none.ts"
import { type WorkspacePackage, workspacePackages } from "./workspace.ts"

const users = (packages: ReadonlyArray<WorkspacePackage>, name: string): number =>
  packages.filter(({ uses }) => uses.some(({ subject }) => subject === name)).length

const row = (packages: ReadonlyArray<WorkspacePackage>) => ({ folder, manifest, uses }: WorkspacePackage) => ({
  cells: [
    `\`${manifest.subject}\``,
    `\`${folder}\``,
    uses.map(({ subject }) => `\`${subject}\``).join(" "),
    String(users(packages, manifest.subject))
  ],
  evidence: [manifest, ...uses] as const
})

/** Nobody in the workspace uses them, and they use others: where programs begin. */
const tops = (packages: ReadonlyArray<WorkspacePackage>): ReadonlyArray<Block> =>
  packages.filter(({ manifest, uses }) => uses.length > 0 && users(packages, manifest.subject) === 0).map(({ manifest, uses }) =>
    claim(`\`${manifest.subject}\` is used by no other package.`, manifest, ...uses.slice(0, 1))
  )

export const monorepoStructure = (project: Project): Artifact => {
  const packages = workspacePackages(project)
  if (packages.length < 2) {
    return nothingInMarkdown(project, "Workspace", `${packages.length === 0 ? "No" : "One"} manifest, so no workspace.`)
  }
  const first = tops(packages)
  return markdown([
    heading(1, `Packages of ${project.description.project_name}`),
    { block: "table", columns: ["package", "folder", "uses", "users"], rows: packages.map(row(packages)) },
    ...(first.length === 0 ? [] : [heading(2, "Where programs begin"), ...first])
  ])
}
