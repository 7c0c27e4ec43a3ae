/** The operator writes a debt off; the merchant sees it. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { accountTime } from "@svc/kernel/clocks/account-time"
import type { Reply } from "@svc/kernel/http/reply"
import { type InvalidState, type NotFound, notFound, type ValidationError } from "@svc/kernel/resource/errors"
import { Idempotency, keyDone, type Keyed } from "@svc/kernel/resource/idempotency"
import { type KeyedFailure, keyedVerbs, modeOf, type Work } from "@svc/kernel/resource/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { lostRace } from "@svc/kernel/resource/versions"
import { Committer } from "@svc/kernel/road/committer"
import { makeId } from "@svc/kernel/values/ids"
import { Balances } from "@svc/ledger/balances/service"
import { Context, Effect, Layer, Schema } from "effect"
import { type CreateWriteOffRequest, type WriteOff, type WriteOffFilter, WriteOffId, writeOffs } from "./model.ts"
import { WriteOffRepository } from "./repository.ts"
import { writeOff } from "./rules.ts"

/** The account that has the debt: the answers to the operator are kept under this account. */
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
  readonly list: (account: string, filter: WriteOffFilter, page: PageRequest) => Effect.Effect<Page<WriteOff>>
  /** A write-off of any account, for the operator. */
  readonly getAnybodys: (id: string) => Effect.Effect<WriteOff, NotFound>
  readonly listEverybodys: (filter: WriteOffFilter, page: PageRequest) => Effect.Effect<Page<WriteOff>>
}>()("@svc/treasury/WriteOffs") {
  static readonly layer = Layer.effect(
    WriteOffs,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const balances = yield* Balances
      const committer = yield* Committer
      const repository = yield* WriteOffRepository
      const { get } = repository
      const { inTimeOf } = yield* accountTime

      const verbs = keyedVerbs<Owner, WriteOff, never>(yield* Idempotency, { name: "write-off", get })

      const created = verbs.making(
        "WriteOffs.create",
        Effect.fnUntraced(function*(work: Work<Owner, undefined, CreateWriteOffRequest>) {
          const { currency, merchant_id } = work.payload
          const id = WriteOffId.make(makeId("wo", work.at.epochMilliseconds))
          const earlier = yield* repository.count(merchant_id, currency)
          const decision = yield* Effect.fromResult(writeOff(id, work.payload, yield* balances.ofCurrency(merchant_id, currency), work.at))
          const reply = { status: 201, body: writeOffs.encode(decision.writeOff).wire }
          yield* committer.commit({
            account_id: merchant_id,
            at: work.at,
            cause: work.keyed.key,
            writes: [writeOffs.write(decision.writeOff)],
            entries: decision.entries,
            // Of two that were decided on one balance, one is written, and the other is decided anew.
            counters: [{
              name: "write_offs",
              key: currency,
              add: { spent: 1, reserved: 0 },
              limit: { at_most: earlier + 1, refusal: lostRace }
            }],
            events: [],
            set: [],
            clear: [],
            key: keyDone(work.keyed, { type: "write_off", id }, reply, modeOf(work))
          })
          return reply
        })
      )

      return WriteOffs.of({
        create: Effect.fnUntraced(function*(command) {
          const { merchant_id } = command.payload
          if (!isAccountId(merchant_id)) return yield* notFound("account")
          yield* accounts.get(merchant_id)
          return yield* inTimeOf(merchant_id)(created({ ...command, account: { id: merchant_id } }))
        }),
        get,
        list: repository.list,
        getAnybodys: Effect.fnUntraced(function*(id) {
          return (yield* repository.findAnybodys(id)) ?? (yield* notFound("write-off"))
        }),
        listEverybodys: repository.listEverybodys
      })
    })
  )
}
