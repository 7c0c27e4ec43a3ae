/** One operation: what it does, what it takes, what it answers, and the command that calls it. */
import { type Content, type Html, html } from "@svc/design/html"
import { type Answer, type Content as Bodies, type Contract, type Operation, type Parameter, resolved, shapeOf } from "./contract.ts"
import { fieldsOf, paragraphs, prose, type Reader } from "./fields.ts"

type Components = Contract["components"]

/** An operation with its place. */
export interface Placed {
  readonly method: string
  readonly path: string
  readonly operation: Operation
}

const taking = (components: Components, shown: ReadonlySet<string>): Reader => ({
  components,
  shown,
  note: (required) => required ? "required" : undefined
})

const bodyOf = (content: Bodies | undefined) => Object.entries(content ?? {})[0]

const exampleOf = (components: Components, content: Bodies | undefined): unknown => {
  const [example] = Object.values(bodyOf(content)?.[1].examples ?? {})
  return example === undefined ? undefined : resolved(components.examples, example)?.value
}

/** In single quotes of a shell. */
const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/** A command that calls it, with the words of the introduction: `$API` and `$KEY`. */
export const commandOf = (components: Components, { method, operation, path }: Placed): string => {
  const body = exampleOf(components, operation.requestBody?.content)
  const type = bodyOf(operation.requestBody?.content)?.[0]
  const required = parametersOf(components, operation).filter((one) => one.in === "header" && one.required === true)
  return [
    `curl -sS ${method === "get" ? "" : `-X ${method.toUpperCase()} `}"$API${
      path.replaceAll(/\{(\w+)\}/g, (_, name: string) => `$${name.toUpperCase()}`)
    }"`,
    ...(operation.security.length === 0 ? [] : [`-H "Authorization: Bearer $KEY"`]),
    ...required.map(({ name }) => `-H "${name}: $(uuidgen)"`),
    ...(body !== undefined && type === "application/json"
      ? [`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(body, null, 2))}`]
      : type === undefined
      ? []
      : [`-H 'Content-Type: ${type}'`, "--data-binary @file"])
  ].join(" \\\n  ")
}

const parametersOf = (components: Components, { parameters }: Operation): ReadonlyArray<Parameter> =>
  parameters.map((one) => resolved(components.parameters, one)).filter((one) => one !== undefined)

const places = { path: "In the path", query: "In the query", header: "Headers" } as const

const parameterLists = (reader: Reader, parameters: ReadonlyArray<Parameter>): Content =>
  Object.entries(places).map(([place, title]) => {
    const some = parameters.filter((one) => one.in === place)
    return some.length === 0 ? null : html`<h3>${title}</h3>${
      fieldsOf(reader, {
        required: some.filter(({ required }) => required === true).map(({ name }) => name),
        properties: Object.fromEntries(
          some.map(({ description, name, schema }) => [name, { ...schema, ...(description === undefined ? {} : { description }) }])
        )
      })
    }`
  })

const keys: Readonly<Record<string, string>> = { secret_key: "a key of the account", operator_key: "a key of the operator" }

const access = ({ security }: Operation): Content =>
  security.length === 0 ? "Needs no key." : [
    "Needs ",
    security.flatMap((scheme) => Object.entries(scheme)).map(([scheme, scopes], at) => [
      at === 0 ? null : ", or ",
      keys[scheme] ?? scheme,
      scopes.map((scope) => html`; a restricted one with <code>${scope}</code>`)
    ]),
    "."
  ]

interface Answered {
  readonly statuses: ReadonlyArray<string>
  readonly answer: Answer
}

/** The answers by status; those that are the same stand together, such as 200 and 201. */
const answersOf = (components: Components, { responses }: Operation): ReadonlyArray<Answered> => {
  const all = Object.entries(responses).flatMap(([status, written]) => {
    const answer = resolved(components.responses, written)
    return answer === undefined ? [] : [{ status, answer, text: JSON.stringify([answer.description, answer.content]) }]
  })
  return Object.values(Object.groupBy(all, ({ text }) => text)).flatMap((same = []) =>
    same.slice(0, 1).map(({ answer }) => ({ answer, statuses: same.map(({ status }) => status) }))
  )
}

const givenOf = (reader: Reader, { answer: { content, description }, statuses }: Answered): Html => {
  const [type, body] = bodyOf(content) ?? []
  const { name, shape } = shapeOf(reader.components, body?.schema ?? {})
  const isShown = name !== undefined && reader.shown.has(name)
  const example = exampleOf(reader.components, content)
  return html`<li><strong>${statuses.join(", ")}</strong> ${isShown ? html`<a href="#${name}">${name}</a>` : type}${
    paragraphs(description)
  }${
    isShown || shape.properties === undefined
      ? null
      : html`<details><summary>Fields of ${name ?? "it"}</summary>${fieldsOf(reader, shape)}</details>`
  }${
    example === undefined
      ? null
      : html`<details><summary>Example</summary><pre tabindex="0"><code>${JSON.stringify(example, null, 2)}</code></pre></details>`
  }</li>`
}

/** The whole operation, as a section of its page. `answering` reads what is answered. */
export const operationOf = (placed: Placed, answering: Reader): Html => {
  const { method, operation, path } = placed
  const { components, shown } = answering
  const reader = taking(components, shown)
  const [, body] = bodyOf(operation.requestBody?.content) ?? []
  const { given = [], refused = [] } = Object.groupBy(
    answersOf(components, operation),
    ({ statuses: [status = ""] }) => status < "400" ? "given" : "refused"
  )
  return html`<section class="operation" id="${operation.operationId}"><h2>${operation.summary}</h2>
<p class="route"><code><b>${method.toUpperCase()}</b> ${path}</code></p>${paragraphs(operation.description)}<p class="quiet">${
    access(operation)
  }</p><pre tabindex="0"><code>${commandOf(components, placed)}</code></pre>${parameterLists(reader, parametersOf(components, operation))}${
    body?.schema === undefined ? null : html`<h3>Body</h3>${fieldsOf(reader, shapeOf(components, body.schema).shape)}`
  }<h3>Answers</h3><ul class="answers">${given.map((answer) => givenOf(answering, answer))}</ul>
<details><summary>Refusals</summary><ul class="answers">${
    refused.map(({ answer, statuses }) => html`<li><strong>${statuses.join(", ")}</strong> ${paragraphs(answer.description)}</li>`)
  }</ul></details></section>`
}

/** The names of the objects that operations answer with, those of lists as well. */
export const objectsOf = (components: Components, operations: ReadonlyArray<Placed>): ReadonlyArray<string> => {
  const names = operations.flatMap(({ operation }) =>
    Object.entries(operation.responses).flatMap(([status, written]) => {
      const schema = status < "400" ? bodyOf(resolved(components.responses, written)?.content)?.[1].schema : undefined
      const { name, shape } = shapeOf(components, schema ?? {})
      const item = shapeOf(components, shape.properties?.["data"]?.items ?? {}).name
      return [item ?? name].filter((one) => one !== undefined)
    })
  )
  return Array.from(new Set(names))
}

export const objectOf = (name: string, answering: Reader): Html => {
  const { shape } = shapeOf(answering.components, { $ref: `#/components/schemas/${name}` })
  return html`<section class="operation" id="${name}"><h2>${name}</h2>${
    shape.description === undefined ? null : html`<p>${prose(shape.description)}</p>`
  }${fieldsOf(answering, shape)}</section>`
}
