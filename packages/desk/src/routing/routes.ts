/** The pages of the desk, on the listener of the payments API. Looking changes nothing; what is posted is answered with a redirection. */
import { Effect } from "effect"
import { HttpRouter } from "effect/http"
import { addActions } from "./actions.ts"
import { addAssistant } from "./assistant.ts"
import { addClocks } from "./clocks.ts"
import { addDisputes } from "./disputes.ts"
import { addExports } from "./exports.ts"
import { addHome } from "./home.ts"
import { addLedger } from "./ledger.ts"
import { addLive } from "./live.ts"
import { addOnboarding } from "./onboarding.ts"
import { addPayments } from "./payments.ts"
import { addReconciliation } from "./reconciliation.ts"
import { makeDesk } from "./router.ts"
import { addSearch } from "./search.ts"
import { addSecondLook } from "./second-look.ts"
import { addSignIn } from "./sign-in.ts"
import { addToolCalls } from "./tool-calls.ts"
import { addViews } from "./views.ts"

export const layer = HttpRouter.use(Effect.fnUntraced(function*(router) {
  const desk = yield* makeDesk(router)
  yield* addHome(desk)
  yield* addSignIn(desk)
  yield* addOnboarding(desk)
  yield* addPayments(desk)
  yield* addDisputes(desk)
  yield* addReconciliation(desk)
  yield* addClocks(desk)
  yield* addLedger(desk)
  yield* addToolCalls(desk)
  yield* addAssistant(desk)
  yield* addLive(desk)
  yield* addSearch(desk)
  yield* addSecondLook(desk)
  yield* addExports(desk)
  yield* addViews(desk)
  yield* addActions(desk)
}))
