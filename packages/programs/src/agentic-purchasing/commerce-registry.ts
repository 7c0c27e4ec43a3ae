/** commerce-registry.json: what buys, pays, refunds and guards in the project, an element a line, for programs that ask. */
import { cited, citedOf, jsonLines, type Value } from "../claims/json.ts"
import type { Artifact } from "../claims/model.ts"
import { placeOf } from "../claims/places.ts"
import type { AnyFact } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { variablesOf } from "../map/uses.ts"
import { nothingInJson } from "../mcp/none.ts"
import { written } from "../readiness/finding.ts"
import { inSources } from "../readiness/places.ts"
import { type CheckResult, readinessOf } from "../readiness/score.ts"
import { byText, commerceOf, NO_SALES, sells } from "./commerce.ts"

const MOST = 100

const at = ({ evidence: [span] }: AnyFact): string => placeOf(span)

const checkLine = ({ found, id, status }: CheckResult): Value => {
  const facts = found.flatMap((need) => need.facts)
  const line = { check: id, status, shown_by: [...new Set(facts.map(written))].slice(0, 6), at: [...new Set(facts.map(at))].slice(0, 6) }
  return citedOf(line, facts)[0] ?? { check: id, status, searched: found.map(({ what }) => what) }
}

const SETTING = /stripe|paypal|adyen|braintree|square|mollie|razorpay|paddle|webhook|payment|checkout|billing/iu

export const commerceRegistry = (project: Project): Artifact => {
  const commerce = commerceOf(project)
  if (!sells(commerce)) return nothingInJson(project, NO_SALES)
  const { checks, risk, score } = readinessOf(project)
  return jsonLines({
    project: project.description.project_name,
    readiness: score,
    risk,
    providers: commerce.providers.slice(0, MOST).map((one) => cited({ package: one.subject, at: at(one) }, one)),
    routes: commerce.sales.slice(0, MOST).map(({ handler, route, signs }) =>
      cited(
        {
          route: route.subject,
          handler: handler?.subject,
          framework: route.value.framework,
          at: at(route),
          signs: [...new Set(signs.map(written))]
        },
        route,
        ...signs.slice(0, 2)
      )
    ),
    items: commerce.items.slice(0, MOST).map((item) =>
      cited({
        id: item.subject,
        title: item.value.title,
        price: item.value.price.value,
        price_name: item.value.price.name,
        currency: item.value.currency,
        at: at(item)
      }, item)
    ),
    schemas: commerce.products.slice(0, MOST).map((schema) =>
      cited({ schema: schema.subject, fields: schema.value.fields.map(({ name }) => name), at: at(schema) }, schema)
    ),
    events: byText(commerce.signs("payment event", "dispute event")).slice(0, MOST).map((group) =>
      cited({ event: group[0].value.text, at: at(group[0]) }, ...group)
    ),
    settings: inSources(project, variablesOf(project)).filter(({ subject }) => SETTING.test(subject)).slice(0, MOST).map((variable) =>
      cited({ variable: variable.subject, required: variable.value.required, at: at(variable) }, variable)
    ),
    checks: checks.map(checkLine)
  })
}
