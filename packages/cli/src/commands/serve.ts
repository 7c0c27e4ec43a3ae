/** `svc serve`: the server, in this process. */
import { Effect } from "effect"
import { Command } from "effect/cli"

export const serve = Command.make("serve", {}, () =>
  // Its own main takes over: it handles signals and sets the exit code. This command is done once it runs.
  Effect.promise(() => import("@svc/server/main"))).pipe(
    Command.withDescription("Run the payments API, the tool server and the workers, as npm start does")
  )
