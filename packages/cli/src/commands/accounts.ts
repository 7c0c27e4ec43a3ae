/** `svc accounts`: the merchants of this installation, for its operator, on the database or with an operator key through the API. */
import { AccountId, type AccountJson, AccountName, accountStatuses } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Effect, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { apiFlags, connect } from "../connection.ts"
import { print } from "../output.ts"
import { services } from "../services.ts"

const id = Argument.String("id").pipe(Argument.withDescription("The account, acct_…"), Argument.withSchema(AccountId))

const create = Command.make(
  "create",
  {
    name: Argument.String("name").pipe(Argument.withDescription("The merchant's name"), Argument.withSchema(AccountName)),
    live: Flag.Boolean("live").pipe(Flag.withDescription("A live account; a sandbox unless given"), Flag.withDefault(false)),
    fee: Flag.Int("fee-bps").pipe(
      Flag.withDescription("Fee in basis points instead of the default"),
      Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))),
      Flag.optional
    )
  },
  Effect.fnUntraced(function*({ fee, live, name }) {
    const { account, key } = yield* (yield* Accounts).create({ name, sandbox: !live, fee_tier_bps: Option.getOrNull(fee) })
    const secret_key = Redacted.value(key.secret)
    yield* print(
      { ...account, secret_key },
      `${account.id}  ${account.name}  ${account.sandbox ? "sandbox" : "live"}`,
      `${secret_key}  (its secret key; shown this once)`
    )
  }, Effect.provide(services))
).pipe(Command.withDescription("Open an account and make its first secret key"))

/** Where accounts are read: with `--key`, the operator's, through the API; else in the database. */
const readFlags = {
  url: apiFlags.url,
  key: Flag.Redacted("key").pipe(
    Flag.withDescription("An operator key, ok_…, to read through the API; without one the database is read"),
    Flag.optional
  )
}

const show = (account: AccountJson) => {
  const { id, name, sandbox, status } = account
  return print(account, `${id}  ${status}  ${sandbox ? "sandbox" : "live"}  ${name}`)
}

const get = Command.make(
  "get",
  { id, ...readFlags },
  Effect.fnUntraced(function*({ id, ...flags }) {
    if (Option.isNone(flags.key)) {
      return yield* show(yield* Effect.provide(Accounts.use((accounts) => accounts.get(id)), services))
    }
    const { client, explain } = yield* connect(flags)
    yield* show(yield* Effect.mapError(client.accounts.get({ params: { id } }), explain))
  })
).pipe(Command.withDescription("Show an account"))

const PIECE = 100

interface Place {
  readonly per_page: number
  readonly after?: AccountId
}

interface Piece {
  readonly data: ReadonlyArray<AccountJson>
  readonly has_more: boolean
}

/** Prints all there are, a piece at a time. */
const printAll = Effect.fnUntraced(function*<E, R>(read: (place: Place) => Effect.Effect<Piece, E, R>) {
  for (let after: AccountId | undefined;;) {
    const { data, has_more } = yield* read({ per_page: PIECE, ...(after === undefined ? {} : { after }) })
    for (const account of data) yield* show(account)
    if (!has_more) return
    after = data.at(-1)?.id
  }
})

const list = Command.make(
  "list",
  {
    status: Flag.Literals("status", accountStatuses).pipe(Flag.withDescription("Only those with this status"), Flag.optional),
    ...readFlags
  },
  Effect.fnUntraced(function*({ status, ...flags }) {
    const filter = Option.isSome(status) ? { status: status.value } : {}
    if (Option.isNone(flags.key)) {
      return yield* Accounts.use((accounts) => printAll((place) => accounts.list(filter, place))).pipe(Effect.provide(services))
    }
    const { client, explain } = yield* connect(flags)
    yield* printAll((place) => Effect.mapError(client.operator_accounts.list({ query: { ...filter, ...place } }), explain))
  })
).pipe(Command.withDescription("List every account, newest first"))

const move = <const Name extends "suspend" | "reactivate">(name: Name, description: string) =>
  Command.make(
    name,
    { id },
    Effect.fnUntraced(function*({ id }) {
      const { status } = yield* (yield* Accounts).move(id, name)
      yield* print({ id, status }, `${id}  ${status}`)
    }, Effect.provide(services))
  ).pipe(Command.withDescription(description))

export const accounts = Command.make("accounts").pipe(
  Command.withDescription("Open, list, show, suspend and reactivate accounts"),
  Command.withSubcommands([
    create,
    list,
    get,
    move("suspend", "No new charges; reads and refunds still work. Takes effect at once"),
    move("reactivate", "Lift a suspension")
  ])
)
