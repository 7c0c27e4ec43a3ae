/** `svc verify-ledger`: recomputes the hash chains and adds the books up. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { verifyLedger as verifyFromOutside } from "@svc/client/ledger"
import { Ledger } from "@svc/ledger/financial-events/service"
import { Effect, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { apiFlags, connect } from "../connection.ts"
import { CalledWrongly, CommandFailed } from "../failure.ts"
import { print } from "../output.ts"
import { whole } from "../whole.ts"

interface Finding {
  readonly ok: boolean
  readonly checked: number
  readonly head_hash: string
  readonly first_break: { readonly sequence_id: number; readonly reason: string } | null
}

const printFinding = (account_id: string, finding: Finding) => {
  const { checked, first_break, head_hash } = finding
  return print(
    { account_id, ...finding },
    first_break === null
      ? `${account_id}  ok  ${checked} events  head ${head_hash}`
      : `${account_id}  BROKEN at ${first_break.sequence_id}: ${first_break.reason}, after ${checked} events that hold`
  )
}

const conclude = Effect.fnUntraced(function*(accounts: number, broken: number) {
  yield* print(
    { ok: broken === 0, ledgers: accounts, broken },
    `ok: ${broken === 0}  (${accounts} ${accounts === 1 ? "ledger" : "ledgers"}, ${broken} broken)`
  )
  if (broken > 0) {
    return yield* new CommandFailed({
      message: `${broken} of ${accounts} ledgers do not hold. Compare the events before each break with a backup.`
    })
  }
})

const throughService = Effect.fnUntraced(function*(account: Option.Option<AccountId>) {
  const service = yield* Ledger
  if (Option.isSome(account)) {
    // An account that is not there has no entry that could be wrong, and a misspelt one would be in order for ever.
    yield* (yield* Accounts).get(account.value).pipe(
      Effect.catchTag(
        "NotFound",
        () => new CalledWrongly({ message: `There is no account ${account.value}. \`svc accounts list\` shows those there are.` })
      )
    )
  }
  const findings = Option.match(account, {
    onNone: () => service.verifyAll,
    onSome: (account_id) => Stream.fromEffect(Effect.map(service.verify(account_id), (finding) => ({ account_id, ...finding })))
  })
  const { accounts, broken } = yield* Stream.runFoldEffect(
    findings,
    () => ({ accounts: 0, broken: 0 }),
    (sum, finding) =>
      Effect.as(printFinding(finding.account_id, finding), { accounts: sum.accounts + 1, broken: sum.broken + (finding.ok ? 0 : 1) })
  )
  yield* conclude(accounts, broken)
}, Effect.provide(whole))

const throughApi = Effect.fnUntraced(function*(flags: Parameters<typeof connect>[0]) {
  const { client, explain } = yield* connect(flags)
  const { account, finding } = yield* Effect.all({ account: client.accounts.own({}), finding: verifyFromOutside(client) }).pipe(
    Effect.mapError(explain)
  )
  yield* printFinding(account.id, finding)
  yield* conclude(1, finding.ok ? 0 : 1)
})

export const verifyLedger = Command.make(
  "verify-ledger",
  {
    account: Flag.String("account").pipe(
      Flag.withDescription("One account, acct_…; all of them unless given"),
      Flag.withSchema(AccountId),
      Flag.optional
    ),
    ...apiFlags
  },
  Effect.fnUntraced(function*({ account, key, url }) {
    const outside = Option.isSome(url) || Option.isSome(key)
    if (outside && Option.isSome(account)) {
      return yield* new CalledWrongly({
        message: "--account reads the database, --url and --key the API of the key's own account. Give one or the other."
      })
    }
    yield* outside ? throughApi({ key, url }) : throughService(account)
  })
).pipe(
  Command.withDescription(
    "Recompute every hash and balance: all accounts in the database, or with --url or --key one account through the public API"
  )
)
