/** How people sign in: with any passkey that they have for this site, or at the identity provider. */
import { Effect } from "effect"
import { messagesOf } from "../../i18n/messages.ts"
import { signInPage } from "../../pages/sign-in.ts"
import { answer, redirected } from "../answers.ts"
import { sessionSecretOf } from "../cookies.ts"
import { queryOf } from "../requests.ts"
import { returnPath } from "../return-path.ts"
import { localeOf } from "../router.ts"
import { type Arrival, askedOf, type Entrance, refusalText, type Refuse, refuseScript } from "./entrance.ts"

const PURPOSE = "sign in"

/** The page with what went wrong. */
export const signInAgain = (
  { identities }: Entrance,
  { request }: Pick<Arrival, "request">,
  to: string,
  { refusal, status = 200 }: { readonly refusal?: string; readonly status?: number } = {}
) => answer(signInPage(localeOf(request), { to: returnPath(to), hasProvider: identities.isConfigured, refusal }), status)

export const addArrive = Effect.fnUntraced(function*(entrance: Entrance) {
  const { comeIn, goTo, identities, passkeys, publicUrl, sessions, showing, taking } = entrance
  const toOf = ({ sent }: Arrival): string => returnPath(sent["to"])
  const refuse: Refuse = (arrival, refusal, status) => Effect.succeed(signInAgain(entrance, arrival, toOf(arrival), { refusal, status }))

  yield* showing("/desk/sign-in", (arrival) =>
    Effect.gen(function*() {
      const to = returnPath(queryOf(arrival.request)["to"])
      const secret = sessionSecretOf(arrival.request, publicUrl)
      const session = secret === undefined ? undefined : yield* sessions.find(secret)
      return session === undefined ? signInAgain(entrance, arrival, to) : redirected(to)
    }))

  yield* taking(
    "/desk/sign-in/options",
    refuseScript,
    ({ request }) => askedOf(localeOf(request), passkeys.askForProof({ purpose: PURPOSE, user_id: null }))
  )

  yield* taking("/desk/sign-in", refuse, (arrival) =>
    passkeys.prove(arrival.sent["credential"] ?? "", PURPOSE).pipe(
      Effect.flatMap((user_id) => comeIn(arrival.request, user_id, { to: toOf(arrival), isProven: true })),
      Effect.map((response) =>
        response ??
          signInAgain(entrance, arrival, toOf(arrival), {
            refusal: messagesOf(localeOf(arrival.request)).signIn.refusals.nowhere,
            status: 403
          })
      ),
      Effect.catch((refused) =>
        Effect.succeed(
          signInAgain(entrance, arrival, toOf(arrival), { refusal: refusalText(localeOf(arrival.request), refused), status: 401 })
        )
      )
    ))

  yield* taking(
    "/desk/sign-in/provider",
    refuse,
    (arrival) =>
      Effect.matchEffect(identities.begin({ purpose: "sign-in", to: toOf(arrival) }), {
        onSuccess: (begun) => Effect.succeed(goTo(arrival.request, begun)),
        onFailure: (refused) =>
          Effect.succeed(
            signInAgain(entrance, arrival, toOf(arrival), { refusal: refusalText(localeOf(arrival.request), refused), status: 503 })
          )
      })
  )
})
