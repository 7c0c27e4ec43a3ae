import { assert, layer } from "@effect/vitest"
import { Committer } from "@svc/kernel/road/committer"
import { SigningKey } from "@svc/kernel/signatures/signing-key"
import { now } from "@svc/kernel/values/time"
import { services } from "@svc/testkit/services"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { Ledger } from "../financial-events/service.ts"
import { entry, hashed, openAccount, openWithHistory, tamper, write } from "../fixture.ts"
import { CheckpointJson, GROUP } from "./model.ts"
import { Checkpoints } from "./service.ts"
import { isIncluded, isSealedBy } from "./verify.ts"

const onWire = Schema.encodeSync(CheckpointJson)
const PAGE = { page: 1, per_page: 100 }

/** An account with this many events. */
const openWith = Effect.fnUntraced(function*(events: number) {
  const account = yield* openAccount
  yield* grow(account, events)
  return account
})

/** That many more, in commits of a hundred. */
const grow = Effect.fnUntraced(function*(account: string, events: number) {
  const committer = yield* Committer
  for (let left = events; left > 0; left -= 100) {
    const entries = Array.from({ length: Math.min(left, 100) }, (_, n) => entry("payment_captured", 100 + n))
    yield* committer.commit({
      account_id: account,
      at: yield* now,
      cause: `grow-${left}-${yield* count(account)}`,
      writes: [],
      entries,
      events: [],
      set: [],
      clear: []
    })
  }
})

const count = (account: string) =>
  Effect.map(Effect.flatMap(Ledger, (ledger) => ledger.verify(account)), ({ last_sequence_id }) => last_sequence_id)

const idAt = Effect.fnUntraced(function*(account: string, sequence_id: number) {
  const sql = yield* SqlClient.SqlClient
  const [row] = yield* sql<
    { readonly id: string }
  >`SELECT id FROM financial_events WHERE merchant_id = ${account} AND sequence_id = ${sequence_id}`
  return row?.id ?? ""
})

/** The newest of an account. */
const newest = Effect.fnUntraced(function*(account: string) {
  const { data: [checkpoint] } = yield* (yield* Checkpoints).list(account, PAGE)
  return checkpoint ?? (yield* Effect.die(new Error(`${account} has no checkpoint`)))
})

/** An event anew, those behind it with hashes that fit, and their head: the chain holds, but it is another one. */
const rewriteFrom = Effect.fnUntraced(function*(account: string, sequence_id: number) {
  const sql = yield* SqlClient.SqlClient
  const rows = yield* sql<
    Parameters<typeof hashed>[0]
  >`SELECT * FROM financial_events WHERE merchant_id = ${account} AND sequence_id >= ${sequence_id} ORDER BY sequence_id`
  let previous_hash = rows[0]?.previous_hash ?? ""
  for (const row of rows) {
    const idempotency_key = row.sequence_id === sequence_id ? "another" : row.idempotency_key
    const anew = hashed({ ...row, idempotency_key, previous_hash })
    yield* tamper((sql) =>
      sql`UPDATE financial_events SET idempotency_key = ${idempotency_key}, previous_hash = ${previous_hash}, event_hash = ${anew.event_hash}
      WHERE merchant_id = ${account} AND sequence_id = ${row.sequence_id}`
    )
    previous_hash = anew.event_hash
  }
  yield* tamper((sql) => sql`UPDATE account_heads SET ledger_hash = ${previous_hash} WHERE account_id = ${account}`)
})

layer(services, { excludeTestServices: true, timeout: "60 seconds" })("checkpoints", (it) => {
  it.effect("say where each ledger ended, are signed, and are each merchant's alone", () =>
    Effect.gen(function*() {
      const { publicKey } = yield* SigningKey
      const checkpoints = yield* Checkpoints
      const accounts = [yield* openWithHistory, yield* openWithHistory, yield* openWithHistory]
      assert.isAtLeast(yield* checkpoints.take, accounts.length)
      for (const account of accounts) {
        const { head_hash, last_sequence_id } = yield* (yield* Ledger).verify(account)
        const checkpoint = yield* newest(account)
        assert.deepInclude(checkpoint, { merchant_id: account, last_sequence_id, head_hash, key_id: publicKey.kid })
        const sealed = onWire(checkpoint)
        assert.isTrue(isSealedBy(publicKey, sealed))
        for (
          const other of [
            { ...sealed, head_hash: "0".repeat(64) },
            { ...sealed, last_sequence_id: 9 },
            { ...sealed, merchant_id: "acct_another" },
            { ...sealed, created_at: "2026-01-01T00:00:00.000Z" },
            { ...sealed, leaf_index: sealed.leaf_index + 1 },
            { ...sealed, tree_size: sealed.tree_size + 1 }
          ]
        ) assert.isFalse(isSealedBy(publicKey, other))
        for (const other of accounts.filter((one) => one !== account)) {
          assert.strictEqual((yield* Effect.flip(checkpoints.get(other, checkpoint.id)))._tag, "NotFound")
          assert.notInclude(JSON.stringify(sealed), other)
        }
        assert.include(yield* checkpoints.keys, publicKey)
      }
    }))

  it.effect("come when money has moved, and once a day", () =>
    Effect.gen(function*() {
      const checkpoints = yield* Checkpoints
      const [account, idle] = [yield* openWithHistory, yield* openAccount]
      yield* checkpoints.take
      assert.strictEqual(yield* checkpoints.take, 0)
      yield* write(account, [entry("payment_captured", 5)], "more")
      assert.strictEqual(yield* checkpoints.daily, 1)
      yield* write(account, [entry("payment_captured", 6)], "still more")
      assert.strictEqual(yield* checkpoints.daily, 0)
      assert.strictEqual((yield* checkpoints.list(account, PAGE)).data.length, 2)
      assert.strictEqual((yield* checkpoints.list(idle, PAGE)).data.length, 0)
    }))

  it.effect("prove each of a ledger's events, however many there are, and none of another's", () =>
    Effect.gen(function*() {
      const checkpoints = yield* Checkpoints
      const [account, other] = [yield* openWith(2 * GROUP + 13), yield* openWithHistory]
      yield* checkpoints.take
      // The second checkpoint builds on what the first has kept.
      for (const events of [0, 1, GROUP]) {
        yield* grow(account, events)
        yield* checkpoints.take
        const size = (yield* newest(account)).last_sequence_id
        assert.strictEqual(size, yield* count(account))
        for (const sequence_id of [1, 2, GROUP, GROUP + 1, 2 * GROUP, 2 * GROUP + 1, size - 1, size]) {
          const proof = yield* checkpoints.proof(account, yield* idAt(account, sequence_id))
          assert.isTrue(isIncluded(proof, proof.checkpoint), `${sequence_id} of ${size}`)
          assert.isFalse(isIncluded({ ...proof, sequence_id: sequence_id % size + 1 }, proof.checkpoint))
          assert.isFalse(isIncluded({ ...proof, event_hash: "0".repeat(64) }, proof.checkpoint))
        }
      }
      assert.strictEqual((yield* Effect.flip(checkpoints.proof(account, yield* idAt(other, 1))))._tag, "NotFound")
      yield* grow(account, 1)
      assert.strictEqual((yield* Effect.flip(checkpoints.proof(account, yield* idAt(account, yield* count(account)))))._tag, "InvalidState")
    }))

  it.effect("are not signed of a ledger that does not hold, nor of one that was rewritten since the last", () =>
    Effect.gen(function*() {
      const checkpoints = yield* Checkpoints
      const [broken, rewritten] = [yield* openWithHistory, yield* openWithHistory]
      yield* checkpoints.take
      yield* write(broken, [entry("payment_captured", 5)], "more")
      yield* tamper((sql) =>
        sql`UPDATE financial_events SET resource_id = 'pi_2' WHERE merchant_id = ${broken} AND idempotency_key = 'more'`
      )
      yield* write(rewritten, [entry("payment_captured", 7)], "more")
      yield* rewriteFrom(rewritten, (yield* newest(rewritten)).last_sequence_id)
      // Its hashes fit each other again; what was signed of it does not.
      assert.strictEqual((yield* (yield* Ledger).verify(rewritten)).first_break?.reason, "checkpoint_mismatch")
      assert.strictEqual(yield* checkpoints.take, 0)
    }))
})
