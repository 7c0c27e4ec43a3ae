/** The versions of the payments API and where each stands. */
import { CURRENT_API_VERSION } from "@svc/kernel/api-version"

export interface ApiVersionRecord {
  readonly version: string
  readonly status: "current" | "supported" | "deprecated" | "sunset"
  readonly released_at: string
  readonly sunset_at: string | null
  readonly changelog: string | null
}

/** Newest first. A released version becomes supported when the next one is current, and keeps working for 180 days at least. */
export const apiVersions: ReadonlyArray<ApiVersionRecord> = [
  {
    version: CURRENT_API_VERSION,
    status: "current",
    released_at: `${CURRENT_API_VERSION}T00:00:00.000Z`,
    sunset_at: null,
    changelog: "The first version."
  }
]

export const isSupported = (version: string): boolean =>
  apiVersions.some((known) => known.version === version && known.status !== "sunset")
