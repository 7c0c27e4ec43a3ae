/** A fresh proof of who somebody is, before what gives power; what waited for it is sent again. */
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { Effect, Option, Redacted, Schema } from "effect"
import { againPage, confirmPage } from "../../pages/sign-in.ts"
import { answer, redirected } from "../answers.ts"
import { formTokenOf, withSession } from "../cookies.ts"
import { queryOf } from "../requests.ts"
import { returnPath, signInPath } from "../return-path.ts"
import type { Desk, Here } from "../router.ts"
import { askedOf, type Entrance, refusalText } from "./entrance.ts"

const decodeFields = Schema.decodeOption(fromJsonText(Schema.Record(Schema.String, Schema.String)))

const purposeOf = ({ visit }: Here): string => `confirm ${visit.person.session_id}`

export const addConfirm = Effect.fnUntraced(function*({ get, hasProvider, post, publicUrl, sessions }: Desk, entrance: Entrance) {
  const { goTo, identities, passkeys } = entrance
  const waitingOf = ({ sent }: Here) => ({ to: returnPath(sent["to"]), fields: sent["fields"] })

  const shown = (here: Here, refusal: string, status: number) =>
    answer(confirmPage(here.visit, waitingOf(here), hasProvider, refusal), status)

  yield* get(
    "/confirm",
    ({ request, visit }) => Effect.succeed(answer(confirmPage(visit, { to: returnPath(queryOf(request)["to"]) }, hasProvider)))
  )

  yield* post(
    "/confirm/options",
    (here) => askedOf(here.visit.pageLocale, passkeys.askForProof({ purpose: purposeOf(here), user_id: here.visit.person.id }))
  )

  yield* post("/confirm", (here) =>
    Effect.gen(function*() {
      const { sent, visit } = here
      const { fields, to } = waitingOf(here)
      const proven = yield* Effect.result(passkeys.prove(sent["credential"] ?? "", purposeOf(here)))
      if (proven._tag === "Failure") return shown(here, refusalText(here.visit.pageLocale, proven.failure), 403)
      // Somebody else's passkey proves nothing of this person.
      if (proven.success !== visit.person.id) return here.confirmFirst()
      const confirmed = yield* Effect.option(sessions.confirm(visit))
      if (Option.isNone(confirmed)) return redirected(signInPath(to))
      const secret = Redacted.value(confirmed.value)
      const waiting = fields === undefined ? undefined : Option.getOrUndefined(decodeFields(fields))
      const next = waiting === undefined
        ? redirected(to)
        : answer(againPage({ ...visit, form_token: formTokenOf(secret) }, to, waiting))
      return withSession(next, secret, publicUrl)
    }))

  yield* post("/confirm/provider", (here) => {
    const { id: user_id, session_id } = here.visit.person
    return Effect.match(identities.begin({ purpose: "confirm", to: waitingOf(here).to, session_id, user_id }), {
      onSuccess: (begun) => goTo(here.request, begun),
      onFailure: (refused) => shown(here, refusalText(here.visit.pageLocale, refused), 503)
    })
  })
})
