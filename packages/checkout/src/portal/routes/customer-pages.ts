/** The portal's pages of the customer's own data: name and address for mail, and payment methods. */
import { readFields, readForm } from "@svc/platform/pages/forms"
import { Effect } from "effect"
import { CardFieldsUrl } from "../../pages/card-fields-url.ts"
import { fieldsFor, isToken } from "../../pages/card-frame.ts"
import { answer, redirected } from "../../routing/answers.ts"
import { detailsOf, detailsPage, readDetails } from "../details-views.ts"
import { cardSavedPage, cardSavedPath, methodListPage } from "../method-views.ts"
import { Portal } from "../service/portal.ts"
import type { PortalRequest } from "./request.ts"

/** The largest number of cycles in an address: a page shows as many subscriptions. */
const MOST_CYCLES = 50

export const makeCustomerPages = Effect.gen(function*() {
  const portal = yield* Portal
  const providerUrl = yield* CardFieldsUrl

  const methodPage = Effect.fnUntraced(function*({ caller, visit }: PortalRequest, unusable = false) {
    const fields = fieldsFor(visit.account, visit.pageLocale, visit.path, providerUrl)
    return answer(methodListPage(visit, { ...(yield* portal.storedMethods(caller)), fields }, unusable), unusable ? 400 : 200)
  })

  return {
    details: ({ caller, visit }: PortalRequest) => Effect.as(portal.checkDetails(caller), answer(detailsPage(visit))),
    saveDetails: Effect.fnUntraced(function*({ caller, request, visit }: PortalRequest) {
      const form = readDetails(yield* readFields(request))
      if (form.emailProblem !== undefined || form.nameProblem !== undefined) return answer(detailsPage(visit, form), 400)
      yield* portal.saveDetails(caller, detailsOf(form))
      return redirected(visit.path)
    }),
    methods: (request: PortalRequest) => methodPage(request),
    saveCard: Effect.fnUntraced(function*(request: PortalRequest) {
      const token = (yield* readForm(request.request))("token")
      if (
        request.caller.account.settings.portal_settings.actions.includes("update_payment_method") && !isToken(request.visit.account, token)
      ) {
        return yield* methodPage(request, true)
      }
      const cycles = yield* portal.saveCard(request.caller, token).pipe(Effect.catchTag("UnusableCard", () => Effect.succeed(null)))
      if (cycles === null) return yield* methodPage(request, true)
      return redirected(cardSavedPath(request.visit, cycles))
    }),
    saved: Effect.fnUntraced(function*({ caller, params, visit }: PortalRequest) {
      const cycles = params["cycles"]?.split(".").slice(0, MOST_CYCLES) ?? []
      return answer(cardSavedPage(visit, yield* portal.charges(caller, cycles)))
    })
  }
})
