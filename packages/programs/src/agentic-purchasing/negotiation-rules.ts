/** negotiation-rules.md: limits and discounts that the code holds; what it does not hold is asked. */
import { code } from "../claims/inline.ts"
import { absence, type Artifact, type Block, question } from "../claims/model.ts"
import { claimOf, page } from "../claims/sections.ts"
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { variablesOf } from "../map/uses.ts"
import { nothingInMarkdown } from "../mcp/none.ts"
import { inSources, searchedSources } from "../readiness/places.ts"
import { byText, type Commerce, commerceOf, type PaymentSign, sells } from "./commerce.ts"

const MOST = 15

/** Where the name is declared, with its value: `const MAX_ORDER_CENTS = 250000`. */
const declared = (project: Project, { evidence: [{ path }], value: { text } }: PaymentSign) =>
  project.factsOf(path, "symbol").find(({ subject, value }) =>
    subject === text && (value.kind === "constant" || value.kind === "variable") && /[=:]/u.test(value.signature)
  )

const terms = (project: Project, signs: ReadonlyArray<PaymentSign>): ReadonlyArray<Block> =>
  byText(signs).slice(0, MOST).flatMap((group) => {
    const symbol = declared(project, group[0])
    const within = [...new Set(group.flatMap(({ value }) => value.within ?? []))].filter((name) => name !== group[0].value.text)
    const name = symbol === undefined ? code(group[0].value.text) : code(symbol.value.signature, 100)
    const users = within.length === 0 ? "" : ` in ${within.slice(0, 3).map((each) => code(each)).join(", ")}`
    const facts: ReadonlyArray<AnyFact> = [...symbol === undefined ? [] : [symbol], ...group]
    return claimOf(`${name}${users}`, facts)
  })

const LIMIT = /BUDGET|SPEND|(?:DAILY|MONTHLY|ORDER|PAYMENT|PURCHASE)_(?:LIMIT|CAP|MAX)|MAX_(?:AMOUNT|ORDER|PAYMENT|PRICE)|DISCOUNT/u

const variables = (project: Project): ReadonlyArray<Block> =>
  inSources(project, variablesOf(project)).filter(({ subject }) => LIMIT.test(subject)).slice(0, MOST).flatMap((variable) =>
    claimOf(`${code(variable.subject)}${variable.value.fallback === null ? "" : `, else ${code(variable.value.fallback)}`}`, [variable])
  )

const asked = ({ signs }: Commerce): ReadonlyArray<Block> => [
  ...signs("spending limit").length > 0 ? [] : [question("Up to which amount, and in which time, may one agent buy?")],
  ...signs("discount").length > 0 ? [] : [question("Which discount may an agent be offered, and from which quantity?")],
  question("For how long does a price hold that an agent was told?")
]

export const negotiationRules = (project: Project): Artifact => {
  const commerce = commerceOf(project)
  const searched = searchedSources(project)
  if (!sells(commerce)) return nothingInMarkdown(project, "Negotiation", "Nothing that sells, so no limit and no discount.")
  const compared = new Set(commerce.signs("spending limit compared").map(({ value }) => value.text))
  const limits = commerce.signs("spending limit")
  return page(`Terms of ${project.description.project_name}`, [
    {
      title: "Limits that amounts are compared with",
      blocks: terms(project, limits.filter(({ value }) => compared.has(value.text))),
      none: absence("No amount that is compared with a limit.", searched)
    },
    { title: "Limits without a comparison", blocks: terms(project, limits.filter(({ value }) => !compared.has(value.text))) },
    { title: "Set from outside", blocks: variables(project) },
    {
      title: "Discounts",
      blocks: terms(project, commerce.signs("discount")),
      none: absence("No discount, coupon or counter-offer.", searched)
    },
    { title: "Open", blocks: asked(commerce) }
  ])
}
