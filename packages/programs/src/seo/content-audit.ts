/** content-audit.md: headings, texts of links and links that lead nowhere, page by page. */
import { absence, type Artifact, type Block } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { clip } from "../facts/text.ts"
import { searchedForMarkup } from "../map/interface.ts"
import { elementOf, factsOfPage, pagesOf, saidOf } from "../map/pages.ts"
import { code, listed } from "../map/words.ts"
import { headsOf, isFilledIn, plainText } from "./head.ts"
import { linksOf } from "./links.ts"

const MOST = 30

const outlines = (project: Project): ReadonlyArray<Block> =>
  table(
    ["page", "h1", "other headings", "links", "pictures"],
    pagesOf(project).slice(0, MOST).flatMap((one) => {
      const of = (pattern: RegExp) => one.elements.filter(({ subject }) => pattern.test(subject))
      const [first, ...others] = of(/^h1$/u)
      const title = elementOf(one, "title")
      const said = saidOf(title)
      const heading = first === undefined
        ? `none${said === undefined ? "" : `; title ${code(clip(said, 60))}`}`
        : `${code(clip(first.value.text, 60))}${others.length === 0 ? "" : ` and ${others.length} more`}`
      return rowOf(
        [code(one.address), heading, String(of(/^h[2-6]$/u).length), String(of(/^a$/u).length), String(of(/^img$/u).length)],
        [...first === undefined ? [] : [first], ...title === undefined ? factsOfPage(one) : [title], ...others]
      )
    })
  )

/** The same title or first heading on several pages. */
const twice = (project: Project): ReadonlyArray<Block> =>
  (["title", "h1"] as const).flatMap((part) => {
    const said = headsOf(project).flatMap((head) => {
      const element = part === "title" ? head.title : head.h1[0]
      const text = plainText(element)
      return text === undefined || element === undefined ? [] : [{ text, element, address: head.page.address }]
    })
    return Array.from(Map.groupBy(said, ({ text }) => text)).flatMap(([text, group]) =>
      group.length < 2
        ? []
        : claimOf(
          `${code(part)} ${code(clip(text, 80))} stands on ${listed(group.map(({ address }) => address), 4)}.`,
          group.map(({ element }) => element)
        )
    )
  }).slice(0, MOST)

const broken = (project: Project): ReadonlyArray<Block> => {
  const links = new Map(linksOf(project).filter(({ isBroken }) => isBroken).map((link) => [link.element, link]))
  return [...links.values()].slice(0, MOST).flatMap(({ element, href }) =>
    claimOf(`${code(clip(element.value.text, 60))} leads to ${code(href)}, which no page, file or route is.`, [element])
  )
}

/** Said apart from what stands around them, these texts say nothing. */
const NOTHING = /^(?:here|click here|read more|more|learn more|link|this|hier|mehr|ici|en savoir plus)[\s.…>»]*$/iu

const empty = (project: Project): ReadonlyArray<Block> => {
  const links = new Set(pagesOf(project).flatMap(({ elements }) => elements.filter(({ subject }) => subject === "a")))
  return [...links].filter(({ value }) => !isFilledIn(value.text) && NOTHING.test(value.text)).slice(0, MOST).flatMap((element) =>
    claimOf(`${code(element.value.text)} leads to ${code(element.value.attributes["href"] ?? "")}.`, [element])
  )
}

export const contentAudit = (project: Project): Artifact => {
  const searched = searchedForMarkup(project)
  return page(`${project.description.project_name}: page contents`, [
    { title: "Outlines", blocks: outlines(project), none: absence("No page.", searched) },
    { title: "Said twice", blocks: twice(project), none: absence("No title said twice.", searched) },
    { title: "Links to nothing", blocks: broken(project), none: absence("No broken link.", searched) },
    { title: "Links whose texts say nothing", blocks: empty(project) }
  ])
}
