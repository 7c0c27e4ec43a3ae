/** Pages on which people come in and prove who they are. Pure. */
import * as design from "@svc/design/components"
import { type Attributes, attributes, type Content, type Html, html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import type { Page } from "@svc/design/page"
import { messagesOf } from "../i18n/messages.ts"
import type { Message } from "../i18n/shape.ts"
import { deskPage, plainPage } from "./frame.ts"
import { AGAIN_SCRIPT, PASSKEY_SCRIPT } from "./sign-in-script.ts"
import type { Visit } from "./visit.ts"

export const hidden = (name: string, value: string): Html => html`<input${attributes({ type: "hidden", name, value })}>`

/** What went wrong with what was sent just now. */
export const refusalView = (pageLocale: PageLocale, text: string | undefined): Html | null =>
  text === undefined ? null : design.alert(messagesOf(pageLocale).signIn.refusals.title, text)

export interface PasskeyForm {
  readonly does: "create" | "get"
  readonly action: string
  /** Where the script fetches what the browser is asked. */
  readonly options: string
  readonly fields: Content
  readonly label: string
  readonly kind?: "primary" | "plain"
  /** Where the form goes instead for a proof of the identity provider; undefined where there is none. */
  readonly provider?: string | undefined
}

/** A form whose script fills in the answer of the browser's passkey. */
export const passkeyForm = (
  pageLocale: PageLocale,
  { action, does, fields, kind = "primary", label, options, provider }: PasskeyForm
): Html => {
  const texts = messagesOf(pageLocale).signIn
  const form: Attributes = {
    method: "post",
    action,
    class: "stack tight",
    "data-passkey": does,
    "data-options": options,
    "data-failed": texts.failed,
    "data-unsupported": texts.unsupported
  }
  return html`<form${attributes(form)}>${fields}${hidden("credential", "")}<p data-live-text role="alert" hidden></p>${
    design.button({ label, kind, wide: kind === "primary" })
  }${
    provider === undefined
      ? null
      : design.button({ label: texts.provider, wide: true, attributes: { formaction: provider, name: "by", value: "provider" } })
  }<noscript><p>${texts.noScript}</p></noscript></form>`
}

const withScript = (page: Page): Page => ({ ...page, script: PASSKEY_SCRIPT, asks: true })

export interface SignInView {
  readonly to: string
  readonly hasProvider: boolean
  readonly refusal?: string | undefined
}

export const signInPage = (pageLocale: PageLocale, { hasProvider, refusal, to }: SignInView): Page => {
  const texts = messagesOf(pageLocale).signIn
  const form = passkeyForm(pageLocale, {
    does: "get",
    action: "/desk/sign-in",
    options: "/desk/sign-in/options",
    fields: hidden("to", to),
    label: texts.passkey,
    provider: hasProvider ? "/desk/sign-in/provider" : undefined
  })
  return withScript(plainPage(
    pageLocale,
    texts.title,
    html`<div class="stack"><h1>${texts.title}</h1><p>${texts.text}</p>${refusalView(pageLocale, refusal)}${form}</div>`
  ))
}

export interface JoinView {
  /** The path of the page, which ends with the secret of the invitation. */
  readonly path: string
  readonly role: string
  /** Null for the installation, and where the page does not say. */
  readonly account_name: string | null
  readonly name: string
  readonly hasProvider: boolean
  /** Somebody who is signed in may join as who they are. */
  readonly visit?: Visit | undefined
  readonly refusal?: string | undefined
}

const joinAs = (visit: Visit, path: string): Html =>
  html`<form${attributes({ method: "post", action: `${path}/as` })}>${hidden("token", visit.form_token)}${
    design.button({ label: messagesOf(visit.pageLocale).signIn.join.as(visit.name), wide: true })
  }</form>`

export const joinPage = (pageLocale: PageLocale, { account_name, hasProvider, name, path, refusal, role, visit }: JoinView): Page => {
  const texts = messagesOf(pageLocale).signIn
  const form = passkeyForm(pageLocale, {
    does: "create",
    action: path,
    options: `${path}/options`,
    fields: design.field({
      id: "name",
      label: texts.join.name,
      attributes: { name: "name", value: name, required: true, autocomplete: "name", maxlength: 80 }
    }),
    label: texts.join.passkey,
    provider: hasProvider ? `${path}/provider` : undefined
  })
  return withScript(plainPage(
    pageLocale,
    texts.join.title,
    html`<div class="stack"><h1>${texts.join.title}</h1><p>${
      texts.join.text(role, account_name)
    }</p><p class="quiet">${texts.join.why}</p>${refusalView(pageLocale, refusal)}${
      visit === undefined ? null : joinAs(visit, path)
    }${form}</div>`
  ))
}

/** What waits for a proof: where it goes, and the fields of the form that sends it. Without fields it is a page to go back to. */
export interface Waiting {
  readonly to: string
  readonly fields?: string | undefined
}

export const confirmPage = (visit: Visit, waiting: Waiting, hasProvider: boolean, refusal?: string): Page => {
  const { confirm } = messagesOf(visit.pageLocale).signIn
  const form = passkeyForm(visit.pageLocale, {
    does: "get",
    action: "/desk/confirm",
    options: "/desk/confirm/options",
    fields: html`${hidden("token", visit.form_token)}${hidden("to", waiting.to)}${
      waiting.fields === undefined ? null : hidden("fields", waiting.fields)
    }`,
    label: confirm.passkey,
    provider: hasProvider ? "/desk/confirm/provider" : undefined
  })
  const main = html`<div class="stack"><p>${confirm.text}</p>${refusalView(visit.pageLocale, refusal)}${form}</div>`
  return deskPage(visit, { title: confirm.title, main, script: PASSKEY_SCRIPT })
}

/** Sends what waited, by itself where there is a script. */
export const againPage = (visit: Visit, to: string, fields: Readonly<Record<string, string>>): Page => {
  const { confirm } = messagesOf(visit.pageLocale).signIn
  const sent = Object.entries({ ...fields, token: visit.form_token })
  const main = html`<form${attributes({ method: "post", action: to, "data-again": true })}>${
    sent.map(([name, value]) => hidden(name, value))
  }${design.button({ label: confirm.again, kind: "primary" })}</form>`
  return deskPage(visit, { title: confirm.done, main, script: AGAIN_SCRIPT })
}

/** A page that leads on by itself, without a script: what comes next is asked by a page of this site. */
export const goingOnPage = (pageLocale: PageLocale, url: string): Page => {
  const { goOn, goingOn } = messagesOf(pageLocale).signIn
  const link = html`<span>${goingOn.text}</span> <a href="${url}">${goOn}</a>`
  return {
    ...plainPage(pageLocale, goingOn.title, design.status({ title: goingOn.title, text: link, sign: "busy" })),
    refresh: { seconds: 0, url }
  }
}

/** A page that says one thing, and leads on to one other. */
export const linkingPage = (pageLocale: PageLocale, { text, title }: Message, href: string, label: string): Page =>
  plainPage(
    pageLocale,
    title,
    html`<div class="stack">${design.status({ title, text, sign: "waiting" })}${
      design.button({ label, href, kind: "primary", wide: true })
    }</div>`
  )
