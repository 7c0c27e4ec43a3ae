/** How a snapshot begins: it is counted, and its row is there before anything is analyzed. */
import { iso, now, realNow } from "@svc/kernel/values/time"
import { DateTime, Effect } from "effect"
import { SecureRandom } from "effect/crypto"
import { hash } from "node:crypto"
import { Turns } from "../../turns.ts"
import {
  ANONYMOUS,
  ANONYMOUS_HOURS,
  type BeginRequest,
  PER_HOUR,
  PROCESSING_SECONDS,
  type SnapshotMaker,
  TooManySnapshots
} from "../model.ts"
import { SnapshotQuotas } from "../repository/quotas.ts"
import { SnapshotRepository } from "../repository/rows.ts"
import { idOf, monthOf } from "../rules.ts"

const ID_BYTES = 16

export const makeBeginning = Effect.gen(function*() {
  const random = yield* SecureRandom.SecureRandom
  const snapshots = yield* SnapshotRepository
  const quotas = yield* SnapshotQuotas
  const turns = yield* Turns

  const countNetwork = Effect.fnUntraced(function*(network: string) {
    if (yield* quotas.takeOfNetwork(hash("sha256", network), yield* realNow, PER_HOUR)) return
    return yield* new TooManySnapshots({
      message: `Without a key a network makes ${PER_HOUR} snapshots an hour. Wait, or open an account with POST /v1/accounts.`
    })
  })

  const count = Effect.fnUntraced(function*(by: SnapshotMaker) {
    if ("account" in by) {
      if (yield* quotas.takeOfMonth(by.account, monthOf(iso(yield* now)), by.perMonth)) return
      return yield* new TooManySnapshots({
        message: `The account's plan gives ${by.perMonth} snapshots a month, and they are made. A larger plan or the next month gives more.`
      })
    }
    if (by.counted !== true) yield* countNetwork(by.network)
  })

  const begin = Effect.fn("SnapshotStore.begin")(function*({ by, call_id, description }: BeginRequest) {
    const account = "account" in by ? by.account : ANONYMOUS
    const id = idOf(yield* random.randomBytes(ID_BYTES))
    const real = yield* realNow
    const row = {
      id,
      call_id: call_id ?? null,
      description,
      processing_until: DateTime.add(real, { seconds: PROCESSING_SECONDS }),
      expires_at: account === ANONYMOUS ? DateTime.add(real, { hours: ANONYMOUS_HOURS }) : null,
      created_at: yield* now
    }
    yield* turns.write("snapshots", account, Effect.andThen(count(by), snapshots.insert(account, row)))
    return id
  })

  return {
    /** Makes the row of a snapshot, `processing`, and counts it. Its id. */
    begin,
    /** Counts an attempt of somebody without a key before anything is done for it. One that fails stays counted: it was work. */
    countNetwork: (network: string) => turns.write("snapshots", ANONYMOUS, countNetwork(network))
  }
})
