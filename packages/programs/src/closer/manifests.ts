/** Manifests for registries and marketplaces, of what the repository's own manifests say. What they do not say is left out. */
import { cited, json, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { listedValue } from "../map/listings.ts"
import { pathOf } from "../map/uses.ts"
import { nothingInJson } from "../mcp/none.ts"
import { listingsOf, manifestsOf, npmManifest, productOf } from "./product.ts"

/** In the order of npm's manual. Scripts and dependencies of development stay at home. */
const OF_NPM =
  ("name version private description keywords homepage bugs license author contributors funding files exports main module types " +
    "typings browser bin man repository type sideEffects engines os cpu publishConfig").split(" ")

const OF_EDITOR =
  ("name displayName version publisher description license icon categories keywords galleryBanner preview repository bugs " +
    "homepage engines type main browser activationEvents extensionKind contributes").split(" ")

const membersOf = (project: Project, path: string, names: ReadonlyArray<string>): Readonly<Record<string, Value>> => {
  const listings = listingsOf(project, path)
  return Object.fromEntries(names.flatMap((name) => {
    const found = listings.get(name)
    return found === undefined ? [] : [[name, cited(listedValue(found) as Value, found)] as const]
  }))
}

const dependenciesOf = (dependencies: ReadonlyArray<Fact<"dependency">>): Value | undefined =>
  dependencies.length === 0 ? undefined : Object.fromEntries(dependencies.map((one) => [one.subject, cited(one.value.range, one)]))

export const npmPackage = (project: Project): Artifact => {
  const manifest = npmManifest(project)
  if (manifest === undefined) return nothingInJson(project, "No manifest of npm.")
  const path = pathOf(manifest)
  const dependencies = Map.groupBy(project.factsOf(path, "dependency"), ({ value: { scope } }) => scope)
  const meta = listingsOf(project, path).get("peerDependenciesMeta")
  const [optional = [], optionalPeers = []] = [false, true].map((isPeer) =>
    dependencies.get("optional")?.filter(({ subject }) => (meta !== undefined && subject in Object(listedValue(meta))) === isPeer)
  )
  return json({
    ...membersOf(project, path, OF_NPM),
    dependencies: dependenciesOf(dependencies.get("runtime") ?? []),
    optionalDependencies: dependenciesOf(optional),
    peerDependencies: dependenciesOf([...dependencies.get("peer") ?? [], ...optionalPeers]),
    peerDependenciesMeta: meta === undefined ? undefined : cited(listedValue(meta) as Value, meta)
  })
}

/** The manifest of an extension of the editor: it says which of the editor's versions it runs in. */
export const editorManifest = (project: Project): Fact<"manifest"> | undefined =>
  manifestsOf(project, productOf(project).folder).find(({ value }) => value.requires.some((one) => one.startsWith("vscode ")))

export const editorExtension = (project: Project): Artifact => {
  const manifest = editorManifest(project)
  return manifest === undefined
    ? nothingInJson(project, "No package.json has engines.vscode.")
    : json(membersOf(project, pathOf(manifest), OF_EDITOR))
}

/** The path of the plugin's descriptor that is nearest to the product. */
export const pluginPath = (project: Project): string | undefined => {
  const { folder } = productOf(project)
  return project.paths.filter((path) => path.endsWith(".uplugin") && (folder === "." || path.startsWith(`${folder}/`)))
    .toSorted((one, other) => one.split("/").length - other.split("/").length)[0]
}

export const unrealPlugin = (project: Project): Artifact => {
  const path = pluginPath(project)
  return path === undefined
    ? nothingInJson(project, "No .uplugin file.")
    : json(membersOf(project, path, project.factsOf(path, "listing").map(({ subject }) => subject)))
}
