/** How people join: by the link of their invitation, with a passkey or their identity at the provider, and never without one of the two. */
import { AccountId } from "@svc/accounts/accounts/model"
import { type Invited, PersonName } from "@svc/accounts/people/model"
import { Effect, Option, Redacted, Schema } from "effect"
import { messagesOf } from "../../i18n/messages.ts"
import { messagePage } from "../../pages/frame.ts"
import { goingOnPage, joinPage } from "../../pages/sign-in.ts"
import { answer, redirected } from "../answers.ts"
import { sessionSecretOf, withSession } from "../cookies.ts"
import { isFromElsewhere, pathOf } from "../requests.ts"
import { type Desk, localeOf, visitOf } from "../router.ts"
import { type Arrival, askedOf, type Entrance, refusalText, type Refuse, refusedAsk, refuseScript } from "./entrance.ts"

const isName = Schema.is(PersonName)

export const addJoin = Effect.fnUntraced(function*({ post, publicUrl, sessions }: Desk, entrance: Entrance) {
  const { accounts, comeIn, goTo, identities, passkeys, people, showing, taking } = entrance
  const secretOf = ({ params }: Pick<Arrival, "params">): string => params["secret"] ?? ""
  const invitedBy = (arrival: Arrival) => Effect.map(Effect.option(people.invitation(secretOf(arrival))), Option.getOrUndefined)
  const nameOf = ({ sent }: Arrival): string => (sent["name"] ?? "").trim()

  const over = ({ request }: Pick<Arrival, "request">) =>
    answer(messagePage(localeOf(request), messagesOf(localeOf(request)).signIn.join.over), 404)

  const shown = Effect.fnUntraced(function*(arrival: Arrival, { account_id, role }: Invited, refusal?: string, status = 200) {
    const account = account_id === null ? undefined : yield* Effect.orDie(accounts.get(AccountId.make(account_id)))
    const cookie = sessionSecretOf(arrival.request, publicUrl)
    const session = cookie === undefined ? undefined : yield* sessions.find(cookie)
    return answer(
      joinPage(localeOf(arrival.request), {
        path: `/desk/join/${encodeURIComponent(secretOf(arrival))}`,
        role: messagesOf(localeOf(arrival.request)).roles[role],
        account_name: account?.name ?? null,
        name: nameOf(arrival),
        hasProvider: identities.isConfigured,
        visit: cookie === undefined || session === undefined
          ? undefined
          : visitOf(session, { secret: cookie, request: arrival.request, public_url: publicUrl }),
        refusal
      }),
      status
    )
  })

  const refuse: Refuse = Effect.fnUntraced(function*(arrival, text, status) {
    const invited = yield* invitedBy(arrival)
    return invited === undefined ? over(arrival) : yield* shown(arrival, invited, text, status)
  })

  const purposeOf = ({ id }: Pick<Invited, "id">): string => `join ${id}`
  const refusalsFor = ({ request }: Arrival) => messagesOf(localeOf(request)).signIn.refusals

  yield* showing("/desk/join/:secret", (arrival) =>
    Effect.gen(function*() {
      const { request } = arrival
      // A link in a mail brings no cookie along that would say who is signed in; what this page asks next does.
      if (isFromElsewhere(request)) return answer(goingOnPage(localeOf(request), pathOf(request)))
      const invited = yield* invitedBy(arrival)
      return invited === undefined ? over(arrival) : yield* shown(arrival, invited)
    }))

  yield* taking("/desk/join/:secret/options", refuseScript, (arrival) =>
    Effect.gen(function*() {
      const invited = yield* invitedBy(arrival)
      if (invited === undefined) return refusedAsk(messagesOf(localeOf(arrival.request)).signIn.join.over.text, 404)
      if (!isName(nameOf(arrival))) return refusedAsk(refusalsFor(arrival).badName)
      return yield* askedOf(
        localeOf(arrival.request),
        passkeys.askForNew({ purpose: purposeOf(invited), name: nameOf(arrival), user_id: null })
      )
    }))

  yield* taking("/desk/join/:secret", refuse, (arrival) =>
    Effect.gen(function*() {
      const invited = yield* invitedBy(arrival)
      if (invited === undefined) return over(arrival)
      if (!isName(nameOf(arrival))) return yield* shown(arrival, invited, refusalsFor(arrival).badName, 400)
      const joined = passkeys.add({
        answer: arrival.sent["credential"] ?? "",
        purpose: purposeOf(invited),
        name: messagesOf(localeOf(arrival.request)).signIn.you.defaultName,
        owner: people.join(secretOf(arrival), { name: nameOf(arrival), email: null })
      })
      return yield* joined.pipe(
        Effect.flatMap((user_id) => comeIn(arrival.request, user_id, { to: "/desk", account_id: invited.account_id, isProven: true })),
        Effect.map((response) => response ?? over(arrival)),
        Effect.catchTags({
          NotFound: () => Effect.succeed(over(arrival)),
          InvalidState: () => shown(arrival, invited, refusalsFor(arrival).known, 409),
          PasskeyRefused: (refused) => shown(arrival, invited, refusalText(localeOf(arrival.request), refused), 400)
        })
      )
    }))

  yield* taking("/desk/join/:secret/provider", refuse, (arrival) =>
    Effect.gen(function*() {
      const invited = yield* invitedBy(arrival)
      if (invited === undefined) return over(arrival)
      if (!isName(nameOf(arrival))) return yield* shown(arrival, invited, refusalsFor(arrival).badName, 400)
      return yield* Effect.matchEffect(identities.begin({ purpose: "join", to: "/desk", name: nameOf(arrival) }), {
        onSuccess: (begun) => Effect.succeed(goTo(arrival.request, begun, secretOf(arrival))),
        onFailure: (refused) => shown(arrival, invited, refusalText(localeOf(arrival.request), refused), 503)
      })
    }))

  yield* post("/join/:secret/as", (here) =>
    Effect.gen(function*() {
      const { account_id } = yield* people.joinAs(secretOf(here), here.visit.person.id)
      const moved = yield* sessions.moveTo(here.visit, account_id)
      return withSession(redirected("/desk"), Redacted.value(moved.secret), publicUrl)
    }).pipe(
      Effect.catchTags({
        NotFound: () => Effect.succeed(over(here)),
        // They have a role there.
        InvalidState: () => Effect.succeed(redirected("/desk/you"))
      })
    ))
})
