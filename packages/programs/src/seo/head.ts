/** What the head of a page says, by names that every artifact shares. */
import type { Project } from "../facts/project.ts"
import type { ElementFact } from "../map/interface.ts"
import { memo } from "../map/memo.ts"
import { elementOf, type Page, pagesOf, saidOf } from "../map/pages.ts"

export interface Head {
  readonly page: Page
  readonly title: ElementFact | undefined
  readonly description: ElementFact | undefined
  readonly canonical: ElementFact | undefined
  readonly robots: ElementFact | undefined
  readonly viewport: ElementFact | undefined
  readonly ogTitle: ElementFact | undefined
  readonly ogDescription: ElementFact | undefined
  readonly ogImage: ElementFact | undefined
  readonly html: ElementFact | undefined
  readonly h1: ReadonlyArray<ElementFact>
}

export const headsOf: (project: Project) => ReadonlyArray<Head> = memo((project) =>
  pagesOf(project).map((page) => ({
    page,
    title: elementOf(page, "title"),
    description: elementOf(page, "meta:description"),
    canonical: elementOf(page, "link:canonical"),
    robots: elementOf(page, "meta:robots"),
    viewport: elementOf(page, "meta:viewport"),
    ogTitle: elementOf(page, "meta:og:title"),
    ogDescription: elementOf(page, "meta:og:description"),
    ogImage: elementOf(page, "meta:og:image"),
    html: elementOf(page, "html"),
    h1: page.elements.filter(({ subject }) => subject === "h1")
  }))
)

export type Part = Exclude<keyof Head, "page" | "h1">

/** Parts of a head as they are called. */
export const PARTS: ReadonlyArray<readonly [part: Part, name: string]> = [
  ["title", "title"],
  ["description", "description"],
  ["canonical", "canonical"],
  ["ogTitle", "og:title"],
  ["ogImage", "og:image"],
  ["viewport", "viewport"],
  ["robots", "robots"]
]

/** What a page is asked for. Robots are asked only by pages that do not want them, and Next.js writes the viewport itself. */
export const expectedOf = ({ page: { route } }: Head): typeof PARTS =>
  PARTS.filter(([part]) => part !== "robots" && !(part === "viewport" && route?.value.framework === "next"))

/** Whether only a run shows the text: it holds an expression, a template's sign or a component. */
export const isFilledIn = (text: string): boolean => /\{|<(?:[%?A-Z]|slot>)/u.test(text)

/** A text that is written as it is shown. */
export const plainText = (element: ElementFact | undefined): string | undefined => {
  const said = saidOf(element)
  return said === undefined || isFilledIn(said) ? undefined : said
}

/** Pages that ask not to be found. */
export const isHidden = ({ robots }: Head): boolean => /noindex|none/iu.test(saidOf(robots) ?? "")
