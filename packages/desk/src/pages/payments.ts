/** One payment: where it stands and why, what happened, which rails were tried, and what the ledger says of it. Pure. */
import * as design from "@svc/design/components"
import { type Content, type Html, html } from "@svc/design/html"
import { messagesOf } from "../i18n/messages.ts"
import type { Explained, PaymentTexts } from "../i18n/shapes/payments.ts"
import { flowPicture } from "./flow.ts"
import { actionsOf, type Happened, inWords, linkTo, numberAt, objectAt, objectsAt, part, table, timeline } from "./parts.ts"
import { routingReason } from "./routing-reasons.ts"
import { type Json, shown, textAt } from "./values.ts"
import type { Visit } from "./visit.ts"

export interface PaymentFacts {
  readonly intent: Json
  readonly routing: Json
  readonly attempts: ReadonlyArray<Json>
  /** Newest first. */
  readonly entries: ReadonlyArray<Json>
  readonly disputes: ReadonlyArray<Json>
  readonly settlements: ReadonlyArray<Json>
  /** What people asked for and a second one has to approve. */
  readonly looks: ReadonlyArray<Json>
}

const texts = ({ pageLocale }: Pick<Visit, "pageLocale">): PaymentTexts => messagesOf(pageLocale).payment

const sum = (visit: Visit, json: Json, field: string): Content => shown(visit, { field, as: "money" }, json)

const shortMoment = (visit: Visit, json: Json): Content => shown(visit, { field: "created_at", as: "time" }, json, "row")

const tones = { captured: "good", failed: "bad", blocked: "bad", refunded: "plain", cancelled: "plain" } as const

/** What of a payment that did not come through, or not yet, is said to people. */
const explanation = (visit: Visit, intent: Json): Explained | undefined => {
  if (!["failed", "blocked", "pending"].includes(textAt(intent, "state"))) return undefined
  const { declines, standings } = texts(visit)
  const known: Readonly<Record<string, Explained>> = { ...standings, ...declines }
  return known[textAt(intent, "decline_code")] ?? known[textAt(intent, "pending_reason")] ?? known[textAt(intent, "state")]
}

const standing = (visit: Visit, intent: Json): Html | null => {
  const explained = explanation(visit, intent)
  if (explained === undefined) return null
  const code = textAt(intent, "decline_code")
  const reason = textAt(intent, "failure_reason")
  const isBad = ["failed", "blocked"].includes(textAt(intent, "state"))
  return design.alert(
    code === "" ? explained.why : texts(visit).declined,
    html`${code === "" ? null : html`${explained.why} <code>${code}</code><br>`}${
      code !== "" || reason === "" ? null : html`${texts(visit).reason}: ${inWords(visit, reason)}<br>`
    }<strong>${texts(visit).next}</strong> ${explained.next}`,
    isBad ? "bad" : "notice"
  )
}

const summary = (visit: Visit, intent: Json): Html => {
  const words = texts(visit)
  const state = textAt(intent, "state")
  const tone = Object.entries(tones).find(([name]) => name === state)?.[1] ?? "notice"
  const conversion = objectAt(intent, "conversion")
  return html`<section class="card stack"><div class="above"><span class="amount">${sum(visit, intent, "amount")}</span>${
    design.badge(inWords(visit, state), tone)
  }</div>${
    design.list([
      [words.held, sum(visit, { ...intent, held: state === "authorized" ? numberAt(intent, "authorized_amount") : 0 }, "held")],
      [words.captured, sum(visit, intent, "captured_amount")],
      [words.refunded, sum(visit, intent, "refunded_amount")],
      [words.disputed, sum(visit, intent, "disputed_amount")],
      [words.fee, sum(visit, intent, "fee_amount")],
      ...(textAt(conversion, "target_currency") === ""
        ? []
        : [
          [words.conversion, shown(visit, { field: "target_amount", as: "money", of: "target_currency" }, conversion)] as const
        ]),
      [words.customer, linkTo(visit, "customers", textAt(intent, "customer_id"))],
      [words.method, shown(visit, { field: "payment_method_id", as: "id" }, intent)],
      [words.rail, shown(visit, { field: "selected_rail", as: "text" }, intent)],
      [words.reference, shown(visit, { field: "provider_reference", as: "id" }, intent)],
      ["ID", html`<code>${textAt(intent, "id")}</code>`]
    ])
  }${actionsOf(visit, "payments", intent)}</section>`
}

/** What waits for a second person, so that nobody asks for it again. */
const waiting = (visit: Visit, looks: ReadonlyArray<Json>): ReadonlyArray<Html> =>
  looks.map((look) => {
    const { waits, waitsText } = texts(visit)
    return design.alert(
      waits,
      html`${sum(visit, look, "amount")} ${waitsText} ${linkTo(visit, "second_looks", textAt(look, "id"))}`,
      "notice"
    )
  })

const events = new Set(["payment_authorized", "payment_captured", "payment_failed"])

const happened = (visit: Visit, { attempts, disputes, entries, intent, settlements }: PaymentFacts): ReadonlyArray<Happened> => {
  const words = texts(visit)
  const after = (json: Json, field: string, title: string, detail: Content) =>
    textAt(json, field) === "" ? [] : [{ at: textAt(json, field), title, detail }]
  return [
    { at: textAt(intent, "created_at"), title: words.created, detail: sum(visit, intent, "amount") },
    ...attempts.map((attempt) => ({
      at: textAt(attempt, "created_at"),
      title: words.attempted(textAt(attempt, "rail"), inWords(visit, textAt(attempt, "outcome"))),
      detail: html`${sum(visit, { ...attempt, currency: intent["currency"] }, "amount")} ${
        textAt(attempt, "decline_code") === "" ? null : inWords(visit, textAt(attempt, "decline_code"))
      }`
    })),
    ...entries.filter((entry) => events.has(textAt(entry, "event_type"))).toReversed().map((entry) => ({
      at: textAt(entry, "created_at"),
      title: inWords(visit, textAt(entry, "event_type").replace("payment_", "")),
      detail: sum(visit, entry, "amount")
    })),
    ...objectsAt(intent, "refunds").map((refund) => ({
      at: textAt(refund, "created_at"),
      title: words.refund(inWords(visit, textAt(refund, "status"))),
      detail: sum(visit, { ...refund, currency: intent["currency"] }, "amount")
    })),
    ...(textAt(intent, "state") === "cancelled" ? [{ at: textAt(intent, "updated_at"), title: words.cancelled, detail: null }] : []),
    ...disputes.flatMap((dispute) => {
      const link = linkTo(visit, "disputes", textAt(dispute, "id"))
      return [
        ...after(dispute, "created_at", words.disputeOpened, link),
        ...after(dispute, "closed_at", words.disputeClosed(inWords(visit, textAt(dispute, "status"))), link)
      ]
    }),
    ...settlements.flatMap((settlement) => {
      const link = linkTo(visit, "settlements", textAt(settlement, "id"))
      return [
        ...after(settlement, "created_at", words.settlementQueued, link),
        ...after(settlement, "completed_at", words.settlementDone, link)
      ]
    })
  ]
}

const attemptsOf = (visit: Visit, { attempts, intent }: PaymentFacts): Html => {
  const words = texts(visit)
  return attempts.length === 0 ? html`<p class="quiet">${words.noAttempts}</p>` : table(
    words.attempts,
    [
      { name: words.rail },
      { name: words.outcome },
      { name: words.decline },
      { name: words.amount, kind: "money" },
      { name: words.because, kind: "wide" },
      { name: words.at }
    ],
    attempts.map((attempt) => [
      textAt(attempt, "rail"),
      design.badge(inWords(visit, textAt(attempt, "outcome")), textAt(attempt, "outcome") === "approved" ? "good" : "plain"),
      shown(visit, { field: "decline_code", as: "state" }, attempt, "row"),
      sum(visit, { ...attempt, currency: intent["currency"] }, "amount"),
      routingReason(visit, textAt(attempt, "rule"), intent),
      shortMoment(visit, attempt)
    ])
  )
}

const routingOf = (visit: Visit, { intent, routing }: PaymentFacts): Html | null => {
  const words = texts(visit)
  const [candidates, rules] = [objectsAt(routing, "candidates"), objectsAt(routing, "rules")]
  if (candidates.length === 0) return null
  const place = (candidate: Json) =>
    textAt(candidate, "rail") === textAt(intent, "selected_rail")
      ? words.chosen
      : numberAt(candidate, "score") === 0
      ? words.leftOut
      : words.eligible
  const rails = table(
    words.routing,
    [{ name: words.rail }, { name: words.score, kind: "money" }, { name: words.result }, { name: words.because, kind: "wide" }],
    candidates.map((candidate) => [
      textAt(candidate, "rail"),
      numberAt(candidate, "score"),
      place(candidate),
      routingReason(visit, textAt(candidate, "reason"), intent)
    ])
  )
  return part(
    words.routing,
    html`<p class="quiet">${words.routingNote}</p>${rails}${
      rules.length === 0 ? null : table(
        words.rule,
        [{ name: words.rule }, { name: words.matched }, { name: words.because, kind: "wide" }],
        rules.map((rule) => [
          textAt(rule, "rule"),
          rule["matched"] === true ? messagesOf(visit.pageLocale).yes : messagesOf(visit.pageLocale).no,
          routingReason(visit, textAt(rule, "reason"), intent)
        ])
      )
    }`
  )
}

/** What a bucket gains or loses; a dash where the entry does not touch it. */
const moved = (visit: Visit, entry: Json, field: string): Content =>
  numberAt(entry, field) === 0 ? html`<span class="none">${messagesOf(visit.pageLocale).nothing}</span>` : sum(visit, entry, field)

/** Entries of the ledger with what each bucket gains or loses. */
export const entriesTable = (visit: Visit, label: string, entries: ReadonlyArray<Json>): Html => {
  const words = texts(visit)
  return entries.length === 0 ? html`<p class="quiet">${words.noEntries}</p>` : table(
    label,
    [
      { name: words.event },
      { name: words.pending, kind: "money" },
      { name: words.available, kind: "money" },
      { name: words.reserved, kind: "money" },
      { name: words.amount, kind: "money" },
      { name: words.at }
    ],
    entries.map((entry) => [
      inWords(visit, textAt(entry, "event_type")),
      moved(visit, entry, "delta_pending"),
      moved(visit, entry, "delta_available"),
      moved(visit, entry, "delta_reserved"),
      sum(visit, entry, "amount"),
      shortMoment(visit, entry)
    ])
  )
}

const linksOf = (visit: Visit, { disputes, settlements }: PaymentFacts): Html | null => {
  const words = texts(visit)
  const links = [
    ...disputes.map((one) => [words.dispute, linkTo(visit, "disputes", textAt(one, "id"))] as const),
    ...settlements.map((one) => [words.settlement, linkTo(visit, "settlements", textAt(one, "id"))] as const)
  ]
  return links.length === 0 ? null : part(words.links, design.list(links))
}

export const paymentView = (visit: Visit, facts: PaymentFacts): Html => {
  const words = texts(visit)
  const metadata = Object.entries(objectAt(facts.intent, "metadata"))
  return html`${standing(visit, facts.intent)}${waiting(visit, facts.looks)}${summary(visit, facts.intent)}${
    part(words.timeline, timeline(visit, happened(visit, facts)))
  }${part(words.attempts, attemptsOf(visit, facts))}${routingOf(visit, facts)}${
    part(
      words.entries,
      html`${flowPicture(visit, facts.entries.toReversed())}${entriesTable(visit, words.entries, facts.entries.toReversed())}`
    )
  }${linksOf(visit, facts)}${
    metadata.length === 0 ? null : part(words.metadata, design.list(metadata.map(([name, value]) => [name, String(value)] as const)))
  }`
}
