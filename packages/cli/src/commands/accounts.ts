/** `svc accounts`: the merchants of this installation, for its operator. */
import { AccountId, AccountName } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Console, Effect, Option, Redacted, Schema } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { SqlClient } from "effect/sql"
import { services } from "../services.ts"

const id = Argument.String("id").pipe(Argument.withDescription("The account, acct_…"), Argument.withSchema(AccountId))

const create = Command.make("create", {
  name: Argument.String("name").pipe(Argument.withDescription("The merchant's name"), Argument.withSchema(AccountName)),
  live: Flag.Boolean("live").pipe(Flag.withDescription("A live account; a sandbox unless given"), Flag.withDefault(false)),
  fee: Flag.Int("fee-bps").pipe(
    Flag.withDescription("Fee in basis points instead of the default"),
    Flag.withSchema(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 10_000 }))),
    Flag.optional
  )
}, Effect.fnUntraced(function*({ fee, live, name }) {
  const { account, key } = yield* (yield* Accounts).create({ name, sandbox: !live, fee_tier_bps: Option.getOrNull(fee) })
  yield* Console.log(`${account.id}  ${account.name}  ${account.sandbox ? "sandbox" : "live"}`)
  yield* Console.log(`${Redacted.value(key.secret)}  (its secret key; shown this once)`)
}, Effect.provide(services))).pipe(Command.withDescription("Open an account and make its first secret key"))

interface Listed {
  readonly id: string
  readonly name: string
  readonly status: string
  readonly sandbox: boolean
}

const PIECE = 500

const list = Command.make("list", {}, Effect.fnUntraced(function*() {
  const sql = yield* SqlClient.SqlClient
  for (let after = "";;) {
    const rows = yield* Effect.orDie(sql<Listed>`SELECT id, name, status, sandbox FROM accounts WHERE id > ${after} ORDER BY id LIMIT ${PIECE}`)
    for (const row of rows) yield* Console.log(`${row.id}  ${row.status}  ${row.sandbox ? "sandbox" : "live"}  ${row.name}`)
    const last = rows.at(-1)
    if (last === undefined || rows.length < PIECE) return
    after = last.id
  }
}, Effect.provide(services))).pipe(Command.withDescription("List every account, oldest first"))

const move = <const Name extends "suspend" | "reactivate">(name: Name, description: string) =>
  Command.make(name, { id }, Effect.fnUntraced(function*({ id }) {
    const { status } = yield* (yield* Accounts).move(id, name)
    yield* Console.log(`${id}  ${status}`)
  }, Effect.provide(services))).pipe(Command.withDescription(description))

export const accounts = Command.make("accounts").pipe(
  Command.withDescription("Open, list, suspend and reactivate accounts"),
  Command.withSubcommands([
    create,
    list,
    move("suspend", "No new charges; reads and refunds still work. Takes effect at once"),
    move("reactivate", "Lift a suspension")
  ])
)
