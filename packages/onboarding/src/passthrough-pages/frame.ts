/** The page around every passthrough form, and the fields that forms are made of. Pure. */
import type { Account } from "@svc/accounts/accounts/model"
import * as design from "@svc/design/components"
import { isolated } from "@svc/design/format"
import { type Attributes, attributes, type Content, type Html, html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import type { Page } from "@svc/design/page"
import { messagesOf } from "../i18n/messages.ts"
import type { Message } from "../i18n/messages/shape.ts"
import type { PassthroughSession } from "../passthrough-sessions/model.ts"

/** A person at the page of a session. */
export interface PassthroughVisit {
  readonly session: PassthroughSession
  readonly account: Account
  readonly pageLocale: PageLocale
  /** What the form carries, so that no other page can send it. */
  readonly formToken: string
}

/** What a person typed, by the names of the fields, and what is wrong with it. */
export interface SentForm<Field extends string> {
  readonly values: Readonly<Record<Field, string>>
  readonly problems: Readonly<Partial<Record<Field, string>>>
}

/** The form as it is read: a name that was not sent is empty. */
export type ReadField = (name: string) => string

const noBrand: design.Brand = { name: "", color: null, logo_url: null }

/** A page that says one thing. Without an account it belongs to nobody. */
export const messagePage = (
  pageLocale: PageLocale,
  { text, title }: Message,
  sign: design.Status["sign"] = "bad",
  account?: Pick<Account, "name" | "sandbox">
): Page => ({
  title,
  language: { direction: pageLocale.direction, tag: pageLocale.tag },
  brand: noBrand,
  ...(account === undefined ? {} : { header: masthead(account, pageLocale) }),
  main: design.status({ title, text, sign })
})

const masthead = ({ name, sandbox }: Pick<Account, "name" | "sandbox">, pageLocale: PageLocale): Html =>
  design.masthead({ ...noBrand, name }, sandbox ? design.badge(messagesOf(pageLocale).testMode) : undefined)

/** The name of the account as a part of a sentence. */
export const accountName = ({ account }: Pick<PassthroughVisit, "account">): string => isolated(account.name)

/** What a form says and asks. */
interface FormParts {
  readonly title: string
  readonly lead: string
  readonly hasProblems: boolean
  /** Between the lead and the fields. */
  readonly notice?: Content
  readonly fields: Content
  readonly send: string
  readonly style?: string
}

const STYLE = ".field>select[aria-invalid=true]{border-color:var(--danger)}"

/** The page of a form. It is sent to the address that it came from. */
export const formPage = (
  { account, formToken, pageLocale }: PassthroughVisit,
  { fields, hasProblems, lead, notice, send, style = "", title }: FormParts
): Page => {
  const { check } = messagesOf(pageLocale)
  return {
    title: `${title} · ${account.name}`,
    language: { direction: pageLocale.direction, tag: pageLocale.tag },
    brand: noBrand,
    header: masthead(account, pageLocale),
    main: html`<div class="stack"><h1>${title}</h1><p>${lead}</p>${hasProblems ? design.alert(check.title, check.text) : null}${notice}
<form method="post" class="stack" novalidate autocomplete="on"><input type="hidden" name="form" value="${formToken}">${fields}${
      design.button({ label: send, kind: "primary", wide: true })
    }</form></div>`,
    style: STYLE + style
  }
}

interface Field {
  readonly name: string
  readonly label: string
  readonly value?: string | undefined
  readonly error?: string | undefined
  readonly attributes?: Attributes
}

export const textField = ({ attributes: more, error, label, name, value }: Field): Html =>
  design.field({ id: name, label, error, attributes: { type: "text", name, value, maxlength: 200, ...more } })

/** A list of codes to choose from, such as countries, by their names in the language of the page. `empty` stands for none of them. */
export const codeField = (
  { tag }: PageLocale,
  kind: "region" | "currency",
  codes: ReadonlyArray<string>,
  { empty, error, label, name, value }: Field & { readonly empty: string }
): Html => {
  const names = new Intl.DisplayNames([tag], { type: kind })
  const nameOf = (code: string) => kind === "currency" ? `${code} – ${names.of(code) ?? code}` : names.of(code) ?? code
  const options = codes.map((code) => ({ code, text: nameOf(code) })).toSorted((one, other) => one.text.localeCompare(other.text, tag))
  const about = attributes({
    id: name,
    name,
    "aria-describedby": `${name}-error`,
    "aria-invalid": error === undefined ? undefined : "true"
  })
  return html`<div class="field"><label for="${name}">${label}</label><select${about}><option value="">${empty}</option>${
    options.map(({ code, text }) => html`<option${attributes({ value: code, selected: code === value })}>${text}</option>`)
  }</select><span class="error" id="${name}-error">${error}</span></div>`
}
