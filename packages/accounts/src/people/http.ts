/** The handlers of the routes of people. */
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { ifMatchOf } from "@svc/kernel/http/if-match"
import { PublicUrl } from "@svc/kernel/http/public-url"
import { listOwn } from "@svc/kernel/resource/pages"
import { Effect, Layer } from "effect"
import type { HttpServerRequest } from "effect/http"
import * as HttpApi from "effect/http-api/HttpApi"
import { Caller, Operator, type Role } from "../access/model.ts"
import { AccountId } from "../accounts/model.ts"
import { Accounts } from "../accounts/service.ts"
import { OperatorPeopleGroup, PeopleGroup } from "./api.ts"
import type { InvitationId, UserId } from "./model.ts"
import { managerOf, People } from "./service.ts"
import { Inviting, type Place } from "./service/inviting.ts"

const api = HttpApi.make("svc").add(PeopleGroup).add(OperatorPeopleGroup)

interface One<Id> {
  readonly params: { readonly id: Id }
}

interface Changing extends One<UserId> {
  readonly request: HttpServerRequest.HttpServerRequest
}

/** The handlers that both groups share; `at` says whose people they are about. */
const makeHandlers = <R>(at: Effect.Effect<Place, never, R>) =>
  Effect.gen(function*() {
    const [people, inviting] = [yield* People, yield* Inviting]
    return {
      invite: ({ payload: { email, role } }: { readonly payload: { readonly role: Role; readonly email?: string } }) =>
        Effect.flatMap(at, (place) => inviting.invite(place, role, email)),
      get: ({ params }: One<UserId>) => Effect.flatMap(at, ({ account_id }) => people.get(account_id, params.id)),
      get_invitation: ({ params }: One<InvitationId>) =>
        Effect.flatMap(at, ({ account_id }) => people.getInvitation(account_id, params.id)),
      revoke_invitation: ({ params }: One<InvitationId>) =>
        Effect.flatMap(at, ({ account_id, by }) => people.revokeInvitation(by, account_id, params.id)),
      change_role: Effect.fnUntraced(
        function*({ params, payload, request }: Changing & { readonly payload: { readonly role: Role } }) {
          const { account_id, by } = yield* at
          return yield* people.changeRole(
            by,
            { account_id, id: params.id, version: yield* Effect.fromResult(ifMatchOf(request)) },
            payload.role
          )
        }
      ),
      remove: Effect.fnUntraced(function*({ params, request }: Changing) {
        const { account_id, by } = yield* at
        return yield* people.remove(by, { account_id, id: params.id, version: yield* Effect.fromResult(ifMatchOf(request)) })
      })
    }
  })

const accountPeople = HttpApiBuilder.group(
  api,
  "people",
  Effect.fnUntraced(function*(handlers) {
    const [accounts, people] = [yield* Accounts, yield* People]
    const own = Effect.map(Caller, ({ account }) => account.id)
    const place = Effect.map(Caller, (caller): Place => {
      const { id, sandbox } = caller.account
      return {
        account_id: id,
        by: managerOf(caller),
        letter: Effect.map(Effect.orDie(accounts.get(AccountId.make(id))), ({ name }) => ({ place: name, rehearsal: sandbox }))
      }
    })
    return handlers.handleAll({
      ...yield* makeHandlers(place),
      list: ({ query }) => Effect.flatMap(own, (id) => listOwn(id, query, people.list(id, query))),
      list_invitations: ({ query }) => Effect.flatMap(own, (id) => listOwn(id, query, people.invitations(id, query)))
    })
  })
)

const installationPeople = HttpApiBuilder.group(
  api,
  "operator_people",
  Effect.fnUntraced(function*(handlers) {
    const people = yield* People
    const owner = Effect.map(Operator, ({ keyId }) => keyId)
    const place = Effect.map(Operator, ({ person }): Place => ({
      account_id: null,
      by: { person },
      letter: Effect.map(PublicUrl, (url) => ({ place: `the installation at ${url}`, rehearsal: false }))
    }))
    return handlers.handleAll({
      ...yield* makeHandlers(place),
      list: ({ query }) => Effect.flatMap(owner, (own) => listOwn(own, query, people.list(null, query))),
      list_invitations: ({ query }) => Effect.flatMap(owner, (own) => listOwn(own, query, people.invitations(null, query)))
    })
  })
)

export const layer = Layer.merge(accountPeople, installationPeople).pipe(Layer.provide(Inviting.layer))
