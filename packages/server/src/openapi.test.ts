/** A resource that joins is documented by what it says of itself: this one no file of the server knows. */
import { assert, describe, it } from "@effect/vitest"
import { Does, forMerchants, RequiredScope } from "@svc/accounts/access/api"
import { type Header, ReadsHeaders, SendsHeaders } from "@svc/kernel/http/headers"
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { ReadsIdempotencyKey } from "@svc/kernel/http/keyed"
import { errorCode, wireAnnotations, wireFields } from "@svc/kernel/resource/errors"
import { Delivers, Emits, eventsOf } from "@svc/kernel/resource/events"
import { EXAMPLE_TIME, exampleId } from "@svc/kernel/resource/examples"
import { pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { IdempotencyKey } from "@svc/kernel/values/idempotency-key"
import { idSchema } from "@svc/kernel/values/ids"
import { Timestamp } from "@svc/kernel/values/time"
import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { catalogOf } from "./catalog.ts"
import { complete } from "./openapi.ts"
import { factsOf } from "./openapi/facts.ts"

const NoteId = idSchema("note", "NoteId")
const note = { id: exampleId("note"), text: "call back", written_at: EXAMPLE_TIME }
const Note = Schema.Struct({ id: NoteId, text: Schema.String, written_at: Timestamp })
  .annotate({ identifier: "Note" })
  .pipe(Schema.annotateEncoded({ examples: [note] }))
const NoteRequest = Schema.Struct({ text: Schema.String, idempotency_key: IdempotencyKey }).annotate({ identifier: "NoteRequest" })
const request = (text: string) => NoteRequest.annotate({ examples: [{ text, idempotency_key: `key of ${text}` }] })

const moon: Header = { name: "Moon-Phase", value: Schema.Literals(["new", "full"]).annotate({ description: "What the moon is like." }) }
const code = errorCode("too_late", 409, "The notes are closed for the night.", "Write it tomorrow.", {
  example: { details: { opens: "08:00" } },
  headers: [moon]
})
class TooLate extends Schema.Error<TooLate>("TooLate")(wireFields("TooLate", code), wireAnnotations(code)) {}

class NotesGroup extends HttpApiGroup.make("notes").add(
  HttpApiEndpoint.post("create", "/notes", { payload: request("first"), success: Note, error: TooLate })
    .annotate(RequiredScope, "notes:write").annotate(Does, "manage").annotate(ReadsIdempotencyKey, true),
  HttpApiEndpoint.post("replace", "/notes/:id", { params: { id: NoteId }, payload: request("second"), success: Note })
    .annotate(RequiredScope, "notes:write").annotate(Does, "manage").annotate(ReadsIfMatch, true),
  HttpApiEndpoint.get("list", "/notes", { query: pageQueryOf("note"), success: PaginatedList(Note, "NoteList") }).annotate(
    RequiredScope,
    "notes:read"
  )
).pipe(forMerchants({ title: "Notes", description: "What was said." }))
  .annotate(Emits, eventsOf("note", ["written"], Note))
  .annotate(Delivers, { body: Note, headers: [moon], description: "By owl." })
{}

const api = HttpApi.make("toy").add(NotesGroup).annotate(SendsHeaders, [moon]).annotate(ReadsHeaders, [moon])
const { components, info, openapi, paths, tags } = OpenApi.fromApi(api)
const document: unknown = complete({ components, info, openapi, paths, tags }, factsOf(api), catalogOf(api))

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> => typeof value === "object" && value !== null

/** What stands at this place. Follows references. */
const at = (...place: ReadonlyArray<string>): unknown =>
  place.reduce<unknown>((found, name) => {
    const inside = isObject(found) ? found[name] : undefined
    return isObject(inside) && typeof inside["$ref"] === "string" ? at(...inside["$ref"].slice(2).split("/")) : inside
  }, document)

const keysAt = (...place: ReadonlyArray<string>): ReadonlyArray<string> => Object.keys(Object(at(...place)))

const example = (...place: ReadonlyArray<string>) => at(...place, "content", "application/json", "examples", "example", "value")

describe("a resource that joins", () => {
  it("shows its examples: one of the schema, one of each use, and those that lists make of them", () => {
    assert.deepStrictEqual(example("paths", "/v1/notes", "post", "responses", "200"), note)
    assert.deepStrictEqual(example("paths", "/v1/notes", "get", "responses", "200"), {
      data: [note],
      total: 1,
      page: 1,
      per_page: 20,
      has_more: false
    })
    assert.deepStrictEqual(example("paths", "/v1/notes", "post", "requestBody"), { text: "first", idempotency_key: "key of first" })
    assert.deepStrictEqual(example("paths", "/v1/notes/{id}", "post", "requestBody"), { text: "second", idempotency_key: "key of second" })
    assert.notInclude(JSON.stringify(keysAt("components", "schemas")), "NoteRequest_1")
  })

  it("has the headers that it sends and reads, and those of whoever stands before it", () => {
    const limits = ["RateLimit-Limit", "RateLimit-Remaining", "RateLimit-Reset"]
    assert.sameMembers([...keysAt("paths", "/v1/notes", "get", "responses", "200", "headers")], ["Moon-Phase", ...limits])
    assert.sameMembers([...keysAt("paths", "/v1/notes", "post", "responses", "200", "headers")], [
      "Moon-Phase",
      ...limits,
      "Idempotent-Replayed",
      "Idempotency-Key"
    ])
    assert.sameMembers([...keysAt("paths", "/v1/notes", "post", "responses", "401", "headers")], ["Moon-Phase", "WWW-Authenticate"])
    assert.sameMembers([...keysAt("paths", "/v1/notes", "post", "responses", "429", "headers")], ["Moon-Phase", ...limits, "Retry-After"])
    const read = (path: string, method: string) => JSON.stringify(Object(at("paths", path, method))["parameters"])
    assert.include(read("/v1/notes/{id}", "post"), "IfMatch")
    assert.notInclude(read("/v1/notes", "post"), "IfMatch")
    assert.include(read("/v1/notes", "post"), "IdempotencyKey")
    assert.notInclude(read("/v1/notes", "get"), "IdempotencyKey")
    assert.deepStrictEqual(at("components", "parameters", "MoonPhase"), {
      name: "Moon-Phase",
      in: "header",
      required: false,
      description: "What the moon is like.",
      schema: { type: "string", enum: ["new", "full"] }
    })
  })

  it("has its refusals, its scopes and its events", () => {
    assert.deepStrictEqual(at("paths", "/v1/notes", "post", "security"), [{ secret_key: ["notes:write"] }])
    assert.deepStrictEqual(
      at("paths", "/v1/notes", "get", "security"),
      [{ secret_key: ["notes:read"] }, { operator_key: [] }],
      "an operator reads lists"
    )
    assert.deepStrictEqual(at("components", "examples", "error_too_late", "value"), {
      error: "too_late",
      message: "The notes are closed for the night. Write it tomorrow.",
      request_id: exampleId("req"),
      details: { opens: "08:00" }
    })
    assert.sameMembers([...keysAt("paths", "/v1/notes", "post", "responses", "409", "content", "application/json", "examples")], [
      "too_late"
    ])
    assert.include(JSON.stringify(at("webhooks", "note.written", "post", "tags")), "Notes")
    assert.include(JSON.stringify(at("webhooks", "note.written", "post", "parameters")), "Moon-Phase")
    assert.deepStrictEqual(
      at("webhooks", "note.written", "post", "requestBody", "content", "application/json", "examples", "event", "value"),
      { ...note, type: "note.written", data: note }
    )
  })

  it("keeps closed what a request must not hold, and open what answers may grow", () => {
    assert.propertyVal(at("components", "schemas", "NoteRequest"), "additionalProperties", false)
    assert.notProperty(at("components", "schemas", "Note"), "additionalProperties")
  })
})
