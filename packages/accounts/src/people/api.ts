/** The routes of the people of an account, and of the installation. */
import { ReadsIfMatch } from "@svc/kernel/http/if-match"
import { AnswersSecret } from "@svc/kernel/http/kept-answers"
import { described } from "@svc/kernel/resource/api"
import { Forbidden, InvalidState, NotFound, VersionConflict } from "@svc/kernel/resource/errors"
import { pageFieldsOf, pageQueryOf, PaginatedList } from "@svc/kernel/resource/pages"
import { pathId } from "@svc/kernel/values/ids"
import { Context } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { Does, forMerchants, forOperators, NeedsConfirmation, RequiredScope } from "../access/api.ts"
import type { Activity } from "../access/permits.ts"
import { ChangeRoleRequest, Invitation, InvitationId, InvitationMade, InvitePersonRequest, Person, UserId } from "./model.ts"

const person = { params: { id: pathId("usr", UserId) } }
const invitation = { params: { id: pathId("ivt", InvitationId) } }
const people = PaginatedList(Person, "PersonList")
const invitations = PaginatedList(Invitation, "InvitationList")

const changed = { ...person, success: Person, error: [NotFound, Forbidden, InvalidState, VersionConflict] } as const
const invited = { payload: InvitePersonRequest, success: InvitationMade.pipe(HttpApiSchema.status(201)), error: Forbidden } as const
const revoked = { ...invitation, success: Invitation, error: [NotFound, Forbidden] } as const

/** A link is a secret, and a role is power. */
const givesPower = Context.make(NeedsConfirmation, true)
const invites = givesPower.pipe(Context.add(AnswersSecret, true))
const changes = givesPower.pipe(Context.add(ReadsIfMatch, true))

const texts = {
  list: described("List people", "Who may sign in, with their roles, newest first."),
  get: described("Retrieve a person", "Somebody who may sign in, and their role."),
  invite: described(
    "Invite a person",
    "Answers a link by which somebody joins with this role, once. It works for ten minutes, or for a day where it is for an " +
      "e-mail address, to which it is sent where the installation sends mail. " +
      "Nobody gives a role that reaches further than their own. " +
      "Without an `Idempotency-Key`, repeating the request makes another invitation."
  ),
  invitations: described("List invitations", "Newest first, those that are over included, without their links."),
  invitation: described("Retrieve an invitation", "Without its link."),
  revoke: described("Revoke an invitation", "Its link does nothing from then on. Revoking one that is over changes nothing."),
  changeRole: described(
    "Change a person's role",
    "Ends the person's sessions here: they sign in again with the new role. The last owner keeps theirs. " +
      "Send `If-Match` with the version you read, to be refused with 409 when somebody else changed the person since."
  ),
  remove: described(
    "Remove a person",
    "Takes the role and ends the person's sessions here, at once. The last owner can neither be removed nor leave. Answers who it was."
  )
}

const reading = Context.make(RequiredScope, "people:read")
const writing = (does: Activity) => Context.make(RequiredScope, "people:write").pipe(Context.add(Does, does))

export class PeopleGroup extends HttpApiGroup.make("people").add(
  HttpApiEndpoint.get("list", "/people", { query: pageQueryOf("usr"), success: people }).annotateMerge(reading).annotateMerge(texts.list),
  HttpApiEndpoint.post("invite", "/invitations", invited)
    .annotateMerge(writing("manage")).annotateMerge(invites).annotateMerge(texts.invite),
  HttpApiEndpoint.get("list_invitations", "/invitations", { query: pageQueryOf("ivt"), success: invitations })
    .annotateMerge(reading).annotateMerge(texts.invitations),
  HttpApiEndpoint.get("get_invitation", "/invitations/:id", { ...invitation, success: Invitation, error: NotFound })
    .annotateMerge(reading).annotateMerge(texts.invitation),
  HttpApiEndpoint.post("revoke_invitation", "/invitations/:id/revoke", revoked)
    .annotateMerge(writing("protect")).annotateMerge(texts.revoke),
  HttpApiEndpoint.get("get", "/people/:id", { ...person, success: Person, error: NotFound })
    .annotateMerge(reading).annotateMerge(texts.get),
  HttpApiEndpoint.post("change_role", "/people/:id/change_role", { ...changed, payload: ChangeRoleRequest })
    .annotateMerge(writing("manage")).annotateMerge(changes).annotateMerge(texts.changeRole),
  HttpApiEndpoint.post("remove", "/people/:id/remove", changed)
    .annotateMerge(writing("protect")).annotateMerge(changes).annotateMerge(texts.remove)
).pipe(forMerchants({ title: "People", description: "Who may sign in to the desk of your account, and what they may do there." })) {}

const AT = "/installation/people"

export class OperatorPeopleGroup extends HttpApiGroup.make("operator_people").add(
  HttpApiEndpoint.get("list", AT, { query: pageFieldsOf("usr"), success: people }).annotateMerge(texts.list),
  HttpApiEndpoint.post("invite", "/installation/invitations", invited).annotateMerge(invites).annotateMerge(texts.invite),
  HttpApiEndpoint.get("list_invitations", "/installation/invitations", { query: pageFieldsOf("ivt"), success: invitations })
    .annotateMerge(texts.invitations),
  HttpApiEndpoint.get("get_invitation", "/installation/invitations/:id", { ...invitation, success: Invitation, error: NotFound })
    .annotateMerge(texts.invitation),
  HttpApiEndpoint.post("revoke_invitation", "/installation/invitations/:id/revoke", revoked).annotateMerge(texts.revoke),
  HttpApiEndpoint.get("get", `${AT}/:id`, { ...person, success: Person, error: NotFound }).annotateMerge(texts.get),
  HttpApiEndpoint.post("change_role", `${AT}/:id/change_role`, { ...changed, payload: ChangeRoleRequest })
    .annotateMerge(changes).annotateMerge(texts.changeRole),
  HttpApiEndpoint.post("remove", `${AT}/:id/remove`, changed).annotateMerge(changes).annotateMerge(texts.remove)
).pipe(
  forOperators({
    title: "People (operator)",
    description: "Who may sign in to the desk of the installation. Its owners do what an operator key does; the other roles read."
  })
) {}
