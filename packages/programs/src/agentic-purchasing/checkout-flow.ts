/** checkout-flow.md: from the route that is called to the payment, then the events that come back, in the order of the code. */
import { code } from "../claims/inline.ts"
import { markdown } from "../claims/markdown.ts"
import { absence, type Artifact, type Block, heading } from "../claims/model.ts"
import { claimOf } from "../claims/sections.ts"
import type { Project } from "../facts/project.ts"
import { nothingInMarkdown } from "../mcp/none.ts"
import { searchedSources } from "../readiness/places.ts"
import { byText, commerceOf, type PaymentSign, type Sale } from "./commerce.ts"

const MOST = 15
const MOST_STEPS = 10

/** Signs of one line and function are one step, as the code does them together. */
const steps = (signs: ReadonlyArray<PaymentSign>): ReadonlyArray<Block> =>
  Array.from(Map.groupBy(signs, ({ evidence: [at], value }) => `${at.path}:${at.start_line} ${value.within ?? ""}`).values())
    .slice(0, MOST_STEPS).flatMap((group) => {
      const texts = [...new Set(group.map(({ value }) => code(value.text, 80)))].join(", ")
      const within = group[0]?.value.within ?? null
      return claimOf(within === null ? texts : `${code(within)}: ${texts}`, group)
    })

const sale = ({ handler, route, signs }: Sale): ReadonlyArray<Block> => [
  heading(2, code(route.subject)),
  ...handler === undefined
    ? claimOf(`${code(route.subject)} (${route.value.framework})`, [route])
    : claimOf(`${code(route.subject)} → ${code(handler.subject)}`, [route, handler]),
  ...steps(signs)
]

export const checkoutFlow = (project: Project): Artifact => {
  const { sales, signs } = commerceOf(project)
  const searched = searchedSources(project)
  const events = byText(signs("payment event", "dispute event"))
  const payments = signs("payment call", "payment address")
  if (sales.length + events.length + payments.length === 0) {
    return nothingInMarkdown(project, "Checkout", "No route that sells, no call that pays, no event of a payment.")
  }
  const reached = new Set(sales.flatMap((one) => one.signs))
  const apart = payments.filter((one) => !reached.has(one))
  return markdown([
    heading(1, `Checkout of ${project.description.project_name}`),
    ...sales.slice(0, MOST).flatMap(sale),
    ...apart.length === 0 ? [] : [heading(2, "Payments that no route was seen to reach"), ...steps(apart)],
    ...events.length === 0
      ? [absence("No name of a provider's event.", searched)]
      : [heading(2, "Events"), ...events.flatMap((group) => claimOf(code(group[0].value.text), group))]
  ])
}
