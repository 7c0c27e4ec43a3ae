/** Documents of a repository: their titles, sections and what they say first. */
import { posix } from "node:path"
import type { Fact } from "../facts/model.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { folderOf } from "./graph.ts"
import { pathOf } from "./uses.ts"

export interface Document {
  readonly path: string
  readonly file: Fact<"file">
  readonly headings: ReadonlyArray<Fact<"heading">>
  readonly paragraphs: ReadonlyArray<Fact<"paragraph">>
}

const depth = (path: string): number => path.split("/").length

/** README files before others, and those near the root before those below. */
const rank = (path: string): number => depth(path) * 2 + (/(?:^|\/)readme[^/]*$/iu.test(path) ? 0 : 1)

/** Documents that have a heading or a paragraph, in the order in which a newcomer reads them. */
export const documentsOf = (project: Project): ReadonlyArray<Document> =>
  project.facts("file").filter(({ value }) => value.role === "documentation").map((file): Document => ({
    path: file.subject,
    file,
    headings: project.factsOf(file.subject, "heading"),
    paragraphs: project.factsOf(file.subject, "paragraph")
  })).filter(({ headings, paragraphs }) => headings.length + paragraphs.length > 0)
    .toSorted((one, other) => rank(one.path) - rank(other.path) || byText(one.path, other.path))

/** The path that a link within the repository means; undefined for addresses, anchors and paths of a web site. */
export const linkedPath = (link: Fact<"link">): string | undefined => {
  const target = link.value.target.replace(/[#?][^]*$/u, "")
  if (target === "" || /^(?:[a-z][a-z+.-]*:|\/)/iu.test(target)) return undefined
  return posix.join(folderOf(pathOf(link)), target).replace(/\/$/u, "")
}
