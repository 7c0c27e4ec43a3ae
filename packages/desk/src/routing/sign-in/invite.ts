/** How people are invited: the link is shown on the page that answers, and on no other. */
import { Effect } from "effect"
import { randomUUID } from "node:crypto"
import { messagesOf } from "../../i18n/messages.ts"
import { invitedView, inviteView } from "../../pages/invite.ts"
import { textAt } from "../../pages/values.ts"
import { type Desk, type Here, shownPage } from "../router.ts"

const PATH = "/people/do/invite"

const invitationsPath = ({ visit }: Here): string => visit.person.account === null ? "/v1/installation/invitations" : "/v1/invitations"

export const addInvite = Effect.fnUntraced(function*({ get, post }: Desk) {
  const form = (here: Here, refusal?: string, status = 200) =>
    shownPage(here.visit, {
      title: messagesOf(here.visit.pageLocale).signIn.invite.title,
      current: "people",
      main: inviteView(here.visit, randomUUID(), here.sent, refusal)
    }, status)

  yield* get(PATH, (here) => Effect.succeed(form(here)))

  yield* post(PATH, (here) =>
    Effect.gen(function*() {
      const { email = "", idempotency_key = randomUUID(), role = "" } = here.sent
      const made = yield* here.ask({
        method: "POST",
        path: invitationsPath(here),
        body: { role, ...(email === "" ? {} : { email }) },
        headers: { "idempotency-key": idempotency_key }
      })
      if (made.status >= 300) return form(here, textAt(made.json, "message"), made.status)
      return shownPage(here.visit, {
        title: messagesOf(here.visit.pageLocale).signIn.invite.done,
        current: "people",
        main: invitedView(here.visit, made.json)
      })
    }))
})
