/** What is packaged: the folder and the name that the caller gives, or else the manifest nearest to the root. */
import { posix } from "node:path"
import type { AnyFact, Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { folderOf } from "../map/graph.ts"
import { listedValue } from "../map/listings.ts"
import { memo } from "../map/memo.ts"
import { pathOf } from "../map/uses.ts"

type Manifest = Fact<"manifest">

export interface Product {
  /** The caller's name for it, or that of its manifest. */
  readonly name: string
  /** The caller's words, or what the manifest says of itself. */
  readonly tagline: string | undefined
  /** Where the tagline stands, unless it is the caller's. */
  readonly described: AnyFact | undefined
  readonly folder: string
  readonly manifest: Manifest | undefined
  /** A folder of the caller's that holds no file: the root is packaged instead. */
  readonly missingFolder: string | undefined
}

const MOST_NAME = 80

const isWithin = (path: string, folder: string): boolean => folder === "." || path.startsWith(`${folder}/`)

const depth = (fact: Fact): number => pathOf(fact).split("/").length

/** Manifests in the folder and below, those nearest to it first. */
export const manifestsOf = (project: Project, folder: string): ReadonlyArray<Manifest> =>
  project.facts("manifest").filter((manifest) => isWithin(pathOf(manifest), folder))
    .toSorted((one, other) => depth(one) - depth(other) || byText(pathOf(one), pathOf(other)))

export const productOf: (project: Project) => Product = memo((project) => {
  const { packaging = {}, project_name } = project.description
  const wanted = posix.normalize(`./${packaging.project_root ?? "."}`).replace(/\/$/u, "")
  const isThere = wanted === "." || project.paths.some((path) => isWithin(path, wanted))
  const folder = isThere ? wanted : "."
  const [manifest] = manifestsOf(project, folder)
  return {
    name: clip(packaging.product_name ?? manifest?.subject ?? project_name, MOST_NAME),
    tagline: packaging.tagline === undefined ? manifest?.value.description ?? undefined : clip(packaging.tagline),
    described: manifest === undefined || packaging.tagline !== undefined || manifest.value.description === null
      ? undefined
      : project.factsOf(pathOf(manifest), "listing").find(({ subject }) => subject === "description") ?? manifest,
    folder,
    manifest,
    missingFolder: isThere ? undefined : clip(wanted, MOST_NAME)
  }
})

/** A package of npm's: that of the product, or else the first below it that is not private. */
export const npmManifest = (project: Project): Manifest | undefined => {
  const ofNpm = manifestsOf(project, productOf(project).folder).filter(({ value: { ecosystem } }) => ecosystem === "npm")
  return ofNpm.find(({ value }) => !value.private) ?? ofNpm[0]
}

/** Members of a manifest that registries show, by their names. */
export const listingsOf = (project: Project, path: string): ReadonlyMap<string, Fact<"listing">> =>
  new Map(project.factsOf(path, "listing").map((fact) => [fact.subject, fact]))

/** Its text, or its JSON where it is none. */
export const textOf = (fact: Fact<"listing">): string => {
  const value = listedValue(fact)
  return typeof value === "string" ? value : fact.value.json
}

/** The file of the name in the product's folder, or in the nearest above. */
export const nearestFile = <A>(folder: string, find: (folder: string) => A | undefined): A | undefined =>
  find(folder) ?? (folder === "." ? undefined : nearestFile(folderOf(folder), find))
