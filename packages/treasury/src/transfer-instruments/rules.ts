/** What becomes of a transfer instrument. Pure: the service loads, asks here, and commits. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { type InvalidState, ValidationError, type VersionConflict } from "@svc/kernel/resource/errors"
import { cannotMove, checkMove } from "@svc/kernel/resource/state-machine"
import { atVersion } from "@svc/kernel/resource/versions"
import type { TimerDraft, TimerKey } from "@svc/kernel/road/decision"
import type { Sealed } from "@svc/platform/encryption/keyring"
import { DateTime, Result } from "effect"
import { instrumentMachine, type InstrumentTrigger } from "./machine.ts"
import {
  ACTIVATE,
  COOLING_OFF_HOURS,
  type CreateTransferInstrumentRequest,
  MOST_TRIES,
  TransferInstrument,
  type TransferInstrumentId
} from "./model.ts"

/** What people call it. */
export const NAME = "transfer instrument"

/** What a verb comes to. */
export interface InstrumentDecision {
  readonly instrument: TransferInstrument
  /** The instrument that was the default until now. */
  readonly former?: TransferInstrument
  readonly set: ReadonlyArray<TimerDraft>
  readonly clear: ReadonlyArray<TimerKey>
}

export type InstrumentRefusal = InvalidState | ValidationError | VersionConflict

const timer = ({ id }: Pick<TransferInstrument, "id">): TimerKey => ({ kind: ACTIVATE, resource_id: id })

const decisionOf = (instrument: TransferInstrument, rest: Partial<Omit<InstrumentDecision, "instrument">> = {}): InstrumentDecision => ({
  instrument,
  set: [],
  clear: [],
  ...rest
})

const may = (
  instrument: TransferInstrument,
  trigger: InstrumentTrigger,
  expected: number | undefined
): Result.Result<void, InvalidState | VersionConflict> =>
  Result.flatMap(atVersion(NAME, instrument, expected), () => checkMove(instrumentMachine, instrument.status, trigger))

const IBAN = /^[A-Z]{2}\d{2}[A-Z0-9]{10,30}$/u
const WALLET = /^0x[0-9a-fA-F]{40}$/u

/** Whether the check digits of an IBAN are right: ISO 13616, by the remainder of ISO 7064. */
const isIban = (number: string): boolean => {
  if (!IBAN.test(number)) return false
  const digits = `${number.slice(4)}${number.slice(0, 4)}`.replace(/[A-Z]/gu, (letter) => String(letter.charCodeAt(0) - 55))
  return BigInt(digits) % 97n === 1n
}

const wrong = (why: string) => Result.fail(new ValidationError({ code: "number", message: `number: ${why}` }))

/** The number as it is kept, without the spaces and hyphens of a bank account. */
export const numberOf = ({ number, routing_number, type }: CreateTransferInstrumentRequest): Result.Result<string, ValidationError> => {
  switch (type) {
    case "bank_account": {
      const plain = number.replace(/[ -]/gu, "").toUpperCase()
      if (/^[A-Z]{2}/u.test(plain)) {
        return isIban(plain)
          ? Result.succeed(plain)
          : wrong("is no IBAN: its check digits are wrong, or it is too short. Copy it from a bank statement.")
      }
      if (!/^\d{4,17}$/u.test(plain)) return wrong("must be an IBAN, or 4 to 17 digits with a routing_number.")
      return routing_number === undefined || routing_number === null
        ? Result.fail(
          new ValidationError({
            code: "routing_number",
            message: "routing_number: an account number that is no IBAN needs the number of its bank."
          })
        )
        : Result.succeed(plain)
    }
    case "usdc_wallet":
      return WALLET.test(number) ? Result.succeed(number) : wrong("must be an address on Ethereum: 0x and 40 hexadecimal digits.")
    case "card":
      return /^[a-z]+_/u.test(number)
        ? Result.succeed(number)
        : wrong("must be the provider's token of a card, such as tok_visa. Card numbers are refused.")
  }
}

/** What is shown of a number: its last four characters, and of a short one less than half. */
export const endOf = (number: string): string => number.slice(-Math.min(4, Math.ceil(number.length / 2) - 1))

/** What is known of a new one. */
export interface NewInstrument {
  readonly id: TransferInstrumentId
  readonly account: Pick<AccountFacts, "id">
  readonly number: string
  readonly sealed: Sealed
  readonly at: DateTime.Utc
}

export const create = (
  { currency, holder_name, legal_entity_id = null, routing_number = null, type }: CreateTransferInstrumentRequest,
  { account, at, id, number, sealed }: NewInstrument
): InstrumentDecision =>
  decisionOf({
    id,
    account_id: AccountId.make(account.id),
    type,
    status: "pending",
    currency,
    holder_name,
    last4: endOf(number),
    sealed,
    routing_number,
    is_default: false,
    legal_entity_id,
    wrong_tries: 0,
    verified_at: null,
    active_from: null,
    failure_reason: null,
    created_at: at,
    updated_at: at,
    version: 1
  })

/** Its bank said that it is there, or the holder knew the amounts. */
export const verify = (
  instrument: TransferInstrument,
  { sandbox }: Pick<AccountFacts, "sandbox">,
  at: DateTime.Utc,
  expected?: number
): Result.Result<InstrumentDecision, InstrumentRefusal> =>
  Result.map(may(instrument, "verify", expected), () => {
    const active_from = DateTime.add(at, { hours: sandbox ? 0 : COOLING_OFF_HOURS })
    return decisionOf(change(instrument, at, { status: "verified", verified_at: at, active_from, failure_reason: null }), {
      set: [{ ...timer(instrument), due_at: active_from }]
    })
  })

export const fail = (
  instrument: TransferInstrument,
  reason: string,
  at: DateTime.Utc,
  expected?: number
): Result.Result<InstrumentDecision, InstrumentRefusal> =>
  Result.map(may(instrument, "fail", expected), () => decisionOf(change(instrument, at, { status: "failed", failure_reason: reason })))

/** The amounts were wrong. */
export const tryAgain = (
  instrument: TransferInstrument,
  at: DateTime.Utc,
  expected?: number
): Result.Result<InstrumentDecision, InstrumentRefusal> => {
  const wrong_tries = instrument.wrong_tries + 1
  return wrong_tries >= MOST_TRIES
    ? fail({ ...instrument, wrong_tries }, "The amounts of the small deposits were wrong three times.", at, expected)
    : Result.map(may(instrument, "try", expected), () => decisionOf(change(instrument, at, { wrong_tries })))
}

export const resubmit = (
  instrument: TransferInstrument,
  at: DateTime.Utc,
  expected?: number
): Result.Result<InstrumentDecision, InstrumentRefusal> =>
  Result.map(
    may(instrument, "resubmit", expected),
    () => decisionOf(change(instrument, at, { status: "pending", wrong_tries: 0, failure_reason: null }))
  )

/** Money may go there from now on. The first of its type and currency is the default. */
export const activate = (
  instrument: TransferInstrument,
  standard: TransferInstrument | undefined,
  at: DateTime.Utc,
  expected?: number
): Result.Result<InstrumentDecision, InstrumentRefusal> =>
  Result.flatMap(
    may(instrument, "activate", expected),
    () =>
      instrument.active_from !== null && DateTime.isLessThan(at, instrument.active_from)
        ? Result.fail(
          cannotMove(instrumentMachine, instrument.status, "activate", {
            why: `it becomes active by itself at ${
              DateTime.formatIso(instrument.active_from)
            }, a day after it was verified, so that its owner can object`
          })
        )
        : Result.succeed(
          decisionOf(change(instrument, at, { status: "active", active_from: null, is_default: standard === undefined }), {
            clear: [timer(instrument)]
          })
        )
  )

/** Undefined where it is the default already. */
export const makeDefault = (
  instrument: TransferInstrument,
  standard: TransferInstrument | undefined,
  at: DateTime.Utc,
  expected?: number
): Result.Result<InstrumentDecision | undefined, InstrumentRefusal> =>
  Result.map(
    may(instrument, "make_default", expected),
    () =>
      instrument.is_default
        ? undefined
        : decisionOf(
          change(instrument, at, { is_default: true }),
          standard === undefined ? {} : { former: change(standard, at, { is_default: false }) }
        )
  )

export const archive = (
  instrument: TransferInstrument,
  at: DateTime.Utc,
  expected?: number
): Result.Result<InstrumentDecision, InstrumentRefusal> =>
  Result.map(
    may(instrument, "archive", expected),
    () => decisionOf(change(instrument, at, { status: "archived", is_default: false, active_from: null }), { clear: [timer(instrument)] })
  )
