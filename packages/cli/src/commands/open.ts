/** `svc open`: the desk, in the browser. */
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { ChildProcess, ChildProcessSpawner } from "effect/process"
import { apiFlags, placeOf } from "../connection.ts"
import { CalledWrongly } from "../failure.ts"
import { print } from "../output.ts"

/** The desk of an API, by name: browsers keep passkeys for names, not for bare addresses. */
export const deskAt = (baseUrl: string): string => `${baseUrl.replace(/\/$/u, "").replace("//127.0.0.1", "//localhost")}/desk`

/** The path below the desk of a view, of a resource's list, or of a resource by its id; undefined where there is no such page. */
const pathOf = Effect.fnUntraced(function*(what: string) {
  const { anyAddressOf, listAddress, viewNamed } = yield* Effect.promise(() => import("@svc/desk/pages/addresses"))
  const { viewFor } = yield* Effect.promise(() => import("../resources/values.ts"))
  const name = what.replaceAll("-", "_")
  const view = viewNamed(name) ?? viewFor(name)
  return view === undefined ? anyAddressOf(what) : listAddress(view)
})

/** What opens an address here; undefined where nobody would see it. */
const opener = (): readonly [command: string, ...args: ReadonlyArray<string>] | undefined => {
  if (process.platform === "darwin") return ["open"]
  if (process.platform === "win32") return ["rundll32", "url.dll,FileProtocolHandler"]
  return process.env["DISPLAY"] === undefined && process.env["WAYLAND_DISPLAY"] === undefined ? undefined : ["xdg-open"]
}

/** Whether a browser was started. */
const start = Effect.fnUntraced(function*(address: string) {
  const found = opener()
  if (found === undefined) return false
  const [command, ...args] = found
  const spawner = yield* ChildProcessSpawner.ChildProcessSpawner
  const child = ChildProcess.make(command, [...args, address], { stdin: "ignore", stdout: "ignore", stderr: "ignore" })
  return yield* spawner.exitCode(child).pipe(Effect.match({ onSuccess: (code) => code === 0, onFailure: () => false }))
})

export const open = Command.make(
  "open",
  {
    what: Argument.String("what").pipe(
      Argument.withDescription("An id such as pi_…, or a page such as payments or payouts; the home page unless given"),
      Argument.optional
    ),
    print: Flag.Boolean("print").pipe(Flag.withDescription("Print the address, and open nothing"), Flag.withDefault(false)),
    ...apiFlags
  },
  Effect.fnUntraced(function*({ what, ...flags }) {
    const { baseUrl } = yield* placeOf(flags)
    const desk = deskAt(baseUrl)
    const path = Option.isNone(what) ? "/desk" : yield* pathOf(what.value)
    if (path === undefined) {
      return yield* new CalledWrongly({
        message: `"${Option.getOrElse(what, () => "")}" is no page of the desk. Give an id such as pi_…, or a page such as payments.`
      })
    }
    const address = new URL(path, desk).href
    const opened = flags.print ? false : yield* start(address)
    yield* print({ address, opened }, address)
  })
).pipe(Command.withDescription("Open the desk in the browser, on a page or on what an id names; without a browser, print the address"))
