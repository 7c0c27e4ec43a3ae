/** Recognises a mandate of the Agent Payments Protocol by its shape, and says what is wrong with it. */
import { Result, Schema, SchemaIssue } from "effect"
import * as checks from "./checks.ts"
import type { Issue } from "./checks.ts"
import * as V1 from "./v0-1.ts"
import * as V2 from "./v0-2.ts"

export const versions = ["0.1", "0.2"] as const
export type Version = typeof versions[number]

export const Kind = Schema.Literals(["intent", "cart", "payment"])
export type Kind = typeof Kind.Type

export type Fields = Readonly<Record<string, Schema.Json>>

/** What the mandate is taken for, and what is wrong with it; without issues it is valid. */
export interface MandateJudgement {
  /** Absent when its shape says nothing. In 0.2 an open mandate is an intent, and a checkout a cart. */
  readonly kind?: Kind
  readonly issues: ReadonlyArray<Issue>
}

const format = SchemaIssue.makeFormatterStandardSchemaV1()

type Segment = PropertyKey | { readonly key: PropertyKey }

const pathOf = (segments: ReadonlyArray<Segment>): string =>
  segments.reduce<string>((path, segment) => {
    const key = typeof segment === "object" ? segment.key : segment
    return typeof key === "number" ? `${path}[${key}]` : path === "" ? String(key) : `${path}.${String(key)}`
  }, "")

/** Reads the fields by their schema, then by what fits what. */
const reader = <S extends Schema.Codec<object, unknown>>(schema: S, check: (mandate: S["Type"]) => ReadonlyArray<Issue>) => {
  const decode = Schema.decodeUnknownResult(schema, { errors: "all" })
  return (fields: unknown): ReadonlyArray<Issue> =>
    Result.match(decode(fields), {
      onSuccess: check,
      onFailure: ({ issue }) => format(issue).issues.map(({ message, path = [] }) => ({ path: pathOf(path), message }))
    })
}

const readHeader = reader(V1.Header, () => [])

const readIntent = reader(V1.IntentMandate, checks.intent(false))
const readSignedIntent = reader(V1.IntentMandate, checks.intent(true))
const readCart = reader(V1.CartMandate, checks.cart)
const readPayment = reader(V1.PaymentMandate, checks.payment)

/** `signed`: whether a signature will be made. */
const first = (signed: boolean): Readonly<Record<Kind, (fields: unknown) => ReadonlyArray<Issue>>> => ({
  intent: signed ? readSignedIntent : readIntent,
  cart: readCart,
  payment: readPayment
})

/** The keys under which messages of the protocol carry a mandate. */
const dataKeys: Readonly<Record<string, Kind>> = {
  "ap2.mandates.IntentMandate": "intent",
  "ap2.mandates.CartMandate": "cart",
  "ap2.mandates.PaymentMandate": "payment"
}

const isKind = Schema.is(Kind)

const under = (prefix: string, issues: ReadonlyArray<Issue>): ReadonlyArray<Issue> =>
  issues.map(({ message, path }) => ({ path: path === "" ? prefix : `${prefix}.${path}`, message }))

const judgeFirst = (mandate: Fields, signed: boolean): MandateJudgement => {
  const read = first(signed)
  const wrapped = Object.entries(dataKeys).find(([key]) => key in mandate)
  if (wrapped !== undefined) {
    const [key, kind] = wrapped
    return { kind, issues: under(key, read[kind](mandate[key])) }
  }
  if ("kind" in mandate || mandate["version"] === "ap2/1") {
    const kind: unknown = mandate["kind"]
    return isKind(kind) ? { kind, issues: [...readHeader(mandate), ...read[kind](mandate)] } : { issues: readHeader(mandate) }
  }
  const kind: Kind = "payment_mandate_contents" in mandate ? "payment" : "contents" in mandate ? "cart" : "intent"
  return { kind, issues: read[kind](mandate) }
}

/** By the type of the credential. */
const second: ReadonlyMap<unknown, readonly [Kind, (fields: Fields) => ReadonlyArray<Issue>]> = new Map([
  ["mandate.checkout.open.1", ["intent", reader(V2.OpenCheckoutMandate, checks.times)]],
  ["mandate.payment.open.1", [
    "intent",
    reader(V2.OpenPaymentMandate, (mandate) => [...checks.times(mandate), ...checks.openPayment(mandate)])
  ]],
  ["mandate.payment.1", ["payment", reader(V2.PaymentMandate, checks.times)]],
  ["mandate.checkout.1", ["cart", reader(V2.CheckoutMandate, (mandate) => [...checks.times(mandate), ...checks.checkout(mandate)])]]
])

const judgeSecond = (mandate: Fields): MandateJudgement => {
  const known = second.get(mandate["vct"])
  if (known === undefined) return { issues: [{ path: "vct", message: `must be one of ${[...second.keys()].join(", ")}` }] }
  const [kind, read] = known
  return { kind, issues: read(mandate) }
}

/** The version that a mandate speaks when nobody says which. */
export const versionOf = (mandate: Fields): Version => "vct" in mandate ? "0.2" : "0.1"

export const judge = (mandate: Fields, { signed, version }: { readonly version: Version; readonly signed: boolean }): MandateJudgement =>
  version === "0.2" ? judgeSecond(mandate) : judgeFirst(mandate, signed)
