/** The way to live: the checklist of an account, and what waits for the installation. Pure. */
import * as design from "@svc/design/components"
import { minute } from "@svc/design/format"
import { type Content, type Html, html } from "@svc/design/html"
import type { View } from "@svc/kernel/resource/view"
import { stepIds, type WorkStepId } from "@svc/onboarding/work-runs/model"
import { DateTime, Option } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import { wordsOf } from "../i18n/words.ts"
import { actionsView } from "./detail.ts"
import { type Json, shown, textAt, valueAt } from "./values.ts"
import type { Visit } from "./visit.ts"

export const ONBOARDING_STYLE =
  ".checklist{display:grid;gap:var(--space-4);padding-inline-start:var(--space-5)}.checklist>li{min-inline-size:0}" +
  ".checklist pre{overflow-x:auto;margin:0;padding:var(--space-3);border:1px solid var(--line);border-radius:var(--radius);" +
  "background:var(--ground);font-size:var(--type-small)}"

const states = { done: "good", waiting: "notice", open: "plain" } as const

type State = keyof typeof states

const isStepId = (id: string): id is WorkStepId => stepIds.some((one) => one === id)

const curl = (base_url: string): string =>
  [
    `curl ${base_url}/v1/payment_intents \\`,
    "  -H 'Authorization: Bearer sk_…' \\",
    "  -H 'Content-Type: application/json' \\",
    `  -d '{"amount": 1999, "currency": "USD", "payment_method_id": "tok_visa", "capture": true, "idempotency_key": "first-of-the-desk"}'`
  ].join("\n")

const stepView = ({ pageLocale, person, public_url }: Visit, step: Json): Html | null => {
  const [id, texts] = [textAt(step, "id"), messagesOf(pageLocale).onboarding]
  if (!isStepId(id)) return null
  const state = (["done", "waiting", "open"] as const).find((one): one is State => one === textAt(step, "state")) ?? "open"
  const { text, title, waits } = texts.steps[id]
  const name = state === "done" ? title : html`<a href="${textAt(step, "desk_path")}">${title}</a>`
  // Test tokens are of sandboxes: on a live account the command could only fail.
  const [isPayment, isSandbox] = [id === "first_payment" && state === "open", person.account?.sandbox === true]
  const what = state === "waiting" ? waits : isPayment && !isSandbox ? texts.live.payment : text
  const more: Content = state === "done" ? null : html`<p>${what}</p>`
  return html`<li><strong>${name}</strong> ${design.badge(texts.states[state], states[state])}${more}${
    isPayment && isSandbox ? html`<pre tabindex="0">${curl(public_url)}</pre>` : null
  }</li>`
}

/** Whether nothing is left to be done. */
export const isDone = (run: Json): boolean => valueAt(run, "goal_progress_pct") === 100

/** The steps with their states, until all are done; then, in a sandbox, where the live account is. */
export const checklistView = (visit: Visit, run: Json): Html | null => {
  const { live, opened, progress, title } = messagesOf(visit.pageLocale).onboarding
  const listed = valueAt(run, "steps")
  const steps: ReadonlyArray<Json> = Array.isArray(listed) ? listed : []
  if (textAt(run, "live_account_id") !== "") return html`<p><a href="/desk/you">${opened}</a></p>`
  if (steps.length === 0 || isDone(run)) return null
  const done = steps.filter((step) => textAt(step, "state") === "done").length
  return html`<section><h2>${visit.person.account?.sandbox === true ? title : live.title}</h2><p class="quiet">${
    progress(done, steps.length)
  }</p><ol class="checklist">${steps.map((step) => stepView(visit, step))}</ol></section>`
}

/** The paragraphs of a text: its heading is the page's, and a line that begins with blanks goes on with the one before. */
const paragraphsOf = (text: string): ReadonlyArray<string> =>
  text.replaceAll(/\n +/gu, " ").split("\n").filter((line) => line.trim() !== "" && !line.startsWith("#"))

const acceptedView = (visit: Visit, view: View, acceptance: Json): Html =>
  html`<p>${design.badge(messagesOf(visit.pageLocale).onboarding.states.done, "good")} <a href="/desk/terms_acceptances/${
    textAt(acceptance, "id")
  }">${wordsOf(view, visit.pageLocale).field("accepted_at")}: ${shown(visit, { field: "accepted_at", as: "time" }, acceptance)}</a></p>`

/** The terms as they are, and how they are accepted, or when they were. */
export const termsPart = (visit: Visit, view: View, { acceptance, terms }: { readonly terms: Json; readonly acceptance?: Json }): Html =>
  html`${acceptance === undefined ? actionsView(visit, view, terms) : acceptedView(visit, view, acceptance)}<section class="card stack">${
    paragraphsOf(textAt(terms, "text")).map((line) => html`<p>${line}</p>`)
  }</section>`

/** What the installation sees on its home page: who waits to go live. */
export const requestsView = ({ pageLocale }: Visit, requests: ReadonlyArray<Json>): Html => {
  const { none, title, waits } = messagesOf(pageLocale).onboarding.requests
  const since = (text: string): Content =>
    Option.match(DateTime.make(text), { onNone: () => text, onSome: (at) => minute(pageLocale, DateTime.toUtc(at)) })
  return html`<section><h2>${title}</h2>${
    requests.length === 0 ?
      html`<p class="quiet">${none}</p>` :
      html`<ul class="matters">${
        requests.map((request) =>
          html`<li><a href="/desk/operator_go_live_requests/${textAt(request, "id")}"><bdi>${
            textAt(request, "account_name")
          }</bdi> ${waits}</a><span class="quiet">${messagesOf(pageLocale).home.attention.since} ${
            since(textAt(request, "created_at"))
          }</span></li>`
        )
      }</ul>`
  }</section>`
}
