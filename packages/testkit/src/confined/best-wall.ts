/** Prints a rung of this machine, the best or the one that is named, and what JavaScript prints there. Tests start this as others would. */
import { Confined } from "@svc/confined/service"
import { makeSandbox } from "@svc/engines/sandbox/sandbox"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { Effect, Layer } from "effect"

const program = Effect.gen(function*() {
  const { run, wall } = yield* makeSandbox
  const { rung } = yield* wall
  const result = yield* run({ account: "acct_1", runtime: "node", code: "console.log(6 * 7)", stdin: "", seconds: 60 })
  process.stdout.write(JSON.stringify({ rung, ...result }))
})

await Effect.runPromise(
  Effect.provide(
    program,
    Confined.layerOf({ confined: process.argv[2] === "webassembly" ? "webassembly" : "best", places: 1, node: process.execPath }).pipe(
      Layer.provideMerge(FetchedPackages.layer("never"))
    )
  )
)
