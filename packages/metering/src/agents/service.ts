/** Agents that sign themselves up, and give smaller keys to their helpers. */
import type { ToolCaller } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import {
  AgentKeyId,
  type AgentKeyIssued,
  type AgentKeyRecord,
  type CutAgentKeyRequest,
  issuedOf,
  recordOf
} from "@svc/accounts/agent-keys/model"
import { AgentKeys } from "@svc/accounts/agent-keys/service/agent-keys"
import {
  Forbidden,
  type InvalidState,
  type NotFound,
  notFound,
  type ValidationError,
  type VersionConflict
} from "@svc/kernel/resource/errors"
import { Site } from "@svc/tool-kit/services/site"
import { Context, Effect, Layer } from "effect"
import { ToolAccounts } from "../accounts/service.ts"
import { type AgentSignupRequest, endpointsAt, NOTE, type SandboxSignupResponse, signupPolicy } from "./model.ts"

const forAgents = new Forbidden({
  message:
    "A key is cut from an agent key, agk_…, and this is another one. With a secret key of the account, POST /v1/agent_keys of the payments API issues an agent key."
})

export class Agents extends Context.Service<Agents, {
  /** Opens a sandbox and issues its agent key. Not idempotent: the token is shown once. */
  readonly signUp: (request: AgentSignupRequest) => Effect.Effect<SandboxSignupResponse>
  /** Cuts a key from the caller's own. */
  readonly cut: (
    caller: ToolCaller,
    request: CutAgentKeyRequest
  ) => Effect.Effect<AgentKeyIssued, Forbidden | ValidationError | InvalidState | VersionConflict>
  /** The active keys cut from the caller's own, at every level, oldest first. */
  readonly cuts: (caller: ToolCaller) => Effect.Effect<ReadonlyArray<AgentKeyRecord>, Forbidden>
  /** Ends one of these and all cut from it. Any other key is not found. */
  readonly revoke: (caller: ToolCaller, id: AgentKeyId) => Effect.Effect<AgentKeyRecord, Forbidden | NotFound | VersionConflict>
}>()("@svc/metering/Agents") {
  static readonly layer = Layer.effect(
    Agents,
    Effect.gen(function*() {
      const accounts = yield* ToolAccounts
      const keys = yield* AgentKeys
      const { tools_url } = yield* Site

      const keyOf = ({ credential }: ToolCaller) =>
        credential.kind === "agent_key" ? Effect.succeed(AgentKeyId.make(credential.id)) : Effect.fail(forAgents)

      const below = Effect.fnUntraced(function*(caller: ToolCaller) {
        return yield* keys.below(caller.account.id, yield* keyOf(caller))
      })

      return Agents.of({
        signUp: Effect.fn("Agents.signUp")(function*({ agent_name, contact = null }: AgentSignupRequest) {
          const name = agent_name ?? "Agent"
          const account = yield* accounts.openSandbox(name, contact)
          // A caller that is interrupted between the two leaves an empty sandbox, and signs up again.
          const { key, token } = yield* Effect.orDie(keys.issue(account, { name, policy: signupPolicy }))
          return {
            merchant_id: AccountId.make(account.id),
            agent_key_id: key.id,
            token,
            policy: key.policy,
            mode: "sandbox",
            expires_at: key.expires_at,
            note: NOTE,
            endpoints: endpointsAt(tools_url)
          } satisfies SandboxSignupResponse
        }),
        cut: Effect.fn("Agents.cut")(function*(caller: ToolCaller, request: CutAgentKeyRequest) {
          return issuedOf(yield* keys.issue(caller.account, { ...request, parent_id: yield* keyOf(caller) }))
        }),
        cuts: Effect.fn("Agents.cuts")((caller: ToolCaller) => Effect.map(below(caller), (found) => found.map(recordOf))),
        revoke: Effect.fn("Agents.revoke")(function*(caller: ToolCaller, id: AgentKeyId) {
          if (!(yield* below(caller)).some(({ key }) => key.id === id)) return yield* notFound("agent key")
          return recordOf(yield* keys.revoke(caller.account.id, id))
        })
      })
    })
  )
}
