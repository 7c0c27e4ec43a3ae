import { assert, describe, it } from "@effect/vitest"
import { Effect, Layer, Redacted, Tracer } from "effect"
import { SqlClient } from "effect/sql"
import * as client from "./client.ts"

/** What the span of a statement says, also of one that reaches no database. */
const attributesOf = Effect.fnUntraced(function*(url: string) {
  const spans: Array<Tracer.NativeSpan> = []
  const tracer = Tracer.make({
    span: (options) => {
      const span = new Tracer.NativeSpan(options)
      spans.push(span)
      return span
    }
  })
  yield* Effect.exit(Effect.flatMap(SqlClient.SqlClient, (sql) => sql`SELECT 1`)).pipe(
    Effect.provide(client.layer.pipe(Layer.provide(Layer.succeed(client.DatabaseConfig, { url: Redacted.make(url) })))),
    Effect.withTracer(tracer)
  )
  const { "db.namespace": database, "server.address": host, "server.port": port } = Object.fromEntries(spans.at(-1)?.attributes ?? [])
  return { database, host, port }
})

describe("spans of statements name the database of an address", () => {
  it.effect.each(
    [
      ["postgres://svc@127.0.0.1:1/shop", { database: "shop", host: "127.0.0.1", port: 1 }],
      ["postgres://svc@[::1]:1/shop", { database: "shop", host: "::1", port: 1 }],
      ["postgres:///shop?host=/nowhere&user=svc", { database: "shop", host: "/nowhere", port: 5432 }],
      ["postgres://svc@other/other?host=127.0.0.1&port=1&dbname=shop", { database: "shop", host: "127.0.0.1", port: 1 }]
    ] as const
  )("%s", ([url, place]) => Effect.map(attributesOf(url), (attributes) => assert.deepStrictEqual(attributes, place)))
})
