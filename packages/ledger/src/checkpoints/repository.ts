/** Checkpoints and the trees below them in Postgres. Methods about a merchant take the account first; the others are about all of them. */
import { type Columns, columnsOf } from "@svc/kernel/database/columns"
import { arraysOf, rowsFrom } from "@svc/kernel/database/rows"
import { listPage, mapPage } from "@svc/kernel/resource/listing"
import type { Page, PageRequest } from "@svc/kernel/resource/pages"
import { PublicKey } from "@svc/kernel/signatures/signing-key"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Context, Effect, Layer, Schema } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { Checkpoint, GROUP, type Node, type Span } from "./model.ts"
import { eventLeaf } from "./verify.ts"

/** An account whose chain goes beyond its last checkpoint, if it has one. */
export interface ChainToSign {
  readonly account_id: string
  readonly last_sequence_id: number | null
  readonly head_hash: string | null
}

/** A tree that was signed. `day` is an ISO date, of the trees that are made once a day. */
export interface SignedTree {
  readonly root_hash: string
  readonly tree_size: number
  readonly created_at: string
  readonly day: string | null
  readonly key_id: string
}

const NODES: Columns = { merchant_id: "text", level: "int8", position: "int8", hash: "text" }
const CHECKPOINTS = columnsOf(Checkpoint)
/** Rows of one statement: a parameter an element and column would be too many, an array a column is not. */
const AT_ONCE = 1_000

const decodeRow = Schema.decodeUnknownSync(Checkpoint)
const encodeRow = Schema.encodeSync(Checkpoint)
const KeyText = fromJsonText(PublicKey)
const decodeKey = Schema.decodeUnknownSync(KeyText)

/** The rows in pieces. */
const chunks = <A>(rows: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(rows.length / AT_ONCE) }, (_, n) => rows.slice(n * AT_ONCE, (n + 1) * AT_ONCE))

export class CheckpointRepository extends Context.Service<CheckpointRepository, {
  readonly find: (account: string, id: string) => Effect.Effect<Checkpoint | undefined>
  /** Newest first. */
  readonly list: (account: string, page: PageRequest) => Effect.Effect<Page<Checkpoint>>
  /** The checkpoint that reaches furthest, the newest of several. */
  readonly last: (account: string) => Effect.Effect<Checkpoint | undefined>
  /** How many events the kept nodes stand for. */
  readonly covered: (account: string) => Effect.Effect<number>
  /** Kept nodes; of level 0, the leaves of the events themselves. */
  readonly nodes: (account: string, span: Span) => Effect.Effect<ReadonlyArray<Node>>
  readonly keep: (account: string, nodes: ReadonlyArray<Node>) => Effect.Effect<void>
  /** Accounts behind this one, in the order of their ids, whose chains have moved since their last checkpoint. */
  readonly movedAfter: (account: string, limit: number) => Effect.Effect<ReadonlyArray<ChainToSign>>
  readonly hasDay: (day: string) => Effect.Effect<boolean>
  /** Writes a tree and its leaves, or nothing when the day has a tree already. Says whether it did. */
  readonly write: (tree: SignedTree, leaves: ReadonlyArray<Checkpoint>) => Effect.Effect<boolean>
  readonly addKey: (key: PublicKey, at: string) => Effect.Effect<void>
  /** Every key that has signed here, newest first. */
  readonly keys: Effect.Effect<ReadonlyArray<PublicKey>>
}>()("@svc/ledger/CheckpointRepository") {
  static readonly layer = Layer.effect(
    CheckpointRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const one = (rows: Effect.Effect<ReadonlyArray<unknown>, SqlError.SqlError>) =>
        Effect.orDie(Effect.map(rows, ([row]) => row === undefined ? undefined : decodeRow(row)))
      const find = (account: string, id: string) => one(sql`SELECT * FROM ledger_checkpoints WHERE merchant_id = ${account} AND id = ${id}`)
      const last = (account: string) =>
        one(sql`SELECT * FROM ledger_checkpoints WHERE merchant_id = ${account} ORDER BY last_sequence_id DESC, id DESC LIMIT 1`)

      const list = (account: string, page: PageRequest) =>
        Effect.orDie(
          Effect.map(listPage(sql, { table: "ledger_checkpoints", where: [sql`merchant_id = ${account}`] }, page), (rows) =>
            mapPage(rows, decodeRow))
        )

      const covered = Effect.fnUntraced(function*(account: string) {
        const [row] = yield* Effect.orDie(sql<{ readonly next: number | null }>`
        SELECT max(position) + 1 AS next FROM ledger_tree_nodes WHERE merchant_id = ${account} AND level = 8`)
        return Number(row?.next ?? 0) * GROUP
      })

      const leaves = Effect.fnUntraced(function*(account: string, { from, to }: Span) {
        const rows = yield* sql<{ readonly n: number; readonly hash: string }>`
        SELECT sequence_id - 1 AS n, event_hash AS hash FROM financial_events
          WHERE merchant_id = ${account} AND sequence_id > ${from} AND sequence_id <= ${to}`
        return rows.map(({ hash, n }): Node => ({ level: 0, position: n, hash: eventLeaf(hash) }))
      })

      const storedNodes = Effect.fnUntraced(function*(account: string, { from, level, to }: Span) {
        const rows = yield* sql<{ readonly position: number; readonly hash: string }>`
        SELECT position, hash FROM ledger_tree_nodes
          WHERE merchant_id = ${account} AND level = ${level} AND position >= ${from} AND position < ${to}`
        return rows.map(({ hash, position }): Node => ({ level, position, hash: Buffer.from(hash, "hex") }))
      })

      const keep = (account: string, nodes: ReadonlyArray<Node>) =>
        Effect.forEach(chunks(nodes), (some) => {
          const rows = some.map(({ hash, level, position }) => ({ merchant_id: account, level, position, hash: hash.toString("hex") }))
          return sql.unsafe(
            // Nodes never change, so whoever was faster has kept the same.
            `INSERT INTO ledger_tree_nodes (merchant_id, level, position, hash) SELECT merchant_id, level, position, hash FROM ${
              rowsFrom(NODES, 1)
            } r ON CONFLICT DO NOTHING`,
            arraysOf(NODES, rows)
          )
        }, { discard: true }).pipe(Effect.orDie)

      const movedAfter = (account: string, limit: number) =>
        Effect.orDie(sql<ChainToSign>`
        SELECT h.account_id, c.last_sequence_id, c.head_hash FROM account_heads h LEFT JOIN LATERAL (
          SELECT last_sequence_id, head_hash FROM ledger_checkpoints
            WHERE merchant_id = h.account_id ORDER BY last_sequence_id DESC, id DESC LIMIT 1
        ) c ON true
        WHERE h.account_id > ${account} AND h.ledger_seq > COALESCE(c.last_sequence_id, 0) ORDER BY h.account_id LIMIT ${limit}`)

      const hasDay = (day: string) =>
        Effect.orDie(Effect.map(sql`SELECT 1 FROM ledger_trees WHERE day = ${day}::date`, (rows) => rows.length > 0))

      const insertLeaves = (rows: ReadonlyArray<Checkpoint>) => {
        const names = Object.keys(CHECKPOINTS).join(", ")
        return sql.unsafe(
          `INSERT INTO ledger_checkpoints (${names}) SELECT ${names} FROM ${rowsFrom(CHECKPOINTS, 1)} r`,
          arraysOf(CHECKPOINTS, rows.map((row) => encodeRow(row)))
        )
      }

      const write = Effect.fnUntraced(
        function*({ created_at, day, key_id, root_hash, tree_size }: SignedTree, rows: ReadonlyArray<Checkpoint>) {
          const [written] = yield* sql`
        INSERT INTO ledger_trees (root_hash, tree_size, created_at, day, key_id)
        VALUES (${root_hash}, ${tree_size}, ${created_at}::timestamptz, ${day}::date, ${key_id}) ON CONFLICT (day) DO NOTHING RETURNING 1`
          if (written === undefined) return false
          yield* Effect.forEach(chunks(rows), insertLeaves, { discard: true })
          return true
        },
        sql.withTransaction,
        Effect.orDie
      )

      const addKey = (key: PublicKey, at: string) =>
        Effect.orDie(Effect.asVoid(sql`
        INSERT INTO ledger_signing_keys (key_id, public_key, first_used_at) VALUES (${key.kid}, ${
          JSON.stringify(key)
        }, ${at}::timestamptz) ON CONFLICT DO NOTHING`))

      const keys = Effect.orDie(Effect.map(
        sql<{ readonly public_key: string }>`SELECT public_key FROM ledger_signing_keys ORDER BY first_used_at DESC, key_id`,
        (rows) => rows.map(({ public_key }) => decodeKey(public_key))
      ))

      const nodes = (account: string, span: Span) => Effect.orDie(span.level === 0 ? leaves(account, span) : storedNodes(account, span))
      return CheckpointRepository.of({ find, list, last, covered, nodes, keep, movedAfter, hasDay, write, addKey, keys })
    })
  )
}
