/** agent-purchasing-playbook.md: what an agent does to buy from the project, and what the project does not show. */
import { code } from "../claims/inline.ts"
import { absence, type Artifact, type Block, claim, question } from "../claims/model.ts"
import { claimOf, page, rowOf, table } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { nothingInMarkdown } from "../mcp/none.ts"
import { written } from "../readiness/finding.ts"
import { type CheckResult, type FoundNeed, readinessOf } from "../readiness/score.ts"
import { byText, type Commerce, commerceOf, NO_SALES, type Sale, sells } from "./commerce.ts"

const MOST = 20

const does = ({ signs }: Sale): string =>
  [...new Set(signs.filter(({ subject }) => subject.endsWith(" call")).map((one) => code(written(one), 60)))].slice(0, 3).join(", ")

const calls = ({ sales }: Commerce): ReadonlyArray<Block> =>
  table(
    ["call", "answered by", "pays by"],
    sales.slice(0, MOST).flatMap((sale) => {
      const { handler, route, signs } = sale
      const cells = [code(route.subject), handler === undefined ? "" : code(handler.subject), does(sale)]
      return rowOf(cells, [route, ...handler === undefined ? [] : [handler], ...signs.slice(0, 1)])
    })
  )

/** Names that a need is met by; a path that a route names is not named again. */
const namesOf = (facts: FoundNeed["facts"]): ReadonlyArray<string> => {
  const names = [...new Set(facts.map(written))]
  return names.filter((name) => !names.some((other) => other.endsWith(` ${name}`))).slice(0, 4).map((name) => code(name, 60))
}

const COMPARED = "spending limit compared"

const shown = ({ found }: CheckResult): ReadonlyArray<Block> =>
  found.flatMap(({ facts }) => {
    const isCompared = facts.every(({ subject }) => subject === COMPARED)
    return claimOf(isCompared ? `compared: ${namesOf(facts).join(", ")}` : namesOf(facts).join(", "), facts)
  })

/** What is bought by name, and what it costs as written. */
const sold = ({ items }: Commerce): ReadonlyArray<Block> =>
  items.slice(0, 12).map((item) => {
    const { currency, price, title } = item.value
    return claim(
      `${code(item.subject)}${title === null ? "" : ` ${code(title, 80)}`}: ${price.name} ${price.value} ${currency ?? ""}`.trim(),
      item
    )
  })

const approval = (commerce: Commerce): Block => {
  const [limit] = byText(commerce.signs("spending limit compared", "spending limit"))
  return limit === undefined
    ? question("Up to which amount may an agent buy alone?")
    : question(`Who approves what is above ${code(limit[0].value.text)}?`)
}

/** The score names them all; here stand those that come first. */
const MOST_MISSING = 2

const notFound = (missing: ReadonlyArray<string>): string => {
  const more = missing.length - MOST_MISSING
  return `Not found: ${missing.slice(0, MOST_MISSING).join("; ")}${more > 0 ? `; ${more} more` : ""}.`
}

export const playbook = (project: Project): Artifact => {
  const commerce = commerceOf(project)
  if (!sells(commerce)) return nothingInMarkdown(project, "Purchases by agents", NO_SALES)
  const { checks, searched } = readinessOf(project)
  const missing = checks.flatMap(({ found }) => found.filter(({ facts }) => facts.length === 0).map(({ what }) => what))
  return page(`Buying from ${project.description.project_name}`, [
    { title: "Calls", blocks: calls(commerce), none: absence("No route that sells.", searched) },
    { title: "Sold", blocks: sold(commerce), none: absence("Nothing with an identifier and a price.", project.searched()) },
    ...checks.map((check) => ({ title: check.title, blocks: shown(check) })),
    {
      title: "Open",
      blocks: [...missing.length === 0 ? [] : [absence(notFound(missing), searched)], approval(commerce)]
    }
  ])
}
