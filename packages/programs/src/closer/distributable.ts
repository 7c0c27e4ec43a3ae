/** DISTRIBUTABLE.md: in which forms the product leaves the repository, what goes with it, and what stands against that. */
import { code, list } from "../claims/inline.ts"
import { absence, type Artifact, type Block, question } from "../claims/model.ts"
import { claimOf, page, type Row, rowOf, table } from "../claims/sections.ts"
import { planOf } from "../delivery/plan.ts"
import type { Ecosystem, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { dependenciesOf } from "../map/dependencies.ts"
import { entriesOf } from "../map/packages.ts"
import { pathOf } from "../map/uses.ts"
import { count } from "../map/words.ts"
import { nothingInMarkdown } from "../mcp/none.ts"
import { componentsOf } from "./bill-of-materials.ts"
import { copiedLicense, LICENSE_NAMES } from "./license.ts"
import { dockerfileOf } from "./marketplaces.ts"
import { manifestsOf, productOf } from "./product.ts"

const FORMS: Readonly<Record<Ecosystem, string>> = {
  npm: "npm package",
  pypi: "Python distribution",
  cargo: "crate",
  go: "Go module",
  rubygems: "gem",
  packagist: "Composer package",
  maven: "Java archive",
  nuget: "NuGet package",
  hex: "Hex package",
  pub: "Dart package"
}

const MOST_ENTRIES = 3
const MOST_MANIFESTS = 20

const manifestRow = (project: Project, manifest: Fact<"manifest">): ReadonlyArray<Row> => {
  const path = pathOf(manifest)
  const entries = entriesOf(project).filter(({ fact }) => pathOf(fact) === path).slice(0, MOST_ENTRIES)
  const { ecosystem, version } = manifest.value
  return rowOf(
    [FORMS[ecosystem], code(manifest.subject), version ?? "none", entries.map(({ name, target }) => `${name} ${code(target)}`).join(", ")],
    [manifest, ...entries.map(({ fact }) => fact)]
  )
}

const imageRow = (project: Project): ReadonlyArray<Row> => {
  const path = dockerfileOf(project)
  const instructions = path === undefined ? [] : project.factsOf(path, "container")
  const starts = instructions.filter(({ value: { instruction } }) => instruction === "ENTRYPOINT" || instruction === "CMD").slice(-1)
  const bases = instructions.filter(({ value: { instruction } }) => instruction === "FROM").slice(-1)
  return rowOf([
    "container image",
    bases.map(({ value }) => code(value.value)).join(""),
    "",
    starts.map(({ value }) => code(value.value)).join("")
  ], [
    ...bases,
    ...starts
  ])
}

/** What somebody may get: packages that are not private; where all are, the product itself. */
const shippedOf = (manifests: ReadonlyArray<Fact<"manifest">>): ReadonlyArray<Fact<"manifest">> => {
  const open = manifests.filter(({ value }) => !value.private)
  return (open.length === 0 ? manifests.slice(0, 1) : open).slice(0, MOST_MANIFESTS)
}

const forms = (project: Project, manifests: ReadonlyArray<Fact<"manifest">>): ReadonlyArray<Block> =>
  table(["form", "name", "version", "entered by"], [
    ...manifests.flatMap((manifest) => manifestRow(project, manifest)),
    ...imageRow(project)
  ])

const MOST_DEPENDENCIES = 15
const MOST_VERSIONS = 3

const lockedBlocks = (project: Project): ReadonlyArray<Block> => {
  const locked = componentsOf(project).flatMap(({ facts }) => facts)
  return claimOf(
    `${count(locked.length, "version")} locked, ${locked.slice(0, 1).map(({ subject }) => code(subject)).join("")} first.`,
    locked
  )
}

/** What somebody who installs the product gets with it. */
const thirdParties = (project: Project, shipped: ReadonlyArray<Fact<"manifest">>): ReadonlyArray<Block> => {
  const paths = new Set(shipped.map(pathOf))
  const rows = dependenciesOf(project).flatMap(({ declared, locked, name }) => {
    const [first] = declared.filter((one) => one.value.scope === "runtime" && paths.has(pathOf(one)))
    const versions = [...new Set(locked.map(({ value: { version } }) => version))].slice(0, MOST_VERSIONS)
    return first === undefined ? [] : rowOf([code(name), code(first.value.range), versions.join(", ")], [first, ...locked])
  }).slice(0, MOST_DEPENDENCIES)
  return [
    ...table(["comes along", "asked for", "locked"], rows),
    ...lockedBlocks(project)
  ]
}

/** `a`, `b` and 3 others are */
const named = (manifests: ReadonlyArray<Fact<"manifest">>): string => {
  const names = manifests.slice(0, MOST_VERSIONS).map(({ subject }) => code(subject))
  const others = manifests.length - names.length
  return `${list(others > 0 ? [...names, `${others} more`] : names)} ${manifests.length === 1 ? "is" : "are"}`
}

const against = (project: Project, manifests: ReadonlyArray<Fact<"manifest">>): ReadonlyArray<Block> => {
  const { searched } = project
  const hidden = manifests.filter(({ value }) => value.private)
  const unnumbered = shippedOf(manifests).filter(({ value: { ecosystem, version } }) => version === null && ecosystem !== "go")
  const required = planOf(project)?.variables.filter((one) => one.required) ?? []
  const unlocked = componentsOf(project).length === 0 && project.facts("dependency").some(({ value: { scope } }) => scope !== "build")
  return [
    ...claimOf(`${named(hidden)} private.`, hidden),
    ...claimOf(`${named(unnumbered)} without a version.`, unnumbered),
    ...copiedLicense(project) === undefined
      ? [absence(`No ${LICENSE_NAMES} goes along.`, searched())]
      : [],
    ...unlocked ? [absence("Versions of dependencies are not locked.", searched())] : [],
    ...claimOf(
      `${list(required.slice(0, 8).map(({ name }) => code(name)))} must be set by whoever runs it.`,
      required.flatMap(({ evidence }) => evidence)
    ),
    ...manifests.length === 0 ? [] : [question(`who may receive ${code(productOf(project).name)}, and where from?`)]
  ]
}

export const distributable = (project: Project): Artifact => {
  const { folder, name } = productOf(project)
  const manifests = manifestsOf(project, folder)
  const shipped = shippedOf(manifests)
  const shapes = forms(project, shipped)
  if (shapes.length === 0) return nothingInMarkdown(project, "Distributable", "No manifest and no Dockerfile: nothing is packaged here.")
  return page(`${name}: what leaves`, [
    { title: "Forms", blocks: shapes },
    { title: "Third parties", blocks: thirdParties(project, shipped), none: absence("No dependency comes along.", project.searched()) },
    { title: "Before it goes out", blocks: against(project, manifests) }
  ])
}
