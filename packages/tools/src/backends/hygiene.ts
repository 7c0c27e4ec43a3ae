/** What files should not hold, found in a child behind the wall. */
import type { NoWall, SandboxBusy } from "@svc/confined/model"
import { type InspectionRefused, makeInspector } from "@svc/engines/hygiene/inspector"
import type { NotConfigured } from "@svc/tool-kit/backend"
import { accountOf, type Call } from "@svc/tool-kit/call"
import { FileLimit, InvalidRequest } from "@svc/tool-kit/services/errors"
import { Hygiene, type HygieneFailure, type HygieneRequest } from "@svc/tool-kit/services/hygiene"
import { Effect, Layer } from "effect"
import { notConfigured } from "./confinement.ts"

const failed = (error: InspectionRefused | InvalidRequest | NoWall | SandboxBusy): HygieneFailure | NotConfigured => {
  switch (error._tag) {
    case "InspectionRefused":
      return new (error.reason === "too_slow" ? FileLimit : InvalidRequest)({ message: error.message })
    case "InvalidRequest":
      return error
    default:
      return notConfigured(error)
  }
}

const orderOf = ({ coverageA = 1, coverageB, coverageC = 0 }: HygieneRequest["config"]): boolean =>
  coverageA >= (coverageB ?? coverageA) && (coverageB ?? coverageA) >= coverageC

const make = Effect.gen(function*() {
  const inspector = yield* makeInspector
  const inspect = Effect.fnUntraced(function*({ config, files, fix }: HygieneRequest, call: Call) {
    if (!orderOf(config)) {
      return yield* new InvalidRequest({ message: "config: a better grade asks for more coverage: coverageA >= coverageB >= coverageC." })
    }
    return yield* inspector.inspect({ account: accountOf(call).id, files, config, plan: fix, patch: fix && call.mode === "engineer" })
  }, Effect.mapError(failed))

  const wall = Effect.mapError(inspector.wall, notConfigured)
  return Hygiene.of({
    get: Effect.as(wall, { inspect }),
    weaknesses: Effect.match(wall, { onFailure: () => [], onSuccess: ({ weaknesses }) => weaknesses })
  })
})

export const layer = Layer.effect(Hygiene, make)
