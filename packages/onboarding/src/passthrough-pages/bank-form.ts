/** The form for a bank account that payouts go to. Pure. */
import { html } from "@svc/design/html"
import type { PageLocale } from "@svc/design/locale"
import type { Page } from "@svc/design/page"
import { findCardNumber } from "@svc/kernel/values/card-numbers"
import { countries, Country } from "@svc/kernel/values/country"
import { currencies, Currency } from "@svc/kernel/values/currency"
import { CreateTransferInstrumentRequest } from "@svc/treasury/transfer-instruments/model"
import { Schema } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import { accountName, codeField, formPage, type PassthroughVisit, type ReadField, type SentForm, textField } from "./frame.ts"

type BankField = "holder_name" | "country" | "currency" | "number" | "routing_number"
export type BankForm = SentForm<BankField>

const { holder_name, number, routing_number } = CreateTransferInstrumentRequest.fields
const [isHolder, isNumber, isRouting] = [Schema.is(holder_name), Schema.is(number), Schema.is(routing_number)]
const [isCountry, isCurrency] = [Schema.is(Country), Schema.is(Currency)]

/** The number as it is looked at: people write it in groups. */
const plain = (text: string): string => text.replace(/[ -]/gu, "").toUpperCase()

const problemsOf = (pageLocale: PageLocale, values: BankForm["values"]): BankForm["problems"] => {
  const { bank: { errors }, cardNumber } = messagesOf(pageLocale)
  const compact = plain(values.number)
  const iban = /^[A-Z]{2}/u.test(compact)
  const numberProblem = findCardNumber(values.number) !== undefined
    ? cardNumber
    : !isNumber(values.number)
    ? errors.number
    : iban && isCountry(values.country) && !compact.startsWith(values.country)
    ? errors.otherCountry
    : undefined
  const routingProblem = values.routing_number === ""
    ? /^\d+$/u.test(compact) ? errors.routingMissing : undefined
    : isRouting(values.routing_number)
    ? undefined
    : errors.routing
  const all = {
    holder_name: findCardNumber(values.holder_name) !== undefined ? cardNumber : isHolder(values.holder_name) ? undefined : errors.holder,
    country: isCountry(values.country) ? undefined : errors.country,
    currency: isCurrency(values.currency) ? undefined : errors.currency,
    number: numberProblem,
    routing_number: routingProblem
  }
  return Object.fromEntries(Object.entries(all).filter(([, problem]) => problem !== undefined))
}

export const readBank = (pageLocale: PageLocale, field: ReadField): BankForm => {
  const values = {
    holder_name: field("holder_name"),
    country: field("country"),
    currency: field("currency"),
    number: field("number"),
    routing_number: field("routing_number").replace(/\s/gu, "").toUpperCase()
  }
  return { values, problems: problemsOf(pageLocale, values) }
}

/** The form with what the service says of the number: its check digits are wrong, or the code of its bank is missing. */
export const refusedBank = (pageLocale: PageLocale, form: BankForm, code: string | undefined): BankForm => {
  const { errors } = messagesOf(pageLocale).bank
  return { ...form, problems: code === "routing_number" ? { routing_number: errors.routingMissing } : { number: errors.number } }
}

export const bankRequest = ({ currency, holder_name, number, routing_number }: BankForm["values"]): CreateTransferInstrumentRequest => ({
  type: "bank_account",
  currency,
  holder_name,
  number,
  routing_number: routing_number === "" ? null : routing_number
})

/** The number is typed anew whenever the form is shown: no page holds it. */
export const bankPage = (visit: PassthroughVisit, form?: BankForm): Page => {
  const { pageLocale, session } = visit
  const { bank, choose } = messagesOf(pageLocale)
  const of = (name: BankField) => ({ name, error: form?.problems[name], value: form?.values[name] ?? session.fields[name] })
  const fields = html`${textField({ ...of("holder_name"), label: bank.holder, attributes: { autocomplete: "name", required: true } })}${
    codeField(pageLocale, "region", countries, { ...of("country"), label: bank.country, empty: choose })
  }${codeField(pageLocale, "currency", currencies, { ...of("currency"), label: bank.currency, empty: choose })}${
    textField({
      ...of("number"),
      value: undefined,
      label: bank.number,
      attributes: { autocomplete: "off", spellcheck: "false", dir: "ltr", maxlength: 64, required: true }
    })
  }${
    textField({
      ...of("routing_number"),
      label: bank.routing,
      attributes: { autocomplete: "off", spellcheck: "false", dir: "ltr", maxlength: 20 }
    })
  }`
  return formPage(visit, {
    title: bank.title,
    lead: bank.lead(accountName(visit)),
    hasProblems: form !== undefined,
    fields,
    send: bank.send
  })
}
