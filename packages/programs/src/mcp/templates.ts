/** Templates of manifests and compiler settings, filled with what the repository has. */
import { cited, json, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { nothingInJson } from "./none.ts"
import { rootManifest } from "./servers.ts"
import { compilerSettings, rootScripts, workspacePackages } from "./workspace.ts"

const NO_MANIFEST = "No manifest of npm."

const npmRoot = (project: Project): Fact<"manifest"> | undefined => {
  const root = rootManifest(project)
  return root?.value.ecosystem === "npm" ? root : undefined
}

/** `node >=20` as a member of `engines`. */
const enginesOf = (manifest: Fact<"manifest">): Value | undefined => {
  const pairs = manifest.value.requires.flatMap((text) => {
    const [, name, range] = /^(\S+) (.+)$/u.exec(text) ?? []
    return name === undefined || range === undefined ? [] : [[name, cited(range, manifest)] as const]
  })
  return pairs.length === 0 ? undefined : Object.fromEntries(pairs)
}

export const rootTemplate = (project: Project): Artifact => {
  const root = npmRoot(project)
  if (root === undefined) return nothingInJson(project, NO_MANIFEST)
  const { private: isPrivate, workspaces } = root.value
  return json({
    name: cited(root.subject, root),
    private: isPrivate ? cited(true, root) : undefined,
    engines: enginesOf(root),
    workspaces: workspaces.length === 0 ? undefined : cited(workspaces, root),
    scripts: Object.fromEntries(rootScripts(project).map((script) => [script.subject, cited(script.value.command, script)]))
  })
}

const MOST_SHARED = 12

/** Dependencies that most packages of the workspace have in the same range. */
const shared = (project: Project, scope: Fact<"dependency">["value"]["scope"]) => {
  const groups = Map.groupBy(
    project.facts("dependency").filter(({ value }) => value.ecosystem === "npm" && value.scope === scope),
    ({ subject, value: { range } }) => `${subject} ${range}`
  )
  const packages = project.facts("manifest").filter(({ value }) => value.ecosystem === "npm").length
  return Array.from(groups.values()).filter((group) => group.length * 2 >= packages).slice(0, MOST_SHARED).flatMap((group) => {
    const [first, ...rest] = group
    return first === undefined ? [] : [[first.subject, cited(first.value.range, first, ...rest)] as const]
  })
}

const membersOf = (pairs: ReadonlyArray<readonly [string, Value]>): Value | undefined =>
  pairs.length === 0 ? undefined : Object.fromEntries(pairs)

export const packageTemplate = (project: Project): Artifact => {
  const root = npmRoot(project)
  if (root === undefined) return nothingInJson(project, NO_MANIFEST)
  const sibling =
    workspacePackages(project).find(({ folder, manifest }) => folder !== "." && manifest.value.ecosystem === "npm")?.manifest ?? root
  const [, scope = ""] = /^(@[^/]+\/)/u.exec(sibling.subject) ?? []
  return json({
    name: cited(`${scope}mcp`, sibling),
    version: sibling.value.version === null ? undefined : cited(sibling.value.version, sibling),
    private: sibling.value.private ? cited(true, sibling) : undefined,
    license: sibling.value.license === null ? undefined : cited(sibling.value.license, sibling),
    engines: enginesOf(root),
    dependencies: membersOf(shared(project, "runtime")),
    devDependencies: membersOf(shared(project, "development"))
  })
}

/** Literals are written as such; everything else is text. */
const literal = (text: string): Value => {
  if (text === "true" || text === "false") return text === "true"
  if (/^\d{1,9}$/u.test(text)) return Number(text)
  return text.replaceAll(/^"|"$/gu, "")
}

const NO_SETTINGS = "No settings of TypeScript's compiler."

/** Only settings of one literal: lists and objects are those of their own packages. */
const compilerOptions = (project: Project, isTaken: (name: string) => boolean): Value | undefined =>
  membersOf(
    compilerSettings(project)
      .filter(({ value: { name, value } }) => isTaken(name) && !/^[[{]/u.test(value))
      .map((setting) => [setting.value.name.replace(/^compilerOptions\./u, ""), cited(literal(setting.value.value), setting)] as const)
      .filter(([name]) => !name.includes("."))
  )

/** Where output goes is each package's own. */
const OF_PACKAGES: ReadonlySet<string> = new Set(["outDir", "rootDir", "baseUrl", "tsBuildInfoFile", "declarationDir", "outFile"])

const isOfPackage = (name: string): boolean => OF_PACKAGES.has(name.replace(/^compilerOptions\./u, ""))
const isCompilerOption = (name: string): boolean => name.startsWith("compilerOptions.")

export const rootTsconfig = (project: Project): Artifact => {
  const options = compilerOptions(project, (name) => isCompilerOption(name) && !isOfPackage(name))
  return options === undefined ? nothingInJson(project, NO_SETTINGS, { files: [] }) : json({ compilerOptions: options, files: [] })
}

export const packageTsconfig = (project: Project): Artifact => {
  const [setting] = compilerSettings(project)
  if (setting === undefined) return nothingInJson(project, NO_SETTINGS, { files: [] })
  return json({
    extends: cited(`../../${setting.evidence[0].path}`, setting),
    compilerOptions: compilerOptions(project, isOfPackage),
    include: ["src"]
  })
}
