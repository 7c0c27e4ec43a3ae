/** One dispute: until when it can be answered, what helps, what was given, and what it costs. Pure. */
import { reasonOf } from "@svc/compliance/reason-codes"
import * as design from "@svc/design/components"
import { attributes, type Content, type Html, html } from "@svc/design/html"
import { contentTypes } from "@svc/payments/files/model"
import type { DateTime } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import type { DisputeTexts } from "../i18n/shapes/disputes.ts"
import { evidenceTexts } from "../views/evidence.ts"
import { disputeMoments, momentsPicture } from "./moments.ts"
import { fileField, form, inWords, linkTo, objectAt, part } from "./parts.ts"
import { entriesTable } from "./payments.ts"
import { type Json, shown, textAt } from "./values.ts"
import { may, type Visit } from "./visit.ts"

export interface DisputeFacts {
  readonly dispute: Json
  /** The files that the evidence names. */
  readonly files: ReadonlyArray<Json>
  /** Newest first. */
  readonly entries: ReadonlyArray<Json>
  readonly now: DateTime.Utc
  /** Of the forms. */
  readonly idempotency_key: string
  /** Why what was sent was not taken, with what was sent. */
  readonly refusal?: { readonly message: string; readonly sent: Readonly<Record<string, string>> }
}

const texts = ({ pageLocale }: Pick<Visit, "pageLocale">): DisputeTexts => messagesOf(pageLocale).dispute

const tones = { won: "good", lost: "bad", expired: "bad", open: "notice" } as const

const isOpen = (dispute: Json): boolean => textAt(dispute, "status") === "open"

const deadline = (visit: Visit, dispute: Json): Html => {
  const words = texts(visit)
  const status = textAt(dispute, "status")
  if (isOpen(dispute)) {
    return design.alert(
      words.dueBy,
      html`<strong>${shown(visit, { field: "evidence_due_by", as: "time" }, dispute)}</strong> ${words.dueNote}`,
      "notice"
    )
  }
  return status === "under_review"
    ? design.alert(words.submitted, shown(visit, { field: "evidence_submitted_at", as: "time" }, dispute), "plain")
    : design.alert(`${words.decided}: ${inWords(visit, status)}`, words.closed, status === "won" ? "good" : "plain")
}

const summary = (visit: Visit, dispute: Json): Html => {
  const words = texts(visit)
  const status = textAt(dispute, "status")
  const { category, network } = reasonOf(textAt(dispute, "reason"))
  const tone = Object.entries(tones).find(([name]) => name === status)?.[1] ?? "plain"
  const isHeld = ["open", "under_review"].includes(status)
  const facts: ReadonlyArray<readonly [string, Content]> = [
    [isHeld ? words.heldNow : words.heldNothing, isHeld ? shown(visit, { field: "amount", as: "money" }, dispute) : ""],
    [words.fee, shown(visit, { field: "fee_amount", as: "money" }, dispute)],
    [words.network, network === "unknown" ? messagesOf(visit.pageLocale).nothing : inWords(visit, network)],
    [words.payment, linkTo(visit, "payments", textAt(dispute, "payment_intent_id"))],
    ...(textAt(dispute, "previous_dispute_id") === ""
      ? []
      : [[words.previous, linkTo(visit, "disputes", textAt(dispute, "previous_dispute_id"))] as const]),
    ["ID", html`<code>${textAt(dispute, "id")}</code>`]
  ]
  return html`<section class="card stack"><div class="above"><span class="amount">${
    shown(visit, { field: "amount", as: "money" }, dispute)
  }</span>${design.badge(inWords(visit, status), tone)}</div><div><h2>${words.reason} <code>${textAt(dispute, "reason")}</code></h2><p>${
    words.claims[category]
  }</p></div><div><h2>${words.helps}</h2><p>${words.advice[category]}</p></div>${design.list(facts)}</section>`
}

const filesOf = (files: ReadonlyArray<Json>): Html | null =>
  files.length === 0 ?
    null :
    html`<ul>${
      files.map((file) =>
        html`<li><a href="/desk/dispute-files/${textAt(file, "id")}" download>${
          textAt(file, "filename") || textAt(file, "id")
        }</a> <small>${textAt(file, "content_type")}</small></li>`
      )
    }</ul>`

const given = (visit: Visit, { dispute, files }: DisputeFacts): Html => {
  const words = texts(visit)
  const evidence = objectAt(dispute, "evidence")
  const pairs = evidenceTexts.flatMap((name) =>
    textAt(evidence, name) === "" ? [] : [[words.fields[name], textAt(evidence, name)] as const]
  )
  return pairs.length === 0 && files.length === 0
    ? html`<p class="quiet">${words.none}</p>`
    : html`<dl class="stack">${pairs.map(([name, value]) => html`<div><dt class="quiet">${name}</dt><dd>${value}</dd></div>`)}</dl>${
      files.length === 0 ? null : html`<h3>${words.files}</h3>${filesOf(files)}`
    }`
}

const hidden = ({ dispute, idempotency_key }: DisputeFacts): Html =>
  html`<input type="hidden" name="idempotency_key" value="${idempotency_key}"><input type="hidden" name="version" value="${
    String(dispute["version"] ?? "")
  }">`

const evidenceForm = (visit: Visit, facts: DisputeFacts): Html => {
  const words = texts(visit)
  const evidence = objectAt(facts.dispute, "evidence")
  const fields = evidenceTexts.map((name) =>
    html`<div class="field"><label for="e-${name}">${words.fields[name]}</label><textarea${
      attributes({ id: `e-${name}`, name, rows: 3, maxlength: 20_000 })
    }>${facts.refusal?.sent[name] ?? textAt(evidence, name)}</textarea></div>`
  )
  return form(
    visit,
    `/desk/disputes/${textAt(facts.dispute, "id")}/evidence`,
    html`${hidden(facts)}${fields}<div class="field"><span class="label">${words.files}</span>${filesOf(facts.files)}${
      fileField({
        id: "e-files",
        name: "files",
        label: words.addFiles,
        note: words.filesNote,
        accept: contentTypes.join(","),
        multiple: true
      })
    }</div><div class="steps">${design.button({ label: words.save, kind: "primary", attributes: { name: "act", value: "evidence" } })}${
      design.button({ label: words.submit, attributes: { name: "act", value: "submit" } })
    }</div><p class="quiet">${words.submitNote}</p>`,
    { class: "card stack", enctype: "multipart/form-data" }
  )
}

const acceptForm = (visit: Visit, facts: DisputeFacts): Html => {
  const words = texts(visit)
  return html`<details class="card"><summary>${words.accept}</summary>${
    form(
      visit,
      `/desk/disputes/${textAt(facts.dispute, "id")}/accept`,
      html`${hidden(facts)}<p>${words.acceptNote}</p>${
        design.choice({
          name: "sure",
          value: "yes",
          label: words.acceptSure,
          checked: false,
          attributes: { type: "checkbox", required: true }
        })
      }<div>${design.button({ label: words.accept, kind: "danger" })}</div>`,
      { class: "stack" }
    )
  }</details>`
}

export const disputeView = (visit: Visit, facts: DisputeFacts): Html => {
  const words = texts(visit)
  const canAnswer = isOpen(facts.dispute) && may(visit, "disputes:write")
  return html`${facts.refusal === undefined ? null : design.alert(words.refused, facts.refusal.message)}${deadline(visit, facts.dispute)}${
    summary(visit, facts.dispute)
  }${
    canAnswer
      ? html`${part(words.evidence, evidenceForm(visit, facts))}${acceptForm(visit, facts)}`
      : part(words.given, given(visit, facts))
  }${part(words.timeline, momentsPicture(visit, facts.now, disputeMoments(visit, facts.dispute)))}${
    part(words.entries, entriesTable(visit, words.entries, facts.entries.toReversed()))
  }`
}
