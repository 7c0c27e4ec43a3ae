/** Each view says what its contract says, and each group of the contract has a view or a reason why it has none. */
import { assert, describe, it } from "@effect/vitest"
import { defaultLocale, locales } from "@svc/design/locale"
import { choicesFor, endpointOf, fieldSchema, isInPath, statesOf } from "@svc/desk/api/endpoints"
import { choicesIn } from "@svc/desk/api/schemas"
import { states } from "@svc/desk/i18n/en/states"
import { wordOf, wordsOf } from "@svc/desk/i18n/words"
import { columnsOf } from "@svc/desk/pages/export"
import { views } from "@svc/desk/views/all"
import type { WrittenName } from "@svc/desk/views/written"
import { contract } from "@svc/server/api"
import { attemptFailures } from "@svc/webhooks/deliveries/model"

/** Groups that people look at nowhere, and why. */
const withoutView: Readonly<Record<string, string>> = {
  service: "says how the installation is, to programs",
  idempotency: "is read by the program that lost an answer",
  attention: "is the home page",
  volume: "is the home page",
  work_runs: "is the checklist of the home page",
  assistant: "answers questions, and has no rows",
  search: "is the box above every page"
}

/** Groups whose pages are written, and the page of the menu that leads to them. */
const written: Readonly<Record<string, WrittenName>> = { reconciliation_mismatches: "reconciliation", tool_calls: "tool-calls" }

/** Says itself what it is. */
const CURRENCY = /^[A-Z]{3,5}$/u

const groups = Object.keys(contract.groups)
const seen = new Set(views.flatMap(({ also, group }) => [group, ...also]).map(({ identifier }) => identifier))

const eachAction = views.flatMap((view) => view.actions.map((action) => ({ view, action, endpoint: endpointOf(view, action.endpoint) })))

/** Names in the form `view.name`, of what a check refuses. */
const refused = <A>(all: ReadonlyArray<A>, isWrong: (one: A) => boolean, nameOf: (one: A) => string): ReadonlyArray<string> =>
  all.filter(isWrong).map(nameOf)

describe("the views", () => {
  it("are of all groups of the contract but those that are listed", () => {
    const reasons = { ...withoutView, ...written }
    const known = new Set([...seen, ...Object.keys(reasons)])
    assert.deepStrictEqual(groups.filter((name) => !known.has(name)).toSorted(), [])
    assert.deepStrictEqual(Object.keys(reasons).filter((name) => seen.has(name) || !groups.includes(name)), [])
  })

  it("name endpoints that there are, and only filters that the list reads", () => {
    const lists = views.flatMap((view) => view.filters.map((filter) => ({ view, filter })))
    assert.deepStrictEqual(
      refused(
        lists,
        ({ filter, view }) => !Object.hasOwn(endpointOf(view, view.list).query, filter),
        ({ filter, view }) => `${view.name}.${filter}`
      ),
      []
    )
    for (const view of views) assert.strictEqual(endpointOf(view, view.get ?? view.list).method, "GET")
  })

  it("have words for their filters", () => {
    const lists = views.flatMap((view) => view.filters.map((filter) => ({ view, filter })))
    assert.deepStrictEqual(
      refused(
        lists,
        ({ filter, view }) => wordsOf(view, defaultLocale).filter(filter) === filter,
        ({ filter, view }) => `${view.name}.${filter}`
      ),
      []
    )
  })

  it("ask for all that an action cannot do without, and for nothing that it does not read", () => {
    const asked = eachAction.flatMap(({ action, endpoint, view }) =>
      endpoint.required.map((field) => ({ field, name: `${view.name}.${action.endpoint}.${field}`, asks: action.asks }))
    )
    assert.deepStrictEqual(
      refused(
        asked,
        ({ asks, field }) =>
          field !== "idempotency_key" && !asks.some((input) => input.field === field || input.field.startsWith(`${field}.`)),
        ({ name }) => name
      ),
      []
    )
    const inputs = eachAction.flatMap(({ action, endpoint, view }) => action.asks.map((input) => ({ view, action, endpoint, input })))
    assert.deepStrictEqual(
      refused(
        inputs,
        ({ endpoint: { body, path, query }, input: { as, field } }) => {
          const [first = field] = field.split(".")
          return as !== "file" && !Object.hasOwn(body, first) && !Object.hasOwn(query, first) && !isInPath(path, field)
        },
        ({ action, input, view }) => `${view.name}.${action.endpoint}.${input.field}`
      ),
      []
    )
  })

  it("offer only what the contract lets one choose, in states that there are", () => {
    const inputs = eachAction.flatMap(({ action, endpoint, view }) => action.asks.map((input) => ({ view, action, endpoint, input })))
    assert.deepStrictEqual(
      refused(
        inputs,
        ({ endpoint, input: { as, field, from } }) => {
          const choices = choicesFor(endpoint, field)
          if (typeof from === "string") return choices.length > 0
          if (as === "choice" || as === "many") {
            return (from ?? choices).length === 0 || (choices.length > 0 && from?.some((one) => !choices.includes(one)) === true)
          }
          return false
        },
        ({ action, input, view }) => `${view.name}.${action.endpoint}.${input.field}`
      ),
      []
    )
    const gated = eachAction.flatMap(({ action, view }) => action.when === undefined ? [] : [{ view, action, when: action.when }])
    assert.deepStrictEqual(
      refused(
        gated,
        ({ view, when }) => {
          const known = statesOf(view, when.field)
          return known.length > 0 && when.in.some((state) => !known.includes(state))
        },
        ({ action, view }) => `${view.name}.${action.endpoint}`
      ),
      []
    )
  })

  it("offer rows of lists that there are, by fields and filters that those have", () => {
    const inputs = eachAction.flatMap(({ action, view }) =>
      action.asks.map((input) => ({ view, name: `${view.name}.${input.field}`, input }))
    )
    const offered = inputs.flatMap(({ input: { offers }, ...one }) => offers === undefined ? [] : [{ ...one, offers }])
    assert.isAbove(offered.length, 10)
    assert.deepStrictEqual(
      refused(offered, ({ offers, view }) => {
        if ("held" in offers) return fieldSchema(view, offers.held) === undefined
        const other = views.find(({ name }) => name === offers.view)
        const by = Object.entries(offers.by ?? {})
        return other?.choosable === undefined ||
          by.some(([filter, field]) =>
            !Object.hasOwn(endpointOf(other, other.list).query, filter) || fieldSchema(view, field) === undefined
          )
      }, ({ name }) => name),
      []
    )
    const wrong = views.flatMap(({ choosable, name, ...view }) =>
      Object.entries(choosable?.where ?? {}).filter(([field, value]) => !statesOf(view, field).includes(value)).map(() => name)
    )
    assert.deepStrictEqual(wrong, [])
  })

  it("say what comes next by actions that they have, and how much there is by fields that they have", () => {
    assert.deepStrictEqual(
      refused(
        eachAction,
        ({ action: { asks, next }, view }) =>
          (next !== undefined && !view.actions.some(({ endpoint }) => endpoint === next)) ||
          asks.some(({ most }) => most !== undefined && [most.of, ...most.less].some((field) => fieldSchema(view, field) === undefined)),
        ({ action, view }) => `${view.name}.${action.endpoint}`
      ),
      []
    )
  })

  it("have a word for each state, reason and kind that they show or ask for", () => {
    const shown = views.flatMap((view) =>
      [...view.columns, ...view.facts].filter(({ as }) => as === "state").flatMap(({ field }) => {
        const schema = fieldSchema(view, field)
        return schema === undefined ? [] : choicesIn(schema)
      })
    )
    const filtered = views.flatMap((view) => view.filters.flatMap((filter) => choicesIn(endpointOf(view, view.list).query[filter] ?? {})))
    const asked = eachAction.flatMap(({ action, endpoint }) =>
      action.asks.flatMap(({ field, from }) => typeof from === "string" ? [] : from ?? choicesFor(endpoint, field))
    )
    assert.deepStrictEqual(
      Array.from(new Set([...shown, ...filtered, ...asked])).filter((word) => !CURRENCY.test(word) && !Object.hasOwn(states, word))
        .toSorted(),
      []
    )
  })

  it("have a word for each column of their exports, in every language", () => {
    // A word that is the field's own name in English, such as that of an agent key, is one. The page of reconciliation exports nothing.
    const own = /^(?:ID|Name|Status|Version)$/u
    const columns = views.filter(({ name }) => name !== "reconciliation").flatMap((view) =>
      locales.flatMap((locale) => columnsOf(view).map(({ field }) => ({ view, field, locale })))
    )
    assert.deepStrictEqual(
      refused(
        columns,
        ({ field, locale, view }) => !own.test(field) && wordsOf(view, { locale }).field(field) === field,
        ({ field, locale, view }) => `${locale}: ${view.name}.${field}`
      ),
      []
    )
  })

  it("have a word for each outcome of a webhook's delivery, in every language", () => {
    const outcomes = [...attemptFailures, "delivered", "endpoint_removed", "replayed", "http_503"]
    assert.deepStrictEqual(locales.flatMap((locale) => outcomes.filter((outcome) => wordOf(outcome, { locale }) === outcome)), [])
  })

  it("have a word for each column of their tables", () => {
    const columns = views.flatMap((view) =>
      [...view.facts, ...view.actions].flatMap(({ rows = [] }) => rows.map(({ field }) => ({ view, field })))
    )
    assert.isAbove(columns.length, 20)
    assert.deepStrictEqual(
      refused(
        columns,
        ({ field, view }) => wordsOf(view, defaultLocale).row(field) === field,
        ({ field, view }) => `${view.name}.${field}`
      ),
      []
    )
  })

  it("lead only to views that there are, by filters that those read", () => {
    const related = views.flatMap((view) => view.related.map((one) => ({ view, one })))
    assert.deepStrictEqual(
      refused(
        related,
        ({ one }) => {
          const other = views.find(({ name }) => name === one.view)
          return other === undefined || !Object.hasOwn(endpointOf(other, other.list).query, one.filter)
        },
        ({ one, view }) => `${view.name}: ${one.view}.${one.filter}`
      ),
      []
    )
    assert.strictEqual(new Set(views.map(({ name }) => name)).size, views.length)
  })
})
