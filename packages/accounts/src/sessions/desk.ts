/** How people look at sessions: where somebody is signed in. */
import { viewOf } from "@svc/kernel/resource/view"
import { OperatorPersonSessionsGroup, PersonSessionsGroup } from "./api.ts"
import { PersonSession } from "./model.ts"

const session = {
  columns: [
    { field: "person_id", as: "id" },
    { field: "user_agent", as: "text" },
    { field: "ip", as: "text" },
    { field: "seen_at", as: "time" },
    { field: "created_at", as: "time" }
  ],
  filters: [],
  facts: [
    { field: "person_id", as: "id" },
    { field: "user_agent", as: "text" },
    { field: "ip", as: "text" },
    { field: "created_at", as: "time" },
    { field: "seen_at", as: "time" },
    { field: "confirmed_at", as: "time" }
  ],
  actions: [{ endpoint: "revoke", on: "one", asks: [], final: true }]
} as const

export const personSessionsView = viewOf(PersonSessionsGroup, PersonSession, { name: "person_sessions", section: "account", ...session })

export const installationSessionsView = viewOf(OperatorPersonSessionsGroup, PersonSession, {
  name: "installation_sessions",
  section: "installation",
  ...session
})
