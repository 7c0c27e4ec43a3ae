/** Versions of the payments API, by date. One is current; `GET /v1/api_versions` lists them all. */
export const CURRENT_API_VERSION = "2026-11-01"
