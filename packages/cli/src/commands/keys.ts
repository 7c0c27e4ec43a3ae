/** `svc keys`: API keys of an account, and those of the operator. Secrets are shown once. */
import { ApiKeyScope } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import type { ApiKey } from "@svc/accounts/api-keys/model"
import { ApiKeyId, ApiKeyName } from "@svc/accounts/api-keys/model"
import { ApiKeys } from "@svc/accounts/api-keys/service"
import { Effect, Option, Redacted } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { readCredentials } from "../credentials.ts"
import { CalledWrongly } from "../failure.ts"
import { print } from "../output.ts"
import { services, servicesAndScopes } from "../services.ts"

const whose = {
  account: Flag.String("account").pipe(
    Flag.withDescription("The account, acct_…; the sandbox merchant of credentials.json unless given"),
    Flag.withSchema(AccountId),
    Flag.optional
  ),
  operator: Flag.Boolean("operator").pipe(Flag.withDescription("Keys of the installation instead of an account's"), Flag.withDefault(false))
}

interface Whose {
  readonly account: Option.Option<AccountId>
  readonly operator: boolean
}

/** The account whose keys are meant; null for the operator's. */
const ownerOf = Effect.fnUntraced(function*({ account, operator }: Whose) {
  if (operator && Option.isSome(account)) {
    return yield* new CalledWrongly({ message: "Give --account or --operator, not both: an operator key belongs to no account." })
  }
  if (operator) return null
  return Option.isSome(account) ? account.value : AccountId.make((yield* readCredentials).account_id)
})

const line = ({ id, kind, name, prefix, scopes, status }: ApiKey): string =>
  [id, `${prefix}…`, kind, status, ...(scopes.length === 0 ? [] : [scopes.join(",")]), name].join("  ")

const create = Command.make(
  "create",
  {
    ...whose,
    name: Flag.String("name").pipe(
      Flag.withDescription("What the key is for"),
      Flag.withSchema(ApiKeyName),
      Flag.withDefault(ApiKeyName.make("Made by svc keys create"))
    ),
    scopes: Flag.String("scope").pipe(
      Flag.withDescription("Make a restricted key with this scope, such as ledger:read; may be repeated"),
      Flag.withSchema(ApiKeyScope),
      Flag.atLeast(0)
    )
  },
  Effect.fnUntraced(function*({ name, scopes, ...flags }) {
    const accountId = yield* ownerOf(flags)
    if (accountId === null && scopes.length > 0) {
      return yield* new CalledWrongly({ message: "An operator key has no scopes. Leave --scope out." })
    }
    const kind = accountId === null ? "operator" : scopes.length > 0 ? "restricted" : "secret"
    const { record, secret } = yield* (yield* ApiKeys).issue({ accountId, kind, name, scopes })
    yield* print({ ...record, secret: Redacted.value(secret) }, line(record), `${Redacted.value(secret)}  (shown this once)`)
  }, Effect.provide(servicesAndScopes))
).pipe(Command.withDescription("Make a key: secret, restricted with --scope, or the operator's with --operator"))

const PIECE = 100

const list = Command.make(
  "list",
  whose,
  Effect.fnUntraced(function*(flags) {
    const owner = yield* ownerOf(flags)
    const keys = yield* ApiKeys
    for (let after: string | undefined;;) {
      const { data, has_more } = yield* keys.list(owner, { per_page: PIECE, ...(after === undefined ? {} : { after }) })
      for (const key of data) yield* print(key, line(key))
      if (!has_more) return
      after = data.at(-1)?.id
    }
  }, Effect.provide(services))
).pipe(Command.withDescription("List keys, newest first, revoked ones included"))

const revoke = Command.make(
  "revoke",
  {
    id: Argument.String("id").pipe(Argument.withDescription("The key, key_…"), Argument.withSchema(ApiKeyId)),
    ...whose
  },
  Effect.fnUntraced(function*({ id, ...flags }) {
    const key = yield* (yield* ApiKeys).revoke(yield* ownerOf(flags), id)
    yield* print(key, line(key))
  }, Effect.provide(services))
).pipe(Command.withDescription("End a key, at once and for good"))

export const keys = Command.make("keys").pipe(
  Command.withDescription("Make, list and revoke API keys"),
  Command.withSubcommands([create, list, revoke])
)
