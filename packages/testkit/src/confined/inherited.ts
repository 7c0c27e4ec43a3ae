/** Prints which files a program has open. The test starts this with a file that a service would inherit. */
import { Confined } from "@svc/confined/service"
import { makeSandbox } from "@svc/engines/sandbox/sandbox"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { Effect, Layer } from "effect"

const program = Effect.gen(function*() {
  const { run } = yield* makeSandbox
  const { stdout } = yield* run({ account: "acct_1", runtime: "bash", code: "ls /proc/$$/fd", stdin: "", seconds: 60 })
  process.stdout.write(stdout)
})

const confined = Confined.layerOf({ confined: "bubblewrap", places: 1, node: process.execPath })
await Effect.runPromise(Effect.provide(program, Layer.provideMerge(confined, FetchedPackages.layer("never"))))
