/** What commands print: lines for people, or with `--json` one object a line for programs. */
import { Console, Effect } from "effect"
import { Flag, GlobalFlag } from "effect/cli"

export const Json = GlobalFlag.Setting("json")({
  flag: Flag.Boolean("json").pipe(
    Flag.withDescription("Print results and failures as JSON, one object a line"),
    Flag.withDefault(false)
  )
})

/** Prints the lines, or with `--json` the value in their place. */
export const print = Effect.fnUntraced(function*(value: object, ...lines: ReadonlyArray<string>) {
  if (yield* Json) return yield* Console.log(JSON.stringify(value))
  yield* Effect.forEach(lines, (line) => Console.log(line), { discard: true })
})
