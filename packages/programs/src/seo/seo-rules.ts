/** seo-rules.md: what most pages say in their heads, and which say it not, for whoever adds a page. */
import { absence, type Artifact, type Block, question } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { searchedForMarkup } from "../map/interface.ts"
import { factsOfPage, saidOf } from "../map/pages.ts"
import { code, listed } from "../map/words.ts"
import { expectedOf, type Head, headsOf, isHidden, PARTS } from "./head.ts"

const addresses = (heads: ReadonlyArray<Head>): string => listed(heads.map(({ page }) => page.address), 4)

/** A row for each part of the head: how many pages have it, and which have not. */
const parts = (heads: ReadonlyArray<Head>): ReadonlyArray<Block> => {
  const rows = PARTS.flatMap(([part, name]) => {
    const asked = heads.filter((head) => part === "robots" || expectedOf(head).some(([expected]) => expected === part))
    const having = asked.filter((head) => saidOf(head[part]) !== undefined)
    const lacking = asked.filter((head) => !having.includes(head))
    const facts: ReadonlyArray<AnyFact> = having.flatMap((head) => head[part] ?? [])
    return having.length === 0 ? [] : rowOf([name, addresses(having), addresses(lacking)], [
      ...facts.slice(0, 1),
      ...lacking.flatMap(({ page }) => factsOfPage(page).slice(0, 1)),
      ...facts.slice(1)
    ])
  })
  return table(["tag", "on", "not on"], rows)
}

const FILES =
  /(?:^|\/)(?:robots\.(?:txt|ts)|sitemap(?:-\w+)?\.(?:xml|ts|js)|(?:manifest|site)\.webmanifest|llms\.txt|(?:feed|rss|opensearch)\.xml)$/u

const files = (project: Project): ReadonlyArray<Block> =>
  project.facts("file").filter(({ subject }) => FILES.test(subject)).slice(0, 12).flatMap((file) =>
    claimOf(`${code(file.subject)} has ${file.value.lines} lines.`, [file])
  )

const hidden = (heads: ReadonlyArray<Head>): ReadonlyArray<Block> =>
  heads.filter(isHidden).slice(0, 12).flatMap(({ page, robots }) =>
    claimOf(`${code(page.address)} asks ${code(saidOf(robots) ?? "")}.`, robots === undefined ? [] : [robots])
  )

export const seoRules = (project: Project): Artifact => {
  const heads = headsOf(project)
  const searched = searchedForMarkup(project)
  const absent = PARTS.filter(([part]) => heads.some((head) => expectedOf(head).some(([expected]) => expected === part)))
    .filter(([part]) => heads.every((head) => saidOf(head[part]) === undefined)).map(([, name]) => name)
  return page(`${project.description.project_name}: heads`, [
    { title: "Parts", blocks: parts(heads), none: absence("No page with a head.", searched) },
    { title: "Hidden", blocks: hidden(heads), none: absence("No hidden page.", searched) },
    { title: "Files for crawlers", blocks: files(project), none: absence("No sitemap.", project.paths.length) },
    {
      title: "Open",
      blocks: heads.length === 0 || absent.length === 0
        ? []
        : [question(`Is ${absent.join(", ")} set by a server?`)]
    }
  ])
}
