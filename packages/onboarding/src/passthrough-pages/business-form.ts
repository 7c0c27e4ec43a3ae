/** The form for who is behind an account: a new legal entity, or what a review still asks of the one there is. Pure. */
import { type CreateLegalEntityRequest, LegalEntity, type LegalEntityPatch, LegalEntityType } from "@svc/accounts/legal-entities/model"
import * as design from "@svc/design/components"
import { type Html, html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import type { Page } from "@svc/design/page"
import { findCardNumber } from "@svc/kernel/values/card-numbers"
import { countries, Country } from "@svc/kernel/values/country"
import { oneLine } from "@svc/kernel/values/text"
import { Schema } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import { accountName, codeField, formPage, type PassthroughVisit, type ReadField, type SentForm, textField } from "./frame.ts"

const names = [
  "type",
  "legal_name",
  "country",
  "registration_number",
  "birth_date",
  "line1",
  "postal_code",
  "city",
  "address_country"
] as const
type BusinessField = (typeof names)[number]
export type BusinessForm = SentForm<BusinessField>

const { birth_date, legal_name, registration_number } = LegalEntity.fields
const isType = Schema.is(LegalEntityType)
const isCountry = Schema.is(Country)
const takes = {
  legal_name: Schema.is(legal_name),
  registration_number: Schema.is(registration_number),
  birth_date: Schema.is(birth_date),
  line1: Schema.is(oneLine(200)),
  postal_code: Schema.is(oneLine(20)),
  city: Schema.is(oneLine(100))
}

/** The form as it was sent. `entity` is the one that it changes, where there is one: what is empty then stays as it is. */
export const readBusiness = (pageLocale: PageLocale, field: ReadField, entity: LegalEntity | undefined): BusinessForm => {
  const { business: { errors }, cardNumber } = messagesOf(pageLocale)
  const type = entity?.type ?? field("type")
  const values: BusinessForm["values"] = {
    type,
    legal_name: field("legal_name"),
    country: field("country"),
    // Of the other kind nothing is kept, also where a browser sends it.
    registration_number: type === "organization" ? field("registration_number") : "",
    birth_date: type === "individual" ? field("birth_date") : "",
    line1: field("line1"),
    postal_code: field("postal_code"),
    city: field("city"),
    address_country: field("address_country")
  }
  const isNew = entity === undefined
  const hasAddress = [values.line1, values.postal_code, values.city, values.address_country].some((text) => text !== "")
  const problem = (name: keyof typeof takes, isNeeded: boolean, error: string): string | undefined => {
    const text = values[name]
    if (text === "") return isNeeded ? error : undefined
    if (findCardNumber(text) !== undefined) return cardNumber
    return takes[name](text) ? undefined : error
  }
  const countryProblem = (text: string, isNeeded: boolean) => text === "" && !isNeeded || isCountry(text) ? undefined : errors.country
  const all: Readonly<Record<BusinessField, string | undefined>> = {
    type: isType(type) ? undefined : errors.type,
    legal_name: problem("legal_name", isNew, errors.name),
    country: countryProblem(values.country, isNew),
    // A link is for one form: what the review would ask for next is asked for here.
    registration_number: problem("registration_number", isNew && type === "organization", errors.registration),
    birth_date: problem("birth_date", isNew && type === "individual", errors.birthDate),
    line1: problem("line1", isNew || hasAddress, errors.line1),
    postal_code: problem("postal_code", false, errors.postalCode),
    city: problem("city", isNew || hasAddress, errors.city),
    address_country: countryProblem(values.address_country, false)
  }
  return { values, problems: Object.fromEntries(Object.entries(all).filter(([, text]) => text !== undefined)) }
}

/** What the form changes: what is empty is left out. */
export const businessPatch = ({ values }: BusinessForm, country: string): LegalEntityPatch => ({
  ...(values.legal_name === "" ? {} : { legal_name: values.legal_name }),
  ...(values.country === "" ? {} : { country: values.country }),
  ...(values.registration_number === "" ? {} : { registration_number: values.registration_number }),
  ...(values.birth_date === "" ? {} : { birth_date: values.birth_date }),
  ...(values.line1 === "" ? {} : {
    address: {
      line1: values.line1,
      city: values.city,
      ...(values.postal_code === "" ? {} : { postal_code: values.postal_code }),
      country: [values.address_country, values.country, country].find((code) => code !== "") ?? ""
    }
  })
})

export const businessRequest = (form: BusinessForm): CreateLegalEntityRequest => ({
  ...businessPatch(form, ""),
  type: form.values.type === "individual" ? "individual" : "organization",
  legal_name: form.values.legal_name,
  country: form.values.country
})

/** Of a number and a date, that of the kind which is chosen. */
const STYLE =
  "form:has(input[value=organization]:checked) .for-individual,form:has(input[value=individual]:checked) .for-organization{display:none}"

const asked = (pageLocale: PageLocale, entity: LegalEntity): Html => {
  const { asked, keeps } = messagesOf(pageLocale).business
  const reasons = [...entity.requirements.map(({ reason }) => reason), ...(entity.failure_reason === null ? [] : [entity.failure_reason])]
  return design.alert(asked, html`<ul>${reasons.map((reason) => html`<li><bdi>${reason}</bdi></li>`)}</ul>${keeps}`, "notice")
}

export const businessPage = (visit: PassthroughVisit, entity: LegalEntity | undefined, form?: BusinessForm): Page => {
  const { pageLocale, session } = visit
  const { business, choose, optional } = messagesOf(pageLocale)
  const of = (name: BusinessField) => ({ name, error: form?.problems[name], value: form?.values[name] ?? session.fields[name] })
  // A first form has to hold what the review needs; a later one what it names.
  const label = (field: keyof LegalEntityPatch, text: string) =>
    entity === undefined || entity.requirements.some((asked) => asked.field === field) ? text : optional(text)
  const type = entity?.type ?? (of("type").value === "individual" ? "individual" : "organization")
  const choice = (value: LegalEntity["type"]) => design.choice({ name: "type", value, label: business[value], checked: type === value })
  const registration = textField({
    ...of("registration_number"),
    label: label("registration_number", business.registration),
    attributes: { maxlength: 40 }
  })
  const birthDate = textField({
    ...of("birth_date"),
    label: label("birth_date", business.birthDate),
    attributes: { type: "date", autocomplete: "bday" }
  })
  const ofKind = entity === undefined
    ? html`<div class="for-organization">${registration}</div><div class="for-individual">${birthDate}</div>`
    : entity.type === "organization"
    ? registration
    : birthDate
  const kinds = entity === undefined
    ? html`<fieldset><legend class="label">${business.type}</legend><div class="choices">${choice("organization")}${
      choice("individual")
    }</div></fieldset>`
    : html`<input type="hidden" name="entity" value="${entity.id}"><input type="hidden" name="version" value="${entity.version}">`
  const name = textField({ ...of("legal_name"), label: label("legal_name", business.name), attributes: { autocomplete: "organization" } })
  const country = codeField(pageLocale, "region", countries, { ...of("country"), label: label("country", business.country), empty: choose })
  const addressCountry = codeField(pageLocale, "region", countries, {
    ...of("address_country"),
    label: optional(business.addressCountry),
    empty: choose
  })
  const address = html`<fieldset class="stack tight"><legend><h2>${label("address", business.address)}</h2></legend>${
    textField({ ...of("line1"), label: business.line1, attributes: { autocomplete: "address-line1" } })
  }<div class="row">${
    textField({ ...of("postal_code"), label: optional(business.postalCode), attributes: { autocomplete: "postal-code", maxlength: 20 } })
  }${
    textField({ ...of("city"), label: business.city, attributes: { autocomplete: "address-level2", maxlength: 100 } })
  }</div>${addressCountry}</fieldset>`
  return formPage(visit, {
    title: business.title,
    lead: business.lead(accountName(visit)),
    hasProblems: form !== undefined,
    notice: entity === undefined ? null : asked(pageLocale, entity),
    fields: html`${kinds}${name}${country}${ofKind}${address}`,
    send: business.send,
    style: STYLE
  })
}
