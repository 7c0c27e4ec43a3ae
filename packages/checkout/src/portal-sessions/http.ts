/** The handlers of the portal session routes. */
import { Caller } from "@svc/accounts/access/model"
import { creatingAnyhow, listing, retrieving } from "@svc/accounts/access/service"
import * as HttpApiBuilder from "@svc/kernel/http/api-builder"
import { ifMatchOf } from "@svc/kernel/http/if-match"
import { makeCustomerKeys } from "@svc/payments/customer-keys/service"
import { Effect } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import { PortalSessionsGroup } from "./api.ts"
import { type PortalSession, withoutSecret } from "./model.ts"
import { PortalSessions } from "./service.ts"

/** Whoever has the whole address acts for the customer: who may make a session sees it, others the address without its secret. */
const shownTo = <R extends Pick<PortalSession, "url">>({ kind, scopes }: Caller["Service"], session: R): R =>
  kind === "secret" || scopes?.has("customer_portal:write") === true ? session : withoutSecret(session)

export const layer = HttpApiBuilder.group(
  HttpApi.make("svc").add(PortalSessionsGroup),
  "customer_portal",
  Effect.fnUntraced(function*(handlers) {
    const sessions = yield* PortalSessions
    const { listedBy } = yield* makeCustomerKeys
    return handlers.handleAll({
      create: creatingAnyhow("portal_session.create", sessions.create),
      get: Effect.fnUntraced(function*(asked) {
        return shownTo(yield* Caller, yield* retrieving(sessions.get)(asked))
      }),
      list: Effect.fnUntraced(function*(asked) {
        const [caller, page] = [yield* Caller, yield* listing(listedBy(sessions.list))(asked)]
        return { ...page, data: page.data.map((session) => shownTo(caller, session)) }
      }),
      revoke: Effect.fnUntraced(function*({ params, request }) {
        return yield* sessions.revoke((yield* Caller).account.id, params.id, yield* Effect.fromResult(ifMatchOf(request)))
      })
    })
  })
)
