/** Which tokens open tools, and what is known of their callers. */
import { assert, layer } from "@effect/vitest"
import * as Database from "@svc/kernel/database/client"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer, Redacted } from "effect"
import { SecureRandom } from "effect/crypto"
import { Accounts } from "../accounts/service.ts"
import { ApiKeys } from "../api-keys/service.ts"
import { layerRoad } from "../fixture.ts"
import { accounts } from "../layer.ts"
import { ToolCallers } from "./service.ts"

const services = accounts.services.pipe(
  Layer.provide(layerRoad),
  Layer.provide(Database.layer.pipe(Layer.provide(layerDatabase))),
  Layer.provide(SecureRandom.layerWebCrypto)
)

layer(services)("ToolCallers", (it) => {
  it.effect("knows the account of a tool key, until it is revoked", () =>
    Effect.gen(function*() {
      const { account } = yield* (yield* Accounts).create({ name: "Acme", sandbox: true })
      const [keys, callers] = [yield* ApiKeys, yield* ToolCallers]
      const { record, secret } = yield* keys.issue({ accountId: account.id, kind: "tool", name: "Tools", scopes: [] })
      const token = Redacted.value(secret)
      assert.match(token, /^svck_test_[0-9A-Za-z]{32}$/)
      const caller = yield* callers.find(token)
      assert.deepInclude(caller, { clocked: false, credential: { kind: "api_key", id: record.id } })
      assert.deepInclude(caller.account, { id: account.id, sandbox: true, status: "active" })
      yield* (yield* Accounts).move(account.id, "suspend")
      assert.strictEqual((yield* callers.find(token)).account.status, "suspended")
      yield* keys.revoke(account.id, record.id)
      assert.match((yield* Effect.flip(callers.find(token))).detail, /unknown, revoked or expired/)
    }))

  it.effect("refuses keys of the payments API by their kind, whether they are current or not", () =>
    Effect.gen(function*() {
      const { account, key } = yield* (yield* Accounts).create({ name: "Acme", sandbox: true })
      const [keys, callers] = [yield* ApiKeys, yield* ToolCallers]
      const secret = Redacted.value(key.secret)
      const restricted = yield* keys.issue({ accountId: account.id, kind: "restricted", name: "Reports", scopes: ["ledger:read"] })
      const operator = yield* keys.issue({ accountId: null, kind: "operator", name: "Console", scopes: [] })
      const said = (token: string) => Effect.map(Effect.flip(callers.find(token)), ({ detail }) => detail)
      assert.match(yield* said(secret), /secret key of the payments API.*svck_/)
      assert.strictEqual(yield* said(secret), yield* said(`${secret.slice(0, -1)}_`))
      assert.match(yield* said(Redacted.value(restricted.secret)), /restricted key of the payments API/)
      assert.match(yield* said(Redacted.value(operator.secret)), /operator key of the payments API/)
      const nobody = yield* said("svck_test_00000000000000000000000000000000")
      const { findWith } = callers
      const reader = yield* keys.issue({ accountId: account.id, kind: "restricted", name: "Reader", scopes: ["snapshots:read"] })
      for (const token of [secret, Redacted.value(reader.secret)]) {
        assert.strictEqual((yield* findWith(token, "snapshots:read")).account.id, account.id)
      }
      const lacking = yield* Effect.flip(findWith(Redacted.value(restricted.secret), "snapshots:read"))
      assert.include(lacking._tag === "Forbidden" ? lacking.message : lacking.detail, "lacks the scope snapshots:read")
      assert.strictEqual((yield* Effect.flip(findWith(Redacted.value(operator.secret), "snapshots:read")))._tag, "ToolKeyRefused")
      for (const token of ["", "x", "agk_test_00000000000000000000000000000000", "svck_live_", "SK_test_1"]) {
        assert.strictEqual(yield* said(token), nobody)
      }
    }))
})
