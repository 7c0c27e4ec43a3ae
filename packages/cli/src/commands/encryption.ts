/** `svc encryption`: the keys that seal bank account numbers. */
import { isKeyId, Keyring, makeKey } from "@svc/platform/encryption/keyring"
import { rotate } from "@svc/platform/encryption/rotation"
import { ServerConfig } from "@svc/server/config"
import * as keyring from "@svc/server/keyring"
import { Console, Effect, Layer } from "effect"
import { Argument, Command } from "effect/cli"
import { layer as database } from "../database.ts"
import { CalledWrongly, CommandFailed } from "../failure.ts"
import { print } from "../output.ts"

const make = Command.make(
  "make-key",
  {
    id: Argument.String("id").pipe(Argument.withDescription("What to call it, such as 2026a: it stands beside whatever the key seals"))
  },
  Effect.fnUntraced(function*({ id }) {
    if (!isKeyId(id)) {
      return yield* new CalledWrongly({
        message: `${id} is no id of a key. Use 1 to 20 lower case letters, digits, hyphens and underscores, such as 2026a.`
      })
    }
    const key = makeKey(id)
    yield* print({ key }, key)
  })
).pipe(Command.withDescription("Print a new key, for ENCRYPTION_KEYS. Nothing else keeps it"))

const ring = Layer.unwrap(Effect.map(ServerConfig, keyring.layer))

const counted = (rows: number) => rows === 1 ? "1 row" : `${rows} rows`

const sealAnew = Command.make(
  "rotate",
  {},
  Effect.fnUntraced(function*() {
    const { current } = yield* Keyring
    const done = yield* rotate()
    const unopened = done.flatMap(({ column, unopened: rows }) => rows.map((row) => ({ column, ...row })))
    for (const { column, sealed } of done) {
      const what = sealed === 0 ? `all is sealed with ${current}` : `${counted(sealed)} sealed anew with ${current}`
      yield* print({ column, sealed, key: current }, `${column}: ${what}`)
    }
    for (const { column, id, key } of unopened) yield* Console.error(`${column}: ${id} does not open with the key ${key}`)
    if (unopened.length > 0) {
      return yield* new CommandFailed({
        message: `${counted(unopened.length)} did not open and stayed as they were. Put the keys ${
          Array.from(new Set(unopened.map(({ key }) => key))).join(", ")
        } back into ENCRYPTION_KEYS, behind ${current}, and run this again.`
      })
    }
    yield* print(
      { ok: true, key: current },
      `Nothing is sealed with another key than ${current}. Once every process has it in the first place, the others can be taken out of ENCRYPTION_KEYS.`
    )
  }, Effect.provide(Layer.merge(ring, database)))
).pipe(
  Command.withDescription(
    "Seal everything anew with the first of ENCRYPTION_KEYS. Before that, give every process the new key: behind the old one, and when all have it, in the first place. Safe while servers run; when it was stopped, run it again"
  )
)

export const encryption = Command.make("encryption").pipe(
  Command.withDescription("The keys that seal bank account numbers and the secrets of sessions in the database"),
  Command.withSubcommands([make, sealAnew])
)
