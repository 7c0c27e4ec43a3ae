/** The peer's connections, and its statements as prepared ones. */
import pg from "pg"
import type { PoolClient, QueryResultRow } from "pg"

pg.types.setTypeParser(20, Number)

export const pool = new pg.Pool({
  connectionString: process.env["DATABASE_URL"],
  max: 16,
  statement_timeout: 15_000,
  lock_timeout: 5_000,
  idle_in_transaction_session_timeout: 30_000
})

/** A statement that each connection prepares once. */
export const prepared = (name: string, text: string) => ({ name, text })
export type Prepared = ReturnType<typeof prepared>

interface Queryable {
  readonly query: PoolClient["query"]
}

export const run = async <Row extends QueryResultRow>(on: Queryable, statement: Prepared, values: Array<unknown>): Promise<Array<Row>> =>
  (await on.query<Row>({ ...statement, values })).rows

/** Runs `act` in one transaction. */
export const transaction = async <A>(act: (client: PoolClient) => Promise<A>): Promise<A> => {
  const client = await pool.connect()
  try {
    await client.query("BEGIN")
    const result = await act(client)
    await client.query("COMMIT")
    return result
  } catch (error) {
    await client.query("ROLLBACK")
    throw error
  } finally {
    client.release()
  }
}
