/** `svc checkpoint` and `svc export-ledger`: what proves the books to others. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { Checkpoints } from "@svc/ledger/checkpoints/service"
import { LedgerExport } from "@svc/ledger/export/service"
import { Console, Effect, FileSystem, Option, Stream } from "effect"
import { Command, Flag } from "effect/cli"
import { readCredentials } from "../credentials.ts"
import { CalledWrongly, CommandFailed } from "../failure.ts"
import { print } from "../output.ts"
import { whole } from "../whole.ts"

export const checkpoint = Command.make("checkpoint", {}, () =>
  Effect.gen(function*() {
    const signed = yield* (yield* Checkpoints).take
    yield* print({ signed }, `${signed} ${signed === 1 ? "ledger" : "ledgers"} signed`)
  }).pipe(Effect.provide(whole))).pipe(
    Command.withDescription(
      "Verify and sign now every ledger that has moved since its last checkpoint, without waiting for the end of the day"
    )
  )

/** The account's ledger as text, signed at its end. */
const linesOf = Effect.fnUntraced(function*(account: AccountId) {
  yield* (yield* Accounts).get(account).pipe(
    Effect.catchTag(
      "NotFound",
      () => new CalledWrongly({ message: `There is no account ${account}. \`svc accounts list\` shows those there are.` })
    )
  )
  return yield* (yield* LedgerExport).lines(account)
})

const writeTo = Effect.fnUntraced(function*(file: string, lines: Stream.Stream<string>) {
  const fs = yield* FileSystem.FileSystem
  yield* Stream.run(Stream.encodeText(lines), fs.sink(file)).pipe(
    Effect.mapError((error) =>
      new CommandFailed({ message: `${file} cannot be written: ${error.message}. Name a file in a folder that this user may write.` })
    )
  )
  yield* print({ file }, `Written to ${file}. \`npm run verify-export -- ${file} jwks.json\` verifies it with the public key.`)
})

export const exportLedger = Command.make(
  "export-ledger",
  {
    account: Flag.String("account").pipe(
      Flag.withDescription("The account, acct_…; the sandbox merchant of credentials.json unless given"),
      Flag.withSchema(AccountId),
      Flag.optional
    ),
    out: Flag.String("out").pipe(Flag.withDescription("File to write; standard output unless given"), Flag.optional)
  },
  Effect.fnUntraced(
    function*({ account, out }) {
      const lines = yield* linesOf(Option.isSome(account) ? account.value : AccountId.make((yield* readCredentials).account_id))
      if (Option.isSome(out)) return yield* writeTo(out.value, lines)
      yield* Stream.runForEach(lines, (text) => text === "" ? Effect.void : Console.log(text.trimEnd()))
    },
    Effect.scoped,
    Effect.provide(whole)
  )
).pipe(
  Command.withDescription(
    "Print an account's whole ledger as signed lines of JSON, which `npm run verify-export` verifies with nothing but them and the public key"
  )
)
