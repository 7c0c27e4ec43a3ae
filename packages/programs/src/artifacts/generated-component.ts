/** generated-component.tsx: a table of the resource with most routes: rows with the fields of its schema, a button for each other route. */
import { codeFile, type CodeLine, comments } from "../claims/comments.ts"
import { absence, type Artifact, claim, type Evidence, question } from "../claims/model.ts"
import { camelName, member, memberOf, quoted, typeName, typeOf } from "../claims/typescript.ts"
import type { Field } from "../facts/model.ts"
import type { Project } from "../facts/project.ts"
import { memo } from "../map/memo.ts"
import { componentsOf } from "./components.ts"
import {
  actionName,
  type Address,
  addressOf,
  isGet,
  modelOf,
  modelsOf,
  resourcesOf,
  type RouteFact,
  type SchemaFact
} from "./shown-resource.ts"

const MOST_FIELDS = 12
const MOST_ACTIONS = 6

interface Source {
  readonly route: RouteFact
  readonly address: Address
}

/** What the component is made of. */
export interface Chosen {
  readonly name: string
  readonly model: SchemaFact | undefined
  readonly fields: ReadonlyArray<Field>
  /** Where the rows come from; undefined where they are given. */
  readonly source: Source | undefined
  readonly actions: ReadonlyArray<Action>
}

interface Action extends Source {
  /** The field of a row for each parameter; null for one that the component is given. */
  readonly fieldOf: ReadonlyMap<string, string | null>
}

/** Of a name each first field. */
const fieldsOf = (model: SchemaFact | undefined): ReadonlyArray<Field> =>
  [...new Map((model?.value.fields ?? []).toReversed().map((field) => [field.name, field])).values()].toReversed().slice(0, MOST_FIELDS)

/** `id` and `orderId` of a path mean the `id` of a row. */
const fieldOf = (parameter: string, fields: ReadonlyArray<Field>): string | undefined =>
  fields.find(({ name }) => name === parameter)?.name ??
    (/_?id$/iu.test(parameter) ? fields.find(({ name }) => name === "id")?.name : undefined)

const actionsOf = (routes: ReadonlyArray<RouteFact>, fields: ReadonlyArray<Field>, given: ReadonlyArray<string>): ReadonlyArray<Action> =>
  routes.filter(({ value: { method } }) => method === "POST" || method === "DELETE").flatMap((route) => {
    const address = addressOf(route)
    if (address === undefined || address.parameters.length === 0) return []
    const found = address.parameters.map((name) => [name, fieldOf(name, fields) ?? (given.includes(name) ? null : undefined)] as const)
    const known = found.flatMap(([name, field]) => field === undefined ? [] : [[name, field] as const])
    return known.length < found.length ? [] : [{ route, address, fieldOf: new Map(known) }]
  }).slice(0, MOST_ACTIONS)

const compute = (project: Project): { readonly chosen: Chosen | undefined } => {
  const resources = resourcesOf(project).map((resource) => {
    const sources = resource.routes.filter(isGet).flatMap((route) => {
      const address = addressOf(route)
      return address === undefined ? [] : [{ route, address }]
    })
    // The fewest parameters, so that the component needs the least to be shown.
    const [source] = sources.toSorted((one, other) => one.address.parameters.length - other.address.parameters.length)
    return { resource, source, model: modelOf(project, resource) }
  }).filter(({ source }) => source !== undefined)
  const best = resources.find(({ model }) => model !== undefined) ?? resources[0]
  if (best !== undefined) {
    const fields = fieldsOf(best.model)
    const actions = actionsOf(best.resource.routes, fields, best.source?.address.parameters ?? [])
    return { chosen: { name: best.resource.name || "root", model: best.model, fields, source: best.source, actions } }
  }
  const [model] = componentsOf(project).length === 0 ? [] : modelsOf(project)
  return {
    chosen: model === undefined ? undefined : { name: model.subject, model, fields: fieldsOf(model), source: undefined, actions: [] }
  }
}

/** Of servers the resource with most routes, one with a schema before others; else, where there are components, the most used schema. */
export const chosenOf: (project: Project) => { readonly chosen: Chosen | undefined } = memo(compute)

const withoutComponent = (project: Project): Artifact =>
  codeFile([
    ...comments("//", [absence("No route that answers GET at a plain path, and no component with a schema.", project.searched())]),
    { text: "export {}" }
  ])

/** Names of the component's parts, none of which is a word of the language. */
const namesOf = ({ name }: Chosen) => ({ rows: `${camelName(name)}List`, row: `${typeName(name)}Row`, table: `${typeName(name)}Table` })

const rowType = ({ fields, model, ...rest }: Chosen): ReadonlyArray<CodeLine> => {
  const { row } = namesOf({ fields, model, ...rest })
  if (model === undefined) return [{ text: `export type ${row} = Readonly<Record<string, unknown>>` }]
  return [
    ...comments("//", [claim(model.subject, model)]),
    { text: `export interface ${row} {` },
    ...fields.map(({ name, required, type }) => ({ text: `  readonly ${member(name)}${required ? "" : "?"}: ${typeOf(type)}` })),
    { text: "}" }
  ]
}

/** Names that React or the component itself takes. */
const TAKEN = /^(?:key|ref|children|origin)$/u

const property = (parameter: string): string => TAKEN.test(parameter) ? `${parameter}Value` : parameter

const givenOr = (field: string | null, parameter: string): string =>
  field === null ? memberOf("given", property(parameter)) : memberOf("row", field)

const encoded = (expression: string): string => `encodeURIComponent(String(${expression}))`

const actionLines = (chosen: Chosen): ReadonlyArray<CodeLine> => {
  const { row } = namesOf(chosen)
  return chosen.actions.flatMap(({ address, fieldOf, route }) => {
    const path = address.template((name) => encoded(givenOr(fieldOf.get(name) ?? null, name)))
    return [
      ...comments("//", [claim(route.subject, route)]),
      { text: `const ${functionName(route)} = (row: ${row}, given: ${namesOf(chosen).table}Properties) =>` },
      { text: `  fetch(\`\${given.origin ?? ""}${path}\`, { method: ${quoted(route.value.method)} })` },
      { text: "" }
    ]
  })
}

/** `postOrdersIdRefund`: of routes that differ the names differ, as both have all words of method and path. */
const functionName = ({ subject }: RouteFact): string => camelName(subject.toLowerCase())

const distinct = (chosen: Chosen): Chosen => ({
  ...chosen,
  actions: [...new Map(chosen.actions.toReversed().map((action) => [functionName(action.route), action])).values()].toReversed()
})

const properties = (chosen: Chosen): ReadonlyArray<CodeLine> => {
  const { row, rows, table } = namesOf(chosen)
  return [
    { text: `export interface ${table}Properties {` },
    ...(chosen.source === undefined ? [{ text: `  readonly ${rows}: ReadonlyArray<${row}>` }] : [{ text: "  readonly origin?: string" }]),
    ...[...new Set(chosen.source?.address.parameters)].map((name) => ({ text: `  readonly ${property(name)}: string` })),
    { text: "}" },
    { text: "" }
  ]
}

/** A refusal of a button is shown; else the rows are fetched anew. */
const told: ReadonlyArray<CodeLine> = [
  { text: "  const told = (name: string, asked: Promise<Response>) =>" },
  {
    text:
      "    asked.then(({ ok, status }) => ok ? refresh() : setFailure(`${name}: ${status}`), (error: unknown) => setFailure(String(error)))"
  }
]

/** Fetches when it is first shown, and again when an address changes. */
const fetching = (chosen: Chosen, { address, route }: Source): ReadonlyArray<CodeLine> => {
  const { row, rows } = namesOf(chosen)
  const set = `set${rows.slice(0, 1).toUpperCase()}${rows.slice(1)}`
  return [
    { text: `  const [${rows}, ${set}] = useState<ReadonlyArray<${row}>>([])` },
    { text: "  const [failure, setFailure] = useState(\"\")" },
    { text: `  const address = \`\${given.origin ?? ""}${address.template((name) => encoded(givenOr(null, name)))}\`` },
    { text: "  const load = async (answer: Response) => {" },
    { text: `    if (!answer.ok) throw new Error(${quoted(route.subject)} + \`: \${answer.status}\`)` },
    { text: "    setFailure(\"\")" },
    { text: `    const body: ${row} | ReadonlyArray<${row}> = await answer.json()` },
    { text: `    ${set}([body].flat() as ReadonlyArray<${row}>)` },
    { text: "  }" },
    { text: "  const refresh = () => fetch(address).then(load).catch((error: unknown) => setFailure(String(error)))" },
    ...(chosen.actions.length === 0 ? [] : told),
    { text: "  useEffect(() => void refresh(), [address])" }
  ]
}

const button = (chosen: Chosen, { route }: Action): ReadonlyArray<CodeLine> => {
  const call = `told(${quoted(route.subject)}, ${functionName(route)}(row, given))`
  const asks = route.value.method === "DELETE" ? `confirm(${quoted(`${route.subject}?`)}) && ` : ""
  return [{ text: `            <td><button type="button" onClick={() => ${asks}${call}}>{${quoted(actionName(route))}}</button></td>` }]
}

const markup = (chosen: Chosen): ReadonlyArray<CodeLine> => {
  const { rows } = namesOf(chosen)
  const key = chosen.fields.find(({ name }) => name === "id") === undefined ? "at" : "String(row.id)"
  const cells = chosen.model === undefined
    ? [{ text: "            <td>{JSON.stringify(row)}</td>" }]
    : chosen.fields.map(({ name }) => ({ text: `            <td>{String(${memberOf("row", name)} ?? "")}</td>` }))
  const heads = chosen.model === undefined ? [] : [
    { text: "        <tr>" },
    ...chosen.fields.map(({ name }) => ({ text: `          <th scope="col">{${quoted(name)}}</th>` })),
    { text: "        </tr>" }
  ]
  return [
    { text: "  return (" },
    { text: "    <table>" },
    {
      text: `      <caption>{${quoted(chosen.model?.subject ?? chosen.name)}}${
        chosen.source === undefined ? "" : "<span role=\"alert\">{failure}</span>"
      }</caption>`
    },
    ...(heads.length === 0 ? [] : [{ text: "      <thead>" }, ...heads, { text: "      </thead>" }]),
    { text: "      <tbody>" },
    { text: `        {${chosen.source === undefined ? `given.${rows}` : rows}.map((row${key === "at" ? ", at" : ""}) => (` },
    { text: `          <tr key={${key}}>` },
    ...cells,
    ...chosen.actions.flatMap((action) => button(chosen, action)),
    { text: "          </tr>" },
    { text: "        ))}" },
    { text: "      </tbody>" },
    { text: "    </table>" },
    { text: "  )" }
  ]
}

const head = ({ actions, model, source }: Chosen): ReadonlyArray<CodeLine> =>
  comments("//", [
    ...(source === undefined ? [] : [
      claim(source.route.subject, source.route),
      question(`does ${source.route.subject} answer with ${model?.subject ?? "rows"}, with a list, or with an object around it?`)
    ]),
    ...actions.map(({ route }) => question(`does ${route.subject} need a body?`))
  ])

export const generatedComponent = (project: Project): Artifact => {
  const { chosen: found } = chosenOf(project)
  if (found === undefined) return withoutComponent(project)
  const chosen = distinct(found)
  return codeFile([
    ...head(chosen),
    ...(chosen.source === undefined ? [] : [{ text: "import { useEffect, useState } from \"react\"" }]),
    { text: "" },
    ...rowType(chosen),
    { text: "" },
    ...properties(chosen),
    ...actionLines(chosen),
    { text: `export const ${namesOf(chosen).table} = (given: ${namesOf(chosen).table}Properties) => {` },
    ...(chosen.source === undefined ? [] : fetching(chosen, chosen.source)),
    ...markup(chosen),
    { text: "}" }
  ])
}

/** Facts that the component stands on. */
export const evidenceOfChosen = ({ actions, model, source }: Chosen): Evidence | undefined => {
  const [first, ...rest] = [
    ...model === undefined ? [] : [model],
    ...source === undefined ? [] : [source.route],
    ...actions.map(({ route }) => route)
  ]
  return first === undefined ? undefined : [first, ...rest]
}
