/** The operator writes a debt off; the merchant sees it. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { accountTime } from "@svc/kernel/clocks/account-time"
import { type InvalidState, type NotFound, notFound, type ValidationError } from "@svc/kernel/errors"
import type { Reply } from "@svc/kernel/http/reply"
import { Idempotency, type Keyed, keyDone } from "@svc/kernel/idempotency"
import { makeId } from "@svc/kernel/ids"
import { type KeyedFailure, keyedVerbs, modeOf, type Work } from "@svc/kernel/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/pages"
import { Committer } from "@svc/kernel/road/committer"
import { lostRace } from "@svc/kernel/versions"
import { Balances } from "@svc/ledger/balances/service"
import { Context, Effect, Layer, Schema } from "effect"
import { type CreateWriteOffRequest, encode, type WriteOff, WriteOffId, writeOffs } from "./model.ts"
import { WriteOffRepository } from "./repository.ts"
import { writeOff } from "./rules.ts"

/** Whose debt it is: what the operator does is kept with the account that it is done to. */
interface Owner {
  readonly id: string
}

interface CreateWriteOff {
  readonly keyed: Keyed
  readonly payload: CreateWriteOffRequest
}

const isAccountId = Schema.is(AccountId)

export class WriteOffs extends Context.Service<WriteOffs, {
  /** Refused where the account owes less, or money is under way that may pay it. */
  readonly create: (command: CreateWriteOff) => Effect.Effect<Reply, KeyedFailure | NotFound | InvalidState | ValidationError>
  readonly get: (account: string, id: string) => Effect.Effect<WriteOff, NotFound>
  readonly list: (account: string, currency: string | undefined, page: PageRequest) => Effect.Effect<Page<WriteOff>>
}>()("@svc/treasury/WriteOffs") {
  static readonly layer = Layer.effect(WriteOffs, Effect.gen(function*() {
    const accounts = yield* Accounts
    const balances = yield* Balances
    const committer = yield* Committer
    const repository = yield* WriteOffRepository
    const { inTimeOf } = yield* accountTime

    const get = Effect.fn("WriteOffs.get")(function*(account: string, id: string) {
      return (yield* repository.find(account, id)) ?? (yield* notFound("write-off"))
    })

    const verbs = keyedVerbs<Owner, WriteOff, never>(yield* Idempotency, {
      name: "write-off",
      get,
      recall: () => undefined,
      resume: ({ resource }) => Effect.succeed({ _tag: "GoesOn", resource }),
      actsOutside: false
    })

    const created = verbs.making("WriteOffs.create", Effect.fnUntraced(function*(work: Work<Owner, undefined, CreateWriteOffRequest>) {
      const { currency, merchant_id } = work.payload
      const id = WriteOffId.make(makeId("wo", work.at.epochMilliseconds))
      const earlier = yield* repository.count(merchant_id, currency)
      const decided = yield* Effect.fromResult(writeOff(id, work.payload, yield* balances.ofCurrency(merchant_id, currency), work.at))
      const { row, wire } = encode(decided.writeOff)
      const reply = { status: 201, body: wire }
      yield* committer.commit({
        account_id: merchant_id,
        at: work.at,
        cause: work.keyed.key,
        writes: [{ table: writeOffs, row }],
        entries: decided.entries,
        // Of two that were decided on one balance, one is written, and the other is decided anew.
        counters: [{ name: "write_offs", key: currency, add: { spent: 1, reserved: 0 }, limit: { at_most: earlier + 1, refusal: lostRace } }],
        events: [],
        set: [],
        clear: [],
        key: keyDone(work.keyed, { type: "write_off", id }, reply, modeOf(work))
      })
      return reply
    }))

    return WriteOffs.of({
      create: Effect.fnUntraced(function*(command) {
        const { merchant_id } = command.payload
        if (!isAccountId(merchant_id)) return yield* notFound("account")
        yield* accounts.get(merchant_id)
        return yield* inTimeOf(merchant_id)(created({ ...command, account: { id: merchant_id } }))
      }),
      get,
      list: Effect.fn("WriteOffs.list")(repository.list)
    })
  }))
}
