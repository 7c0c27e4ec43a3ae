/** A request to a page of the portal, and the pages of failed requests. */
import type { Effect } from "effect"
import type { HttpServerRequest, HttpServerResponse } from "effect/http"
import type { Message } from "../../i18n/messages/shape.ts"
import { portalMessagesOf } from "../../i18n/portal-messages.ts"
import { merchantOf } from "../../pages/brand.ts"
import { answer, gone } from "../../routing/answers.ts"
import { closedPage, portalPage, type PortalVisit, statusView } from "../frame.ts"
import type { PortalCaller } from "../service/access.ts"

export type PortalResponse = HttpServerResponse.HttpServerResponse

/** One request to a page of the portal. */
export interface PortalRequest {
  readonly visit: PortalVisit
  readonly caller: PortalCaller
  readonly request: HttpServerRequest.HttpServerRequest
  readonly params: Readonly<Record<string, string | undefined>>
}

export type PortalHandler = (request: PortalRequest) => Effect.Effect<PortalResponse, { readonly _tag: string }>

/** A page that says why the request changed nothing. */
export const refusal = (visit: PortalVisit, message: Message, status: number): PortalResponse =>
  answer(portalPage(visit, { title: message.title, main: statusView(visit, { ...message, sign: "bad" }) }), status)

/** The page of a session that expired or was revoked. */
export const sessionOverPage = (visit: PortalVisit): PortalResponse => {
  const { expired, revoked } = portalMessagesOf(visit.pageLocale)
  const { text, title } = visit.session.status === "revoked" ? revoked : expired
  return answer(closedPage(visit, { title, text: text(merchantOf(visit)), sign: "waiting" }), 410)
}

/** The page that says why a request failed, with its status. */
export const failurePage = (visit: PortalVisit, { _tag }: { readonly _tag: string }): PortalResponse => {
  const { changedMeanwhile, notAllowed, notPossible } = portalMessagesOf(visit.pageLocale)
  switch (_tag) {
    case "NotFound":
      return gone(visit.pageLocale)
    case "Forbidden":
      return refusal(visit, notAllowed, 403)
    case "FormTooLong":
      return refusal(visit, notAllowed, 413)
    case "NotAForm":
      return refusal(visit, notAllowed, 415)
    case "SessionOver":
      return sessionOverPage(visit)
    case "VersionConflict":
    case "ValidationError":
    case "IdempotencyKeyReused":
      return refusal(visit, changedMeanwhile, 409)
    default:
      return refusal(visit, notPossible, 409)
  }
}
