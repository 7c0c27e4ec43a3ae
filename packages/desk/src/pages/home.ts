/** The home page: what needs somebody, what came in, what there is, and what is left before live. Pure. */
import * as design from "@svc/design/components"
import { minute, money } from "@svc/design/format"
import { type Content, type Html, html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import { DateTime, Option } from "effect"
import { saidOf } from "../attention/letter.ts"
import { messagesOf } from "../i18n/messages.ts"
import { askForm } from "./assistant.ts"
import { balancesPicture, type OfCurrency, volumePicture } from "./days.ts"
import { checklistView } from "./onboarding.ts"
import { type Json, shown, textAt, valueAt } from "./values.ts"
import { may, type Visit } from "./visit.ts"

export const HOME_STYLE = ".home{display:flex;flex-direction:column;gap:var(--space-6)}" +
  ".home>section{display:flex;flex-direction:column;gap:var(--space-3);min-inline-size:0}" +
  ".home .cards{display:grid;gap:var(--space-4);grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr))}" +
  ".home .matters>li{display:flex;flex-wrap:wrap;gap:var(--space-1) var(--space-4);justify-content:space-between;align-items:baseline;" +
  "padding:var(--space-3) var(--space-4);border:1px solid var(--line);border-inline-start:4px solid var(--danger);" +
  "border-radius:var(--radius);background:var(--surface)}.home .matters>li+li{margin-block-start:var(--space-2)}" +
  ".home h3{margin:0}.home .lines>li>span:last-child{flex:none}.home .amount{font-size:var(--type-large);font-weight:600}"

/** What the routes answered; undefined where the person may not ask. */
export interface HomeFacts {
  readonly attention: ReadonlyArray<Json> | undefined
  readonly volume: Json | undefined
  readonly balances: ReadonlyArray<Json> | undefined
  /** The balances of days. */
  readonly history: Json | undefined
  readonly payments: ReadonlyArray<Json> | undefined
  /** The work run: of a live account, until all of it is done. */
  readonly run: Json | undefined
}

export const rowsAt = (resource: Json, field: string): ReadonlyArray<Json> => {
  const rows = valueAt(resource, field)
  return Array.isArray(rows) ? rows : []
}

const numberAt = (resource: Json, field: string): number => {
  const value = valueAt(resource, field)
  return typeof value === "number" ? value : 0
}

const moment = (pageLocale: PageLocale, text: string): Content => {
  const at = DateTime.make(text)
  return Option.isNone(at) ? text : html`<time datetime="${text}">${minute(pageLocale, DateTime.toUtc(at.value))}</time>`
}

/** The script of the page puts what is new in the place of a section by its id. */
const section = (id: string, title: string, content: Content): Html =>
  html`<section id="${id}" data-follows><h2>${title}</h2>${content}</section>`

const matter = ({ pageLocale }: Visit, item: Json): Html => {
  const { home } = messagesOf(pageLocale)
  const said = saidOf(home, { kind: textAt(item, "kind"), count: numberAt(item, "count") })
  const due = textAt(item, "due_at")
  return html`<li><a href="${textAt(item, "desk_path")}">${said}</a><span class="quiet">${home.attention.since} ${
    moment(pageLocale, textAt(item, "since"))
  }${due === "" ? null : html` · ${home.attention.due} ${moment(pageLocale, due)}`}</span></li>`
}

const attentionView = (visit: Visit, items: ReadonlyArray<Json>): Html => {
  const { attention } = messagesOf(visit.pageLocale).home
  return section(
    "attention",
    attention.title,
    items.length === 0
      ? html`<p class="quiet">${attention.none}</p>`
      : html`<ul class="matters">${items.map((item) => matter(visit, item))}</ul>`
  )
}

/** Pictures of more currencies than these would make the page heavy; their numbers stand there all the same. */
const MOST_PICTURES = 4

/** The currencies with the most days on which something moved. */
const pictured = (currencies: ReadonlyArray<Json>): ReadonlySet<Json> =>
  new Set(currencies.toSorted((one, other) => rowsAt(other, "days").length - rowsAt(one, "days").length).slice(0, MOST_PICTURES))

/** What came in, how often, and what went back. */
const sumOf = ({ pageLocale }: Visit, sums: Json, currency: string): Html => {
  const { volume } = messagesOf(pageLocale).home
  const refunded = numberAt(sums, "refunded")
  return html`<span class="amount num">${money(pageLocale, numberAt(sums, "captured"), currency)}</span><small>${
    volume.payments(numberAt(sums, "payments"))
  }${refunded === 0 ? null : html` · ${money(pageLocale, refunded, currency)} ${volume.refunded}`}</small>`
}

const currencyVolume = (visit: Visit, { answer, of }: OfCurrency, isPictured: boolean): Html => {
  const { volume } = messagesOf(visit.pageLocale).home
  const [currency, today] = [textAt(of, "currency"), valueAt(of, "today")]
  return design.card(html`${
    design.list([
      [volume.today, sumOf(visit, typeof today === "object" && today !== null ? { ...today } : {}, currency)],
      [volume.month, sumOf(visit, of, currency)]
    ])
  }${isPictured ? volumePicture(visit, { answer, of }) : null}`)
}

const volumeView = (visit: Visit, answer: Json): Html => {
  const { volume } = messagesOf(visit.pageLocale).home
  const currencies = rowsAt(answer, "currencies")
  const drawn = pictured(currencies)
  return section(
    "volume",
    volume.title,
    html`${valueAt(answer, "is_complete") === false ? html`<p class="quiet">${volume.counting}</p>` : null}${
      currencies.length === 0
        ? html`<p class="quiet">${volume.none}</p>`
        : html`<div class="cards">${currencies.map((of) => currencyVolume(visit, { answer, of }, drawn.has(of)))}</div>`
    }`
  )
}

const balancesView = (visit: Visit, accounts: ReadonlyArray<Json>, history: Json = {}): Html => {
  const { pageLocale } = visit
  const { balances } = messagesOf(visit.pageLocale).home
  // Sums that are not all there yet would say other balances than the rows beside them.
  const isCounting = valueAt(history, "is_complete") === false
  const histories = isCounting ? [] : rowsAt(history, "currencies")
  const drawn = pictured(histories)
  const picture = (currency: string): Html | null => {
    const of = histories.find((one) => textAt(one, "currency") === currency)
    return of === undefined || !drawn.has(of) ? null : balancesPicture(visit, { answer: history, of })
  }
  const amount = (account: Json, bucket: "pending" | "available" | "reserved") =>
    [balances[bucket], html`<span class="num">${money(pageLocale, numberAt(account, bucket), textAt(account, "currency"))}</span>`] as const
  return section(
    "balances",
    balances.title,
    html`${isCounting ? html`<p class="quiet">${messagesOf(visit.pageLocale).home.volume.counting}</p>` : null}<div class="cards">${
      accounts.map((account) =>
        design.card(
          html`<h3>${textAt(account, "currency")}</h3>${
            design.list([amount(account, "pending"), amount(account, "available"), amount(account, "reserved")])
          }${picture(textAt(account, "currency"))}`
        )
      )
    }</div>`
  )
}

const latestView = (visit: Visit, payments: ReadonlyArray<Json>): Html => {
  const { pageLocale } = visit
  const { latest } = messagesOf(pageLocale).home
  return section(
    "latest",
    latest.title,
    html`<ul class="lines">${
      payments.map((payment) =>
        html`<li><span><a href="/desk/payments/${textAt(payment, "id")}">${
          money(pageLocale, numberAt(payment, "amount"), textAt(payment, "currency"))
        }</a><small>${shown(visit, { field: "created_at", as: "time" }, payment, "row")}</small></span><span>${
          shown(visit, { field: "state", as: "state" }, payment)
        }</span></li>`
      )
    }</ul><p><a href="/desk/payments">${latest.all}</a></p>`
  )
}

export const homeView = (visit: Visit, { attention, balances, history, payments, run, volume }: HomeFacts): Html =>
  html`<div class="home">${may(visit, "assistant:read") ? askForm(visit) : null}${
    attention === undefined ? null : attentionView(visit, attention)
  }${run === undefined ? null : checklistView(visit, run)}${
    volume === undefined || payments?.length === 0 ? null : volumeView(visit, volume)
  }${balances === undefined || balances.length === 0 ? null : balancesView(visit, balances, history)}${
    payments === undefined || payments.length === 0 ? null : latestView(visit, payments)
  }</div>`
