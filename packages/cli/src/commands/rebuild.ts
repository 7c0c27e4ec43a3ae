/** `svc rebuild --verify`: derives the tables anew from the ledger and the event log, and compares. */
import { AccountId } from "@svc/accounts/accounts/model"
import { ABSENT, type Difference } from "@svc/kernel/database/difference"
import { Ledger } from "@svc/ledger/financial-events/service"
import { Rebuild } from "@svc/webhooks/log/rebuild"
import { Effect, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { CalledWrongly, CommandFailed } from "../failure.ts"
import { print } from "../output.ts"
import { whole } from "../whole.ts"

const line = ({ account_id, derived, field, id, stored, table }: Difference): string =>
  `${account_id}  ${table} ${id}  ${field}: the table has ${stored}, the log makes it ${derived}`

const inWords = (n: number, what: string): string => `${n} ${what}${n === 1 ? "" : "s"}`

const verify = Effect.fnUntraced(function*(only: Option.Option<AccountId>) {
  const [ledger, { differences }] = [yield* Ledger, yield* Rebuild]
  const accounts = Option.match(only, { onNone: () => ledger.accounts, onSome: (account) => Stream.make<[string]>(account) })

  const account = Effect.fnUntraced(function*(account_id: string) {
    // The ledger first: what is derived from one that does not hold means nothing.
    const { first_break } = yield* ledger.verify(account_id)
    const broken = first_break === null ? [] : [{
      account_id,
      table: "financial_events",
      id: first_break.resource_id ?? String(first_break.sequence_id),
      field: first_break.reason,
      stored: ABSENT,
      derived: ABSENT
    }]
    const found = [...broken, ...yield* ledger.differences(account_id), ...yield* differences(account_id)]
    yield* Effect.forEach(found, (one) => print(one, line(one)), { discard: true })
    return found.length
  })

  const { checked, found } = yield* Stream.runFoldEffect(
    accounts,
    () => ({ checked: 0, found: 0 }),
    (sum, id) => Effect.map(account(id), (n) => ({ checked: sum.checked + 1, found: sum.found + n }))
  )
  yield* print(
    { ok: found === 0, accounts: checked, differences: found },
    `ok: ${found === 0}  (${inWords(checked, "account")}, ${inWords(found, "difference")})`
  )
  if (found > 0) {
    return yield* new CommandFailed({
      message: `${inWords(found, "field")} of the tables ${
        found === 1 ? "is" : "are"
      } not what the log makes of them. Compare them with a backup.`
    })
  }
}, Effect.provide(whole))

export const rebuild = Command.make(
  "rebuild",
  {
    verify: Flag.Boolean("verify").pipe(
      Flag.withDefault(false),
      Flag.withDescription("Compare, and change nothing. The only thing it does")
    ),
    account: Flag.String("account").pipe(
      Flag.withDescription("One account, acct_…; all of them unless given"),
      Flag.withSchema(AccountId),
      Flag.optional
    )
  },
  Effect.fnUntraced(function*({ account, verify: only }) {
    if (!only) {
      return yield* new CalledWrongly({
        message:
          "Nothing is written by this command. `svc rebuild --verify` compares the tables with what the ledger and the event log make of them."
      })
    }
    yield* verify(account)
  })
).pipe(
  Command.withDescription(
    "Derive balances, heads, counters and every shown field of resources with events from the ledger and the event log, and name what differs"
  )
)
