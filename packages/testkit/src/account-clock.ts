/** The time of an account with a test clock, in tests without a worker that moves clocks. */
import { driver } from "@svc/kernel/clocks/drive"
import { clockRows } from "@svc/kernel/clocks/rows"
import { Effect } from "effect"

/** Sends the account's test clock to a moment, and runs on the way what falls due by it. The world's time stays where it is. */
export const advanceClock = Effect.fnUntraced(function*(account: string, toMillis: number) {
  yield* (yield* clockRows).setOut(account, toMillis)
  if (!(yield* (yield* driver).drive(account))) return yield* Effect.die(new Error(`the test clock of ${account} was not moved`))
})
