/** `svc checkpoint` and `svc export-ledger`: what proves the books to others. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Checkpoints } from "@svc/ledger/checkpoints/service"
import { LedgerExport } from "@svc/ledger/export/service"
import { Console, Effect, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { CalledWrongly } from "../failure.ts"
import { whole } from "../services.ts"

export const checkpoint = Command.make("checkpoint", {}, () =>
  Effect.gen(function*() {
    const signed = yield* (yield* Checkpoints).take
    yield* Console.log(`${signed} ${signed === 1 ? "ledger" : "ledgers"} signed`)
  }).pipe(Effect.provide(whole))
).pipe(Command.withDescription("Verify and sign now every ledger that has moved since its last checkpoint, without waiting for the end of the day"))

export const exportLedger = Command.make("export-ledger", {
  account: Flag.String("account").pipe(Flag.withDescription("The account, acct_…"), Flag.withSchema(AccountId))
}, ({ account }) =>
  Effect.gen(function*() {
    yield* (yield* Accounts).get(account).pipe(
      Effect.catchTag("NotFound", () => new CalledWrongly({ message: `There is no account ${account}. \`svc accounts list\` shows those there are.` }))
    )
    const pieces = yield* (yield* LedgerExport).lines(account)
    yield* Stream.runForEach(pieces, (lines) => lines === "" ? Effect.void : Console.log(lines.trimEnd()))
  }).pipe(Effect.scoped, Effect.provide(whole))
).pipe(Command.withDescription("Print an account's whole ledger as signed lines of JSON, which `npm run verify-export` verifies with nothing but them and the public key"))
