/** What versions of the API changed of an order. */
import { versionChange } from "@svc/kernel/resource/version-change"
import { Schema } from "effect"
import { Tracking, trackingText } from "./model.ts"

/** Until then the tracking was one text, and nobody could say by which carrier. */
export const trackingSaysTheCarrier = versionChange({
  version: "2026-11-22",
  prefix: "ord",
  schema: "Order",
  requests: ["orders.fulfill"],
  older: Schema.Struct({ tracking: Schema.optionalKey(Schema.NullOr(trackingText)) }),
  newer: Schema.Struct({ tracking: Schema.optionalKey(Schema.NullOr(Tracking)) }),
  toNewer: ({ tracking }) => tracking === undefined ? {} : { tracking: tracking === null ? null : { number: tracking } },
  toOlder: ({ tracking }) => tracking === undefined ? {} : { tracking: tracking === null ? null : tracking.number }
})
