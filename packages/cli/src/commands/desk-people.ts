/** `svc desk`: who may sign in to the desk. */
import { Role } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { INVITATION_MINUTES, joinLink } from "@svc/accounts/people/model"
import { People } from "@svc/accounts/people/service"
import { EmailAddress } from "@svc/kernel/values/email-address"
import { ServerConfig } from "@svc/server/config"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { readCredentials } from "../credentials.ts"
import { CalledWrongly } from "../failure.ts"
import { print } from "../output.ts"
import { servicesAndScopes } from "../services.ts"

const flags = {
  account: Flag.String("account").pipe(
    Flag.withDescription("The account, acct_…; the sandbox merchant of credentials.json unless given"),
    Flag.withSchema(AccountId),
    Flag.optional
  ),
  operator: Flag.Boolean("operator").pipe(Flag.withDescription("To the installation instead of an account"), Flag.withDefault(false)),
  role: Flag.Literals("role", Role.literals).pipe(Flag.withDescription("What the person may do"), Flag.withDefault("owner")),
  email: Flag.String("email").pipe(
    Flag.withDescription("The person's address; the link is printed, not sent"),
    Flag.withSchema(EmailAddress),
    Flag.optional
  )
}

interface Whose {
  readonly account: Option.Option<AccountId>
  readonly operator: boolean
}

/** The account that the person is invited to; null for the installation. */
const placeOf = Effect.fnUntraced(function*({ account, operator }: Whose) {
  if (operator && Option.isSome(account)) {
    return yield* new CalledWrongly({
      message: "Give --account or --operator, not both: a person of the installation belongs to no account."
    })
  }
  if (operator) return null
  const id = Option.isSome(account) ? account.value : AccountId.make((yield* readCredentials).account_id)
  return (yield* (yield* Accounts).get(id)).id
})

const invite = Command.make(
  "invite",
  flags,
  Effect.fnUntraced(function*({ email, role, ...whose }) {
    const { apiPort, publicUrl } = yield* ServerConfig
    const started = Option.getOrUndefined(yield* Effect.option(readCredentials))?.base_url.replace("//127.0.0.1", "//localhost")
    const made = yield* (yield* People).invite({ account_id: yield* placeOf(whose), role, email: Option.getOrNull(email) })
    // With the name: browsers keep passkeys for names, not for bare addresses.
    const link = joinLink(publicUrl ?? started ?? `http://localhost:${apiPort}`, made.secret)
    yield* print({ ...made.invitation, link }, link, `(works once, within ${INVITATION_MINUTES} minutes; shown this once)`)
  }, Effect.provide(servicesAndScopes))
).pipe(Command.withDescription("Print a link by which one person joins the desk"))

export const desk = Command.make("desk").pipe(Command.withDescription("Invite people to the desk"), Command.withSubcommands([invite]))
