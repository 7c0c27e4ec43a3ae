/** People who come back from the identity provider, each to what they went for. */
import type { Errand, ProvenIdentity } from "@svc/accounts/identities/model"
import { IdentityRefused } from "@svc/accounts/identities/model"
import { CALLBACK } from "@svc/accounts/identities/service"
import { Actor } from "@svc/kernel/parts/actor"
import { Effect, Option, Redacted } from "effect"
import { messagesOf } from "../../i18n/messages.ts"
import { goingOnPage } from "../../pages/sign-in.ts"
import { answer, redirected } from "../answers.ts"
import { errandOf, sessionSecretOf, withoutErrand, withSession } from "../cookies.ts"
import { isFromElsewhere, pathOf } from "../requests.ts"
import { localeOf } from "../router.ts"
import { signInAgain } from "./arrive.ts"
import { type Arrival, type Entrance, refusalText } from "./entrance.ts"

const stale = new IdentityRefused({ reason: "stale", message: "The session in which this began is over." })
const unknown = new IdentityRefused({ reason: "unknown", message: "Somebody else is signed in at the identity provider." })

const known = new IdentityRefused({ reason: "known", message: "This person is here already." })

/** A proof as it came back, with the secret of the invitation that it is for. */
interface Proof extends Arrival {
  readonly errand: Errand
  readonly identity: ProvenIdentity
  readonly secret: string
}

export const addProvider = Effect.fnUntraced(function*(entrance: Entrance) {
  const { comeIn, identities, people, publicUrl, sessions, showing } = entrance
  const said = (proof: Pick<Proof, "request">, text: string, to = "/desk") =>
    signInAgain(entrance, proof, to, { refusal: text, status: 403 })

  const signIn = Effect.fnUntraced(function*(proof: Proof) {
    const user_id = yield* identities.userOf(proof.identity)
    const response = yield* comeIn(proof.request, user_id, { to: proof.errand.to, isProven: false })
    return response ?? said(proof, messagesOf(localeOf(proof.request)).signIn.refusals.nowhere)
  })

  const join = Effect.fnUntraced(function*(proof: Proof) {
    const { errand, identity, request, secret } = proof
    const { refusals } = messagesOf(localeOf(request)).signIn
    const invited = yield* people.invitation(secret)
    if (invited.email !== null && invited.email.toLowerCase() !== identity.email) return said(proof, refusals.uninvited)
    // Somebody who is linked already joins as who they are.
    const known = yield* Effect.option(identities.userOf(identity))
    const owner = Option.isSome(known)
      ? Effect.as(people.joinAs(secret, known.value), known.value)
      : people.join(secret, { name: errand.name ?? "", email: identity.email })
    const user_id = yield* identities.link(identity, owner)
    return (yield* comeIn(request, user_id, { to: "/desk", account_id: invited.account_id, isProven: false })) ??
      said(proof, refusals.nowhere)
  }, Effect.catchTags({ NotFound: () => Effect.fail(stale), InvalidState: () => Effect.fail(known) }))

  /** The session in which the person went to the provider: no other is confirmed, and no other person linked. */
  const sessionFor = Effect.fnUntraced(function*({ errand, request }: Proof) {
    const secret = sessionSecretOf(request, publicUrl)
    const session = secret === undefined ? undefined : yield* sessions.find(secret)
    return session === undefined || session.person.session_id !== errand.session_id ? yield* stale : session
  })

  const confirm = Effect.fnUntraced(function*(proof: Proof) {
    const session = yield* sessionFor(proof)
    if ((yield* identities.userOf(proof.identity)) !== session.person.id) return yield* unknown
    const secret = yield* Effect.mapError(sessions.confirm(session), () => stale)
    return withSession(redirected(proof.errand.to), Redacted.value(secret), publicUrl)
  })

  const link = Effect.fnUntraced(function*(proof: Proof) {
    const { person } = yield* sessionFor(proof)
    yield* Effect.provideService(identities.link(proof.identity, Effect.succeed(person.id)), Actor, { type: "person", id: person.id })
    return redirected(proof.errand.to)
  })

  const purposes = { "sign-in": signIn, join, confirm, link }

  yield* showing(CALLBACK, (arrival) => {
    const { request } = arrival
    // The provider led here, so no strict cookie came along; with what this page asks next, it does.
    if (isFromElsewhere(request)) return Effect.succeed(answer(goingOnPage(localeOf(request), pathOf(request))))
    const [state = "", secret = ""] = (errandOf(request, publicUrl) ?? "").split("~")
    return identities.finish(state, pathOf(request)).pipe(
      Effect.flatMap((finished) => purposes[finished.errand.purpose]({ ...arrival, ...finished, secret })),
      Effect.catch((refused) => Effect.succeed(said(arrival, refusalText(localeOf(arrival.request), refused)))),
      Effect.map((response) => withoutErrand(response, publicUrl))
    )
  })
})
