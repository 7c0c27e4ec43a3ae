/** The resource that CONTRIBUTING.md shows, on real Postgres behind a real listener, beside the whole API. */
import { assert, layer } from "@effect/vitest"
import { endpointOf } from "@svc/desk/api/endpoints"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import * as schemaErrors from "@svc/kernel/http/schema-errors"
import { listen } from "@svc/server/listener"
import { all } from "@svc/server/packages"
import * as requestBody from "@svc/server/request-body"
import * as server from "@svc/server/routes"
import { Effect, Layer } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { SqlClient } from "effect/sql"
import { randomUUID } from "node:crypto"
import { itemsOf, jsonOf, layerLog, layerService, must, openMerchant, send } from "../../contract/service.ts"
import { services } from "../../services.ts"
import { NotesGroup } from "./api.ts"
import { notesView } from "./desk.ts"
import { migrations } from "./migrations.ts"
import { notes } from "./resource.ts"

const tables = Layer.effectDiscard(Effect.orDie(Effect.all(Object.values(migrations), { discard: true })))

const routes = HttpApiBuilder.layer(HttpApi.make("svc").add(NotesGroup)).pipe(
  Layer.provide(Layer.provideMerge(notes.routes, all.routes)),
  Layer.provide([schemaErrors.layer, requestBody.layer])
)

const service = layerService.pipe(
  Layer.provideMerge(listen(Layer.merge(routes, server.layer), { port: 0, host: "127.0.0.1", variable: "API_PORT" })),
  Layer.provideMerge(notes.services),
  Layer.provideMerge(tables),
  Layer.provideMerge(services),
  Layer.provideMerge(layerLog)
)

layer(service, { excludeTestServices: true })("notes, the resource of the recipe", (it) => {
  it.effect("is created once under a key, read, listed by its status and archived once", () =>
    Effect.gen(function*() {
      const { id: account, key } = yield* openMerchant("notes")
      const body = { text: "Call back", due_at: "2026-12-24T10:00:00+01:00", idempotency_key: randomUUID() }
      const [first, again] = [yield* send("POST", "/v1/notes", { key, body }), yield* send("POST", "/v1/notes", { key, body })]
      assert.deepStrictEqual([first.status, again.status], [201, 200])
      assert.strictEqual(again.text, first.text)
      const note = jsonOf(first)
      assert.deepInclude(note, { account_id: account, text: "Call back", due_at: "2026-12-24T09:00:00.000Z", status: "open", version: 1 })
      const path = `/v1/notes/${String(note["id"])}`
      assert.deepStrictEqual(yield* must("GET", path, { key }), note)

      const archive = (headers: Readonly<Record<string, string>>) =>
        send("POST", `${path}/archive`, { key, headers, body: { idempotency_key: randomUUID() } })
      const stale = yield* archive({ "If-Match": "\"7\"" })
      assert.deepStrictEqual([stale.status, jsonOf(stale)["error"]], [409, "version_conflict"])
      assert.deepInclude(jsonOf(yield* archive({ "If-Match": "\"1\"" })), { status: "archived", version: 2 })
      const refused = yield* archive({})
      assert.strictEqual(refused.status, 409)
      assert.deepInclude(jsonOf(refused), { error: "invalid_state", details: { state: "archived", allowed: [] } })

      const listed = Effect.fnUntraced(function*(status: string) {
        return itemsOf(yield* must("GET", `/v1/notes?status=${status}`, { key })).length
      })
      assert.deepStrictEqual([yield* listed("open"), yield* listed("archived")], [0, 1])
      const events = itemsOf(yield* must("GET", "/v1/events", { key }))
      assert.deepStrictEqual(events.map((event) => Object(event)["type"]), ["note.archived", "note.created"])

      const audited = itemsOf(yield* must("GET", `/v1/audit_log?resource_id=${String(note["id"])}`, { key }))
      assert.deepStrictEqual(audited.map((entry) => Object(entry)["action"]), ["note.updated", "note.created"])

      const other = yield* openMerchant("somebody else")
      assert.strictEqual((yield* send("GET", path, other)).status, 404)
      const sql = yield* SqlClient.SqlClient
      assert.lengthOf(yield* sql`SELECT 1 FROM notes`, 1)
    }))

  it.effect("asks people for all that the requests of its view need", () =>
    Effect.sync(() => {
      for (const { asks, endpoint } of notesView.actions) {
        const asked = ["idempotency_key", ...asks.map(({ field }) => field)]
        assert.includeMembers(asked, [...endpointOf(notesView, endpoint).required])
      }
    }))
})
