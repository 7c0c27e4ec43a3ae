import { assert, describe, it } from "@effect/vitest"
import { DateTime, Result, Schema } from "effect"
import { instrumentMachine, type InstrumentTrigger } from "./machine.ts"
import {
  type CreateTransferInstrumentRequest,
  type InstrumentStatus,
  instrumentStatuses,
  TransferInstrument,
  TransferInstrumentId,
  transferInstruments
} from "./model.ts"
import * as rules from "./rules.ts"

const at = DateTime.makeUnsafe("2026-01-02T00:00:00.000Z")
const later = DateTime.add(at, { hours: 25 })
const account = { id: "acct_01KDTQ2E8000000000000000AA" }
const request: CreateTransferInstrumentRequest = {
  type: "bank_account",
  currency: "EUR",
  holder_name: "Acme GmbH",
  number: "DE89 3704 0044 0532 0130 00"
}
const made = rules.create(request, {
  id: TransferInstrumentId.make("ti_01KDTQ2E8000000000000000AA"),
  account,
  number: "DE89370400440532013000",
  sealed: { key: "a", box: "AA" },
  at
}).instrument

const instrument = (status: InstrumentStatus, more: Partial<TransferInstrument> = {}): TransferInstrument => ({
  ...made,
  status,
  active_from: status === "verified" ? at : null,
  ...more
})

const to = (decided: Result.Result<rules.InstrumentDecision | undefined, unknown>) => Result.getOrUndefined(decided)?.instrument.status

/** Where each trigger leads from this state; undefined where it is refused. */
const attempts: Readonly<Record<Exclude<InstrumentTrigger, "create">, (from: TransferInstrument) => InstrumentStatus | undefined>> = {
  verify: (from) => to(rules.verify(from, { sandbox: true }, at)),
  try: (from) => to(rules.tryAgain(from, at)),
  fail: (from) => to(rules.fail(from, "No.", at)),
  resubmit: (from) => to(rules.resubmit(from, at)),
  activate: (from) => to(rules.activate(from, undefined, later)),
  make_default: (from) => to(rules.makeDefault(from, undefined, at)),
  archive: (from) => to(rules.archive(from, at))
}

describe("a transfer instrument", () => {
  it("moves as the table says, and no other way", () => {
    for (const state of instrumentStatuses) {
      for (const [trigger, attempt] of Object.entries(attempts)) {
        const row = instrumentMachine.transitions.find(({ from, trigger: named }) => from === state && named === trigger)
        assert.strictEqual(attempt(instrument(state)), row?.to, `${trigger} from ${state}`)
      }
    }
  })

  it("fails at the third wrong try, and has three more after it was submitted again", () => {
    const tried = (from: TransferInstrument) => Result.getOrThrow(rules.tryAgain(from, at)).instrument
    const third = tried(tried(tried(made)))
    assert.deepInclude(third, { status: "failed", wrong_tries: 3, version: 4 })
    assert.deepInclude(Result.getOrThrow(rules.resubmit(third, at)).instrument, { status: "pending", wrong_tries: 0, failure_reason: null })
  })

  it("of a live account cools off for a day, and of a sandbox not at all", () => {
    const verified = (sandbox: boolean) => Result.getOrThrow(rules.verify(made, { sandbox }, at))
    assert.deepStrictEqual(verified(true).set.map(({ due_at }) => due_at), [at])
    const { instrument: live, set } = verified(false)
    assert.deepStrictEqual(set.map(({ due_at }) => due_at), [DateTime.add(at, { hours: 24 })])
    assert.isTrue(Result.isFailure(rules.activate(live, undefined, DateTime.add(at, { hours: 23 }))))
    assert.isTrue(Result.isSuccess(rules.activate(live, undefined, DateTime.add(at, { hours: 24 }))))
  })

  it("is the default when it is the first, and takes the place of another", () => {
    assert.isTrue(Result.getOrThrow(rules.activate(instrument("verified"), undefined, later)).instrument.is_default)
    const standard = instrument("active", { is_default: true })
    assert.isFalse(Result.getOrThrow(rules.activate(instrument("verified"), standard, later)).instrument.is_default)
    const { former, instrument: next } = Result.getOrThrow(rules.makeDefault(instrument("active"), standard, at))!
    assert.deepStrictEqual([former?.is_default, former?.version, next.is_default], [false, 2, true])
    assert.isUndefined(Result.getOrThrow(rules.makeDefault(standard, standard, at)))
    assert.isFalse(Result.getOrThrow(rules.archive(standard, at)).instrument.is_default)
  })

  it("is decided on the version that the caller read", () => {
    assert.isTrue(Result.isFailure(rules.archive(made, at, 2)))
    assert.isTrue(Result.isSuccess(rules.archive(made, at, 1)))
  })

  it("keeps numbers as banks write them, and refuses what is none", () => {
    const number = (more: Partial<CreateTransferInstrumentRequest>) => Result.getOrUndefined(rules.numberOf({ ...request, ...more }))
    assert.strictEqual(number({}), "DE89370400440532013000")
    assert.strictEqual(number({ number: "gb29-nwbk-6016-1331-9268-19" }), "GB29NWBK60161331926819")
    assert.isUndefined(number({ number: "DE89370400440532013001" }), "a digit is wrong")
    assert.isUndefined(number({ number: "DE8937" }))
    assert.isUndefined(number({ number: "000123456789" }), "which bank?")
    assert.strictEqual(number({ number: "000123456789", routing_number: "110000000" }), "000123456789")
    const wallet = `0x${"aB".repeat(20)}`
    assert.strictEqual(number({ type: "usdc_wallet", number: wallet }), wallet)
    assert.isUndefined(number({ type: "usdc_wallet", number: `${wallet}0` }))
    assert.strictEqual(number({ type: "card", number: "tok_visa" }), "tok_visa")
    assert.isUndefined(number({ type: "card", number: "4242424242424242" }))
  })

  it("shows the end of its number, and never most of a short one", () => {
    const end = (number: string) => rules.create(request, { id: made.id, account, number, sealed: made.sealed, at }).instrument.last4
    assert.deepStrictEqual(["1234", "12345", "1234567", "12345678", "123456789", "DE89370400440532013000"].map(end), [
      "4",
      "45",
      "567",
      "678",
      "6789",
      "3000"
    ])
  })

  it("is encoded as its schema encodes it, and its number is not among what is shown", () => {
    for (const one of instrumentStatuses.map((status) => instrument(status))) {
      assert.deepStrictEqual(transferInstruments.encode(one).row, { ...Schema.encodeSync(TransferInstrument)(one) })
      assert.strictEqual(transferInstruments.encode(one).wire, JSON.stringify(Schema.encodeSync(TransferInstrument.json)(one)))
      assert.notMatch(transferInstruments.encode(one).wire, /sealed|wrong_tries|DE8937/u)
    }
  })
})
