/** The handlers of the routes of the terms. */
import { Caller } from "@svc/accounts/access/model"
import { creating, listing, retrieving } from "@svc/accounts/access/service"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { Effect, Layer } from "effect"
import { TermsAcceptancesGroup, TermsGroup } from "./api.ts"
import { Terms } from "./service.ts"

const terms = handlersOf(TermsGroup, Terms, (handlers, service) =>
  handlers.handleAll({
    current: () => Effect.succeed(service.current),
    accept: creating("terms.accept", (command) =>
      Effect.flatMap(Caller, ({ keyId: by }) => service.accept({ ...command, payload: { ...command.payload, by } })))
  }))

const acceptances = handlersOf(
  TermsAcceptancesGroup,
  Terms,
  (handlers, { get, list }) => handlers.handleAll({ get: retrieving(get), list: listing(list) })
)

export const layer = Layer.merge(terms, acceptances)
