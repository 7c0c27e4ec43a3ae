/** Which fields of each flow may be filled beforehand, and with what. Pure. */
import { LegalEntity } from "@svc/accounts/legal-entities/model"
import { ValidationError } from "@svc/kernel/resource/errors"
import { Country } from "@svc/kernel/values/country"
import { Currency } from "@svc/kernel/values/currency"
import { oneLine } from "@svc/kernel/values/text"
import { Result, Schema } from "effect"
import type { FlowKind } from "../model.ts"
import { holdsBankNumber, isBankField } from "./bank-numbers.ts"

const { birth_date, legal_name, registration_number, type } = LegalEntity.fields

/** What each field takes. */
export const fieldsOf: Readonly<Record<FlowKind, Readonly<Record<string, Schema.Codec<unknown, unknown>>>>> = {
  payout_bank: { holder_name: oneLine(200), country: Country, currency: Currency },
  business_verify: {
    type,
    legal_name,
    country: Country,
    registration_number,
    birth_date,
    line1: oneLine(200),
    postal_code: oneLine(20),
    city: oneLine(100),
    address_country: Country
  }
}

const refused = (field: string, why: string) => new ValidationError({ code: `fields.${field}`, message: `fields.${field}: ${why}` })

/** A name that may be repeated: what is none may be a number of a bank account itself. */
const NAME = /^[a-z][a-z_]{0,38}\d?$/u

/** Why a field may not be filled with this text beforehand; undefined where it may. No refusal repeats the text. */
const refusalOf = (kind: FlowKind, field: string, text: string): ValidationError | undefined => {
  if (!NAME.test(field)) return new ValidationError({ code: "fields", message: "fields: holds a name that no field has." })
  if (isBankField(field)) {
    return refused(field, "numbers of bank accounts are typed by a person on the page, and nowhere else. Leave it out.")
  }
  const fields = fieldsOf[kind]
  const schema = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (schema === undefined) {
    return refused(field, `is no field of ${kind} that can be filled. These are: ${Object.keys(fields).join(", ")}.`)
  }
  if (holdsBankNumber(field, text)) {
    return refused(field, "holds what looks like the number of a bank account. Leave it to the person on the page.")
  }
  return Schema.is(schema)(text) ? undefined : refused(field, "is not what this field takes. Leave it out, or see what the resource takes.")
}

/** Fields of any text. A number that is cut into pieces can stand in them. */
const texts = new Set(["holder_name", "legal_name", "line1", "city"])

/** The first refusal of what is to be filled, or all of it. */
export const checkFields = (
  kind: FlowKind,
  fields: Readonly<Record<string, string>>
): Result.Result<Readonly<Record<string, string>>, ValidationError> => {
  for (const [field, text] of Object.entries(fields)) {
    const refusal = refusalOf(kind, field, text)
    if (refusal !== undefined) return Result.fail(refusal)
  }
  const together = Object.entries(fields).flatMap(([field, text]) => texts.has(field) ? [text] : []).join(" ")
  if (holdsBankNumber("", together)) {
    const message = "fields: together they hold what looks like the number of a bank account. Leave it to the person on the page."
    return Result.fail(new ValidationError({ code: "fields", message }))
  }
  return Result.succeed(fields)
}

/** What the account's own rows say, as far as the caller may read them. */
export interface OwnFacts {
  readonly account_name?: string | undefined
  readonly entity?: LegalEntity | undefined
}

/** The fields of the flow that the account's own rows fill. */
export const ownFields = (kind: FlowKind, { account_name, entity }: OwnFacts): Readonly<Record<string, string>> => {
  const known: Readonly<Record<string, string | null | undefined>> = kind === "payout_bank"
    ? { holder_name: entity?.legal_name ?? account_name, country: entity?.country }
    : {
      type: entity?.type,
      legal_name: entity?.legal_name ?? account_name,
      country: entity?.country,
      registration_number: entity?.registration_number,
      birth_date: entity?.birth_date,
      line1: entity?.address?.line1,
      postal_code: entity?.address?.postal_code,
      city: entity?.address?.city,
      address_country: entity?.address?.country
    }
  return Object.fromEntries(Object.entries(known).flatMap(([field, text]) => typeof text === "string" ? [[field, text]] : []))
}
