/** Versions of the payments API, by date. One is current; `GET /v1/api_versions` lists them all. */
import { Schema } from "effect"
import type { Header } from "./http/headers.ts"

export const CURRENT_API_VERSION = "2026-11-01"

export const ApiVersion = Schema.String.check(Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u))

/** On every request, where the client likes to say it. */
export const askedVersion: Header = {
  name: "API-Version",
  value: ApiVersion.annotate({ description: "The version to answer in, from GET /v1/api_versions; the current one when left out.", examples: [CURRENT_API_VERSION] })
}

/** On every answer. */
export const answeredVersion: Header = {
  name: "API-Version",
  value: ApiVersion.annotate({ description: "The version that answered.", examples: [CURRENT_API_VERSION] })
}
