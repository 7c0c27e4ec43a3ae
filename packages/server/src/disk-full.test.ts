/** A Postgres whose disk is full: what would be stored is refused as unavailable, what is stored can be read, and health says so. */
import { assert, layer } from "@effect/vitest"
import { Disk } from "@svc/kernel/database/unreachable"
import { jsonOf, layer as service, must, openMerchant, send, ServerLog } from "@svc/testkit/contract/service"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"

const PATH = "/v1/payment_intents"

/** Runs something while Postgres answers to every new intent as it does when it cannot extend a file. */
const whileFull = <A, E, R>(use: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SqlClient.SqlClient, (sql) =>
    Effect.acquireUseRelease(
      Effect.orDie(sql`CREATE FUNCTION no_space() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN RAISE EXCEPTION 'could not extend file "base/5/16384": No space left on device' USING ERRCODE = 'disk_full'; END $$`.pipe(
        Effect.andThen(sql`CREATE TRIGGER no_space BEFORE INSERT ON payment_intents FOR EACH ROW EXECUTE FUNCTION no_space()`)
      )),
      () => use,
      () => Effect.orDie(sql`DROP FUNCTION no_space CASCADE`)
    ))

layer(service, { excludeTestServices: true, timeout: "60 seconds" })("while the disk of the database is full", (it) => {
  it.effect("nothing new is taken, what is there is read, health is degraded, and afterwards everything goes on", () =>
    Effect.gen(function*() {
      const [disk, log, { key }] = [yield* Disk, yield* ServerLog, yield* openMerchant("full")]
      const body = { amount: 1999, currency: "USD", idempotency_key: randomUUID() }
      assert.strictEqual(jsonOf(yield* send("GET", "/v1/health"))["status"], "healthy")

      yield* whileFull(Effect.gen(function*() {
        const refused = yield* send("POST", PATH, { key, body })
        const said = jsonOf(refused)
        assert.deepStrictEqual(
          [refused.status, said["error"], said["details"]],
          [503, "service_unavailable", { retry_after: 30 }],
          refused.text
        )
        assert.strictEqual(refused.headers["retry-after"], "30")
        assert.match(String(said["message"]), /^The database cannot store anything at the moment.*Retry with the same idempotency key/)
        assert.strictEqual((yield* must("GET", PATH, { key }))["total"], 0)
        assert.deepInclude(jsonOf(yield* send("GET", "/v1/health")), { status: "degraded", database: "up" })
        assert.deepStrictEqual([(yield* send("GET", "/readyz")).status, (yield* send("GET", "/livez")).status], [200, 200])
        assert.strictEqual(log.lines.length, 1)
        assert.include(log.lines[0], "the disk of the database is full")
      }))

      assert.strictEqual((yield* send("POST", PATH, { key, body })).status, 201)
      // A minute later.
      disk.fullAt -= 60_000
      assert.strictEqual(jsonOf(yield* send("GET", "/v1/health"))["status"], "healthy")
    }))
})
