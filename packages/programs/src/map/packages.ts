/** Packages of a repository, and where each is entered. */
import { posix } from "node:path"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { folderOf } from "./graph.ts"
import { memo } from "./memo.ts"
import { pathOf } from "./uses.ts"

export interface Entry {
  readonly fact: Fact<"entry">
  /** Such as `main` or `bin.svc`. */
  readonly name: string
  readonly package: string
  /** As the manifest has it. */
  readonly target: string
  /** The file of the repository that it means; undefined where it is built. */
  readonly path: string | undefined
}

const ENDINGS = ["", ".ts", ".js", ".mjs", ".cjs", "/index.ts", "/index.js"]

/** The first of the names that lead to one target: several conditions of `exports` often mean one file. Patterns mean none. */
export const entriesOf: (project: Project) => ReadonlyArray<Entry> = memo((project) => {
  const known = new Set(project.paths)
  const entries = project.facts("entry").filter(({ value }) => !value.target.includes("*")).map((fact): Entry => {
    const joined = posix.join(folderOf(pathOf(fact)), fact.value.target)
    return {
      fact,
      name: fact.subject,
      package: fact.value.package ?? project.description.project_name,
      target: fact.value.target,
      path: ENDINGS.map((ending) => `${joined}${ending}`).find((path) => known.has(path))
    }
  })
  return [...new Map(entries.toReversed().map((entry) => [`${pathOf(entry.fact)} ${entry.target}`, entry])).values()].toReversed()
})

export interface Package {
  readonly manifest: Fact<"manifest">
  /** Files that no manifest deeper down holds. */
  readonly paths: ReadonlyArray<string>
}

const manifestByPath: (project: Project) => ReadonlyMap<string, Fact<"manifest">> = memo((project) => {
  const manifests = new Map(project.facts("manifest").toReversed().map((manifest) => [folderOf(pathOf(manifest)), manifest]))
  const nearest = (folder: string): Fact<"manifest"> | undefined =>
    manifests.get(folder) ?? (folder === "." ? undefined : nearest(folderOf(folder)))
  return new Map(project.paths.flatMap((path) => {
    const manifest = nearest(folderOf(path))
    return manifest === undefined ? [] : [[path, manifest] as const]
  }))
})

/** The manifest nearest above a path. */
export const packageOf = (project: Project, path: string): Fact<"manifest"> | undefined => manifestByPath(project).get(path)

export const packagesOf = (project: Project): ReadonlyArray<Package> => {
  const paths = Map.groupBy(manifestByPath(project), ([, manifest]) => manifest)
  return project.facts("manifest").map((manifest) => ({ manifest, paths: (paths.get(manifest) ?? []).map(([path]) => path) }))
}
