/** The name and the address of the customer, and the form that changes them. Pure. */
import { type Customer, CustomerName } from "@svc/billing/customers/model"
import * as design from "@svc/design/components"
import { type Html, html } from "@svc/design/html"
import type { Page } from "@svc/design/page"
import { containsCardNumber } from "@svc/kernel/values/card-numbers"
import { isEmailAddress } from "@svc/kernel/values/email-address"
import { Schema } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import { portalMessagesOf } from "../i18n/portal-messages.ts"
import { portalPage, type PortalVisit } from "./frame.ts"
import { isAllowed } from "./rules.ts"

const isName = Schema.is(CustomerName)

type Problem = "cardNumber" | "invalid"

/** The sent fields of the form, with the problems to correct. */
export interface DetailsForm {
  readonly name: string | undefined
  readonly email: string | undefined
  readonly nameProblem: Problem | undefined
  readonly emailProblem: Problem | undefined
}

const problemOf = (text: string | undefined, isValid: (text: string) => boolean): Problem | undefined => {
  if (text === undefined || text === "") return undefined
  if (containsCardNumber(text) !== undefined) return "cardNumber"
  return isValid(text) ? undefined : "invalid"
}

export const readDetails = (field: (name: string) => string | undefined): DetailsForm => {
  const [name, email] = [field("name"), field("email")?.trim()]
  return { name, email, nameProblem: problemOf(name, isName), emailProblem: problemOf(email, isEmailAddress) }
}

/** The changes of the form: an empty text removes a detail, and a field that was not sent stays unchanged. */
export const detailsOf = ({ email, name }: DetailsForm): Partial<Pick<Customer, "name" | "email">> => ({
  ...(name === undefined ? {} : { name: name === "" ? null : name }),
  ...(email === undefined ? {} : { email: email === "" ? null : email })
})

const mayUpdate = ({ account }: PortalVisit): boolean => isAllowed(account.settings.portal_settings, "update_details")

/** The card of the customer's details; null if there are none and the customer may not change them. */
export const detailsCard = (visit: PortalVisit): Html | null => {
  const { actions, details } = portalMessagesOf(visit.pageLocale)
  const { email = null, name = null } = visit.customer ?? {}
  if (name === null && email === null && !mayUpdate(visit)) return null
  const fact = (label: string, value: string | null) => value === null ? [] : [[label, html`<bdi>${value}</bdi>`] as const]
  const change = design.button({ label: actions.changeDetails, href: `${visit.path}/details` })
  return html`<section class="card"><h2>${details.title}</h2>${
    design.list([...fact(details.name, name), ...fact(messagesOf(visit.pageLocale).checkout.email, email)])
  }${mayUpdate(visit) ? html`<div class="actions">${change}</div>` : null}</section>`
}

export const detailsPage = (visit: PortalVisit, form?: DetailsForm): Page => {
  const { backToOverview, details } = portalMessagesOf(visit.pageLocale)
  const { checkout } = messagesOf(visit.pageLocale)
  const errorOf = (problem: Problem | undefined, invalid: string) =>
    problem === undefined ? undefined : { cardNumber: details.cardNumber, invalid }[problem]
  /** The typed text, except card numbers: no page repeats a card number. */
  const shown = (sent: string | undefined, problem: Problem | undefined, stored: string | null | undefined) =>
    problem === "cardNumber" ? stored : sent ?? stored
  const name = design.field({
    id: "name",
    label: details.name,
    error: errorOf(form?.nameProblem, details.nameInvalid),
    attributes: {
      type: "text",
      name: "name",
      autocomplete: "name",
      maxlength: 200,
      value: shown(form?.name, form?.nameProblem, visit.customer?.name)
    }
  })
  const email = design.field({
    id: "email",
    label: checkout.email,
    error: errorOf(form?.emailProblem, checkout.emailInvalid),
    attributes: {
      // A field of type email refuses addresses of other scripts.
      type: "text",
      name: "email",
      autocomplete: "email",
      inputmode: "email",
      autocapitalize: "none",
      spellcheck: "false",
      maxlength: 254,
      dir: "ltr",
      value: shown(form?.email, form?.emailProblem, visit.customer?.email)
    }
  })
  return portalPage(visit, {
    title: details.title,
    main: html`<div class="narrow stack">${design.back(backToOverview, visit.path)}<h1>${details.title}</h1>
<form method="post" action="${visit.path}/details" class="stack" novalidate>${name}${email}${
      design.button({ label: details.save, kind: "primary", wide: true })
    }</form></div>`
  })
}
