/** The peer keeps what it promises: a comparison with a service that cuts corners would be worth nothing. */
import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { DatabaseConfig } from "@svc/kernel/database/client"
import { registry } from "@svc/kernel/database/types"
import { beginning, type ChainRow, verifyBalances, verifyChain, verifyEnd } from "@svc/ledger/financial-events/verify"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { authorize, capture, create, type Send } from "../load/charge.ts"
import { Pool } from "../load/pool.ts"
import { accountId, secretKey, seedStatements } from "../merchants.ts"
import { startPeer } from "../processes.ts"
import { TALLY, type Tally, unequal } from "../same-rows.ts"

const MERCHANTS = 3

const sql = Layer.unwrap(Effect.map(DatabaseConfig, (config) => PgClient.layer({ ...config, types: registry, maxConnections: 2 })))
const database = sql.pipe(Layer.provideMerge(layerDatabase))

/** The peer on seeded merchants, and a way to send it requests. */
const peer = Effect.gen(function*() {
  const { database: name, host, password, username } = yield* DatabaseConfig
  // A password may be an effect; that of an embedded server is a value.
  const secret = password === undefined ? "" : Redacted.value(Effect.isEffect(password) ? yield* password : password)
  const client = yield* SqlClient.SqlClient
  const [seeded] = yield* client<{ readonly n: number }>`SELECT count(*) AS n FROM accounts`
  if (seeded?.n === 0) { for (const statement of seedStatements) yield* client.unsafe(statement, [MERCHANTS]) }
  const { port } = yield* startPeer(`postgres://${username}:${secret}@localhost/${name}?host=${encodeURIComponent(host ?? "")}`)
  const pool = yield* Effect.acquireRelease(Effect.sync(() => new Pool(port, 8)), (open) => Effect.sync(() => open.close()))
  const send: Send = (method, path, key, body) => pool.send(method, path, key, body)
  return send
})

const charge = async (send: Send, merchant: number): Promise<void> => {
  const id = await create(send, merchant)
  await authorize(send, merchant, id)
  await capture(send, merchant, id)
}

const body = (key: string, amount = 1999) => JSON.stringify({ amount, currency: "USD", idempotency_key: key })

layer(database, { excludeTestServices: true })("the hand-written peer", (it) => {
  it.effect("writes whole charges and a chain that our own check accepts, under contention", () =>
    Effect.gen(function*() {
      const client = yield* SqlClient.SqlClient
      const send = yield* peer
      yield* Effect.promise(() => Promise.all(Array.from({ length: 30 }, (_, n) => charge(send, n % MERCHANTS))))
      const [tally] = yield* client.unsafe<Tally>(TALLY)
      assert.isUndefined(unequal(tally!, tally!.bytes))
      for (let n = 0; n < MERCHANTS; n++) {
        const account = accountId(n)
        const rows = yield* client<ChainRow>`SELECT * FROM financial_events WHERE merchant_id = ${account} ORDER BY sequence_id`
        const [head] = yield* client<{ sequence_id: number; hash: string }>`
          SELECT ledger_seq AS sequence_id, ledger_hash AS hash FROM account_heads WHERE account_id = ${account}`
        const [balance] = yield* client<{ available: number; pending: number; reserved: number }>`
          SELECT available, pending, reserved FROM balance_accounts WHERE account_id = ${account}`
        const state = verifyBalances(verifyEnd(verifyChain(rows, beginning), head!), new Map([["USD", balance!]]))
        assert.deepInclude(state, { checked: 40, first_break: null })
      }
    }).pipe(Effect.scoped))

  it.effect("answers concurrent sends of one key with one effect and equal bytes", () =>
    Effect.gen(function*() {
      const client = yield* SqlClient.SqlClient
      const send = yield* peer
      const key = "one-key-many-sends"
      const answers = yield* Effect.promise(() =>
        Promise.all(Array.from({ length: 8 }, () => send("POST", "/v1/payment_intents", secretKey(0), body(key))))
      )
      assert.strictEqual(new Set(answers.map((answer) => answer.body)).size, 1)
      assert.strictEqual(answers.filter(({ status }) => status === 201).length, 1)
      const [found] = yield* client<{ readonly n: number }>`SELECT count(*) AS n FROM payment_intents WHERE idempotency_key = ${key}`
      assert.strictEqual(found!.n, 1)
    }).pipe(Effect.scoped))

  it.effect("refuses a key with another body, another account's key, an unknown API key and a bad body", () =>
    Effect.gen(function*() {
      const send = yield* peer
      const key = "refusals"
      const post = (text: string, merchant = 0) => Effect.promise(() => send("POST", "/v1/payment_intents", secretKey(merchant), text))
      assert.strictEqual((yield* post(body(key))).status, 201)
      assert.strictEqual((yield* post(body(key, 2000))).status, 409)
      assert.strictEqual((yield* post(body(key), 1)).status, 409)
      assert.strictEqual((yield* post(body("other"), MERCHANTS + 1)).status, 401)
      // The last closes its connection, as Fastify does after a body that is no JSON.
      for (
        const bad of [body("bad", 0), body("bad", 1.5), body(""), "{\"amount\":1}", body("bad").replace("{", "{\"more\":1,"), "{"]
      ) assert.strictEqual((yield* post(bad)).status, 400, bad)
    }).pipe(Effect.scoped))
})
