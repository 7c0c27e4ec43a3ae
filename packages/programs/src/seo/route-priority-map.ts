/** route-priority-map.md: pages in the order in which a visitor or a crawler comes to them, and pages that none comes to. */
import { absence, type Artifact, type Block, question } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import { byText } from "../facts/order.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { searchedForMarkup } from "../map/interface.ts"
import { factsOfPage, type Page, pagesOf, saidOf } from "../map/pages.ts"
import { code, listed } from "../map/words.ts"
import { type Head, headsOf, isHidden } from "./head.ts"
import { linksOf, type PageLink } from "./links.ts"

const MOST = 40
const MOST_LINKS = 3

interface Placed {
  readonly page: Page
  readonly links: ReadonlyArray<PageLink>
  /** Clicks from the first page; undefined where no links lead here. */
  readonly depth: number | undefined
}

const isFirst = ({ address }: Page): boolean => /^(?:\/|(?:public\/|static\/|src\/|docs\/)?index\.\w+)$/u.test(address)

/** Clicks from the first pages, by the shortest way. */
const depthsOf = (pages: ReadonlyArray<Page>, links: ReadonlyArray<PageLink>): ReadonlyMap<Page, number> => {
  const outgoing = Map.groupBy(links, ({ from }) => from)
  const depths = new Map(pages.filter(isFirst).map((page) => [page, 0]))
  for (const [page, depth] of depths) {
    for (const { to } of outgoing.get(page) ?? []) if (to !== undefined && !depths.has(to)) depths.set(to, depth + 1)
  }
  return depths
}

/** The page that the link stands on, and what the link says. */
const shown = ({ element: { value: { text } }, from }: PageLink): string =>
  text === "" ? code(from.address) : `${code(from.address)} by ${code(text)}`

const placed = (project: Project): ReadonlyArray<Placed> => {
  const [pages, links] = [pagesOf(project), linksOf(project)]
  const depths = depthsOf(pages, links)
  const incoming = Map.groupBy(links.filter(({ from, to }) => from !== to), ({ to }) => to)
  return pages.map((page) => ({ page, links: incoming.get(page) ?? [], depth: depths.get(page) }))
    .toSorted((one, other) =>
      (one.depth ?? Infinity) - (other.depth ?? Infinity) || other.links.length - one.links.length ||
      byText(one.page.address, other.page.address) || byText(one.page.path, other.page.path)
    )
}

/** The page by its address and its title, which is its own, unlike the place that it has among others. */
const claimOfPage = (head: Head): ReadonlyArray<Block> => {
  const { page, title } = head
  const said = saidOf(title)
  const words = [code(page.address), ...page.path === page.address ? [] : [`of ${code(page.path)}`], ...isHidden(head) ? ["(hidden)"] : []]
  return claimOf(
    `${words.join(" ")}${said === undefined ? "" : `: ${code(clip(said, 80))}`}`,
    title === undefined || said === undefined ? factsOfPage(page) : [title]
  )
}

const MOST_ASKED = 3

export const routePriorityMap = (project: Project): Artifact => {
  const all = placed(project)
  const heads = new Map(headsOf(project).map((head) => [head.page, head]))
  const hidden = new Set(Array.from(heads.values()).filter(isHidden).map(({ page }) => page))
  const claimsOf = (pages: ReadonlyArray<Placed>): ReadonlyArray<Block> =>
    pages.slice(0, MOST).flatMap(({ page }) => {
      const head = heads.get(page)
      return head === undefined ? [] : claimOfPage(head)
    })
  const linked = all.filter(({ links }) => links.length > 0)
  const entered = all.filter(({ depth, links }) => depth !== undefined && links.length === 0)
  const alone = all.filter(({ depth, links }) => depth === undefined && links.length === 0)
  const rows = linked.slice(0, MOST).flatMap(({ depth, links, page }) =>
    rowOf([
      code(page.address),
      depth === undefined ? "none" : String(depth),
      [...new Set(links.map(shown))].slice(0, MOST_LINKS).join(", "),
      hidden.has(page) ? "hidden" : page.path === page.address ? "" : code(page.path)
    ], [...factsOfPage(page), ...links.map(({ element }) => element)])
  )
  const unhidden = alone.filter(({ page }) => !hidden.has(page)).map(({ page }) => page.address)
  const searched = searchedForMarkup(project)
  return page(`${project.description.project_name}: ways to pages`, [
    { title: "Entered at", blocks: claimsOf(entered) },
    {
      title: "Reached",
      blocks: table(["address", "clicks", "linked from", "file"], rows),
      none: absence("No page that links lead to.", searched)
    },
    { title: "Not linked", blocks: claimsOf(alone) },
    { title: "Open", blocks: unhidden.length === 0 ? [] : [question(`Who comes to ${listed(unhidden, MOST_ASKED)}, and from where?`)] }
  ])
}
