/** How somebody is invited, and the link by which they join. Pure. */
import { roles } from "@svc/accounts/access/model"
import * as design from "@svc/design/components"
import { attributes, type Html, html } from "@svc/design/html"
import { messagesOf } from "../i18n/messages.ts"
import { hidden, refusalView } from "./sign-in.ts"
import { type Json, textAt } from "./values.ts"
import type { Visit } from "./visit.ts"

export const inviteView = (visit: Visit, idempotency_key: string, sent: Readonly<Record<string, string>> = {}, refusal?: string): Html => {
  const texts = messagesOf(visit.pageLocale)
  const { email, go, role, text } = texts.signIn.invite
  const options = [["", texts.action.choose] as const, ...roles.map((one) => [one, texts.roles[one]] as const)]
  const choices = options.map(([value, word]) =>
    html`<option${attributes({ value, selected: value === (sent["role"] ?? "") })}>${word}</option>`
  )
  return html`<form method="post" class="card stack"><p>${text}</p>${refusalView(visit.pageLocale, refusal)}${
    hidden("token", visit.form_token)
  }${
    hidden("idempotency_key", idempotency_key)
  }<div class="field"><label for="role">${role}</label><select id="role" name="role" required>${choices}</select></div>${
    design.field({
      id: "email",
      label: email,
      // A field of type email refuses addresses of other scripts.
      attributes: { name: "email", type: "text", inputmode: "email", value: sent["email"] ?? "", autocomplete: "off" }
    })
  }<div class="actions">${design.button({ label: go, kind: "primary" })}</div></form>`
}

export const invitedView = ({ pageLocale }: Visit, invitation: Json): Html => {
  const { link, mailed, once } = messagesOf(pageLocale).signIn.invite
  return html`<section class="card stack"><p>${once}${invitation["mailed"] === true ? ` ${mailed}` : ""}</p>${
    design.field({ id: "link", label: link, attributes: { value: textAt(invitation, "link"), readonly: true } })
  }</section>`
}
