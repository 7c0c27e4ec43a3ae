/** Dependencies as manifests declare them and as code imports them. */
import { isBuiltin } from "node:module"
import type { Ecosystem, Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "./memo.ts"
import { pathOf } from "./uses.ts"

export interface Dependency {
  readonly name: string
  readonly ecosystem: Ecosystem
  readonly declared: ReadonlyArray<Fact<"dependency">>
  readonly imports: ReadonlyArray<Fact<"import">>
  readonly locked: ReadonlyArray<Fact<"locked">>
}

const ECOSYSTEMS: Readonly<Record<string, Ecosystem>> = {
  TypeScript: "npm",
  JavaScript: "npm",
  Vue: "npm",
  Svelte: "npm",
  Python: "pypi",
  Rust: "cargo",
  Go: "go",
  Ruby: "rubygems",
  PHP: "packagist",
  "C#": "nuget",
  Dart: "pub"
}

/** Where the name that is imported says which dependency it is. Names of Python, Java and Ruby need not: of them nothing is missed. */
const NAMES_AGREE: ReadonlySet<Ecosystem> = new Set(["npm", "go"])

export const namesAgree = (ecosystem: Ecosystem): boolean => NAMES_AGREE.has(ecosystem)

/** `react-dom` of `react-dom/client`, `@scope/name` of `@scope/name/part`. */
const npmName = (subject: string): string => subject.split("/").slice(0, subject.startsWith("@") ? 2 : 1).join("/")

const plain = (name: string): string => name.toLowerCase().replaceAll("_", "-")

/** Aliases such as `#internal` and `~/x` or addresses are no packages. */
const PACKAGE = /^(?:@[\w.-]+\/)?[\w][\w.-]*(?:\/|$)/u

const isForeign = (project: Project, one: Fact<"import">, ecosystem: Ecosystem): boolean => {
  if (one.subject.startsWith(".") || project.links.target(one) !== undefined) return false
  return ecosystem !== "npm" || (PACKAGE.test(one.subject) && !one.subject.includes(":") && !isBuiltin(one.subject))
}

/** Go's modules have a domain before the first slash; what has none is of its own library. */
const goName = (subject: string, declared: ReadonlySet<string>): string | undefined => {
  const parts = subject.split("/")
  const prefixes = parts.map((_, at) => parts.slice(0, parts.length - at).join("/"))
  return prefixes.find((name) => declared.has(name)) ?? (parts[0]?.includes(".") === true ? parts.slice(0, 3).join("/") : undefined)
}

/** The dependency that an import means; of npm and Go also one that is not declared. */
const nameOf = (subject: string, ecosystem: Ecosystem, declared: ReadonlySet<string>): string | undefined => {
  if (ecosystem === "npm") return npmName(subject)
  if (ecosystem === "go") return goName(subject, declared)
  const first = plain(subject.split(/\/|\.|::/u)[0] ?? "")
  return [...declared].find((name) => plain(name) === first)
}

const compute = (project: Project): ReadonlyArray<Dependency> => {
  const declared = Map.groupBy(project.facts("dependency"), ({ subject, value }) => `${value.ecosystem} ${subject}`)
  const names = Map.groupBy(project.facts("dependency"), ({ value }) => value.ecosystem)
  const namesOf = new Map(Array.from(names, ([ecosystem, facts]) => [ecosystem, new Set(facts.map(({ subject }) => subject))]))
  const own = new Set(project.facts("manifest").map(({ subject, value }) => `${value.ecosystem} ${subject}`))
  const imported = Map.groupBy(
    project.facts("import").flatMap((one) => {
      const ecosystem = ECOSYSTEMS[project.factsOf(pathOf(one), "file")[0]?.value.language ?? ""]
      if (ecosystem === undefined || !isForeign(project, one, ecosystem)) return []
      const name = nameOf(one.subject, ecosystem, namesOf.get(ecosystem) ?? new Set())
      return name === undefined ? [] : [{ key: `${ecosystem} ${name}`, one }]
    }),
    ({ key }) => key
  )
  const locked = Map.groupBy(project.facts("locked"), ({ subject, value }) => `${value.ecosystem} ${subject}`)
  const keys = [...new Set([...declared.keys(), ...imported.keys()])].filter((key) => !own.has(key)).toSorted(byText)
  return keys.map((key) => ({
    name: key.slice(key.indexOf(" ") + 1),
    ecosystem: key.slice(0, key.indexOf(" ")) as Ecosystem,
    declared: declared.get(key) ?? [],
    imports: (imported.get(key) ?? []).map(({ one }) => one),
    locked: locked.get(key) ?? []
  }))
}

export const dependenciesOf: (project: Project) => ReadonlyArray<Dependency> = memo(compute)

/** Whether a script's command names the dependency, as it does for programs. */
export const namedByScript = (project: Project, name: string): Fact<"script"> | undefined =>
  project.facts("script").find(({ value }) => value.command.includes(name))
