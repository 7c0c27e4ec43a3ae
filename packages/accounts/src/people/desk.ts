/** How people look at people: who may sign in, and who is invited to. */
import { viewOf } from "@svc/kernel/resource/view"
import { OperatorPeopleGroup, PeopleGroup } from "./api.ts"
import { Invitation, Person } from "./model.ts"

const person = {
  columns: [
    { field: "name", as: "text" },
    { field: "email", as: "text" },
    { field: "role", as: "state" },
    { field: "created_at", as: "time" }
  ],
  filters: [],
  facts: [
    { field: "name", as: "text" },
    { field: "email", as: "text" },
    { field: "role", as: "state" },
    { field: "created_at", as: "time" },
    { field: "updated_at", as: "time" }
  ],
  actions: [
    {
      endpoint: "invite",
      on: "all",
      asks: [{ field: "role", as: "choice" }, { field: "email", as: "text", optional: true }],
      reveals: "link"
    },
    { endpoint: "change_role", on: "one", asks: [{ field: "role", as: "choice", initially: "role" }] },
    { endpoint: "remove", on: "one", asks: [], final: true }
  ]
} as const

const invitation = {
  list: "list_invitations",
  get: "get_invitation",
  columns: [
    { field: "role", as: "state" },
    { field: "email", as: "text" },
    { field: "created_at", as: "time" },
    { field: "expires_at", as: "time" },
    { field: "used_at", as: "time" }
  ],
  filters: [],
  facts: [
    { field: "role", as: "state" },
    { field: "email", as: "text" },
    { field: "created_at", as: "time" },
    { field: "expires_at", as: "time" },
    { field: "used_at", as: "time" },
    { field: "revoked_at", as: "time" }
  ],
  actions: [{ endpoint: "revoke_invitation", on: "one", asks: [] }]
} as const

export const peopleView = viewOf(PeopleGroup, Person, {
  name: "people",
  section: "account",
  ...person,
  related: [{ view: "audit_log", filter: "actor_id", by: "id" }]
})

export const invitationsView = viewOf(PeopleGroup, Invitation, { name: "invitations", section: "account", ...invitation })

export const installationPeopleView = viewOf(OperatorPeopleGroup, Person, {
  name: "installation_people",
  section: "installation",
  ...person
})

export const installationInvitationsView = viewOf(OperatorPeopleGroup, Invitation, {
  name: "installation_invitations",
  section: "installation",
  ...invitation
})
