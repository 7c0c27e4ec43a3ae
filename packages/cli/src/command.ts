/** Every command of `svc`. */
import { Command } from "effect/cli"
import { accounts } from "./commands/accounts.ts"
import { clock } from "./commands/clock.ts"
import { doctor } from "./commands/doctor.ts"
import { encryption } from "./commands/encryption.ts"
import { checkpoint, exportLedger } from "./commands/books.ts"
import { keys } from "./commands/keys.ts"
import { listen } from "./commands/listen.ts"
import { migrate } from "./commands/migrate.ts"
import { outbox } from "./commands/outbox.ts"
import { rebuild } from "./commands/rebuild.ts"
import { reconcile } from "./commands/reconcile.ts"
import { replay } from "./commands/replay.ts"
import { serve } from "./commands/serve.ts"
import { trigger } from "./commands/trigger.ts"
import { verifyLedger } from "./commands/verify-ledger.ts"

export const root = Command.make("svc").pipe(
  Command.withDescription("Run and look after an installation of svc. Settings come from the environment; see the README."),
  Command.withSubcommands([serve, migrate, accounts, keys, listen, trigger, replay, reconcile, clock, outbox, encryption, verifyLedger, checkpoint, exportLedger, rebuild, doctor])
)
