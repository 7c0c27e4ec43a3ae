/** How many pages an account has crawled this month, in Postgres: all processes count together. */
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"

export class PagePoolRepository extends Context.Service<PagePoolRepository, {
  /** Counts pages of a month, such as `2026-11`, and says how many of the month they make. */
  readonly count: (account: string, month: string, pages: number) => Effect.Effect<number>
}>()("@svc/metering/PagePoolRepository") {
  static readonly layer = Layer.effect(
    PagePoolRepository,
    Effect.gen(function*() {
      const sql = yield* SqlClient.SqlClient
      return PagePoolRepository.of({
        count: (account, month, pages) =>
          Effect.orDie(Effect.map(
            sql<{ readonly pages: number }>`
              INSERT INTO crawled_pages AS c (account_id, month, pages) VALUES (${account}, ${`${month}-01`}::date, ${pages})
              ON CONFLICT (account_id) DO UPDATE SET month = greatest(c.month, excluded.month),
                pages = excluded.pages + CASE WHEN c.month >= excluded.month THEN c.pages ELSE 0 END
              RETURNING pages::integer`,
            ([row]) => row?.pages ?? pages
          ))
      })
    })
  )
}
