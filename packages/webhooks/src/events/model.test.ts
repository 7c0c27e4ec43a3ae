import { assert, describe, it } from "@effect/vitest"
import { parseJson } from "@svc/kernel/values/json"
import { Effect, Schema } from "effect"
import { Event, eventJson, type EventRow } from "./model.ts"

const row = (data: string): EventRow => ({
  account_id: "acct_00000000000000000000000000",
  seq: 7,
  id: "evt_00000000000000000000000000",
  type: "payment_intent.captured",
  resource_version: 3,
  api_version: "2026-11-01",
  data,
  metadata: null,
  created_at: "2026-01-01T00:00:00.000Z"
})

describe("events", () => {
  it("are written with their fields in this order", () => {
    assert.strictEqual(
      eventJson(row("{}")),
      "{\"id\":\"evt_00000000000000000000000000\",\"type\":\"payment_intent.captured\",\"created_at\":\"2026-01-01T00:00:00.000Z\"," +
        "\"api_version\":\"2026-11-01\",\"account_id\":\"acct_00000000000000000000000000\",\"event_seq\":7,\"resource_version\":3,\"data\":{}}"
    )
  })

  it("carry what to route by before their data, where the scheduler caused them", () => {
    assert.isTrue(
      eventJson({ ...row("{}"), metadata: "{\"subscription_id\":\"sub_1\"}" }).endsWith(
        ",\"resource_version\":3,\"metadata\":{\"subscription_id\":\"sub_1\"},\"data\":{}}"
      )
    )
  })

  it.effect.prop("carry any data untouched and decode as their schema says", [Schema.JsonObject], ([data]) =>
    Effect.gen(function*() {
      const text = JSON.stringify(data, null, 1)
      const json = eventJson(row(text))
      assert.isTrue(json.endsWith(`,"data":${text}}`))
      const event = yield* Schema.decodeUnknownEffect(Schema.toCodecJson(Event), { onExcessProperty: "error" })(parseJson(json))
      assert.deepStrictEqual(event.data, parseJson(text))
      assert.strictEqual(event.event_seq, 7)
    }), { arbitrary: { runs: 1000 } })
})
