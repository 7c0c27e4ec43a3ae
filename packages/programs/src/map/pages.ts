/** Pages: documents of HTML, and pages that a framework finds by the path of their file; with what their layouts say for them. */
import type { AnyFact, Fact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { fileGraph, folderOf } from "./graph.ts"
import { type ElementFact, elementsOf } from "./interface.ts"
import { memo } from "./memo.ts"
import { pathOf } from "./uses.ts"

export interface Page {
  readonly path: string
  /** As a browser asks for it; of a document of HTML its path. */
  readonly address: string
  readonly route: Fact<"route"> | undefined
  readonly layouts: ReadonlyArray<string>
  /** Its own, those of its layouts and of the components that they import, in this order. */
  readonly elements: ReadonlyArray<ElementFact>
  readonly isDocument: boolean
}

const LAYOUT = /(?:^|\/)(?:layout|_app|_document|template)\.[jt]sx?$/u
const DOCUMENT = /^(?:html|title|meta:.*|link:canonical)$/u
const TEMPLATE = /\.(?:html?|hbs|handlebars|mustache|ejs|njk|liquid|twig|astro)$/iu

/** More files of components below one page say no more of it. */
const MOST_BELOW = 100

/** Files with markup that a file imports, and those that these import. */
const filesBelow = (project: Project, start: ReadonlyArray<string>, hasElements: ReadonlySet<string>): ReadonlyArray<string> => {
  const found = new Set(start)
  for (const path of found) {
    if (found.size >= MOST_BELOW) break
    for (const { to } of fileGraph(project).from(path)) if (hasElements.has(to)) found.add(to)
  }
  return [...found]
}

/** Folders from that of the file up to the root. */
const foldersAbove = (path: string): ReadonlyArray<string> => {
  const folders = [folderOf(path)]
  for (let folder = folders[0] ?? "."; folder !== "."; folder = folderOf(folder)) folders.push(folderOf(folder))
  return folders
}

export const pagesOf: (project: Project) => ReadonlyArray<Page> = memo((project) => {
  const byPath = Map.groupBy(elementsOf(project), pathOf)
  const hasElements = new Set([...byPath.keys(), ...project.facts("component").map(pathOf)])
  const layoutsByFolder = Map.groupBy(project.paths.filter((path) => LAYOUT.test(path)), folderOf)
  const pageOf = (path: string, address: string, route: Fact<"route"> | undefined): Page => {
    const isDocument = route === undefined
    const layouts = isDocument ? [] : foldersAbove(path).flatMap((folder) => layoutsByFolder.get(folder) ?? [])
    const files = isDocument ? [path] : filesBelow(project, [path, ...layouts], hasElements)
    return { path, address, route, layouts, isDocument, elements: files.flatMap((file) => byPath.get(file) ?? []) }
  }
  const documents = [...byPath].filter(([path, elements]) => TEMPLATE.test(path) && elements.some(({ subject }) => DOCUMENT.test(subject)))
    .map(([path]) => pageOf(path, path, undefined))
  const routes = project.facts("route").filter((route) =>
    route.value.framework === "next" && route.value.method === "GET" && /page\.[jt]sx?$/u.test(pathOf(route))
  )
  return [...documents, ...routes.map((route) => pageOf(pathOf(route), route.value.path, route))]
})

/** The first element of the name: the page's own before that of a layout. */
export const elementOf = ({ elements }: Page, subject: string): ElementFact | undefined => elements.find((one) => one.subject === subject)

/** What is said of the page: the text of its title, the content of a `meta`, the address of a `link`. */
export const saidOf = (element: ElementFact | undefined): string | undefined => {
  const said = element === undefined ? "" : element.subject.startsWith("meta:")
    ? element.value.attributes["content"]
    : element.subject.startsWith("link:")
    ? element.value.attributes["href"]
    : element.value.text
  return said === "" ? undefined : said
}

/** What says that a page is there. */
export const factsOfPage = ({ elements, route }: Page): ReadonlyArray<AnyFact> => route === undefined ? elements.slice(0, 2) : [route]
