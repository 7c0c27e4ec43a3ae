/** The verbs of a reserve, all of them the operator's; and what the merchant sees. */
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
import type { InsufficientBalance } from "@svc/ledger/balances/model"
import { Context, Effect, Layer, Schema } from "effect"
import { encode, type ForfeitReserveRequest, type HoldReserveRequest, type ReleaseReserveRequest, type Reserve, type ReserveFilter, ReserveId, reserves } from "./model.ts"
import { ReserveRepository } from "./repository.ts"
import { end, hold, type ReserveDecision } from "./rules.ts"

/** Whose money it is: what the operator does is kept with the account that it is done to. */
interface Owner {
  readonly id: string
}

/** What the operator asks of a reserve. */
export interface OnReserve<Payload> {
  readonly id: string
  readonly version?: number | undefined
  readonly keyed: Keyed
  readonly payload: Payload
}

type Ending<Payload> = (command: OnReserve<Payload>) => Effect.Effect<Reply, KeyedFailure | NotFound | InvalidState | ValidationError>

const isAccountId = Schema.is(AccountId)

export class Reserves extends Context.Service<Reserves, {
  /** Refused where less than that is available. */
  readonly hold: (command: Omit<OnReserve<HoldReserveRequest>, "id" | "version">) => Effect.Effect<Reply, KeyedFailure | NotFound | InsufficientBalance>
  /** Makes all of it available again, or part. */
  readonly release: Ending<ReleaseReserveRequest>
  /** Keeps all of it, or part. */
  readonly forfeit: Ending<ForfeitReserveRequest>
  readonly get: (account: string, id: string) => Effect.Effect<Reserve, NotFound>
  readonly list: (account: string, filter: ReserveFilter, page: PageRequest) => Effect.Effect<Page<Reserve>>
}>()("@svc/treasury/Reserves") {
  static readonly layer = Layer.effect(Reserves, Effect.gen(function*() {
    const accounts = yield* Accounts
    const committer = yield* Committer
    const repository = yield* ReserveRepository
    const { inTimeOf } = yield* accountTime

    const get = Effect.fn("Reserves.get")(function*(account: string, id: string) {
      return (yield* repository.find(account, id)) ?? (yield* notFound("reserve"))
    })

    const verbs = keyedVerbs<Owner, Reserve, never>(yield* Idempotency, {
      name: "reserve",
      get,
      recall: () => undefined,
      resume: ({ resource }) => Effect.succeed({ _tag: "GoesOn", resource }),
      actsOutside: false
    })

    const answer = Effect.fnUntraced(function*(work: Work<Owner, Reserve | undefined>, { entries, requires, reserve }: ReserveDecision, status: number) {
      const { row, wire } = encode(reserve)
      const reply = { status, body: wire }
      yield* committer.commit({
        account_id: reserve.merchant_id,
        at: reserve.updated_at,
        cause: work.keyed.key,
        writes: [{ table: reserves, row }],
        entries,
        requires,
        events: [],
        set: [],
        clear: [],
        key: keyDone(work.keyed, { type: "reserve", id: reserve.id }, reply, modeOf(work))
      })
      return reply
    })

    const held = verbs.making("Reserves.hold", (work: Work<Owner, undefined, HoldReserveRequest>) =>
      answer(work, hold(ReserveId.make(makeId("rsv", work.at.epochMilliseconds)), work.payload, work.at), 201))

    const ending = <Payload extends ReleaseReserveRequest>(how: "release" | "forfeit"): Ending<Payload> => {
      const verb = verbs.on(`Reserves.${how}`, Effect.fnUntraced(function*(work: Work<Owner, Reserve, Payload>) {
        const decided = yield* Effect.fromResult(end(work.resource, how, work.payload.amount, work.at))
        return yield* Effect.catchTag(answer(work, decided, 200), "InsufficientBalance", Effect.die)
      }))
      return Effect.fnUntraced(function*(command) {
        const { merchant_id } = (yield* repository.findAnybodys(command.id)) ?? (yield* notFound("reserve"))
        return yield* inTimeOf(merchant_id)(verb({ ...command, account: { id: merchant_id } }))
      })
    }

    return Reserves.of({
      hold: Effect.fnUntraced(function*(command) {
        const { merchant_id } = command.payload
        if (!isAccountId(merchant_id)) return yield* notFound("account")
        yield* accounts.get(merchant_id)
        return yield* inTimeOf(merchant_id)(held({ ...command, account: { id: merchant_id } }))
      }),
      release: ending("release"),
      forfeit: ending("forfeit"),
      get,
      list: Effect.fn("Reserves.list")(repository.list)
    })
  }))
}
