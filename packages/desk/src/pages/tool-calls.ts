/** What agents called and what it cost; and one call as a sequence, from the price to the receipt. Pure. */
import * as design from "@svc/design/components"
import { type Content, type Html, html } from "@svc/design/html"
import { messagesOf } from "../i18n/messages.ts"
import type { ToolCallTexts } from "../i18n/shapes/tool-calls.ts"
import { inWords, linkTo, numberAt, objectAt, objectsAt, part, table } from "./parts.ts"
import { type Message, sequenceDrawing } from "./sequence.ts"
import { type Json, shown, textAt } from "./values.ts"
import type { Visit } from "./visit.ts"

const texts = ({ pageLocale }: Pick<Visit, "pageLocale">): ToolCallTexts => messagesOf(pageLocale).toolCalls

const tones = { settled: "good", pending: "notice", reserved: "notice", released: "plain" } as const

const stateOf = (visit: Visit, call: Json): Html => {
  const state = textAt(call, "state")
  return design.badge(inWords(visit, state), Object.entries(tones).find(([name]) => name === state)?.[1] ?? "plain")
}

/** US cents as money. */
const cents = (visit: Visit, json: Json, field: string): Content => shown(visit, { field, as: "money" }, { ...json, currency: "USD" })

const agentOf = (visit: Visit, call: Json): Content =>
  textAt(call, "agent_key_id") === "" ? texts(visit).noAgent : linkTo(visit, "agent_keys", textAt(call, "agent_key_id"))

export interface UsageFacts {
  readonly calls: ReadonlyArray<Json>
  readonly has_more: boolean
  readonly totals: Json
}

const totalsOf = (visit: Visit, totals: Json): Html => {
  const words = texts(visit)
  const tools = objectsAt(totals, "by_tool")
  return part(
    words.month,
    html`${
      design.card(design.list([
        [words.since, shown(visit, { field: "since", as: "time" }, totals)],
        [words.calls, numberAt(totals, "calls")],
        [words.charged, cents(visit, totals, "charged_cents")],
        [words.free, numberAt(totals, "free_calls")]
      ]))
    }${
      tools.length === 0 ? null : table(
        words.month,
        [
          { name: words.tool },
          { name: words.calls, kind: "money" },
          { name: words.charged, kind: "money" },
          { name: words.free, kind: "money" }
        ],
        tools.map((tool) => [
          textAt(tool, "tool"),
          numberAt(tool, "calls"),
          cents(visit, tool, "charged_cents"),
          numberAt(tool, "free_calls")
        ])
      )
    }`
  )
}

export const usageView = (visit: Visit, { calls, has_more, totals }: UsageFacts): Html => {
  const words = texts(visit)
  const last = calls.at(-1)
  const rows = calls.map((call) => [
    linkTo(visit, "tool-calls", textAt(call, "id"), textAt(call, "tool")),
    cents(visit, call, "price"),
    inWords(visit, textAt(call, "paid_by")),
    stateOf(visit, call),
    agentOf(visit, call),
    shown(visit, { field: "created_at", as: "time" }, call, "row")
  ])
  return html`${totalsOf(visit, totals)}${
    part(
      words.recent,
      html`${
        rows.length === 0 ? html`<p class="quiet">${words.none} ${words.noneNote}</p>` : table(
          words.recent,
          [
            { name: words.tool },
            { name: words.price, kind: "money" },
            { name: words.paidBy },
            { name: words.state },
            { name: words.agent },
            { name: words.at }
          ],
          rows
        )
      }${
        has_more && last !== undefined ? html`<a href="/desk/tool-calls?after=${textAt(last, "id")}" rel="next">${words.older}</a>` : null
      }`
    )
  }`
}

const [CALLER, SERVER, RAIL] = [0, 1, 2]

/** How a call ended, as messages. */
const endOf = (visit: Visit, call: Json, taken: Message): ReadonlyArray<Message> => {
  const words = texts(visit)
  const state = textAt(call, "state")
  const ends: Readonly<Record<string, ReadonlyArray<Message>>> = {
    settled: [taken, { from: SERVER, to: CALLER, text: words.answers(textAt(call, "receipt")) }],
    released: [
      { from: SERVER, to: RAIL, text: words.letsGo },
      { from: SERVER, to: CALLER, text: words.fails(inWords(visit, textAt(call, "error"))) }
    ]
  }
  return ends[state] ?? [{ from: SERVER, to: RAIL, text: words.waits }]
}

const money = (visit: Visit, amount: number): string => {
  const content = shown(visit, { field: "amount", as: "money" }, { amount, currency: "USD" })
  return typeof content === "object" && content !== null && "text" in content ? content.text.replace(/<[^<>]*>/gu, "") : String(content)
}

/** The messages of a call: with the answer 402 where the call was paid for when it was made, and with the credits where they paid. */
export const messagesOfCall = (visit: Visit, call: Json): ReadonlyArray<Message> => {
  const words = texts(visit)
  const [paidBy, payment] = [textAt(call, "paid_by"), objectAt(call, "payment")]
  const begins = { from: CALLER, to: SERVER, text: words.call(textAt(call, "tool")) }
  const runs = { from: SERVER, to: SERVER, text: words.runs }
  const price = money(visit, numberAt(call, "price"))
  if (paidBy !== "card" && paidBy !== "stablecoin") {
    return [begins, runs, ...endOf(visit, call, { from: SERVER, to: RAIL, text: words.credits(price) })]
  }
  const quoted = "quoted" in payment ? money(visit, numberAt(payment, "quoted")) : price
  const accepted = objectsAt(payment, "accepts").map((one) => textAt(one, "method"))
  const methods = accepted.length === 0 ? "" : words.accepts(accepted.join(", "))
  return [
    begins,
    { from: SERVER, to: CALLER, text: words.challenge(quoted), detail: methods },
    { from: CALLER, to: SERVER, text: words.pays(inWords(visit, paidBy)) },
    runs,
    ...endOf(visit, call, { from: SERVER, to: RAIL, text: words.takes(price) })
  ]
}

const facts = (visit: Visit, call: Json): Html => {
  const words = texts(visit)
  const payment = objectAt(call, "payment")
  const one = (field: string, as: "time" | "id" | "text") => shown(visit, { field, as }, call)
  return design.card(
    html`<div class="above"><span class="amount">${cents(visit, call, "price")}</span>${stateOf(visit, call)}</div>${
      design.list([
        [words.tool, textAt(call, "tool")],
        [words.mode, inWords(visit, textAt(call, "mode"))],
        [words.agent, agentOf(visit, call)],
        [words.paidBy, inWords(visit, textAt(call, "paid_by"))],
        [words.receipt, one("receipt", "id")],
        ...("merchant_id" in payment ? [[words.paidTo, html`<code>${textAt(payment, "merchant_id")}</code>`] as const] : []),
        ...("sandbox" in payment
          ? [[words.testMoney, payment["sandbox"] === true ? messagesOf(visit.pageLocale).yes : messagesOf(visit.pageLocale).no] as const]
          : []),
        [words.error, one("error", "text")],
        [words.at, one("created_at", "time")],
        [words.finished, one("finished_at", "time")],
        ["ID", one("id", "id")]
      ])
    }<p class="hash">${words.arguments}: ${one("arguments_sha256", "id")}</p><p class="hash">${words.result}: ${
      one("result_sha256", "id")
    }</p>`
  )
}

export const callView = (visit: Visit, call: Json): Html => {
  const words = texts(visit)
  const parties = [words.caller, words.server, words.rail]
  const messages = messagesOfCall(visit, call)
  const headers = Object.entries(objectAt(objectAt(call, "payment"), "receipt_headers"))
  return html`${facts(visit, call)}${
    part(
      words.sequence,
      html`<div class="drawn" role="region" tabindex="0" aria-label="${words.sequence}">${
        sequenceDrawing(words.sequence, parties, messages)
      }</div>${
        table(
          words.steps,
          [{ name: words.step, kind: "money" }, { name: words.from }, { name: words.to }, { name: words.sequence, kind: "wide" }],
          messages.map(({ detail = "", from, text, to }, at) => [
            at + 1,
            parties[from],
            parties[to],
            detail === "" ? text : html`${text}<small>${detail}</small>`
          ])
        )
      }`
    )
  }${
    headers.length === 0
      ? null
      : part(words.headers, html`${headers.map(([name, value]) => html`<p class="hash">${name}: <code>${String(value)}</code></p>`)}`)
  }`
}
