/** The handlers of the passthrough session routes. */
import { type AccountFacts, type ApiKeyScope, Caller, lacksScope } from "@svc/accounts/access/model"
import { acting, creatingAnyhow, listing, retrieving } from "@svc/accounts/access/service"
import { CONFIRMED_MINUTES } from "@svc/accounts/sessions/model"
import { handlersOf } from "@svc/kernel/http/api-builder"
import { Actor } from "@svc/kernel/parts/actor"
import { Forbidden } from "@svc/kernel/resource/errors"
import type { CommandOn } from "@svc/kernel/resource/keyed-verbs"
import { realNow } from "@svc/kernel/values/time"
import { Effect } from "effect"
import { PassthroughSessionsGroup } from "./api.ts"
import { type FlowKind, flowScopes, isMaker, type PassthroughSession, type PrefillPassthroughSessionRequest } from "./model.ts"
import { PassthroughSessions } from "./service.ts"

type CallerFacts = Caller["Service"]

const holds = ({ kind, scopes }: CallerFacts, scope: ApiKeyScope): boolean => kind === "secret" || scopes?.has(scope) === true

/** Fails for a caller who could not make by hand what comes of the flow. */
const checkFlow = (caller: CallerFacts, flow: FlowKind) =>
  holds(caller, flowScopes[flow]) ? Effect.void : Effect.fail(lacksScope(flowScopes[flow], caller.person))

/** Whoever has the address can fill in the page: its maker sees it who could make it now, a person with a fresh proof of who they are. */
const maySee = Effect.fnUntraced(function*(caller: CallerFacts, flow: FlowKind) {
  if (!holds(caller, "passthrough_sessions:write") || !holds(caller, flowScopes[flow])) return false
  const { epochMilliseconds } = yield* realNow
  return caller.person === undefined || epochMilliseconds - caller.person.confirmed_at <= CONFIRMED_MINUTES * 60_000
})

/** The page would show what its maker may not read, in the maker's name. */
const notMaker = new Forbidden({ message: "Only the key or person that made a passthrough session fills its page. Make one of your own." })

export const layer = handlersOf(
  PassthroughSessionsGroup,
  PassthroughSessions,
  (handlers, sessions) => {
    const shown = Effect.fnUntraced(function*(session: PassthroughSession) {
      const isSeen = yield* maySee(yield* Caller, session.flow_kind)
      return { ...session, path: isSeen ? yield* sessions.pathOf(session) : null }
    })

    return handlers.handleAll({
      create: Effect.fnUntraced(function*(asked) {
        yield* checkFlow(yield* Caller, asked.payload.flow_kind)
        return yield* creatingAnyhow("passthrough_session.create", sessions.create)(asked)
      }),
      list: Effect.fnUntraced(function*(asked) {
        const page = yield* listing(sessions.list)(asked)
        return { ...page, data: yield* Effect.forEach(page.data, shown) }
      }),
      get: (asked) => Effect.flatMap(retrieving(sessions.get)(asked), shown),
      prefill: Effect.fnUntraced(function*(asked) {
        const caller = yield* Caller
        const session = yield* sessions.get(caller.account.id, asked.params.id)
        yield* checkFlow(caller, session.flow_kind)
        if (!isMaker(session, yield* Actor)) return yield* notMaker
        const mayRead = (scope: ApiKeyScope) => holds(caller, scope)
        return yield* acting(
          "passthrough_session.prefill",
          ({ payload, ...command }: CommandOn<AccountFacts, PrefillPassthroughSessionRequest>) =>
            sessions.prefill({ ...command, payload: { fields: payload.fields, mayRead } })
        )(asked)
      })
    })
  }
)
