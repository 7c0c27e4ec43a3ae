/** The components that lock files fix, as a bill of materials of CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/). */
import { cited, type Value } from "../claims/json.ts"
import type { Ecosystem, Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { productOf } from "./product.ts"

/** Types of package URLs: https://github.com/package-url/purl-spec/tree/main/types. */
const TYPES: Readonly<Record<Ecosystem, string>> = {
  npm: "npm",
  pypi: "pypi",
  cargo: "cargo",
  go: "golang",
  rubygems: "gem",
  packagist: "composer",
  maven: "maven",
  nuget: "nuget",
  hex: "hex",
  pub: "pub"
}

const LOWER: ReadonlySet<Ecosystem> = new Set(["npm", "pypi", "go", "packagist", "hex", "pub"])

const encoded = (text: string): string => encodeURIComponent(text).replaceAll("%3A", ":")

/** `pkg:npm/%40scope/name@1.0.0`. */
export const packageUrl = (ecosystem: Ecosystem, name: string, version: string): string => {
  const cased = LOWER.has(ecosystem) ? name.toLowerCase() : name
  const plain = ecosystem === "pypi" ? cased.replaceAll("_", "-") : ecosystem === "maven" ? cased.replace(":", "/") : cased
  return `pkg:${TYPES[ecosystem]}/${plain.split("/").map(encoded).join("/")}@${encoded(version).replaceAll("%2B", "+")}`
}

interface Component {
  readonly url: string
  readonly facts: readonly [Fact<"locked">, ...ReadonlyArray<Fact<"locked">>]
}

/** Each version of each package once, sorted. */
export const componentsOf: (project: Project) => ReadonlyArray<Component> = memo((project) =>
  Array.from(
    Map.groupBy(project.facts("locked"), ({ subject, value: { ecosystem, version } }) => packageUrl(ecosystem, subject, version)),
    ([url, [first, ...rest]]) => first === undefined ? [] : [{ url, facts: [first, ...rest] as const }]
  ).flat().toSorted((one, other) => byText(one.url, other.url))
)

const MOST_OCCURRENCES = 3

const componentOf = ({ facts, url }: Component): Value => {
  const [{ subject, value }] = facts
  return cited(
    {
      type: "library",
      "bom-ref": url,
      name: subject,
      version: value.version,
      purl: url,
      evidence: {
        occurrences: facts.slice(0, MOST_OCCURRENCES).map(({ evidence: [{ path, start_line }] }) => ({ location: path, line: start_line }))
      }
    },
    ...facts
  )
}

export const billOfMaterials = (project: Project): Value => {
  const { manifest, name } = productOf(project)
  const components = componentsOf(project)
  return {
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    version: 1,
    metadata: {
      component: { type: "application", "bom-ref": "product", name, version: manifest?.value.version ?? undefined },
      properties: components.length > 0
        ? undefined
        : [{ name: "searched", value: `No lock file fixes a version. Searched: ${project.searched()} files.` }]
    },
    components: components.map(componentOf)
  }
}
