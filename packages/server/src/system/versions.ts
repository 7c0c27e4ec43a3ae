/** The versions of the payments API as they are shown. */
import { type Release, statusOf, type VersionStatus } from "@svc/kernel/resource/api-version"

export interface ApiVersionRecord {
  readonly version: string
  readonly status: VersionStatus
  readonly released_at: string
  readonly sunset_at: string | null
  readonly changelog: string | null
}

/** Newest first, as they stand at a moment. */
export const recordsOf = (releases: ReadonlyArray<Release>, millis: number): ReadonlyArray<ApiVersionRecord> =>
  releases.map(({ changelog, sunset_at, version }) => ({
    version,
    status: statusOf(releases, version, millis) ?? "sunset",
    released_at: `${version}T00:00:00.000Z`,
    sunset_at: sunset_at === undefined ? null : new Date(sunset_at).toISOString(),
    changelog
  }))
