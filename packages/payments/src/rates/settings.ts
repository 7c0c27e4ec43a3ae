/** Where this installation reads exchange rates: `RATES_FILE` or `RATES_URL`, and `RATES_MAX_AGE_DAYS`. */
import { wholeNumber } from "@svc/kernel/parts/settings"
import { Config, Schema } from "effect"

export interface RatesSettings {
  /** The place of a table in the form of `eurofxref-daily.xml`; undefined for the built-in rates. */
  readonly from: { readonly file: string } | { readonly url: string } | undefined
  /** The largest age, in days, of rates that are used. Up to four days without a publication lie between two working days of the bank. */
  readonly maxAgeDays: number
}

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"])

/** Whether nobody on the network can change the rates: the address is HTTPS or local. */
const isTrusted = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && (url.protocol === "https:" || (url.protocol === "http:" && LOCAL.has(url.hostname)))
}

const Settings = Schema.Struct({
  RATES_FILE: Schema.optionalKey(Schema.String),
  RATES_URL: Schema.optionalKey(
    Schema.String.check(Schema.makeFilter((text) =>
      text === "" || isTrusted(text)
        ? undefined
        : "must begin with https://, as in https://www.ecb.europa.eu/stats/eurofxref/eurofxref-daily.xml. Correct it, or leave it unset."
    ))
  )
}).check(
  Schema.makeFilter(({ RATES_FILE = "", RATES_URL = "" }) =>
    RATES_FILE === "" || RATES_URL === ""
      ? undefined
      : { path: ["RATES_FILE"], issue: "is set, and RATES_URL is, too. Rates come from one of them: unset the other." }
  )
)

const unset: typeof Settings.Type = {}

const from = Config.schema(Settings).pipe(
  Config.withDefault(unset),
  Config.map(({ RATES_FILE = "", RATES_URL = "" }): RatesSettings["from"] =>
    RATES_FILE !== "" ? { file: RATES_FILE } : RATES_URL !== "" ? { url: RATES_URL } : undefined
  )
)

export const RatesSettings: Config.Config<RatesSettings> = Config.all({
  from,
  maxAgeDays: wholeNumber("RATES_MAX_AGE_DAYS", { minimum: 1, maximum: 365, usual: 6 })
})
