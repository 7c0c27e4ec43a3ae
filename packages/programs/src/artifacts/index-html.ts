/** index.html: one page of the map. It needs neither script nor style nor anything from elsewhere, and its policy allows none. */
import { codeFile, type CodeLine } from "../claims/comments.ts"
import { htmlText } from "../claims/html.ts"
import type { Artifact, Evidence } from "../claims/model.ts"
import { evidenceOf } from "../claims/model.ts"
import { placesOf } from "../claims/places.ts"
import { inUse } from "../debug/sites.ts"
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { fileGraph } from "../map/graph.ts"
import { byLinks, factsOfModule, modulesOf } from "../map/modules.ts"
import { entriesOf, packagesOf } from "../map/packages.ts"
import { exportsOf, routesOf } from "../map/uses.ts"
import { namesOf } from "../map/words.ts"

const MOST = 25

interface Row {
  readonly cells: ReadonlyArray<string>
  readonly evidence: Evidence
}

const rowOf = (cells: ReadonlyArray<string>, facts: ReadonlyArray<AnyFact>): ReadonlyArray<Row> => {
  const evidence = evidenceOf(facts)
  return evidence === undefined ? [] : [{ cells, evidence }]
}

interface Table {
  readonly title: string
  readonly columns: ReadonlyArray<string>
  readonly rows: ReadonlyArray<Row>
}

const hubs = (project: Project): ReadonlyArray<Row> => {
  const graph = fileGraph(project)
  return graph.nodes.map((path) => ({ path, from: graph.to(path) })).filter(({ from }) => from.length > 1)
    .toSorted((one, other) => other.from.length - one.from.length).slice(0, MOST)
    .flatMap(({ from, path }) =>
      rowOf([path, String(from.length), namesOf(exportsOf(project, path)).slice(0, 5).join(", ")], from.map(({ imports }) => imports[0]))
    )
}

const tablesOf = (project: Project): ReadonlyArray<Table> =>
  [
    {
      title: "Packages",
      columns: ["package", "version", "files"],
      rows: packagesOf(project).slice(0, MOST).flatMap(({ manifest, paths }) =>
        rowOf([manifest.subject, manifest.value.version ?? "", String(paths.length)], [manifest])
      )
    },
    {
      title: "Entries",
      columns: ["entry", "file"],
      rows: entriesOf(project).slice(0, MOST).flatMap(({ fact, name, path, target }) => rowOf([name, path ?? target], [fact]))
    },
    {
      title: "Routes",
      columns: ["route", "handler"],
      rows: inUse(project, routesOf(project)).slice(0, MOST).flatMap((route) => rowOf([route.subject, route.value.handler ?? ""], [route]))
    },
    {
      title: "Modules",
      columns: ["folder", "offers", "imports"],
      rows: byLinks(modulesOf(project)).slice(0, MOST).flatMap((module) =>
        rowOf(
          [module.name, namesOf(module.names).slice(0, 5).join(", "), module.to.map(({ to }) => to).slice(0, 4).join(", ")],
          factsOfModule(module)
        )
      )
    },
    { title: "Imported most", columns: ["file", "importers", "exports"], rows: hubs(project) }
  ].filter(({ rows }) => rows.length > 0)

const rowLine = ({ cells: [first = "", ...others], evidence }: Row): CodeLine => ({
  text: `<tr><th scope="row">${htmlText(first)}</th>${others.map((cell) => `<td>${htmlText(cell)}</td>`).join("")}<td><code>${
    placesOf(evidence).map((place) => htmlText(place)).join("</code> <code>")
  }</code></td></tr>`,
  evidence
})

const linesOf = ({ columns, rows, title }: Table): ReadonlyArray<CodeLine> => [
  { text: `<table><caption>${title}</caption>` },
  { text: `<thead><tr>${[...columns, "where"].map((column) => `<th scope="col">${column}</th>`).join("")}</tr></thead><tbody>` },
  ...rows.map(rowLine),
  { text: "</tbody></table>" }
]

export const indexHtml = (project: Project): Artifact => {
  const tables = tablesOf(project)
  const name = htmlText(project.description.project_name)
  return codeFile([
    { text: "<!doctype html>" },
    { text: `<html lang="en"><head><meta charset="utf-8"><title>${name}</title>` },
    { text: "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'\">" },
    { text: "<meta name=\"viewport\" content=\"width=device-width\"><meta name=\"color-scheme\" content=\"light dark\"></head>" },
    { text: `<body><h1>${name}</h1>` },
    ...tables.flatMap(linesOf),
    ...(tables.length === 0 ? [{ text: `<p>No package, entry, route or module. Searched: ${project.searched()} files.</p>` }] : []),
    { text: "</body></html>" }
  ])
}
