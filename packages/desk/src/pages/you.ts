/** The page of a person's own: how they sign in, where they are signed in, and their accounts. Pure. */
import type { Passkey } from "@svc/accounts/passkeys/model"
import type { Membership } from "@svc/accounts/sessions/model"
import * as design from "@svc/design/components"
import { minute } from "@svc/design/format"
import { attributes, type Content, type Html, html } from "@svc/design/html"
import { type Locale, locales } from "@svc/design/locale"
import { messagesOf } from "../i18n/messages.ts"
import { modeBadge } from "./parts.ts"
import { hidden, passkeyForm, refusalView } from "./sign-in.ts"
import { type Json, shown, textAt } from "./values.ts"
import type { Visit } from "./visit.ts"

export interface You {
  /** Whether the last proof of who the person is is fresh enough to change how they sign in. */
  readonly isFresh: boolean
  readonly passkeys: ReadonlyArray<Passkey>
  /** Undefined where the installation has no identity provider. */
  readonly isLinked: boolean | undefined
  readonly sessions: ReadonlyArray<Json>
  readonly places: ReadonlyArray<Membership>
  readonly refusal?: string | undefined
}

const section = (title: string, content: Content): Html => html`<section class="card stack"><h2>${title}</h2>${content}</section>`

interface Sending {
  readonly action: string
  readonly label: string
  readonly fields?: Content
  readonly kind?: "plain" | "danger"
}

const sending = (visit: Visit, { action, fields, kind = "plain", label }: Sending): Html =>
  html`<form${attributes({ method: "post", action, class: "filters" })}>${hidden("token", visit.form_token)}${fields}${
    design.button({ label, kind })
  }</form>`

const passkeyView = (visit: Visit, { created_at, id, last_used_at, name }: Passkey): Html => {
  const texts = messagesOf(visit.pageLocale).signIn.you
  const used = last_used_at === null ? null : html` · ${texts.used} ${minute(visit.pageLocale, last_used_at)}`
  const field = design.field({
    id: `name-${id}`,
    label: texts.passkeyName,
    attributes: { name: "name", value: name, required: true, maxlength: 60, autocomplete: "off" }
  })
  return html`<li class="stack tight"><p><strong>${name}</strong> <span class="quiet">${texts.made} ${
    minute(visit.pageLocale, created_at)
  }${used}</span></p><div class="filters">${
    sending(visit, { action: `/desk/you/passkeys/${id}/name`, fields: field, label: texts.rename })
  }${sending(visit, { action: `/desk/you/passkeys/${id}/remove`, label: texts.remove, kind: "danger" })}</div></li>`
}

const sessionView = (visit: Visit, session: Json): Html => {
  const texts = messagesOf(visit.pageLocale).signIn.you
  const id = textAt(session, "id")
  const facts = html`<p>${textAt(session, "user_agent")} <span class="quiet">${textAt(session, "ip")} · ${texts.seen} ${
    shown(visit, { field: "seen_at", as: "time" }, session)
  }</span></p>`
  return html`<li class="stack tight">${facts}${
    id === visit.person.session_id
      ? html`<p>${design.badge(texts.thisSession, "good")}</p>`
      : sending(visit, { action: `/desk/you/sessions/${id}/revoke`, label: texts.revoke })
  }</li>`
}

const placeView = (visit: Visit, { account_id, account_name, role, sandbox }: Membership): Html => {
  const texts = messagesOf(visit.pageLocale)
  const isHere = account_id === (visit.person.account?.id ?? null)
  return html`<li class="stack tight"><p><strong>${account_name ?? texts.installation}</strong> <span class="quiet">${
    texts.roles[role]
  }</span> ${account_id === null ? null : modeBadge(visit, { sandbox })}</p>${
    isHere
      ? html`<p>${design.badge(texts.signIn.you.here, "good")}</p>`
      : sending(visit, { action: "/desk/you/account", fields: hidden("account", account_id ?? ""), label: texts.signIn.you.moveTo })
  }</li>`
}

/** Each language by its own name, so that everybody finds their own. */
const languageNames: Readonly<Record<Locale, string>> = {
  en: "English",
  de: "Deutsch",
  fr: "Français",
  es: "Español",
  ja: "日本語",
  ar: "العربية"
}

const languageView = (visit: Visit): Html => {
  const texts = messagesOf(visit.pageLocale).signIn.you
  const select = html`<div class="field"><label for="language">${texts.language}</label><select id="language" name="language">${
    locales.map((locale) =>
      html`<option${attributes({ value: locale, lang: locale, selected: locale === visit.pageLocale.locale })}>${
        languageNames[locale]
      }</option>`
    )
  }</select></div>`
  return sending(visit, { action: "/desk/you/language", fields: select, label: texts.chooseLanguage })
}

export const youView = (visit: Visit, { isFresh, isLinked, passkeys, places, refusal, sessions }: You): Html => {
  const texts = messagesOf(visit.pageLocale).signIn.you
  const adding = isFresh
    ? passkeyForm(visit.pageLocale, {
      does: "create",
      action: "/desk/you/passkeys",
      options: "/desk/you/passkeys/options",
      fields: hidden("token", visit.form_token),
      label: texts.addPasskey,
      kind: "plain"
    })
    : html`<div>${design.button({ label: texts.addPasskey, href: "/desk/confirm?to=/desk/you" })}</div>`
  return html`<div class="stack">${refusalView(visit.pageLocale, refusal)}${
    section(texts.passkeys, html`<ul class="stack">${passkeys.map((passkey) => passkeyView(visit, passkey))}</ul>${adding}`)
  }${
    isLinked === undefined
      ? null
      : section(
        texts.provider,
        isLinked ? html`<p>${texts.linked}</p>` : sending(visit, { action: "/desk/you/provider", label: texts.linkProvider })
      )
  }${
    sessions.length === 0
      ? null
      : section(texts.sessions, html`<ul class="stack">${sessions.map((session) => sessionView(visit, session))}</ul>`)
  }${
    places.length < 2
      ? null
      : section(texts.accounts, html`<ul class="stack">${places.map((place) => placeView(visit, place))}</ul>`)
  }${section(texts.language, languageView(visit))}</div>`
}
