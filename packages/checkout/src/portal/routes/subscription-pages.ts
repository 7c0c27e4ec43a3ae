/** The portal's pages of subscriptions: the overview, the verbs, and the change of plan. */
import { now } from "@svc/kernel/values/time"
import { queryOf, readForm } from "@svc/platform/pages/forms"
import { DateTime, Effect, Option } from "effect"
import { isDeclineCode } from "../../cycle-payments/model.ts"
import { answer, gone, redirected } from "../../routing/answers.ts"
import { type ConfirmedVerb, confirmPage, donePage, type DonePath, donePaths } from "../change-views.ts"
import { overviewPage } from "../overview.ts"
import { planChangedPage, planChoicePage, planPreviewPage } from "../plan-views.ts"
import { Portal } from "../service/portal.ts"
import type { PortalRequest } from "./request.ts"

const isDonePath = (text: string): text is DonePath => Object.values(donePaths).some((path) => path === text)

const subscriptionId = ({ params }: PortalRequest) => params["sub"] ?? ""
/** The path of the subscription's pages. */
const pathOf = (request: PortalRequest) => `${request.visit.path}/subscriptions/${subscriptionId(request)}`

const declinedPath = (request: PortalRequest, plan: string, code: string) =>
  `${pathOf(request)}/plan/${plan}?declined=${encodeURIComponent(code)}`

export const makeSubscriptionPages = Effect.gen(function*() {
  const portal = yield* Portal

  return {
    confirm: Effect.fnUntraced(function*(request: PortalRequest, verb: ConfirmedVerb) {
      const details = yield* portal.forVerb(request.caller, subscriptionId(request), verb)
      return answer(confirmPage(request.visit, details, verb, yield* now))
    }),
    act: Effect.fnUntraced(function*(request: PortalRequest, verb: keyof typeof donePaths) {
      yield* portal.act(request.caller, subscriptionId(request), verb)
      return redirected(`${pathOf(request)}/${donePaths[verb]}`)
    }),
    home: Effect.fnUntraced(function*({ caller, visit }: PortalRequest) {
      return answer(overviewPage(visit, yield* portal.subscriptions(caller)))
    }),
    done: Effect.fnUntraced(function*(request: PortalRequest) {
      const path = request.params["done"] ?? ""
      if (!isDonePath(path)) return gone(request.visit.pageLocale)
      const page = donePage(request.visit, yield* portal.subscription(request.caller, subscriptionId(request)), path)
      return page === undefined ? redirected(request.visit.path) : answer(page)
    }),
    planChoice: Effect.fnUntraced(function*(request: PortalRequest) {
      const plan = queryOf(request.request, "plan")
      if (plan !== undefined && /^plan_[0-9A-Z]{26}$/u.test(plan)) return redirected(`${pathOf(request)}/plan/${plan}`)
      const { details, plans } = yield* portal.choices(request.caller, subscriptionId(request))
      const unchosen = request.request.url.includes("?")
      return answer(planChoicePage(request.visit, details, plans, unchosen), unchosen ? 400 : 200)
    }),
    planPreview: Effect.fnUntraced(function*(request: PortalRequest) {
      const change = yield* portal.preview(request.caller, subscriptionId(request), request.params["plan"] ?? "")
      const declined = queryOf(request.request, "declined")
      return answer(planPreviewPage(request.visit, change, declined === undefined || isDeclineCode(declined) ? declined : "declined"))
    }),
    changePlan: Effect.fnUntraced(function*(request: PortalRequest) {
      const form = yield* readForm(request.request)
      const at = DateTime.make(form("proration_at"))
      const version = Number(form("version"))
      const plan = request.params["plan"] ?? ""
      if (Option.isNone(at) || !Number.isSafeInteger(version)) return redirected(`${pathOf(request)}/plan/${plan}`)
      const result = yield* portal.changePlan(request.caller, subscriptionId(request), {
        plan_id: plan,
        proration_at: DateTime.toUtc(at.value),
        version
      })
      return redirected(result === "accepted" ? `${pathOf(request)}/changed/${plan}` : declinedPath(request, plan, result.declined))
    }),
    planChanged: Effect.fnUntraced(function*(request: PortalRequest) {
      const details = yield* portal.subscription(request.caller, subscriptionId(request))
      const plan = request.params["plan"] ?? ""
      const to = [details.plan, details.pending].find((candidate) => candidate?.id === plan)
      const payment = yield* portal.chargeOfChange(request.caller, subscriptionId(request), plan)
      if (to !== undefined) return answer(planChangedPage(request.visit, details, to, payment?.intent))
      return redirected(
        payment?.cycle.status === "voided"
          ? declinedPath(request, plan, payment.cycle.attempts.at(-1)?.decline_code ?? "")
          : `${pathOf(request)}/plan`
      )
    })
  }
})
