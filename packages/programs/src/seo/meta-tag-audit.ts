/** meta-tag-audit.json: the head of each page, a line each, with what is missing, doubled or long. */
import { citedOf, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import type { Project } from "../facts/project.ts"
import { searchedForMarkup } from "../map/interface.ts"
import { factsOfPage, saidOf } from "../map/pages.ts"
import { expectedOf, type Head, headsOf, isFilledIn, PARTS } from "./head.ts"

const MOST = 200

/** Characters that Microsoft's checker WEB1023 gives a description. */
const LONG_DESCRIPTION = 150

const LONG = "description longer than WEB1023 allows"
const WEB1023 =
  "A description has at most 150 characters. Source: [Microsoft, WEB1023](https://learn.microsoft.com/en-us/previous-versions/" +
  "visualstudio/design-tools/expression-studio-4/ff723911(v=expression.40))"

const issues = (head: Head, counts: ReadonlyMap<string, number>): ReadonlyArray<string> => {
  const missing = expectedOf(head).filter(([part]) => saidOf(head[part]) === undefined).map(([, name]) => `missing ${name}`)
  const doubled = (["title", "description"] as const).filter((part) => (counts.get(`${part} ${saidOf(head[part])}`) ?? 0) > 1)
    .map((part) => `${part} of several pages`)
  const description = saidOf(head.description) ?? ""
  const isLong = !isFilledIn(description) && description.length > LONG_DESCRIPTION
  return [...missing, ...doubled, ...isLong ? [LONG] : []]
}

const countsOf = (heads: ReadonlyArray<Head>): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>()
  for (const head of heads) {
    for (const part of ["title", "description"] as const) {
      const said = saidOf(head[part])
      if (said !== undefined) counts.set(`${part} ${said}`, (counts.get(`${part} ${said}`) ?? 0) + 1)
    }
  }
  return counts
}

/** Texts whose length counts are given with it. */
const described = (head: Head): { readonly [name: string]: Value } =>
  Object.fromEntries(PARTS.flatMap(([part, name]): ReadonlyArray<readonly [string, Value]> => {
    const said = saidOf(head[part])
    if (said === undefined) return []
    const isMeasured = (part === "title" || part === "description") && !isFilledIn(said)
    return [[name, said], ...isMeasured ? [[`${name} characters`, Array.from(said).length] as const] : []]
  }))

export const metaTagAudit = (project: Project): Artifact => {
  const heads = headsOf(project)
  const counts = countsOf(heads)
  const said = heads.slice(0, MOST).map((head) => ({ head, issues: issues(head, counts) }))
  const pages = said.flatMap(({ head, issues }) =>
    citedOf({ page: head.page.address, ...described(head), issues }, [
      ...PARTS.flatMap(([part]) => head[part] ?? []),
      ...factsOfPage(head.page)
    ])
  )
  const searched = `heads of pages, in ${searchedForMarkup(project)} files`
  return jsonLines({ searched, pages, ...said.some(({ issues }) => issues.includes(LONG)) ? { limits: [WEB1023] } : {} })
}
