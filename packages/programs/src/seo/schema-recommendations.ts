/** schema-recommendations.json: JSON-LD that pages have, and JSON-LD for the others, of their own words alone. */
import { cited, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import { evidenceOf } from "../claims/model.ts"
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { elementsOf, searchedForMarkup } from "../map/interface.ts"
import { packageOf } from "../map/packages.ts"
import { factsOfPage, saidOf } from "../map/pages.ts"
import { pathOf } from "../map/uses.ts"
import { type Head, headsOf, isHidden, plainText } from "./head.ts"

const MOST = 30

const found = (project: Project): ReadonlyArray<Value> =>
  elementsOf(project).filter(({ subject, value: { attributes } }) => subject === "script" && /ld\+json/u.test(attributes["type"] ?? ""))
    .slice(0, MOST).map((script) => cited({ page: pathOf(script), types: script.value.text.split(" ") }, script))

const absolute = (address: string | undefined): string | undefined =>
  address !== undefined && /^https?:\/\/[^\s"<>\\^`{|}]+$/u.test(address) ? address : undefined

interface Said {
  readonly value: { readonly [name: string]: Value | undefined }
  readonly facts: ReadonlyArray<AnyFact>
}

/** A page by its title, its description, its language and its canonical address: what of these it writes. */
const webPage = ({ canonical, description, h1, html, page, title }: Head): Said => {
  const [heading] = h1
  const name = plainText(title) ?? plainText(heading)
  const language = saidOf(html) === undefined ? html?.value.attributes["lang"] : undefined
  return {
    value: {
      "@context": "https://schema.org",
      "@type": "WebPage",
      name,
      description: plainText(description),
      url: absolute(saidOf(canonical)),
      inLanguage: language !== undefined && /^[A-Za-z]{2,8}(?:-[A-Za-z0-9]{1,8})*$/u.test(language) ? language : undefined
    },
    facts: [title, heading, description, canonical, ...factsOfPage(page)].flatMap((fact) => fact ?? [])
  }
}

const isRoot = ({ page }: Head): boolean => /^(?:\/|(?:public\/|static\/|src\/|docs\/)?index\.html?)$/u.test(page.address)

/** The site, by its first page and what the manifest says of its address. */
const webSite = (project: Project, head: Head): Said => {
  const page = webPage(head)
  const manifest = packageOf(project, head.page.path)
  return { value: { ...page.value, "@type": "WebSite" }, facts: [...page.facts, ...manifest === undefined ? [] : [manifest]] }
}

const sourceOf = (type: string): string => `Source: [schema.org, ${type}](https://schema.org/${type})`

const recommended = (project: Project): ReadonlyArray<Value> => {
  const having = new Set(
    elementsOf(project).filter(({ subject, value }) => subject === "script" && value.text !== "").map(pathOf)
  )
  return headsOf(project).filter((head) =>
    !isHidden(head) && !head.page.elements.some((one) => having.has(pathOf(one)) && one.subject === "script")
  )
    .slice(0, MOST).flatMap((head): ReadonlyArray<Value> => {
      const { facts, value } = isRoot(head) ? webSite(project, head) : webPage(head)
      const evidence = evidenceOf(facts)
      return value["name"] === undefined || evidence === undefined
        ? []
        : [cited({ for: head.page.address, jsonld: value, source: sourceOf(String(value["@type"])) }, ...evidence)]
    })
}

export const schemaRecommendations = (project: Project): Artifact => {
  const [existing, others] = [found(project), recommended(project)]
  const searched = `JSON-LD and titles of pages, in ${searchedForMarkup(project)} files`
  return jsonLines({ searched, found: existing, recommended: others })
}
