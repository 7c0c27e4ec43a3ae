/** What becomes of a bank link. Pure: the service loads, asks the provider and here, and commits. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { change } from "@svc/kernel/resource/change"
import { InvalidState, NotFound, ValidationError } from "@svc/kernel/resource/errors"
import { allows, cannotMove, checkMove } from "@svc/kernel/resource/state-machine"
import type { Decision } from "@svc/kernel/resource/verbs"
import type { TimerKey } from "@svc/kernel/road/decision"
import { DateTime, Result } from "effect"
import { bankLinkMachine } from "./machine.ts"
import { type BankLink, type BankLinkId, EXPIRES, type LinkedAccount, type SimulatedOutcome } from "./model.ts"

/** What people call it. */
export const NAME = "bank link"

const timer = ({ id }: Pick<BankLink, "id">): TimerKey => ({ kind: EXPIRES, resource_id: id })

/** What is known of a new one. */
export interface NewBankLink {
  readonly id: BankLinkId
  readonly account: Pick<AccountFacts, "id">
  readonly link_token: string
  /** Seconds. */
  readonly expires_in: number
  readonly at: DateTime.Utc
}

export const create = ({ account, at, expires_in, id, link_token }: NewBankLink): Decision<BankLink> => {
  const link: BankLink = {
    id,
    account_id: AccountId.make(account.id),
    status: "pending",
    link_token,
    expires_at: DateTime.add(at, { seconds: expires_in }),
    item_id: null,
    accounts: [],
    public_token_hash: null,
    processor_token_hash: null,
    failure_reason: null,
    linked_at: null,
    created_at: at,
    updated_at: at,
    version: 1
  }
  return { resource: link, set: [{ ...timer(link), due_at: link.expires_at }] }
}

/** Whether a public token may be exchanged now: also one whose timer is late is expired. */
export const mayExchange = (link: BankLink, at: DateTime.Utc): Result.Result<void, InvalidState> =>
  link.status === "pending" && !DateTime.isGreaterThan(link.expires_at, at)
    ? Result.fail(cannotMove(bankLinkMachine, "expired", "exchange", { final: "Make another bank link." }))
    : checkMove(bankLinkMachine, link.status, "exchange")

/** What the provider told. */
export interface Linked {
  readonly item_id: string
  readonly accounts: ReadonlyArray<LinkedAccount>
  readonly public_token_hash: string
}

export const exchange = (link: BankLink, linked: Linked, at: DateTime.Utc): Result.Result<Decision<BankLink>, InvalidState> =>
  Result.map(mayExchange(link, at), () => ({
    resource: change(link, at, { ...linked, status: "linked", linked_at: at }),
    clear: [timer(link)]
  }))

const reasons: Readonly<Record<Exclude<SimulatedOutcome, "ok">, string>> = {
  no_accounts: "the person has no account at this bank, so the link failed. Make another bank link, and choose another bank.",
  expired: "it has expired, or is none. Open the link token again and send the token that its page gives.",
  already_used: "it was used before. Open the link token again and send the token that its page gives."
}

/** What the caller hears of a public token that the provider refused. */
export const refusal = (reason: Exclude<SimulatedOutcome, "ok">) =>
  new ValidationError({ code: "public_token", message: `public_token: ${reasons[reason]}` })

export const noSuchToken = () =>
  new NotFound({
    message: "This public token belongs to no bank link of this account. Make one with POST /v1/bank_links and open its link token."
  })

/** The bank gave no account; undefined for one that is not pending any more. */
export const fail = (link: BankLink, at: DateTime.Utc): Decision<BankLink> | undefined =>
  allows(bankLinkMachine, link.status, "fail")
    ? { resource: change(link, at, { status: "failed", failure_reason: "The bank gave no account." }), clear: [timer(link)] }
    : undefined

/** Its time is over; undefined for one that is linked, failed or expired already. */
export const expire = (link: BankLink, at: DateTime.Utc): Decision<BankLink> | undefined =>
  allows(bankLinkMachine, link.status, "expire") && !DateTime.isGreaterThan(link.expires_at, at)
    ? { resource: change(link, at, { status: "expired" }), clear: [timer(link)] }
    : undefined

/** The linked account of this id; the first where none is named. */
export const accountOf = (
  link: BankLink,
  trigger: "verify_payout" | "processor_token",
  id = link.accounts[0]?.id
): Result.Result<LinkedAccount, InvalidState | ValidationError> =>
  Result.flatMap(checkMove(bankLinkMachine, link.status, trigger), () => {
    const found = link.accounts.find((one) => one.id === id)
    return found === undefined
      ? Result.fail(
        new ValidationError({
          code: "bank_account_id",
          message: `bank_account_id: the link has no such account. It has ${link.accounts.map((one) => one.id).join(", ")}.`
        })
      )
      : Result.succeed(found)
  })

/** The account has a transfer instrument from now on. */
export const verified = (link: BankLink, bank_account_id: string, destination_id: string, at: DateTime.Utc): BankLink =>
  change(link, at, { accounts: link.accounts.map((one) => one.id === bank_account_id ? { ...one, destination_id } : one) })

export const tokenGiven = (link: BankLink, processor_token_hash: string, at: DateTime.Utc): BankLink =>
  change(link, at, { processor_token_hash })

/** Live accounts are linked by no simulator. */
export const liveRefusal = () =>
  new InvalidState({
    message: "Cannot link it here: this installation has no connection to banks that links accounts of live merchants. " +
      "The operator can add one; until then make a transfer instrument by its number.",
    details: { state: "live", allowed: [] }
  })

export const noSimulator = () =>
  new InvalidState({
    message: "Cannot simulate it: the provider of this installation is no simulator. Open the link token on the provider's page.",
    details: { state: "live", allowed: [] }
  })
