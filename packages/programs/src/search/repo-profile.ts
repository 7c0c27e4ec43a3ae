/** repo-profile.yaml: what the repository is made of, for whoever has to choose tools, licences or people for it. */
import { cited, citedOf, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import { yaml } from "../claims/yaml.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { dependenciesOf } from "../map/dependencies.ts"
import { kindOfDependency } from "../map/frameworks.ts"
import { exportsOf, pathOf } from "../map/uses.ts"
import { count } from "../map/words.ts"

const sum = (numbers: ReadonlyArray<number>): number => numbers.reduce((total, number) => total + number, 0)

/** Of code only, the largest first, with its largest file. */
const languages = (project: Project): ReadonlyArray<Value> => {
  const files = project.facts("file").filter(({ value }) => value.role === "source" || value.role === "test" || value.role === "style")
  return Array.from(Map.groupBy(files, ({ value }) => value.language), ([language, group]) => ({
    language,
    files: group.length,
    lines: sum(group.map(({ value }) => value.lines)),
    largest: group.toSorted((one, other) => other.value.lines - one.value.lines || byText(one.subject, other.subject))
  })).toSorted((one, other) => other.lines - one.lines || byText(one.language, other.language))
    .flatMap(({ files, language, largest: [file], lines }) =>
      file === undefined
        ? []
        : citedOf({ largest: `${file.subject}, ${count(file.value.lines, "line")}`, language, files, lines }, [
          ...exportsOf(project, file.subject).slice(0, 1),
          file
        ])
    )
}

/** By kind, those that code imports before those that are only declared. */
const frameworks = (project: Project): Value | undefined => {
  const known = dependenciesOf(project).flatMap((one) => {
    const kind = kindOfDependency(one.name)
    return kind === undefined || one.declared.length === 0 ? [] : [{ ...one, kind }]
  })
  const groups = Map.groupBy(known, ({ kind }) => kind)
  return known.length === 0 ? undefined : Object.fromEntries(
    [...groups].toSorted(([one], [other]) => byText(one, other)).map(([kind, group]) => [
      kind,
      group.flatMap(({ declared, imports, name }) =>
        citedOf(
          { name, range: declared[0]?.value.range ?? "", files: new Set(imports.map(pathOf)).size },
          [...declared.slice(0, 1), ...imports.slice(0, 1)]
        )
      )
    ])
  )
}

const packages = (project: Project): ReadonlyArray<Value> =>
  project.facts("manifest").map((manifest) => {
    const { ecosystem, license, private: isPrivate, requires, version } = manifest.value
    return cited({
      name: manifest.subject,
      ecosystem,
      version: version ?? undefined,
      license: license ?? undefined,
      private: isPrivate ? true : undefined,
      requires: requires.length === 0 ? undefined : requires
    }, manifest)
  })

const lockFiles = (project: Project): ReadonlyArray<Value> =>
  Array.from(Map.groupBy(project.facts("locked"), pathOf), ([file, locked]) => citedOf({ file, versions: locked.length }, locked)).flat()

const licenses = (project: Project): ReadonlyArray<Value> =>
  Array.from(
    Map.groupBy(project.facts("license"), ({ subject }) => subject),
    ([license, found]) => citedOf({ license, known: found.every(({ value }) => value.spdx), places: found.length }, found)
  ).flat()

/** A list that is there, or nothing. */
const some = (values: ReadonlyArray<Value>): Value | undefined => values.length === 0 ? undefined : values

export const repoProfile = (project: Project): Artifact => {
  const value = {
    languages: some(languages(project)),
    packages: some(packages(project)),
    locked: some(lockFiles(project)),
    dependencies: frameworks(project),
    licenses: some(licenses(project))
  }
  const size = { files: project.paths.length, lines: sum(project.facts("file").map(({ value }) => value.lines)) }
  const isEmpty = Object.values(value).every((member) => member === undefined)
  return yaml({ name: project.description.project_name, size, ...isEmpty ? { searched: "code, manifests, lock files, licences" } : value })
}
