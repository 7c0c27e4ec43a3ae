/** `svc clock`: the time of a sandbox account of one's own. */
import type { TestClock } from "@svc/accounts/test-clocks/model"
import { iso } from "@svc/kernel/values/time"
import { DateTime, Effect } from "effect"
import { Argument, Command } from "effect/cli"
import { advanceTo, clockOf } from "../clocks.ts"
import { type ApiFlags, apiFlags, connect } from "../connection.ts"
import { CalledWrongly, CommandFailed } from "../failure.ts"
import { momentIn, spanIn } from "../moments.ts"
import { print } from "../output.ts"

const printClock = (clock: TestClock) => {
  const { id, now, status, stopped } = clock
  const why = stopped === null ? "" : `, stopped on the way to ${iso(stopped.to)} (${stopped.reason}); advance again to go on`
  return print(clock, `${id}  ${iso(now)}  ${status}${why}`)
}

const connected = Effect.fnUntraced(function*(flags: ApiFlags) {
  const { client, explain } = yield* connect(flags)
  const found = clockOf(client).pipe(
    Effect.mapError(explain),
    Effect.flatMap((clock) =>
      clock === undefined
        ? Effect.fail(
          new CommandFailed({ message: "The account has no clock: its time is that of the world. Give it one with svc clock make." })
        )
        : Effect.succeed(clock)
    )
  )
  return { client, explain, found }
})

const make = Command.make(
  "make",
  apiFlags,
  Effect.fnUntraced(function*(flags) {
    const { client, explain } = yield* connected(flags)
    yield* printClock(yield* client.test_clocks.create().pipe(Effect.mapError(explain)))
  })
).pipe(Command.withDescription("Give the account a clock, which stands still from now on; or show the one it has"))

const show = Command.make(
  "show",
  apiFlags,
  Effect.fnUntraced(function*(flags) {
    const { found } = yield* connected(flags)
    yield* printClock(yield* found)
  })
).pipe(Command.withDescription("Show where the account's clock stands"))

/** Where to go from the clock's present moment: to a moment, or so much further. */
const goalIn = (text: string): ((present: DateTime.Utc) => DateTime.Utc) | undefined => {
  const [moment, span] = [momentIn(text), text.startsWith("+") ? spanIn(text.slice(1)) : undefined]
  if (span !== undefined) return (present) => DateTime.add(present, { seconds: span })
  return moment === undefined ? undefined : () => moment
}

const advance = Command.make(
  "advance",
  {
    to: Argument.String("to").pipe(
      Argument.withDescription("A moment (ISO 8601), or how much later than now the account's time is to be: +45m, +12h, +30d")
    ),
    ...apiFlags
  },
  Effect.fnUntraced(function*({ to, ...flags }) {
    const goal = goalIn(to)
    if (goal === undefined) {
      return yield* new CalledWrongly({
        message: `"${to}" is no moment. Give one such as 2027-01-31T08:00:00Z, or how much later, such as +45m, +12h or +30d.`
      })
    }
    const { client, explain, found } = yield* connected(flags)
    const clock = yield* found
    yield* printClock(yield* Effect.mapError(advanceTo(client, clock.id, goal(clock.now)), explain))
  })
).pipe(
  Command.withDescription("Do everything that falls due up to a moment, in the order of time, and wait until it is done"),
  Command.withExamples([{ command: "svc clock advance +30d", description: "Go on by thirty days" }])
)

const cancel = Command.make(
  "cancel",
  apiFlags,
  Effect.fnUntraced(function*(flags) {
    const { client, explain, found } = yield* connected(flags)
    const { id } = yield* found
    yield* printClock(yield* Effect.mapError(client.test_clocks.cancel({ params: { id } }), explain))
  })
).pipe(Command.withDescription("End the advance that is under way; the clock stays where it has got to"))

const remove = Command.make(
  "remove",
  apiFlags,
  Effect.fnUntraced(function*(flags) {
    const { client, explain, found } = yield* connected(flags)
    const { id } = yield* found
    yield* Effect.mapError(client.test_clocks.remove({ params: { id } }), explain)
    yield* print({ id, removed: true }, `${id} is removed: the account's time is that of the world.`)
  })
).pipe(Command.withDescription("Remove the account's clock, when nothing depends on it"))

export const clock = Command.make("clock").pipe(
  Command.withDescription("Make, show, advance and remove the clock of a sandbox account, to see today what happens in a year"),
  Command.withSubcommands([make, show, advance, cancel, remove])
)
