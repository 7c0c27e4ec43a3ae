/** The assistant: a question, its answer with what it names as links, and what helps as buttons that say what they will do. Pure. */
import * as design from "@svc/design/components"
import { attributes, type Content, type Html, html } from "@svc/design/html"
import type { AssistantActResponse, AssistantAskResponse, ProposedAction } from "../assistant/model.ts"
import { messagesOf } from "../i18n/messages.ts"
import { wordsOf } from "../i18n/words.ts"
import { addressOf, viewNamed } from "./addresses.ts"
import { form, inWords, part } from "./parts.ts"
import { shown } from "./values.ts"
import { may, type Visit } from "./visit.ts"

export const ASSISTANT = "/desk/assistant"
/** As the API takes it. */
const LONGEST = 1_000

const texts = ({ pageLocale }: Visit) => messagesOf(pageLocale).assistant

/** The place for a question. To ask changes nothing, so the question stands in the address of its answer. */
export const askForm = (visit: Visit, question = ""): Html => {
  const { ask, note, question: label } = texts(visit)
  return html`<form class="inline" method="get" action="${ASSISTANT}"><div class="field"><label for="question">${label}</label><input${
    attributes({
      id: "question",
      name: "question",
      value: question,
      required: true,
      maxlength: LONGEST,
      "aria-describedby": "question-note"
    })
  }><small id="question-note">${note}</small></div>${design.button({ label: ask, kind: "primary" })}</form>`
}

const askedLinks = (visit: Visit): Html => {
  const { asked, examples } = texts(visit)
  const link = (one: string) => html`<li><a href="${ASSISTANT}?${new URLSearchParams({ question: one }).toString()}">${one}</a></li>`
  return part(examples, html`<ul>${asked.map(link)}</ul>`)
}

/** An id, or a page of the desk. */
const NAMED = /(\b[a-z]{2,10}(?:_[a-z]{2,10})*_[0-9A-HJKMNP-TV-Z]{26}\b|\/desk(?:\/[\w-]+)*)/u

/** Routes of the API: for programs, as an answer's source and as where one thing can be read. */
const SOURCE = / \((?:[A-Z]+ )?\/v1\/[^\s()]*\)/gu
const READ_AT = /(?:GET )?\/v1\/\w+\/([a-z]{2,10}_[0-9A-HJKMNP-TV-Z]{26})\b/gu

/** A page of the desk by what it is called: a list, a thing, or what is done there. */
const pageName = ({ pageLocale }: Visit, path: string): Content => {
  const [name = "", ...rest] = (path.split("?", 1)[0] ?? "").split("/").slice(2)
  const { nav, signIn, written } = messagesOf(pageLocale)
  const others: Readonly<Record<string, string>> = { "": nav.home, you: signIn.you.title, ...written }
  const view = path.startsWith("/desk") ? viewNamed(name) : undefined
  if (view === undefined) return path.startsWith("/desk") ? others[name] ?? path : path
  const words = wordsOf(view, pageLocale)
  const [last = "", before] = rest.toReversed()
  return before === "do" ? words.action(last) : rest.length === 0 ? words.many : html`<code>${last}</code>`
}

/** Text as people read it: ids and pages of the desk lead to their pages, and nothing else of it becomes a link. */
const linked = (visit: Visit, text: string): Content =>
  text.replaceAll(SOURCE, "").replaceAll(READ_AT, "$1").split(NAMED).map((piece, at) => {
    if (at % 2 === 0) return piece
    if (piece.startsWith("/")) return html`<a href="${piece}">${pageName(visit, piece)}</a>`
    const href = addressOf(visit, piece)
    return href === undefined ? html`<code>${piece}</code>` : html`<a href="${href}"><code>${piece}</code></a>`
  })

/** A button for each thing that helps: done here, or on the page where a person does it. */
const proposalView = (visit: Visit, { kind, path, primary, server_act }: ProposedAction, more: Content): Html | null => {
  const { does, label } = texts(visit).acts[kind]
  const look = { label, kind: primary ? "primary" : "plain" } as const
  if (server_act && !may(visit, "assistant:write")) return null
  const button = server_act
    ? form(visit, `${ASSISTANT}/act`, html`<input type="hidden" name="action" value="${kind}">${more}${design.button(look)}`)
    : design.button({ ...look, href: path ?? "/desk" })
  const view = kind === "accept_tos" ? viewNamed("terms") : undefined
  const terms = view === undefined ? null : html` <a href="/desk/terms">${wordsOf(view, visit.pageLocale).one}</a>`
  return html`<li><p>${does}${terms}</p>${button}</li>`
}

export interface Asked {
  readonly question: string
  readonly answer: AssistantAskResponse
  /** Of the form of each action, in their order. */
  readonly keys: ReadonlyArray<string>
}

/** From here on most words of a question are those of its topic, and nothing has to be said of it. */
const SURE = 0.5

const answerView = (visit: Visit, { answer: { answer, confidence, dashboard_path, proposed_actions }, keys, question }: Asked): Html => {
  const words = texts(visit)
  const unsure = confidence === null || confidence >= SURE ? null : html`<p class="quiet">${words.unsure}</p>`
  const open = dashboard_path === null ? null : html`<div>${design.button({ label: words.open, href: dashboard_path })}</div>`
  const key = (at: number) =>
    html`<input type="hidden" name="idempotency_key" value="${keys[at] ?? ""}"><input type="hidden" name="question" value="${question}">`
  const helps = proposed_actions.length === 0
    ? null
    : part(words.helps, html`<ul class="lines">${proposed_actions.map((action, at) => proposalView(visit, action, key(at)))}</ul>`)
  return html`<section class="card stack" aria-live="polite"><h2>${words.answer}</h2><p>${
    linked(visit, answer)
  }</p>${open}${unsure}</section>${helps}`
}

export const assistantView = (visit: Visit, asked: Asked | undefined): Html =>
  html`${askForm(visit, asked?.question)}${asked === undefined ? askedLinks(visit) : answerView(visit, asked)}`

const TONES = { completed: "good", needs_approval: "notice", failed: "bad" } as const

/** A page of this service. */
const isPath = (text: string): boolean => /^\/[\w/.~?=&-]*$/u.test(text) && !text.startsWith("//") && !text.startsWith("/v1/")

const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d[\d:.]*Z$/u

/** A page for somebody else is shown with the whole address, by which they open it. */
const valueView = (visit: Visit, value: string): Content => {
  if (MOMENT.test(value)) return shown(visit, { field: "value", as: "time" }, { value })
  if (!isPath(value)) return linked(visit, value)
  return value.startsWith("/desk")
    ? html`<a href="${value}">${pageName(visit, value)}</a>`
    : shown(visit, { field: "page", as: "link" }, { page: value })
}

export const actedView = (visit: Visit, { message, result, status }: AssistantActResponse, question: string): Html => {
  const words = texts(visit)
  const pairs = Object.entries(result).map(([name, value]) =>
    [words.fields[name] ?? inWords(visit, name), valueView(visit, value)] as const
  )
  const back = question === "" ? ASSISTANT : `${ASSISTANT}?${new URLSearchParams({ question }).toString()}`
  return html`${design.alert(words.statuses[status], message === null ? words.completed : linked(visit, message), TONES[status])}${
    pairs.length === 0 ? null : part(words.result, design.list(pairs))
  }<div class="beside">${design.button({ label: words.again, href: back })}</div>`
}
