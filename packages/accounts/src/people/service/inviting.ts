/** Invites by mail too, where there is an address and this installation sends mail. */
import { PublicUrl } from "@svc/kernel/http/public-url"
import type { Forbidden } from "@svc/kernel/resource/errors"
import { Email } from "@svc/platform/email/service"
import { Context, Effect, Layer, Redacted } from "effect"
import type { Role } from "../../access/model.ts"
import { type Invited, joinLink } from "../model.ts"
import { letterOf } from "../provider/letter.ts"
import type { Manager } from "../rules.ts"
import { People } from "../service.ts"

/** What somebody is invited to. */
export interface Place {
  /** Null for the installation. */
  readonly account_id: string | null
  readonly by: Manager
  /** What a letter calls it, and whether it is a sandbox, whose mail reaches nobody. */
  readonly letter: Effect.Effect<{ readonly place: string; readonly rehearsal: boolean }>
}

export interface Made extends Invited {
  readonly link: Redacted.Redacted<string>
  readonly mailed: boolean
}

export class Inviting extends Context.Service<Inviting, {
  readonly invite: (place: Place, role: Role, email: string | undefined) => Effect.Effect<Made, Forbidden>
}>()("@svc/accounts/Inviting") {
  static readonly layer = Layer.effect(
    Inviting,
    Effect.gen(function*() {
      const [people, mail] = [yield* People, yield* Email]

      const mailed = (to: string, link: string, { letter }: Place) =>
        Effect.flatMap(letter, (facts) => mail.send(letterOf({ ...facts, to, link }))).pipe(
          Effect.as(true),
          // Whoever invites has the link, and can hand it on.
          Effect.catch(({ message }) => Effect.as(Effect.logWarning(`an invitation was not sent: ${message}`), false))
        )

      return Inviting.of({
        invite: Effect.fn("Inviting.invite")(function*(place: Place, role: Role, email: string | undefined) {
          const { account_id, by } = place
          const request = { account_id, role, email: email ?? null, mailed: email !== undefined }
          const { invitation, secret } = yield* people.inviteBy(by, request)
          const link = joinLink(yield* PublicUrl, secret)
          return {
            ...invitation,
            link: Redacted.make(link),
            mailed: email === undefined ? false : yield* mailed(email, link, place)
          }
        })
      })
    })
  )
}
