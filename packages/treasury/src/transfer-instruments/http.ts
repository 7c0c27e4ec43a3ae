/** The handlers of the transfer instrument routes. */
import { Caller } from "@svc/accounts/access/model"
import { creatingAnyhow, expanding } from "@svc/accounts/access/service"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { expectedVersion, ifMatchOf } from "@svc/kernel/http/if-match"
import { Effect, Result } from "effect"
import type { HttpServerRequest } from "effect/http"
import { TransferInstrumentsGroup } from "./api.ts"
import { instrumentExpansion } from "./model.ts"
import { TransferInstruments } from "./service.ts"
import type { InstrumentTarget } from "./service/verify.ts"

export const layer = handlersOf(
  TransferInstrumentsGroup,
  TransferInstruments,
  Effect.fnUntraced(function*(handlers, instruments) {
    const expand = yield* expanding(instrumentExpansion)

    const which = Effect.fnUntraced(
      function*(
        { params: { id }, request }: { readonly params: { readonly id: string }; readonly request: HttpServerRequest.HttpServerRequest },
        own?: number
      ) {
        const { account } = yield* Caller
        const version = yield* Effect.fromResult(Result.flatMap(ifMatchOf(request), (header) => expectedVersion(own, header)))
        return { account, id, version } satisfies InstrumentTarget
      }
    )

    return handlers.handleAll({
      create: creatingAnyhow("transfer_instrument.create", instruments.create, "number"),
      list: expand.listing(instruments.list),
      get: expand.retrieving(instruments.get),
      verify: Effect.fnUntraced(function*({ payload, ...asked }) {
        return yield* instruments.verify(yield* which(asked, payload.version), payload)
      }),
      resubmit: (asked) => Effect.flatMap(which(asked), instruments.resubmit),
      activate: (asked) => Effect.flatMap(which(asked), instruments.activate),
      make_default: (asked) => Effect.flatMap(which(asked), instruments.makeDefault),
      archive: (asked) => Effect.flatMap(which(asked), instruments.archive)
    })
  })
)
