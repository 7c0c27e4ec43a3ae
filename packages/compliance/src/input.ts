/** Pieces of input that the compliance tools share. None of them changes what was sent: the proof is made over it. */
import { canonicalize, NotCanonical } from "@svc/kernel/values/canonical-json"
import { Currency } from "@svc/kernel/values/currency"
import { Timestamp } from "@svc/kernel/values/time"
import { may, unsaid } from "@svc/tool-kit/fields"
import { DateTime, Option, Schema } from "effect"

/** Yes or no; a flag that is left out is not known, which counts as no unless a rule says otherwise. */
export const flag = may(Schema.Boolean)

const readMoment = Schema.decodeOption(Timestamp)

/** Unix milliseconds; undefined for what is no moment. */
export const millisOf = (moment: string): number | undefined =>
  Option.getOrUndefined(Option.map(readMoment(moment), DateTime.toEpochMillis))

const noMoment = "must be a moment of ISO 8601 with its zone, such as 2026-01-01T00:00:00Z, or a date alone"

/** A moment as text, kept as it was written. */
export const Moment = Schema.String.check(Schema.makeFilter((moment: string) => millisOf(moment) !== undefined, {
  message: noMoment,
  toJsonSchema: () => ({ format: "date-time" }),
  arbitraryConstraint: {
    patterns: [{
      source: "^20[0-4]\\d-(0[1-9]|1[0-2])-(0[1-9]|1\\d|2[0-8])(T([01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d(\\.\\d{3})?Z)?$",
      flags: ""
    }]
  }
}))

const isCurrency = Schema.is(Currency)

/** An ISO 4217 code. Its JSON Schema does not list them all: each agent that lists the tools would read the list. */
export const CurrencyCode = Schema.String.check(Schema.makeFilter(isCurrency, {
  message: "must be an active ISO 4217 code in capital letters, such as EUR",
  ...unsaid,
  arbitraryConstraint: { patterns: [{ source: "^(EUR|USD|GBP|JPY|KWD)$", flags: "" }] }
}))

/**
 * Refuses arguments that have no canonical JSON, such as a text with half of a surrogate pair: nothing could be proven or signed over them.
 * A check for the whole payload, because it names the field itself.
 */
export const isCanonical = Schema.makeFilter((value: object) => {
  try {
    canonicalize(value)
    return undefined
  } catch (error) {
    if (error instanceof NotCanonical) return error.message
    throw error
  }
}, unsaid)
