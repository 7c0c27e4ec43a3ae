/** The search: its box above every page, and the page of what was found, by kind. Pure. */
import * as design from "@svc/design/components"
import { attributes, type Content, type Html, html } from "@svc/design/html"
import { magnifier } from "@svc/design/icons"
import { messagesOf } from "../i18n/messages.ts"
import { wordsOf } from "../i18n/words.ts"
import { LONGEST, matches } from "../search/model.ts"
import { kindOf, searchKinds } from "../search/model/kinds.ts"
import { part, table } from "./parts.ts"
import { type Json, shown, textAt } from "./values.ts"
import { mayUse, type Visit } from "./visit.ts"

const ADDRESS = "/desk/search"

export const SEARCH_STYLE = ".search{display:flex;gap:var(--space-1)}.search input{flex:1;min-inline-size:0;min-block-size:var(--target);" +
  "padding:var(--space-1) var(--space-3);border:1px solid var(--edge);border-radius:var(--radius);background:var(--surface)}" +
  ".search input::placeholder{color:var(--muted);opacity:1}.search .button{padding:var(--space-1) var(--space-3)}"

/** The box, where the person may search. `/` leads to it (`script.ts`). */
export const searchBox = (visit: Visit, text = ""): Html | null => {
  const texts = messagesOf(visit.pageLocale).search
  if (!mayUse(visit, { realm: "account", scope: "search:read" })) return null
  const input = attributes({
    type: "search",
    name: "q",
    value: text,
    "aria-label": texts.label,
    "aria-keyshortcuts": "/",
    placeholder: texts.placeholder,
    maxlength: LONGEST,
    autocomplete: "off",
    autocapitalize: "off",
    spellcheck: "false"
  })
  const button = attributes({ class: "button plain", type: "submit", "aria-label": texts.button })
  return html`<form class="search" role="search" action="${ADDRESS}"><input${input}><button${button}>${magnifier}</button></form>`
}

export interface SearchFacts {
  readonly text: string
  readonly hits: ReadonlyArray<Json>
  readonly understood_as: ReadonlyArray<string>
  readonly isUnfinished: boolean
  /** Why the API did not search. */
  readonly refusal?: string
}

/** What the text was understood as, in words. */
const readAs = ({ pageLocale }: Visit, readings: ReadonlyArray<string>): ReadonlyArray<string> =>
  matches.filter((match) => readings.includes(match)).map((match) => messagesOf(pageLocale).search.matches[match])

const nameOf = (hit: Json): Html => {
  const [id, title, path] = [textAt(hit, "id"), textAt(hit, "title"), textAt(hit, "path")]
  return title === ""
    ? html`<a href="${path}"><code>${id}</code></a>`
    : html`<a href="${path}"><bdi>${title}</bdi></a> <small class="quiet"><code>${id}</code></small>`
}

const rowOf = (visit: Visit, hit: Json): ReadonlyArray<Content> => [
  nameOf(hit),
  shown(visit, { field: "amount", as: "money" }, hit, "row"),
  shown(visit, { field: "state", as: "state" }, hit, "row"),
  shown(visit, { field: "created_at", as: "time" }, hit, "row"),
  readAs(visit, [textAt(hit, "matched")])
]

/** Kinds in the order of their most plausible hit. */
const groupsView = (visit: Visit, hits: ReadonlyArray<Json>): ReadonlyArray<Html> => {
  const { columns } = messagesOf(visit.pageLocale).search
  return Array.from(Map.groupBy(hits, (hit) => textAt(hit, "kind")), ([name, of]) => {
    const kind = searchKinds.find((known) => known === name)
    const title = kind === undefined ? name : wordsOf({ name: kindOf(kind).view }, visit.pageLocale).many
    const head = [
      { name: columns.name, kind: "wide" as const },
      { name: columns.amount, kind: "money" as const },
      { name: columns.state },
      { name: columns.created },
      { name: columns.matched }
    ]
    return part(title, table(title, head, of.map((hit) => rowOf(visit, hit))))
  })
}

export const searchView = (visit: Visit, { hits, isUnfinished, refusal, text, understood_as }: SearchFacts): Html => {
  const texts = messagesOf(visit.pageLocale).search
  if (refusal !== undefined) return design.alert(texts.refused, refusal)
  if (text === "") return html`<p class="quiet">${texts.empty}</p>`
  return html`<p class="quiet">${texts.understoodAs(new Intl.ListFormat(visit.pageLocale.tag).format(readAs(visit, understood_as)))}</p>${
    isUnfinished ? html`<p role="status">${texts.unfinished}</p>` : null
  }${hits.length === 0 ? html`<p>${texts.none}</p><p class="quiet">${texts.empty}</p>` : groupsView(visit, hits)}`
}
