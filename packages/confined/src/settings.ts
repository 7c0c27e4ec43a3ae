/** What the operator may set of the wall around foreign code and foreign bytes. */
import { oneOf, wholeNumber } from "@svc/kernel/parts/settings"
import { Config } from "effect"

export const ConfinedSettings = Config.all({
  /** `best` takes the best rung that passes its self-test; another word takes that rung or nothing. */
  confined: oneOf("CONFINED", ["best", "bubblewrap", "webassembly", "none"], "best"),
  /** How many foreign programs this process runs at once. */
  places: wholeNumber("CONFINED_PLACES", { minimum: 1, maximum: 64, usual: 4 }),
  /**
   * A Node.js of version 25 or newer for the children of the WebAssembly rung. Unset, the one that runs the service, or a newer one that is
   * fetched.
   */
  node: Config.String("CONFINED_NODE").pipe(Config.withDefault(undefined))
})
export type ConfinedSettings = Config.Success<typeof ConfinedSettings>
