/** The verbs of a reserve, all of them the operator's; and what the merchant sees. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { accountTime } from "@svc/kernel/clocks/account-time"
import type { Reply } from "@svc/kernel/http/reply"
import { roadOf } from "@svc/kernel/resource/change"
import { type InvalidState, type NotFound, notFound, type ValidationError } from "@svc/kernel/resource/errors"
import { Idempotency, type Keyed } from "@svc/kernel/resource/idempotency"
import { type KeyedFailure, keyedVerbs, type Work } from "@svc/kernel/resource/keyed-verbs"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { makeId } from "@svc/kernel/values/ids"
import type { InsufficientBalance } from "@svc/ledger/balances/model"
import { Context, Effect, Layer, Schema } from "effect"
import {
  type ForfeitReserveRequest,
  type HoldReserveRequest,
  type ReleaseReserveRequest,
  type Reserve,
  type ReserveFilter,
  ReserveId,
  reserves
} from "./model.ts"
import { ReserveRepository } from "./repository.ts"
import { end, hold, type ReserveDecision } from "./rules.ts"

/** The account that has the money: the answers to the operator are kept under this account. */
interface Owner {
  readonly id: string
}

/** What the operator asks of a reserve. */
export interface ReserveCommand<Payload> {
  readonly id: string
  readonly version?: number | undefined
  readonly keyed: Keyed
  readonly payload: Payload
}

type Ending<Payload> = (command: ReserveCommand<Payload>) => Effect.Effect<Reply, KeyedFailure | NotFound | InvalidState | ValidationError>

const isAccountId = Schema.is(AccountId)

export class Reserves extends Context.Service<Reserves, {
  /** Refused where less than that is available. */
  readonly hold: (
    command: Omit<ReserveCommand<HoldReserveRequest>, "id" | "version">
  ) => Effect.Effect<Reply, KeyedFailure | NotFound | InsufficientBalance>
  /** Makes all of it available again, or part. */
  readonly release: Ending<ReleaseReserveRequest>
  /** Keeps all of it, or part. */
  readonly forfeit: Ending<ForfeitReserveRequest>
  readonly get: (account: string, id: string) => Effect.Effect<Reserve, NotFound>
  readonly list: (account: string, filter: ReserveFilter, page: PageRequest) => Effect.Effect<Page<Reserve>>
  /** A reserve of any account, for the operator. */
  readonly getAnybodys: (id: string) => Effect.Effect<Reserve, NotFound>
  readonly listEverybodys: (filter: ReserveFilter, page: PageRequest) => Effect.Effect<Page<Reserve>>
}>()("@svc/treasury/Reserves") {
  static readonly layer = Layer.effect(
    Reserves,
    Effect.gen(function*() {
      const accounts = yield* Accounts
      const repository = yield* ReserveRepository
      const { get } = repository
      const road = yield* roadOf(reserves, { type: "reserve" })
      const { inTimeOf } = yield* accountTime

      const verbs = keyedVerbs<Owner, Reserve, never>(yield* Idempotency, { name: "reserve", get })

      const answer = (work: Work<Owner, Reserve | undefined>, decided: ReserveDecision, status: 200 | 201 = 200) =>
        road.answer(work, decided.reserve, decided, status)

      const held = verbs.making(
        "Reserves.hold",
        (work: Work<Owner, undefined, HoldReserveRequest>) =>
          answer(work, hold(ReserveId.make(makeId("rsv", work.at.epochMilliseconds)), work.payload, work.at), 201)
      )

      const getAnybodys = Effect.fnUntraced(function*(id: string) {
        return (yield* repository.findAnybodys(id)) ?? (yield* notFound("reserve"))
      })

      const ending = <Payload extends ReleaseReserveRequest>(how: "release" | "forfeit"): Ending<Payload> => {
        const verb = verbs.on(
          `Reserves.${how}`,
          Effect.fnUntraced(function*(work: Work<Owner, Reserve, Payload>) {
            const decision = yield* Effect.fromResult(end(work.resource, how, work.payload.amount, work.at))
            return yield* Effect.catchTag(answer(work, decision), "InsufficientBalance", Effect.die)
          })
        )
        return Effect.fnUntraced(function*(command) {
          const { merchant_id } = yield* getAnybodys(command.id)
          return yield* inTimeOf(merchant_id)(verb({ ...command, account: { id: merchant_id } }))
        })
      }

      return Reserves.of({
        hold: Effect.fnUntraced(function*(command) {
          const { merchant_id } = command.payload
          if (!isAccountId(merchant_id)) {
            return yield* notFound("account")
          }
          yield* accounts.get(merchant_id)
          return yield* inTimeOf(merchant_id)(held({ ...command, account: { id: merchant_id } }))
        }),
        release: ending("release"),
        forfeit: ending("forfeit"),
        get,
        list: repository.list,
        getAnybodys,
        listEverybodys: repository.listEverybodys
      })
    })
  )
}
