/** A person's own passkeys, sessions and accounts. People belong to no account, so their passkeys are no resource of its API. */
import { PasskeyName } from "@svc/accounts/passkeys/model"
import { isProvenAt } from "@svc/accounts/sessions/model"
import { locales } from "@svc/design/locale"
import { realNow } from "@svc/kernel/values/time"
import { Effect, Option, Redacted, Schema } from "effect"
import type { Answer } from "../../api/ask.ts"
import { messagesOf } from "../../i18n/messages.ts"
import { PASSKEY_SCRIPT } from "../../pages/sign-in-script.ts"
import { type Json, textAt } from "../../pages/values.ts"
import { youView } from "../../pages/you.ts"
import { redirected } from "../answers.ts"
import { withLanguage, withSession } from "../cookies.ts"
import { type Desk, type Handler, type Here, missing, refused, shownPage } from "../router.ts"
import { askedOf, type Entrance, refusalText, refusedAsk } from "./entrance.ts"

const isName = Schema.is(PasskeyName)

const rowsOf = ({ json }: Pick<Answer, "json">): ReadonlyArray<Json> => {
  const data = json["data"]
  return Array.isArray(data) ? data : []
}

const sessionsPath = ({ visit }: Here): string => visit.person.account === null ? "/v1/installation/person_sessions" : "/v1/person_sessions"

const purposeOf = ({ visit }: Here): string => `add ${visit.person.session_id}`

const isFresh = ({ visit }: Here) => Effect.map(realNow, (at) => isProvenAt(visit.person, at.epochMilliseconds))

/** What changes how a person signs in needs a fresh proof of who they are. */
const confirmed = (handler: Handler): Handler => (here) =>
  Effect.flatMap(isFresh(here), (fresh) => fresh ? handler(here) : Effect.succeed(here.confirmFirst()))

const shownWith = ({ sessions }: Desk, { identities, passkeys }: Entrance) =>
  Effect.fnUntraced(function*(here: Here, refusal?: string, status = 200) {
    const { ask, visit } = here
    const { id } = visit.person
    const listed = yield* ask({ method: "GET", path: sessionsPath(here) })
    const main = youView(visit, {
      isFresh: yield* isFresh(here),
      passkeys: yield* passkeys.list(id),
      isLinked: identities.isConfigured ? yield* identities.isLinked(id) : undefined,
      sessions: rowsOf(listed).filter((session) => textAt(session, "person_id") === id),
      places: yield* sessions.memberships(id),
      refusal
    })
    return shownPage(visit, { title: messagesOf(visit.pageLocale).signIn.you.title, current: "you", main, script: PASSKEY_SCRIPT }, status)
  })

export const addYou = Effect.fnUntraced(function*(desk: Desk, entrance: Entrance) {
  const { get, post, publicUrl, sessions } = desk
  const { goTo, identities, passkeys } = entrance
  const shown = shownWith(desk, entrance)
  const back = redirected("/desk/you")

  yield* get("/you", (here) => shown(here))

  yield* post("/you/passkeys/options", (here) =>
    Effect.flatMap(isFresh(here), (fresh) =>
      fresh
        ? askedOf(
          here.visit.pageLocale,
          passkeys.askForNew({ purpose: purposeOf(here), name: here.visit.name, user_id: here.visit.person.id })
        )
        : Effect.succeed(refusedAsk(messagesOf(here.visit.pageLocale).signIn.confirm.text, 409))))

  yield* post(
    "/you/passkeys",
    confirmed((here) =>
      passkeys.add({
        answer: here.sent["credential"] ?? "",
        purpose: purposeOf(here),
        name: messagesOf(here.visit.pageLocale).signIn.you.defaultName,
        owner: Effect.succeed(here.visit.person.id)
      }).pipe(
        Effect.as(back),
        Effect.catch((why) => shown(here, refusalText(here.visit.pageLocale, why), 400))
      )
    )
  )

  yield* post("/you/passkeys/:id/name", (here) => {
    const name = (here.sent["name"] ?? "").trim()
    if (!isName(name)) return shown(here, messagesOf(here.visit.pageLocale).signIn.refusals.badName, 400)
    const renamed = passkeys.rename(here.visit.person.id, here.params["id"] ?? "", name)
    return Effect.match(renamed, { onSuccess: () => back, onFailure: () => missing(here.visit) })
  })

  yield* post(
    "/you/passkeys/:id/remove",
    confirmed((here) =>
      passkeys.remove(here.visit.person.id, here.params["id"] ?? "").pipe(
        Effect.as(back),
        Effect.catchTags({
          NotFound: () => Effect.succeed(missing(here.visit)),
          LastWayIn: () => shown(here, messagesOf(here.visit.pageLocale).signIn.you.lastWayIn, 409)
        })
      )
    )
  )

  yield* post(
    "/you/provider",
    confirmed((here) => {
      const { id: user_id, session_id } = here.visit.person
      return Effect.matchEffect(identities.begin({ purpose: "link", to: "/desk/you", session_id, user_id }), {
        onSuccess: (begun) => Effect.succeed(goTo(here.request, begun)),
        onFailure: (why) => shown(here, refusalText(here.visit.pageLocale, why), 503)
      })
    })
  )

  yield* post("/you/sessions/:id/revoke", (here) =>
    Effect.map(
      here.ask({ method: "POST", path: `${sessionsPath(here)}/${encodeURIComponent(here.params["id"] ?? "")}/revoke`, body: {} }),
      (answered) => answered.status < 300 ? back : refused(here.visit, answered)
    ))

  yield* post("/you/language", ({ sent }) => {
    const language = locales.find((locale) => locale === sent["language"])
    return Effect.succeed(language === undefined ? back : withLanguage(back, language, publicUrl))
  })

  yield* post("/you/account", ({ sent, visit }) =>
    Effect.map(
      Effect.option(sessions.moveTo(visit, (sent["account"] ?? "") || null)),
      (moved) => Option.isNone(moved) ? missing(visit) : withSession(redirected("/desk"), Redacted.value(moved.value.secret), publicUrl)
    ))
})
