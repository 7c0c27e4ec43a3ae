/** What a form gave, as a request of the API; and what the API refused, as words beside the fields. Pure. */
import type { Input } from "@svc/kernel/resource/view"
import { parseJson } from "@svc/kernel/values/json"
import { isRecord } from "@svc/kernel/values/record"
import { ALL, type AnyAction, linesOf, type Refusal, type Sent } from "./action.ts"
import { minorOf } from "./amounts.ts"
import { inUtc, isCurrency } from "./filters.ts"
import { type Json, textAt, valueAt } from "./json.ts"

/** What cannot be read is sent as it is: the API says what is wrong with it. */
const jsonIn = (text: string): unknown => {
  try {
    return parseJson(text)
  } catch {
    return text
  }
}

const currencyOf = ({ currency, of = "currency" }: Input<string>, sent: Sent, resource: Json): string =>
  currency ?? (sent[of] ?? textAt(resource, of)).trim().toUpperCase()

const moneyIn = (text: string, currency: string): unknown => {
  try {
    return minorOf(text, currency) ?? text
  } catch {
    // The currency is wrong, too: the API says so.
    return text
  }
}

/** Whether an amount is none in its currency. Where the currency itself is none, the API says so. */
const isNoAmount = (text: string, currency: string): boolean => {
  try {
    return minorOf(text, currency) === undefined
  } catch {
    return false
  }
}

/** The amounts of a form that cannot be read, each with its currency: the API counts in minor units, and would say so. */
export const wrongAmounts = (
  { asks }: AnyAction,
  sent: Sent,
  resource: Json = {}
): ReadonlyArray<readonly [field: string, currency: string]> =>
  asks.flatMap((input) => {
    const [text, currency] = [sent[input.field] ?? "", currencyOf(input, sent, resource)]
    return input.as === "money" && text !== "" && isNoAmount(text, currency) ? [[input.field, currency] as const] : []
  })

const bodyValue = (input: Input<string>, text: string, sent: Sent, resource: Json): unknown => {
  const { as, field } = input
  switch (as) {
    case "flag":
      return text === "true"
    case "number":
      return /^-?\d{1,15}$/u.test(text.trim()) ? Number(text) : text
    case "money":
      return moneyIn(text, currencyOf(input, sent, resource))
    case "many":
    case "lines":
      return linesOf(text)
    case "json":
      return jsonIn(text)
    case "time":
      return inUtc(text)
    default:
      return isCurrency(field) ? text.trim().toUpperCase() : text
  }
}

/** Puts a value where the dots of its field lead. */
const put = (
  body: Readonly<Record<string, unknown>>,
  [first = "", ...rest]: ReadonlyArray<string>,
  value: unknown
): Record<string, unknown> => {
  const inner = Object.hasOwn(body, first) ? body[first] : undefined
  return { ...body, [first]: rest.length === 0 ? value : put(isRecord(inner) ? inner : {}, rest, value) }
}

/** What was sent, with each of the choices in the place of the one that stands for all. */
export const withEach = ({ asks }: AnyAction, sent: Sent, choicesOf: (input: Input<string>) => ReadonlyArray<string>): Sent => ({
  ...sent,
  ...Object.fromEntries(
    asks.filter(({ all, field }) => all === "each" && linesOf(sent[field] ?? "").includes(ALL))
      .map((input) => [input.field, choicesOf(input).join("\n")])
  )
})

/** Whether a field limits nothing: then it is left out. */
const isUnlimited = ({ all }: Input<string>, text: string): boolean => all === "unlimited" && linesOf(text).includes(ALL)

/**
 * The body of the request that a form asks for. What was left empty is left out, unless the form showed a value there: then it was emptied,
 * and that is said.
 */
export const bodyOf = ({ asks, replaces }: AnyAction, sent: Sent, resource: Json = {}): Record<string, unknown> =>
  asks.reduce<Record<string, unknown>>((body, input) => {
    const text = sent[input.field] ?? ""
    const had = input.initially === undefined ? undefined : valueAt(resource, input.initially)
    const isReplaced = replaces !== undefined && input.field.startsWith(`${replaces}.`)
    const isEmptied = text === "" && !isReplaced && had !== undefined && had !== null && had !== ""
    const isList = input.as === "many" || input.as === "lines"
    const isGiven = text !== "" || input.as === "flag" || input.all === "unlimited" || isEmptied
    if (input.as === "file" || !isGiven || isUnlimited(input, text)) return body
    return put(body, input.field.split("."), isEmptied && input.as !== "flag" && !isList ? null : bodyValue(input, text, sent, resource))
  }, replaces === undefined ? {} : { [replaces]: {} })

/** The query of an upload or of what is only looked at. */
export const parametersIn = ({ asks }: AnyAction, sent: Sent): Record<string, string> =>
  Object.fromEntries(
    asks.flatMap((input) => {
      const value = input.as === "file" ? "" : String(bodyValue(input, sent[input.field] ?? "", sent, {}))
      return value === "" ? [] : [[input.field, value]]
    })
  )

const issuesIn = (json: Json): ReadonlyArray<readonly [code: string, message: string]> => {
  const issues = valueAt(json, "details.issues")
  const listed = Array.isArray(issues) ? issues.filter(isRecord) : []
  return (listed.length === 0 ? [json] : listed).map((issue) => [textAt(issue, "code"), textAt(issue, "message")] as const)
}

/** `amount: is required` beside the field `amount` is: is required. */
const without = (code: string, message: string): string => message.startsWith(`${code}: `) ? message.slice(code.length + 2) : message

/** What the API said, at the fields that it names: a code such as `rules[0].amount` is of the field `rules`. */
export const refusalOf = ({ asks }: AnyAction, json: Json): Refusal => {
  const told = issuesIn(json).flatMap(([code, message]) => {
    const input = asks.find(({ field }) => code === field || code.startsWith(`${field}.`) || code.startsWith(`${field}[`))
    return input === undefined ? [] : [[input.field, without(code, message)] as const]
  })
  return { message: textAt(json, "message"), fields: Object.fromEntries(told) }
}
