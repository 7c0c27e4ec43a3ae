/** All facts of a repository, with what links them: what programs ask. */
import { type Links, makeLinks } from "./links.ts"
import type { AnyFact, Fact, FactKind, FileFacts, FileRole } from "./model.ts"
import { mountedRoutes } from "./mounts.ts"
import { byPlace, byText } from "./order.ts"

/** What somebody who packages the project wants to be written. */
export interface Packaging {
  /** The folder of the product, from the root; the root where it is left out. */
  readonly project_root?: string
  readonly product_name?: string
  readonly tagline?: string
  /** Such as `npm`, `dockerhub`, `vscode`. */
  readonly target_marketplaces?: ReadonlyArray<string>
}

/** What the caller said of the project. */
export interface Description {
  readonly project_name: string
  readonly project_type?: string
  readonly frameworks?: ReadonlyArray<string>
  readonly goals?: ReadonlyArray<string>
  readonly packaging?: Packaging
}

/** A file that no reader saw, and why. */
export interface SkippedFile {
  readonly path: string
  readonly reason: string
}

export interface Project {
  readonly description: Description
  readonly skipped: ReadonlyArray<SkippedFile>
  /** Of which there are facts, sorted. */
  readonly kinds: ReadonlyArray<FactKind>
  /** Of the kind, in the order of paths and lines. */
  readonly facts: <K extends FactKind>(kind: K) => ReadonlyArray<Fact<K>>
  /** Of the kind in one file. */
  readonly factsOf: <K extends FactKind>(path: string, kind: K) => ReadonlyArray<Fact<K>>
  /** Paths of all files that were read, sorted. */
  readonly paths: ReadonlyArray<string>
  /** How many files of these languages or roles were read, which is what an absence has searched. */
  readonly searched: (of?: { readonly languages?: ReadonlyArray<string>; readonly roles?: ReadonlyArray<FileRole> }) => number
  readonly links: Links
}

export const makeProject = (
  description: Description,
  files: ReadonlyArray<FileFacts>,
  ran: ReadonlyArray<Fact<"ran">> = [],
  skipped: ReadonlyArray<SkippedFile> = []
): Project => {
  // Each file is sorted first, so that the sort of all facts finds them nearly in order.
  const byFile = files.toSorted((one, other) => byText(one.path, other.path)).flatMap(({ facts }) => facts.toSorted(byPlace))
  const read: ReadonlyArray<AnyFact> = [...byFile, ...ran].toSorted(byPlace)
  // The key names the kind, which the compiler cannot see.
  const of = <K extends FactKind>(facts: ReadonlyArray<AnyFact> = []) => facts as unknown as ReadonlyArray<Fact<K>>
  const readByKind = Map.groupBy(read, ({ kind }) => kind)
  const ofKind = <K extends FactKind>(kind: K) => of<K>(readByKind.get(kind))
  const paths = files.map(({ path }) => path).toSorted()
  const links = makeLinks({
    paths,
    imports: ofKind("import"),
    symbols: ofKind("symbol"),
    calls: ofKind("call"),
    manifests: ofKind("manifest"),
    resolutions: ofKind("resolution")
  })
  const routes = mountedRoutes({ routes: ofKind("route"), mounts: ofKind("mount"), imports: ofKind("import"), target: links.target })
  const byKind = routes.length === 0 ? readByKind : new Map(readByKind).set("route", [...routes])
  // Grouped by files when the first asks for the kind.
  const filesOfKind = new Map<FactKind, ReadonlyMap<string, ReadonlyArray<AnyFact>>>()
  const byPath = (kind: FactKind): ReadonlyMap<string, ReadonlyArray<AnyFact>> => {
    const grouped = filesOfKind.get(kind) ?? Map.groupBy(byKind.get(kind) ?? [], (fact) => fact.evidence[0].path)
    filesOfKind.set(kind, grouped)
    return grouped
  }
  return {
    description,
    skipped: skipped.toSorted((one, other) => byText(one.path, other.path)),
    kinds: [...byKind.keys()].toSorted(),
    facts: (kind) => of(byKind.get(kind)),
    factsOf: (path, kind) => of(byPath(kind).get(path)),
    paths,
    searched: ({ languages, roles } = {}) =>
      of<"file">(byKind.get("file")).filter(({ value }) =>
        (languages === undefined || languages.includes(value.language)) && (roles === undefined || roles.includes(value.role))
      ).length,
    links
  }
}
