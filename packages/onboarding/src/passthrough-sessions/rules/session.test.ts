import { assert, describe, it } from "@effect/vitest"
import { AccountId } from "@svc/accounts/accounts/model"
import { LegalEntityId } from "@svc/accounts/legal-entities/model"
import { makeId } from "@svc/kernel/values/ids"
import { DateTime, Result } from "effect"
import { type FlowKind, type PassthroughSession, PassthroughSessionId } from "../model.ts"
import { holdsBankNumber } from "./bank-numbers.ts"
import { checkFields, ownFields } from "./fields.ts"
import * as rules from "./session.ts"

const at = DateTime.makeUnsafe("2026-01-01T12:00:00.000Z")
const minutesLater = (minutes: number) => DateTime.add(at, { minutes })

const made = (flow_kind: FlowKind = "payout_bank") =>
  rules.create(flow_kind, {
    id: PassthroughSessionId.make(makeId("pts", at.epochMilliseconds)),
    account: { id: makeId("acct", 1) },
    made_by: { type: "api_key", id: "key_1" },
    secret: { key: "a", box: "b" },
    secret_hash: "hash",
    at,
    real: at
  })
const open = made().resource

const codeOf = (result: Result.Result<unknown, { readonly code?: string | undefined }>): string | undefined =>
  Result.isFailure(result) ? result.failure.code ?? "" : undefined

describe("a passthrough session", () => {
  it("is over after an hour, by its timer or before its timer came", () => {
    assert.deepStrictEqual(made().set?.map(({ due_at }) => due_at), [minutesLater(60)])
    assert.isTrue(rules.isOpen(open, minutesLater(59)))
    assert.isFalse(rules.isOpen(open, minutesLater(60)))
    assert.isUndefined(rules.expire(open, minutesLater(59)))
    assert.strictEqual(rules.expire(open, minutesLater(60))?.resource.status, "expired")
    // The clock of a sandbox comes to its hour when the world's may not be over, or long ago.
    const ahead = { ...open, expires_at: minutesLater(600) }
    assert.isUndefined(rules.expire(ahead, minutesLater(59)))
    assert.strictEqual(rules.expire(ahead, minutesLater(60))?.resource.status, "expired")
    const late = rules.prefill(open, {}, {}, { at, real: minutesLater(60) })
    assert.deepInclude(Result.isFailure(late) ? late.failure : {}, { details: { state: "expired", allowed: [] } })
  })

  it("is completed once, and keeps no values then", () => {
    const filled = Result.getOrThrow(rules.prefill(open, { country: "DE" }, { account_name: "Acme" }, { at, real: at })).resource
    assert.deepStrictEqual(filled.fields, { holder_name: "Acme", country: "DE" })
    const done = rules.complete(filled, "ti_1", at)?.resource
    assert.deepInclude(done, { status: "completed", result_id: "ti_1", fields: {}, prefilled: ["holder_name", "country"] })
    assert.isUndefined(done === undefined ? done : rules.complete(done, "ti_2", at))
    assert.isUndefined(done === undefined ? done : rules.expire(done, minutesLater(90)))
  })

  it("takes what is given before what is there, and that before the account's own rows", () => {
    const fill = (session: PassthroughSession, given: Readonly<Record<string, string>>, account_name: string) =>
      Result.getOrThrow(rules.prefill(session, given, { account_name }, { at, real: at })).resource
    const first = fill(open, {}, "Acme")
    const second = fill(first, { holder_name: "Acme Holding" }, "Acme")
    assert.deepStrictEqual(
      [first, second, fill(second, {}, "Other")].map(({ fields }) => fields["holder_name"]),
      ["Acme", "Acme Holding", "Acme Holding"]
    )
  })
})

describe("what may be filled beforehand", () => {
  it.each<readonly [FlowKind, string, string, string | undefined]>([
    ["payout_bank", "holder_name", "Nordlicht Keramik GmbH", undefined],
    ["payout_bank", "currency", "EUR", undefined],
    ["payout_bank", "currency", "eur", "fields.currency"],
    ["payout_bank", "number", "x", "fields.number"],
    ["payout_bank", "account_number", "x", "fields.account_number"],
    ["payout_bank", "routing_number", "x", "fields.routing_number"],
    ["payout_bank", "iban", "x", "fields.iban"],
    ["payout_bank", "sort_code", "x", "fields.sort_code"],
    ["payout_bank", "legal_name", "Nordlicht", "fields.legal_name"],
    ["payout_bank", "constructor", "x", "fields.constructor"],
    ["payout_bank", "DE89370400440532013000", "x", "fields"],
    ["payout_bank", "holder_name", "Nordlicht DE89 3704 0044 0532 0130 00", "fields.holder_name"],
    ["payout_bank", "holder_name", "000123456789", "fields.holder_name"],
    ["payout_bank", "holder_name", "", "fields.holder_name"],
    ["business_verify", "registration_number", "HRB 12345", undefined],
    ["business_verify", "registration_number", "12 34 56 78", "fields.registration_number"],
    ["business_verify", "birth_date", "1990-12-31", undefined],
    ["business_verify", "birth_date", "12345678", "fields.birth_date"],
    ["business_verify", "postal_code", "94107-1234", undefined],
    ["business_verify", "postal_code", "12345678901", "fields.postal_code"],
    ["business_verify", "type", "organization", undefined],
    ["business_verify", "type", "government", "fields.type"],
    ["business_verify", "country", "XX", "fields.country"]
  ])("%s.%s = %s", (kind, field, text, code) => {
    const result = checkFields(kind, { [field]: text })
    assert.strictEqual(codeOf(result), code)
    // No refusal repeats what was typed.
    if (Result.isFailure(result) && text.length > 4) assert.notInclude(result.failure.message, text)
  })

  it.each([
    ["holder_name", "GB29 NWBK 6016 1331 9268 19", true],
    ["holder_name", "MT84MALT011000012345MTLCAST001S", true],
    ["holder_name", "GL89 6471 0001 0002 06", true],
    ["holder_name", "1.2.3.4.5.6.7.8", true],
    ["holder_name", "１２３４５６７８", true],
    ["holder_name", "١٢٣٤٥٦٧٨", true],
    ["holder_name", "1234\u200b5678", true],
    ["holder_name", "DE89,3704,0044,0532,0130,00", true],
    ["holder_name", "DE89:3704:0044:0532:0130:00", true],
    ["holder_name", "3704–0044–0532–0130", true],
    ["holder_name", "3704·0044·0532", true],
    ["holder_name", "37(04)00(44)05(32)01", true],
    ["holder_name", "３７０４|００４４|０５３２", true],
    ["holder_name", "370400 and 440532", true],
    ["line1", "3704–0044–0532–0130", true],
    ["line1", "Hafenstraße 21, 3. OG", false],
    ["legal_name", "Halle 21 Nordlichtkeramik GmbH", false],
    ["legal_name", "Studio 2026", false]
  ])("%s %s holds a bank number: %s", (field, text, is) => {
    assert.strictEqual(holdsBankNumber(field, text), is)
  })

  it("holds no number that is cut into the fields", () => {
    const checked = (fields: Readonly<Record<string, string>>) => codeOf(checkFields("business_verify", fields))
    assert.strictEqual(checked({ legal_name: "370400", line1: "440532", city: "013000" }), "fields")
    assert.isUndefined(checked({
      legal_name: "Studio 2026",
      registration_number: "HRB 12345",
      birth_date: "1990-12-31",
      line1: "Hafenstraße 21",
      postal_code: "20457",
      city: "Hamburg"
    }))
  })

  it("comes of the account's own rows as far as they are known", () => {
    assert.deepStrictEqual(ownFields("business_verify", { account_name: "Acme" }), { legal_name: "Acme" })
    const entity = {
      id: LegalEntityId.make(makeId("le", 1)),
      account_id: AccountId.make(makeId("acct", 1)),
      type: "organization",
      legal_name: "Nordlicht Keramik GmbH",
      country: "DE",
      registration_number: "123456789",
      birth_date: null,
      address: { line1: "Hafenstraße 1", city: "Hamburg", country: "DE" },
      verification_status: "verified",
      requirements: [],
      failure_reason: null,
      verified_at: at,
      created_at: at,
      updated_at: at,
      version: 1
    } as const
    assert.deepStrictEqual(ownFields("payout_bank", { account_name: "Acme", entity }), {
      holder_name: "Nordlicht Keramik GmbH",
      country: "DE"
    })
    assert.deepStrictEqual(Object.keys(ownFields("business_verify", { entity })), [
      "type",
      "legal_name",
      "country",
      "registration_number",
      "line1",
      "city",
      "address_country"
    ])
  })
})
