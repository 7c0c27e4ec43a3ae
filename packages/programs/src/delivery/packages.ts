/** Folders of a repository that can be built: those with a manifest or a list of requirements. */
import { posix } from "node:path"
import type { Evidence } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { folderOf } from "../map/graph.ts"
import { memo } from "../map/memo.ts"
import type { Language } from "./model.ts"

export interface Buildable {
  readonly folder: string
  readonly language: Language
  /** What the manifest calls it; of a folder without such a name, the folder or the project. */
  readonly name: string
  readonly evidence: Evidence
}

/** Files by which a folder says what it is built with; the first that is there counts. */
const MANIFESTS: ReadonlyArray<readonly [file: string, language: Language]> = [
  ["package.json", "node"],
  ["pyproject.toml", "python"],
  ["go.mod", "go"],
  ["Cargo.toml", "rust"],
  ["pom.xml", "java"],
  ["build.gradle.kts", "java"],
  ["build.gradle", "java"],
  ["requirements.txt", "python"],
  ["Pipfile", "python"],
  ["setup.py", "python"]
]

/** Examples, fixtures and installed packages are no products. */
const NO_PRODUCT = /(?:^|\/)(?:node_modules|vendor|third_party|examples?|fixtures?|__fixtures__|tests?|templates?|testdata)(?:\/|$)/u

/** A name that stands in commands, paths and files of every format: letters, digits and dashes. */
export const plainName = (name: string): string => {
  const plain = name.toLowerCase().split(/[/:]/u).at(-1)?.replaceAll(/[^a-z0-9]+/gu, "-").replaceAll(/^-|-$/gu, "").slice(0, 50)
  return plain === undefined || plain === "" ? "app" : plain.replace(/-$/u, "")
}

const fileOf = (project: Project, path: string): Fact<"file"> | undefined => project.factsOf(path, "file")[0]

const buildableIn = (project: Project, folder: string): Buildable | undefined => {
  for (const [file, language] of MANIFESTS) {
    const path = posix.join(folder, file)
    const found = fileOf(project, path)
    if (found === undefined) continue
    const [manifest] = project.factsOf(path, "manifest")
    const name = manifest?.subject.startsWith("(") === false ? manifest.subject : undefined
    return {
      folder,
      language,
      name: plainName(name ?? (folder === "." ? project.description.project_name : posix.basename(folder))),
      evidence: [manifest ?? found]
    }
  }
  return undefined
}

const depth = (folder: string): number => folder === "." ? 0 : folder.split("/").length

/** Those nearest to the root first. */
export const buildables: (project: Project) => ReadonlyArray<Buildable> = memo((project) => {
  const names = new Set(MANIFESTS.map(([file]) => file))
  const folders = new Set(project.paths.filter((path) => names.has(posix.basename(path))).map(folderOf))
  return [...folders].filter((folder) => !NO_PRODUCT.test(folder))
    .toSorted((one, other) => depth(one) - depth(other) || byText(one, other))
    .flatMap((folder) => buildableIn(project, folder) ?? [])
})

/** Whether a path lies in the folder, or the folder is the root. */
export const isIn = (path: string, folder: string): boolean => folder === "." || path.startsWith(`${folder}/`)
