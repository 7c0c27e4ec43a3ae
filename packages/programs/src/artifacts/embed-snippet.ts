/** embed-snippet.ts: for another page or program: what a route of this server says, as text; or what the package exports. */
import { citedLine, codeFile, type CodeLine, comments } from "../claims/comments.ts"
import { absence, type Artifact, claim, type Evidence } from "../claims/model.ts"
import { member, quoted, typeName } from "../claims/typescript.ts"
import { inUse } from "../debug/sites.ts"
import type { Project } from "../facts/project.ts"
import { entriesOf, type Entry, packageOf } from "../map/packages.ts"
import { exportsOf, pathOf, roleOf, routesOf, type SymbolFact } from "../map/uses.ts"
import { addressOf, isGet, type RouteFact } from "./shown-resource.ts"

const MOST_ROUTES = 30
const MOST_NAMES = 30

interface Page {
  readonly route: RouteFact
  readonly template: string
}

/** Routes that answer GET, each address once. */
export const pagesOf = (project: Project): ReadonlyArray<Page> => {
  const pages = inUse(project, routesOf(project)).filter(isGet).flatMap((route): ReadonlyArray<Page> => {
    const template = addressOf(route)?.template(() => "string")
    return template === undefined ? [] : [{ route, template }]
  })
  return [...new Map(pages.toReversed().map((page) => [page.template, page])).values()].toReversed().slice(0, MOST_ROUTES)
}

export interface Imported {
  readonly entry: Entry
  readonly specifier: string
  readonly symbols: readonly [SymbolFact, ...ReadonlyArray<SymbolFact>]
  /** Its manifest names types, or its source has them. */
  readonly typed: boolean
}

/** `exports../x (import)` is asked for by `/x` behind the package's name. */
const ENTRY = /^exports(?:\.(\.(?:\/[^*() ]+)?))?(?: \((?!types)[^)]*\))?$|^main$|^module$/u
const NAME = /^[A-Za-z_$][\w$]*$/u
const VALUES: ReadonlySet<string> = new Set(["function", "class", "constant", "variable", "enum"])

/** The entry of an npm package that exports most, by the name that others import it by. */
export const importedOf = (project: Project): Imported | undefined => {
  const found = entriesOf(project).flatMap((entry): ReadonlyArray<Imported> => {
    const { fact, name, path } = entry
    const part = ENTRY.exec(name)
    if (path === undefined || part === null || fact.value.ecosystem !== "npm" || roleOf(project, path) !== "source") return []
    const byName = new Map(
      exportsOf(project, path).filter(({ subject, value: { kind } }) => VALUES.has(kind) && NAME.test(subject)).map((
        symbol
      ) => [symbol.subject, symbol])
    )
    const [first, ...rest] = [...byName.values()].slice(0, MOST_NAMES)
    const typed = /\.[cm]?tsx?$/u.test(path) || project.factsOf(pathOf(fact), "entry").some(({ subject }) => /types/u.test(subject))
    return first === undefined ? [] : [{ entry, specifier: `${entry.package}${part[1]?.slice(1) ?? ""}`, symbols: [first, ...rest], typed }]
  })
  return found.toSorted((one, other) => other.symbols.length - one.symbols.length)[0]
}

/** The project's name stands in each line that is the same in every snippet, so that two of them can stand in one page. */
const ofPages = (project: Project, pages: ReadonlyArray<Page>): Artifact => {
  const name = typeName(project.description.project_name)
  return codeFile([
    { text: `export type ${name}Address =` },
    ...pages.map(({ route, template }) => citedLine("//", `  | \`${template}\``, [route])),
    { text: "" },
    { text: `export async function show${name}(to: Element, origin: string, address: ${name}Address): Promise<void> {` },
    { text: "  const answer = await fetch(new URL(address, origin))" },
    { text: `  to.textContent = answer.ok ? await answer.text() : ${quoted(project.description.project_name)} + \`: \${answer.status}\`` },
    { text: "}" }
  ])
}

const named = (symbol: SymbolFact): ReadonlyArray<CodeLine> => {
  const { signature } = symbol.value
  return [...comments("//", [claim(signature, symbol)]).map((line) => ({ ...line, text: `  ${line.text}` })), {
    text: `  ${member(symbol.subject)},`
  }]
}

const ofImported = (project: Project, { entry, specifier, symbols, typed }: Imported): Artifact => {
  const manifest = packageOf(project, pathOf(entry.fact))
  const evidence: Evidence = manifest === undefined ? [entry.fact] : [entry.fact, manifest]
  return codeFile([
    ...comments("//", [claim(`${specifier} ${manifest?.value.version ?? ""} is ${entry.path ?? entry.target}`, ...evidence)]),
    { text: "export {" },
    ...symbols.flatMap(named),
    ...(typed ? [] : [{ text: "  // @ts-ignore: the package names no types" }]),
    { text: `} from ${quoted(specifier)}` }
  ])
}

export const embedSnippet = (project: Project): Artifact => {
  const pages = pagesOf(project)
  if (pages.length > 0) return ofPages(project, pages)
  const imported = importedOf(project)
  if (imported !== undefined) return ofImported(project, imported)
  return codeFile([
    ...comments("//", [
      absence("No route that answers GET at a plain path, and no entry of an npm package that exports values.", project.searched())
    ]),
    { text: "export {}" }
  ])
}
