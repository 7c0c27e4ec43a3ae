/**
 * Versions of the payments API, by date. One is current; `GET /v1/api_versions` lists them all. CONTRIBUTING.md says how another is added.
 */
import { Schema } from "effect"
import type { Header } from "../http/headers.ts"
import { Reference } from "../values/reference.ts"

export const CURRENT_API_VERSION = "2026-11-22"

/** A version that was released, and what becomes of it. */
export interface Release {
  /** The day of its release. */
  readonly version: string
  readonly changelog: string
  /** From when on its answers say that it will end; Unix milliseconds. */
  readonly deprecated_at?: number
  /** From when on it is refused: 180 days after it was deprecated, or later. */
  readonly sunset_at?: number
}

/** Newest first. A released version becomes supported when the next one is current. */
export const releases: ReadonlyArray<Release> = [
  { version: CURRENT_API_VERSION, changelog: "The tracking of an order says the carrier beside the number." },
  { version: "2026-11-01", changelog: "The first version." }
]

/** The releases that this installation knows. A test may know others. */
export class Releases extends Reference<ReadonlyArray<Release>>("@svc/kernel/Releases", { defaultValue: () => releases }) {}

export type VersionStatus = "current" | "supported" | "deprecated" | "sunset"

/** Where a version stands at a moment; undefined for one that was never released. */
export const statusOf = (all: ReadonlyArray<Release>, version: string, millis: number): VersionStatus | undefined => {
  const at = all.findIndex((release) => release.version === version)
  const release = all[at]
  if (release === undefined) return undefined
  if (release.sunset_at !== undefined && release.sunset_at <= millis) return "sunset"
  if (release.deprecated_at !== undefined && release.deprecated_at <= millis) return "deprecated"
  return at === 0 ? "current" : "supported"
}

/** Whether requests are answered in it. */
export const isServed = (all: ReadonlyArray<Release>, version: string, millis: number): boolean => {
  const status = statusOf(all, version, millis)
  return status !== undefined && status !== "sunset"
}

/** `Deprecation` (RFC 9745) and `Sunset` (RFC 8594), where the version is to end. */
export const endOfLife = (all: ReadonlyArray<Release>, version: string, millis: number): Readonly<Record<string, string>> => {
  const { deprecated_at, sunset_at } = all.find((release) => release.version === version) ?? {}
  return {
    ...(deprecated_at === undefined || deprecated_at > millis ? {} : { deprecation: `@${Math.floor(deprecated_at / 1000)}` }),
    ...(sunset_at === undefined ? {} : { sunset: new Date(sunset_at).toUTCString() })
  }
}

export const ApiVersion = Schema.String.check(
  Schema.isPattern(/^\d{4}-\d{2}-\d{2}$/u, { message: "must be a version of the API, a date such as 2026-11-22" })
)

/** On every request, where the client likes to say it. */
export const askedVersion: Header = {
  name: "API-Version",
  value: ApiVersion.annotate({
    description: "The version to be read and answered in, from GET /v1/api_versions; the account's own `api_version` when left out.",
    examples: [CURRENT_API_VERSION]
  })
}

/** On every answer. */
export const answeredVersion: Header = {
  name: "API-Version",
  value: ApiVersion.annotate({ description: "The version that answered.", examples: [CURRENT_API_VERSION] })
}
