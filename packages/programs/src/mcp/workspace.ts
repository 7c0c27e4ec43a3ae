/** The workspace that a server would be added to: its packages, how they depend on each other, and what their tools are set to. */
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { rootManifest } from "./servers.ts"

export const folderOf = ({ evidence: [{ path }] }: Fact): string => path.includes("/") ? path.replace(/\/[^/]*$/u, "") : "."

export interface WorkspacePackage {
  readonly manifest: Fact<"manifest">
  readonly folder: string
  /** Dependencies on packages of the same workspace. */
  readonly uses: ReadonlyArray<Fact<"dependency">>
}

export const workspacePackages = (project: Project): ReadonlyArray<WorkspacePackage> => {
  const manifests = project.facts("manifest")
  const names = new Set(manifests.map(({ subject }) => subject))
  return manifests.map((manifest) => ({
    manifest,
    folder: folderOf(manifest),
    uses: project.factsOf(manifest.evidence[0].path, "dependency").filter(({ subject }) =>
      subject !== manifest.subject && names.has(subject)
    )
  })).toSorted((one, other) => byText(one.folder, other.folder))
}

/** Settings of TypeScript's compiler, of the configuration nearest to the root. */
export const compilerSettings = (project: Project): ReadonlyArray<Fact<"setting">> => {
  const settings = project.facts("setting").filter(({ subject }) => subject === "typescript")
  const nearest =
    settings.map(({ evidence: [{ path }] }) => path).toSorted((one, other) =>
      one.split("/").length - other.split("/").length || byText(one, other)
    )[0]
  return settings.filter(({ evidence: [{ path }] }) => path === nearest)
}

/** Scripts of the root's manifest. */
export const rootScripts = (project: Project): ReadonlyArray<Fact<"script">> => {
  const root = rootManifest(project)
  return root === undefined ? [] : project.factsOf(root.evidence[0].path, "script")
}
