/** The reference as pages: the introduction with all operations at `/docs`, and a page for each tag of the contract. */
import { type Html, html } from "@svc/design/html"
import { documentOf } from "@svc/design/page"
import { chapters, pathOf } from "./chapters.ts"
import type { Contract } from "./contract.ts"
import { paragraphs, type Reader } from "./fields.ts"
import { introduction, introductionLinks } from "./introduction.ts"
import { objectOf, objectsOf, operationOf, type Placed } from "./operation.ts"
import { STYLE } from "./style.ts"

const brand = { name: "svc", color: null, logo_url: null }

export interface ReferencePage {
  readonly path: string
  readonly text: string
  readonly headers: Readonly<Record<string, string>>
}

const operationsOf = ({ paths }: Contract, tag: string): ReadonlyArray<Placed> =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => operation.tags[0] === tag ? [{ method, path, operation }] : [])
  )

const navigation = (contract: Contract, here: string): Html =>
  html`<nav aria-label="Reference"><p><a href="/docs">${contract.info.title}</a> <small>${contract.info.version}</small></p><details${
    here === "/docs" ? html` open` : null
  }><summary>Contents</summary><ul>${
    introductionLinks(contract.info.description).map(([href, title]) => html`<li><a href="${href}">${title}</a></li>`)
  }</ul>${
    chapters.map(({ tags, title }) =>
      html`<h2>${title}</h2><ul>${
        tags.map((tag) => html`<li><a href="${pathOf(tag)}"${pathOf(tag) === here ? html` aria-current="page"` : null}>${tag}</a></li>`)
      }</ul>`
    )
  }<p><a href="/openapi.json">OpenAPI document</a></p></details></nav>`

const pageOf = (contract: Contract, path: string, title: string, main: Html): ReferencePage => ({
  path,
  ...documentOf({
    title: `${title} · ${contract.info.title}`,
    language: { tag: "en", direction: "ltr" },
    brand,
    style: STYLE,
    header: navigation(contract, path),
    main: html`<h1>${title}</h1>${main}`
  })
})

const operationLinks = (tag: string, operations: ReadonlyArray<Placed>): Html =>
  html`<ul class="operations">${
    operations.map(({ method, operation, path }) =>
      html`<li><a href="${pathOf(tag)}#${operation.operationId}">${operation.summary}</a> <code>${method.toUpperCase()} ${path}</code></li>`
    )
  }</ul>`

const front = (contract: Contract): ReferencePage =>
  pageOf(
    contract,
    "/docs",
    contract.info.title,
    html`${introduction(contract.info.description)}<section class="part" id="operations"><h2>All operations</h2>${
      chapters.flatMap(({ tags }) => tags).map((tag) => html`<h3>${tag}</h3>${operationLinks(tag, operationsOf(contract, tag))}`)
    }</section>`
  )

/** The tag whose page lists the types of events. */
const TELLING = "Events"

const eventTypes = ({ webhooks }: Contract): Html =>
  html`<section class="operation" id="types"><h2>Types of events</h2><p>The same are sent to the <a href="${
    pathOf("Webhook endpoint")
  }">webhook endpoint</a>.</p><ul class="tokens">${Object.keys(webhooks).map((type) => html`<li><code>${type}</code></li>`)}</ul></section>`

const pageOfTag = (contract: Contract, tag: string): ReferencePage => {
  const operations = operationsOf(contract, tag)
  const objects = objectsOf(contract.components, operations)
  const answering: Reader = {
    components: contract.components,
    shown: new Set(objects),
    note: (required) => required ? undefined : "not always there"
  }
  const description = contract.tags.find(({ name }) => name === tag)?.description
  return pageOf(
    contract,
    pathOf(tag),
    tag,
    html`${description === undefined ? null : paragraphs(description)}${operationLinks(tag, operations)}${
      operations.map((placed) => operationOf(placed, answering))
    }${objects.map((name) => objectOf(name, answering))}${tag === TELLING ? eventTypes(contract) : null}`
  )
}

export const pagesOf = (contract: Contract): ReadonlyArray<ReferencePage> => [
  front(contract),
  ...chapters.flatMap(({ tags }) => tags).map((tag) => pageOfTag(contract, tag))
]
