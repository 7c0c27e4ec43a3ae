/** Runs of reconciliation, and one with what differs side by side. Pure. */
import * as design from "@svc/design/components"
import { attributes, type Content, type Html, html } from "@svc/design/html"
import { mismatchStatuses, mismatchTypes, resolutions } from "@svc/reconciliation/mismatches/model"
import { messagesOf } from "../i18n/messages.ts"
import type { ReconciliationTexts } from "../i18n/shapes/reconciliation.ts"
import { viewNamed } from "./addresses.ts"
import { exportView } from "./export.ts"
import { fileField, form, inWords, numberAt, objectAt, objectsAt, part, table } from "./parts.ts"
import { type Json, shown, textAt } from "./values.ts"
import { may, type Visit } from "./visit.ts"

export const MAY_WRITE = "reconciliation:write"

/** What was sent and why it was not taken. */
export interface Refusal {
  readonly message: string
  readonly sent: Readonly<Record<string, string>>
}

export interface RunFacts {
  /** With its mismatches. */
  readonly report: Json
  /** How the mismatches are narrowed, and after which one the page begins. */
  readonly asked: Readonly<Record<string, string>>
  /** What was decided and not done, line by line. */
  readonly refusals: ReadonlyArray<string>
}

const texts = ({ pageLocale }: Pick<Visit, "pageLocale">): ReconciliationTexts => messagesOf(pageLocale).reconciliation

const wordFor = (visit: Visit, words: Readonly<Record<string, string>>, name: string): string => words[name] ?? inWords(visit, name)

/** The days from the first moment to the last one before `period_to`. */
const periodOf = (visit: Visit, report: Json): Content =>
  html`${shown(visit, { field: "period_from", as: "time" }, report, "row")} – ${
    shown(visit, { field: "period_to", as: "time" }, report, "row")
  }`

const uploadForm = (visit: Visit, refusal: Refusal | undefined): Html => {
  const words = texts(visit)
  const sent = (name: string, otherwise = "") => refusal?.sent[name] ?? otherwise
  const day = (name: string, label: string) =>
    design.field({ id: `r-${name}`, label, attributes: { type: "date", name, value: sent(name), required: true } })
  return form(
    visit,
    "/desk/reconciliation",
    html`${refusal === undefined ? null : design.alert(words.refused, refusal.message)}${
      design.field({
        id: "r-source",
        label: words.source,
        attributes: { name: "source", value: sent("source", "card_a"), required: true, autocomplete: "off" }
      })
    }<div class="row">${day("from", words.from)}${day("to", words.to)}</div><p class="quiet">${words.toNote}</p><div class="field">${
      fileField({ id: "r-file", name: "file", label: words.file, note: words.fileNote, accept: ".csv,text/csv" })
    }</div><div>${design.button({ label: words.compare, kind: "primary" })}</div>`,
    { class: "card stack", enctype: "multipart/form-data" }
  )
}

const counts = (report: Json): ReadonlyArray<number> => {
  const all = objectAt(report, "counts")
  return [numberAt(all, "matched"), numberAt(all, "mismatched"), numberAt(all, "unreconciled")]
}

export const runsView = (visit: Visit, runs: ReadonlyArray<Json>, refusal?: Refusal): Html => {
  const [words, reports] = [texts(visit), viewNamed("reconciliation")]
  const rows = runs.map((report) => [
    html`<a href="/desk/reconciliation/${textAt(report, "id")}">${periodOf(visit, report)}</a>`,
    textAt(report, "source"),
    ...counts(report),
    design.badge(
      wordFor(visit, words.statuses, textAt(report, "status")),
      numberAt(objectAt(report, "counts"), "mismatched") > 0 ? "bad" : "plain"
    )
  ])
  return html`<p>${words.intro}</p>${may(visit, MAY_WRITE) ? part(words.upload, uploadForm(visit, refusal)) : null}${
    part(
      words.runs,
      rows.length === 0 ? html`<p class="quiet">${words.noRuns}</p>` : table(
        words.runs,
        [
          { name: words.run },
          { name: words.source },
          { name: words.matched, kind: "money" },
          { name: words.mismatched, kind: "money" },
          { name: words.unreconciled, kind: "money" },
          { name: words.status }
        ],
        rows
      )
    )
  }${reports === undefined ? null : exportView(visit, reports, {})}`
}

const summary = (visit: Visit, report: Json): Html => {
  const words = texts(visit)
  const [matched = 0, mismatched = 0, unreconciled = 0] = counts(report)
  const isDone = textAt(report, "status") === "completed"
  return html`${isDone ? null : design.alert(wordFor(visit, words.statuses, "processing"), words.processing, "notice")}${
    design.card(design.list([
      [words.source, textAt(report, "source")],
      [words.run, periodOf(visit, report)],
      [words.origin, inWords(visit, textAt(report, "origin"))],
      [words.lines, numberAt(report, "line_count")],
      [words.matched, matched],
      [words.mismatched, mismatched],
      [words.unreconciled, unreconciled]
    ]))
  }`
}

const difference = (visit: Visit, currency: string, ours: number, theirs: number): Content =>
  shown(visit, { field: "amount", as: "money" }, { amount: theirs - ours, currency })

const sums = (visit: Visit, report: Json): Html | null => {
  const words = texts(visit)
  const totals = objectsAt(report, "totals")
  return totals.length === 0 ? null : part(
    words.sums,
    table(
      words.sums,
      [
        { name: words.currency },
        { name: words.ours, kind: "money" },
        { name: words.theirs, kind: "money" },
        { name: words.difference, kind: "money" }
      ],
      totals.map((total) => [
        textAt(total, "currency"),
        shown(visit, { field: "expected", as: "money" }, total),
        shown(visit, { field: "actual", as: "money" }, total),
        difference(visit, textAt(total, "currency"), numberAt(total, "expected"), numberAt(total, "actual"))
      ])
    )
  )
}

/** What one side says; the moment beneath the amount, since the two may differ in either. */
const side = (visit: Visit, mismatch: Json, field: "expected" | "actual"): Content => {
  const one = objectAt(mismatch, field)
  return textAt(one, "currency") === ""
    ? html`<span class="quiet">${texts(visit).nothingThere}</span>`
    : html`${shown(visit, { field: "amount", as: "money" }, one)}<small>${
      shown(visit, { field: "occurred_at", as: "time" }, one, "row")
    }</small>`
}

const between = (visit: Visit, mismatch: Json): Content => {
  const [ours, theirs] = [objectAt(mismatch, "expected"), objectAt(mismatch, "actual")]
  const currency = textAt(ours, "currency") || textAt(theirs, "currency")
  const isSame = [textAt(ours, "currency"), textAt(theirs, "currency")].every((one) => one === "" || one === currency)
  return isSame ? difference(visit, currency, numberAt(ours, "amount"), numberAt(theirs, "amount")) : messagesOf(visit.pageLocale).nothing
}

const outcome = (visit: Visit, mismatch: Json): Content => {
  const words = texts(visit)
  const resolution = textAt(mismatch, "resolution")
  return html`${
    design.badge(wordFor(visit, words.statuses, textAt(mismatch, "status")), textAt(mismatch, "status") === "open" ? "bad" : "good")
  }${resolution === "" ? null : html`<small>${wordFor(visit, words.resolutions, resolution)}</small>`}${
    textAt(mismatch, "note") === "" ? null : html`<small>${textAt(mismatch, "note")}</small>`
  }`
}

const mismatchTable = (visit: Visit, mismatches: ReadonlyArray<Json>, choosable: boolean): Html => {
  const words = texts(visit)
  const choice = (mismatch: Json): Content => {
    const id = textAt(mismatch, "id")
    const label = words.chooseOne(textAt(mismatch, "provider_reference") || id)
    return textAt(mismatch, "status") === "open" ? html`<input type="checkbox" name="m-${id}" value="yes" aria-label="${label}">` : ""
  }
  return table(
    words.mismatches,
    [
      ...(choosable ? [{ name: words.choose }] : []),
      { name: words.what, kind: "wide" as const },
      { name: words.ours, kind: "money" as const },
      { name: words.theirs, kind: "money" as const },
      { name: words.difference, kind: "money" as const },
      { name: words.status }
    ],
    mismatches.map((mismatch) => [
      ...(choosable ? [choice(mismatch)] : []),
      html`${wordFor(visit, words.types, textAt(mismatch, "type"))} · ${inWords(visit, textAt(mismatch, "line_type"))}<small><code>${
        textAt(mismatch, "provider_reference")
      }</code></small>`,
      side(visit, mismatch, "expected"),
      side(visit, mismatch, "actual"),
      between(visit, mismatch),
      outcome(visit, mismatch)
    ])
  )
}

interface Select {
  readonly name: string
  readonly label: string
  readonly from: ReadonlyArray<string>
  readonly words: Readonly<Record<string, string>>
  readonly value: string
  /** What stands for none; left out where one has to be chosen. */
  readonly any?: string
}

const select = (visit: Visit, { any, from, label, name, value, words }: Select): Html =>
  html`<div class="field"><label for="s-${name}">${label}</label><select${attributes({ id: `s-${name}`, name })}>${
    any === undefined ? null : html`<option value="">${any}</option>`
  }${
    from.map((one) => html`<option${attributes({ value: one, selected: one === value })}>${wordFor(visit, words, one)}</option>`)
  }</select></div>`

const filters = (visit: Visit, asked: RunFacts["asked"]): Html => {
  const words = texts(visit)
  return html`<form class="filters">${
    select(visit, { name: "type", label: words.type, from: mismatchTypes, words: words.types, value: asked["type"] ?? "", any: words.any })
  }${
    select(visit, {
      name: "status",
      label: words.status,
      from: mismatchStatuses,
      words: words.statuses,
      value: asked["status"] ?? "",
      any: words.any
    })
  }${design.button({ label: words.filter })}</form>`
}

const resolveFields = (visit: Visit): Html => {
  const words = texts(visit)
  return html`<div class="card stack">${
    select(visit, { name: "resolution", label: words.resolution, from: resolutions, words: words.resolutions, value: "accept_internal" })
  }<div class="field"><label for="m-note">${words.note}</label><textarea${
    attributes({ id: "m-note", name: "note", rows: 2, maxlength: 1_000 })
  }></textarea></div><div class="steps">${
    design.button({ label: words.resolveChosen, kind: "primary", attributes: { name: "which", value: "chosen" } })
  }${design.button({ label: words.resolveShown, attributes: { name: "which", value: "shown" } })}</div></div>`
}

export const runView = (visit: Visit, { asked, refusals, report }: RunFacts): Html => {
  const words = texts(visit)
  const mismatches = objectsAt(report, "mismatches")
  const isOpen = mismatches.some((mismatch) => textAt(mismatch, "status") === "open")
  const choosable = isOpen && may(visit, MAY_WRITE)
  const last = mismatches.at(-1)
  const query = new URLSearchParams({ ...asked, ...(last === undefined ? {} : { after: textAt(last, "id") }) }).toString()
  const rows = mismatches.length === 0
    ? html`<p class="quiet">${words.noMismatches}</p>`
    : mismatchTable(visit, mismatches, choosable)
  const path = `/desk/reconciliation/${textAt(report, "id")}`
  return html`<p class="back"><code>${textAt(report, "id")}</code></p>${
    refusals.length === 0 ? null : design.alert(words.notResolved, html`${refusals.map((line) => html`${line}<br>`)}`)
  }${summary(visit, report)}${sums(visit, report)}${
    part(
      words.mismatches,
      html`${filters(visit, asked)}${
        choosable
          ? form(
            visit,
            `${path}/resolve`,
            html`${Object.entries(asked).map(([name, value]) => html`<input type="hidden" name="asked-${name}" value="${value}">`)}${rows}${
              resolveFields(visit)
            }`,
            { class: "stack" }
          )
          : rows
      }${report["has_more"] === true ? html`<a href="${path}?${query}" rel="next">${words.older}</a>` : null}`
    )
  }`
}
