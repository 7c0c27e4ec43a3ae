/** Time zones by their names in the IANA database. */
import { Schema } from "effect"

/**
 * Names the database uses today and ICU lists under an older one. Both are accepted, and the name is kept as it was given: a caller who
 * sent Asia/Kolkata never reads Asia/Calcutta.
 */
const RENAMED = [
  "Africa/Asmara",
  "America/Argentina/Buenos_Aires",
  "America/Argentina/Catamarca",
  "America/Argentina/Cordoba",
  "America/Argentina/Jujuy",
  "America/Argentina/Mendoza",
  "America/Atikokan",
  "America/Indiana/Indianapolis",
  "America/Kentucky/Louisville",
  "America/Nuuk",
  "Asia/Ho_Chi_Minh",
  "Asia/Kathmandu",
  "Asia/Kolkata",
  "Asia/Yangon",
  "Atlantic/Faroe",
  "Europe/Kyiv",
  "Pacific/Chuuk",
  "Pacific/Kanton",
  "Pacific/Pohnpei"
]

const isKnown = (name: string): boolean => {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== ""
  } catch {
    return false
  }
}

/** Every accepted name: of the 19 above, those that this runtime's release of the database has. */
const names: ReadonlySet<string> = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", "Etc/UTC", ...RENAMED.filter(isKnown)])

/** Every accepted name, in alphabetical order. */
export const timeZones: ReadonlyArray<string> = Array.from(names).sort()

const message = "must be a time zone of the IANA database in its spelling, for example Europe/Berlin, Asia/Kolkata or UTC; " +
  "an offset such as +01:00 is no time zone"

const SOME = ["UTC", "Europe/Berlin", "America/New_York", "Asia/Kolkata", "Australia/Lord_Howe", "Pacific/Apia"]

/**
 * A time zone of the IANA database, spelled as there. The names are a closed set, so nobody fills a cache of zones by writing one
 * name in many ways. Abbreviations such as EST and offsets are refused: they do not say when summer time begins.
 */
export const TimeZone = Schema.String.annotate({ message }).check(
  Schema.makeFilter((name: string) => names.has(name), {
    message,
    // Which names there are depends on the release of the database: the document does not change with it.
    toJsonSchema: () => ({}),
    arbitraryConstraint: { patterns: [{ source: `^(?:${SOME.join("|")})$`, flags: "" }] }
  })
).annotate({
  identifier: "TimeZone",
  title: "Time zone",
  description: "Name of a time zone in the IANA database, such as Europe/Berlin",
  examples: ["Europe/Berlin"]
})
export type TimeZone = typeof TimeZone.Type

/** Where nothing else is said. */
export const DEFAULT_TIME_ZONE: TimeZone = "UTC"
