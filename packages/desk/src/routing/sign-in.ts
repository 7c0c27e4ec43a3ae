/** How people come in and go out. */
import { Effect } from "effect"
import { messagesOf } from "../i18n/messages.ts"
import { linkingPage } from "../pages/sign-in.ts"
import { answer } from "./answers.ts"
import { withoutSession } from "./cookies.ts"
import type { Desk } from "./router.ts"
import { addArrive } from "./sign-in/arrive.ts"
import { addConfirm } from "./sign-in/confirm.ts"
import { makeEntrance } from "./sign-in/entrance.ts"
import { addInvite } from "./sign-in/invite.ts"
import { addJoin } from "./sign-in/join.ts"
import { addProvider } from "./sign-in/provider.ts"
import { addYou } from "./sign-in/you.ts"

export const addSignIn = Effect.fnUntraced(function*(desk: Desk) {
  const entrance = yield* makeEntrance(desk)
  yield* addJoin(desk, entrance)
  yield* addInvite(desk)
  yield* addArrive(entrance)
  yield* addConfirm(desk, entrance)
  yield* addProvider(entrance)
  yield* addYou(desk, entrance)
  yield* desk.post("/sign-out", ({ visit }) => {
    const { over, title } = messagesOf(visit.pageLocale).signIn
    const page = linkingPage(visit.pageLocale, over, "/desk/sign-in", title)
    return Effect.as(desk.sessions.signOut(visit), withoutSession(answer(page), desk.publicUrl))
  })
})
