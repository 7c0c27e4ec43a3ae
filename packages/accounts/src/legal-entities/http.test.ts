import { assert, layer } from "@effect/vitest"
import * as Database from "@svc/kernel/database/client"
import { runDue, TimerHandlers } from "@svc/kernel/timers/timers"
import { now } from "@svc/kernel/values/time"
import { layerDatabase } from "@svc/testkit/database"
import { Effect, Layer, Redacted } from "effect"
import { Accounts } from "../accounts/service.ts"
import { Client, layer as layerApi, open, operator, readError, reads, type TestRequest } from "../fixture.ts"
import { legalEntityJobs } from "./jobs.ts"
import { type CreateLegalEntityRequest, LegalEntityJson } from "./model.ts"

const services = layerApi.pipe(Layer.provideMerge(Database.layer), Layer.provide(layerDatabase))

const read = reads(LegalEntityJson)

const gmbh: CreateLegalEntityRequest = {
  type: "organization",
  legal_name: "Nordlicht Keramik GmbH",
  country: "DE",
  registration_number: "HRB 12345",
  address: { line1: "Hafenstraße 1", city: "Hamburg", country: "DE" }
}

const merchant = Effect.map(open, ({ account, key }) => {
  const ask = (method: string, path: string, asked: TestRequest = {}) =>
    Effect.flatMap(Client, ({ send }) => send(method, `/v1/legal_entities${path}`, { key: Redacted.value(key.secret), ...asked }))
  const make = (more: Partial<CreateLegalEntityRequest> = {}) => Effect.map(ask("POST", "", { body: { ...gmbh, ...more } }), read)
  const get = (id: string) => Effect.map(ask("GET", `/${id}`), read)
  return { account, ask, get, make }
})

const reviews = Effect.gen(function*() {
  yield* Effect.provideService(Effect.flatMap(now, (at) => runDue(at)), TimerHandlers, yield* legalEntityJobs)
})

layer(services)("legal entities", (it) => {
  it.effect("are reviewed after they were made: verified, failed, or asked for more", () =>
    Effect.gen(function*() {
      const { get, make } = yield* merchant
      const [good, bad, unclear, partial] = [
        yield* make(),
        yield* make({ legal_name: "FAIL GmbH" }),
        yield* make({ legal_name: "DOCUMENT GmbH" }),
        yield* make({ address: null, registration_number: null })
      ]
      assert.strictEqual(good.verification_status, "pending")
      yield* reviews
      assert.deepInclude(yield* get(good.id), { verification_status: "verified", requirements: [], version: 2 })
      assert.deepInclude(yield* get(bad.id), {
        verification_status: "failed",
        failure_reason: "The name is on a list of names that are not paid."
      })
      assert.deepStrictEqual((yield* get(unclear.id)).requirements.map(({ field }) => field), ["legal_name"])
      assert.deepStrictEqual((yield* get(partial.id)).requirements.map(({ field }) => field), ["registration_number", "address"])
    }))

  it.effect("what was asked for is sent and submitted, and another name is reviewed again", () =>
    Effect.gen(function*() {
      const { ask, get, make } = yield* merchant
      const { id } = yield* make({ address: null })
      assert.strictEqual(
        (yield* ask("PATCH", `/${id}`, { body: { address: gmbh.address } })).status,
        409,
        "while it is reviewed nothing changes"
      )
      yield* reviews
      yield* ask("PATCH", `/${id}`, { body: { address: gmbh.address } })
      assert.strictEqual(read(yield* ask("POST", `/${id}/submit`)).verification_status, "pending")
      yield* reviews
      assert.strictEqual((yield* get(id)).verification_status, "verified")
      assert.strictEqual(
        read(yield* ask("PATCH", `/${id}`, { body: { address: { ...gmbh.address, city: "Bremen" } } })).verification_status,
        "verified"
      )
      const renamed = read(yield* ask("PATCH", `/${id}`, { body: { country: "AT" } }))
      assert.deepInclude(renamed, { verification_status: "requires_info", verified_at: null })
      yield* ask("POST", `/${id}/submit`)
      yield* reviews
      assert.strictEqual((yield* get(id)).verification_status, "verified")
      assert.strictEqual(readError(yield* ask("POST", `/${id}/submit`)).error, "invalid_state")
    }))

  it.effect("those of live accounts wait for the operator", () =>
    Effect.gen(function*() {
      const { send } = yield* Client
      const { account, key } = yield* (yield* Accounts).create({ name: "Live", sandbox: false })
      const secret = Redacted.value(key.secret)
      const { id } = read(yield* send("POST", "/v1/legal_entities", { key: secret, body: gmbh }))
      yield* reviews
      assert.strictEqual(read(yield* send("GET", `/v1/legal_entities/${id}`, { key: secret })).verification_status, "pending")
      const review = (body: object, as: TestRequest["key"]) =>
        send("POST", `/v1/accounts/${account.id}/legal_entities/${id}/review`, { ...(as === undefined ? {} : { key: as }), body })
      assert.strictEqual((yield* review({ verification_status: "verified" }, secret)).status, 403)
      const console = yield* operator
      assert.strictEqual(readError(yield* review({ verification_status: "failed" }, console)).code, "failure_reason")
      const asked = read(
        yield* review({ verification_status: "requires_info", requirements: [{ field: "address", reason: "Send a bill." }] }, console)
      )
      assert.deepInclude(asked, { verification_status: "requires_info", requirements: [{ field: "address", reason: "Send a bill." }] })
      assert.strictEqual((yield* review({ verification_status: "verified" }, console)).status, 409)
      yield* send("POST", `/v1/legal_entities/${id}/submit`, { key: secret })
      assert.strictEqual(read(yield* review({ verification_status: "verified" }, console)).verification_status, "verified")
      // Years later it is looked at again.
      const again = read(
        yield* review({
          verification_status: "requires_info",
          requirements: [{ field: "birth_date", reason: "Send a passport that is valid." }]
        }, console)
      )
      assert.deepInclude(again, { verification_status: "requires_info", verified_at: null })
    }))

  it.effect("a key makes one, and nobody finds another merchant's", () =>
    Effect.gen(function*() {
      const [one, other] = [yield* merchant, yield* merchant]
      const body = { ...gmbh, idempotency_key: "legal-entity-once" }
      const [first, again] = [yield* one.ask("POST", "", { body }), yield* one.ask("POST", "", { body })]
      assert.deepStrictEqual([first.status, again.status, again.text], [201, 200, first.text])
      assert.strictEqual((yield* other.ask("GET", `/${read(first).id}`)).status, 404)
    }))
})
