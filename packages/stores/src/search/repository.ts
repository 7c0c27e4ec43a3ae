/** Documents and postings in Postgres. Every method takes the account first. */
import { iso } from "@svc/kernel/values/time"
import { Context, type DateTime, Effect, Layer } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import type { IndexChanges } from "./changes.ts"
import type { SearchNamespace, StoredDocument } from "./model.ts"
import type { CollectionSize, PostingsRow } from "./ranking.ts"

type Sql<A> = Effect.Effect<A, SqlError.SqlError>

export interface SearchUsage {
  readonly namespaces: number
  readonly documents: number
  readonly bytes: number
}

/** What a write adds to the counts of a namespace, or takes from them. */
export interface CountChanges {
  readonly documents: number
  readonly tokens: number
  readonly bytes: number
  readonly next_number: number
}

const NAMESPACE = "id, documents, tokens, next_number"
const DOCUMENT = "doc_id, number, url, title, content, metadata, tokens, bytes"
const OWN = "account_id = $1 AND namespace_id = $2::bigint"

/** Each block and term that is touched, as two lists of one length. */
const keysOf = (changes: IndexChanges) => {
  const keys = Array.from(changes, ([term, blocks]) => Array.from(blocks.keys(), (block) => ({ term, block }))).flat()
  return [keys.map(({ term }) => term), keys.map(({ block }) => block)]
}

/** The rows of the index: which terms stand in which documents. */
const postingsIn = (sql: SqlClient.SqlClient) => {
  const touched = (account: string, namespace: number, changes: IndexChanges) =>
    sql.unsafe<PostingsRow>(
      `SELECT p.term, p.block, p.postings FROM unnest($3::text[], $4::int4[]) AS k (term, block)
     JOIN search_postings p ON p.account_id = $1 AND p.namespace_id = $2::bigint AND p.term = k.term AND p.block = k.block`,
      [account, namespace, ...keysOf(changes)]
    )

  const replace = Effect.fnUntraced(
    function*(account: string, namespace: number, changes: IndexChanges, rows: ReadonlyArray<PostingsRow>) {
      const remainingKeys = new Set(rows.map(({ block, term }) => `${block} ${term}`))
      const [terms = [], blocks = []] = keysOf(changes)
      const emptyRows = terms.flatMap((term, n) => remainingKeys.has(`${blocks[n]} ${term}`) ? [] : [n])
      if (emptyRows.length > 0) {
        yield* sql.unsafe(
          `DELETE FROM search_postings p USING unnest($3::text[], $4::int4[]) AS k (term, block)
            WHERE p.account_id = $1 AND p.namespace_id = $2::bigint AND p.term = k.term AND p.block = k.block`,
          [account, namespace, emptyRows.map((n) => terms[n]), emptyRows.map((n) => blocks[n])]
        )
      }
      if (rows.length === 0) return
      yield* sql.unsafe(
        `INSERT INTO search_postings (account_id, namespace_id, term, block, postings)
     SELECT $1, $2::bigint, r.term, r.block, r.postings FROM unnest($3::text[], $4::int4[], $5::bytea[]) AS r (term, block, postings)
     ON CONFLICT (account_id, namespace_id, term, block) DO UPDATE SET postings = excluded.postings`,
        [account, namespace, rows.map(({ term }) => term), rows.map(({ block }) => block), rows.map(({ postings }) => postings)]
      )
    }
  )

  const postings = Effect.fnUntraced(function*(account: string, name: string, terms: ReadonlyArray<string>) {
    const rows = yield* sql.unsafe<
      {
        readonly id: number
        readonly documents: number
        readonly tokens: number
        readonly term: string | null
        readonly block: number
        readonly postings: Uint8Array
      }
    >(
      `SELECT n.id, n.documents, n.tokens, p.term, p.block, p.postings FROM search_namespaces n
     LEFT JOIN search_postings p ON p.account_id = $1 AND p.namespace_id = n.id AND p.term = ANY($3::text[])
     WHERE n.account_id = $1 AND n.name = $2`,
      [account, name, terms]
    )
    const [first] = rows
    if (first === undefined) return undefined
    const postingsRows = rows.flatMap(({ block, postings: bytes, term }) => term === null ? [] : [{ term, block, postings: bytes }])
    return { namespace: first.id, collection: { documents: first.documents, tokens: first.tokens }, rows: postingsRows }
  })

  return { touched, replace, postings }
}

export class SearchRepository extends Context.Service<SearchRepository, {
  readonly namespace: (account: string, name: string) => Sql<SearchNamespace | undefined>
  /** Of all namespaces of the account. */
  readonly usage: (account: string) => Sql<SearchUsage>
  readonly open: (account: string, name: string, at: DateTime.Utc) => Sql<SearchNamespace>
  readonly count: (account: string, namespace: number, difference: CountChanges) => Sql<void>
  readonly documents: (account: string, namespace: number, ids: ReadonlyArray<string>) => Sql<ReadonlyArray<StoredDocument>>
  readonly numbered: (account: string, namespace: number, numbers: ReadonlyArray<number>) => Sql<ReadonlyMap<number, StoredDocument>>
  readonly put: (
    account: string,
    namespace: number,
    documents: ReadonlyArray<StoredDocument & { readonly site: string | null }>,
    at: DateTime.Utc
  ) => Sql<void>
  readonly remove: (account: string, namespace: number, numbers: ReadonlyArray<number>) => Sql<void>
  /** The rows that these changes touch. */
  readonly touched: (account: string, namespace: number, changes: IndexChanges) => Sql<ReadonlyArray<PostingsRow>>
  /** Writes these rows in the place of the rows that the changes touched. */
  readonly replace: (account: string, namespace: number, changes: IndexChanges, rows: ReadonlyArray<PostingsRow>) => Sql<void>
  /** What there is of these terms, and the counts that belong to it, as of one moment. */
  readonly postings: (
    account: string,
    name: string,
    terms: ReadonlyArray<string>
  ) => Sql<{ readonly namespace: number; readonly collection: CollectionSize; readonly rows: ReadonlyArray<PostingsRow> } | undefined>
  /** Numbers of the documents of a site and of what is below it. */
  readonly ofSite: (account: string, namespace: number, site: string) => Sql<ReadonlyArray<number>>
  /** How many documents it had. */
  readonly removeNamespace: (account: string, name: string) => Sql<number>
}>()("@svc/stores/SearchRepository") {
  static readonly layer = Layer.effect(
    SearchRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient

      const put = (
        account: string,
        namespace: number,
        documents: ReadonlyArray<StoredDocument & { readonly site: string | null }>,
        at: DateTime.Utc
      ) =>
        Effect.asVoid(sql.unsafe(
          `INSERT INTO search_documents (account_id, namespace_id, ${DOCUMENT}, site, indexed_at)
         SELECT $1, $2::bigint, ${DOCUMENT}, site, $3::timestamptz
         FROM jsonb_to_recordset($4::jsonb) AS d (doc_id text, number int4, url text, title text, content text, metadata jsonb,
           tokens int4, bytes int4, site text)
         ON CONFLICT (account_id, namespace_id, doc_id) DO UPDATE
           SET url = excluded.url, title = excluded.title, content = excluded.content,
           metadata = excluded.metadata, tokens = excluded.tokens, bytes = excluded.bytes, site = excluded.site, indexed_at = excluded.indexed_at`,
          [account, namespace, iso(at), JSON.stringify(documents)]
        ))

      const removeNamespace = Effect.fnUntraced(function*(account: string, name: string) {
        const [gone] = yield* sql.unsafe<SearchNamespace>(
          `DELETE FROM search_namespaces WHERE account_id = $1 AND name = $2 RETURNING ${NAMESPACE}`,
          [account, name]
        )
        if (gone === undefined) return 0
        for (const table of ["search_documents", "search_postings"]) {
          yield* sql.unsafe(`DELETE FROM ${table} WHERE ${OWN}`, [account, gone.id])
        }
        return gone.documents
      })

      return SearchRepository.of({
        namespace: (account, name) =>
          Effect.map(
            sql.unsafe<SearchNamespace>(`SELECT ${NAMESPACE} FROM search_namespaces WHERE account_id = $1 AND name = $2`, [account, name]),
            ([row]) => row
          ),
        usage: (account) =>
          Effect.map(
            sql.unsafe<SearchUsage>(
              `SELECT count(*) AS namespaces, coalesce(sum(documents), 0)::bigint AS documents, coalesce(sum(bytes), 0)::bigint AS bytes
                FROM search_namespaces WHERE account_id = $1`,
              [account]
            ),
            ([row]) => row ?? { namespaces: 0, documents: 0, bytes: 0 }
          ),
        open: Effect.fnUntraced(function*(account, name, at) {
          const [row] = yield* sql.unsafe<SearchNamespace>(
            `INSERT INTO search_namespaces (account_id, name, documents, tokens, bytes, next_number, created_at)
              VALUES ($1, $2, 0, 0, 0, 0, $3::timestamptz) RETURNING ${NAMESPACE}`,
            [account, name, iso(at)]
          )
          return row ?? (yield* Effect.die("an insert returned no row"))
        }),
        count: (account, namespace, { bytes, documents, next_number, tokens }) =>
          Effect.asVoid(sql.unsafe(
            `UPDATE search_namespaces
              SET documents = documents + $3::bigint, tokens = tokens + $4::bigint, bytes = bytes + $5::bigint, next_number = $6::int4
              WHERE account_id = $1 AND id = $2::bigint`,
            [account, namespace, documents, tokens, bytes, next_number]
          )),
        documents: (account, namespace, ids) =>
          sql.unsafe<StoredDocument>(`SELECT ${DOCUMENT} FROM search_documents WHERE ${OWN} AND doc_id = ANY($3::text[])`, [
            account,
            namespace,
            ids
          ]),
        numbered: (account, namespace, numbers) =>
          Effect.map(
            sql.unsafe<StoredDocument>(`SELECT ${DOCUMENT} FROM search_documents WHERE ${OWN} AND number = ANY($3::int4[])`, [
              account,
              namespace,
              numbers
            ]),
            (rows) => new Map(rows.map((row) => [row.number, row]))
          ),
        put,
        remove: (account, namespace, numbers) =>
          Effect.asVoid(
            sql.unsafe(`DELETE FROM search_documents WHERE ${OWN} AND number = ANY($3::int4[])`, [account, namespace, numbers])
          ),
        ...postingsIn(sql),
        ofSite: (account, namespace, site) =>
          Effect.map(
            sql.unsafe<{ readonly numbers: ReadonlyArray<number> }>(
              // The character after the dot is the slash: everything below the site lies between them.
              `SELECT coalesce(array_agg(number), '{}') AS numbers FROM search_documents
                WHERE ${OWN} AND (site = $3 OR (site > $3 || '.' AND site < $3 || '/'))`,
              [account, namespace, site]
            ),
            ([row]) => row?.numbers ?? []
          ),
        removeNamespace
      })
    })
  )
}
