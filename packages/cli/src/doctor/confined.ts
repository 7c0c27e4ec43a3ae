/** What stands around foreign code on this machine, by the self-tests that the server makes, too. */
import { Confined } from "@svc/confined/service"
import { FetchedPackages } from "@svc/platform/fetched/service"
import { ServerConfig } from "@svc/server/config"
import { Effect, Layer } from "effect"
import { failed, note, ok } from "./finding.ts"

export const confined = Effect.gen(function*() {
  const { confined: settings, fetchPackages } = yield* ServerConfig
  return yield* Effect.flatMap(Confined, ({ wall }) => wall).pipe(
    Effect.map(({ name, weaknesses }) =>
      weaknesses.length === 0 ? ok(`runs within ${name}`) : note(`runs within ${name}, weaker than it can be: ${weaknesses.join("; ")}`)
    ),
    Effect.catch(({ message, remedy }) => {
      const absent = `svc_code_sandbox and what reads documents are absent: ${message}. ${remedy}`
      return Effect.succeed(settings.confined === "best" || settings.confined === "none" ? note(absent) : failed(absent))
    }),
    Effect.provide(Confined.layerOf(settings).pipe(Layer.provide(FetchedPackages.layer(fetchPackages))))
  )
})
