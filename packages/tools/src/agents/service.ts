/** Agents that sign themselves up, and give smaller keys to their helpers. */
import type { ToolCaller } from "@svc/accounts/access/model"
import { AccountId } from "@svc/accounts/accounts/model"
import { AgentKeyId, type AgentKeyIssued, type CutAgentKeyRequest, issuedOf } from "@svc/accounts/agent-keys/model"
import { AgentKeys } from "@svc/accounts/agent-keys/service/agent-keys"
import { Forbidden, type InvalidState, type ValidationError, type VersionConflict } from "@svc/kernel/errors"
import { Context, Effect, Layer } from "effect"
import { ToolAccounts } from "../accounts/service.ts"
import { Site } from "../services/site.ts"
import { type AgentSignupRequest, endpointsAt, NOTE, type SandboxSignupResponse, signupPolicy } from "./model.ts"

const forAgents = new Forbidden({
  message: "A key is cut from an agent key, agk_…, and this is another one. With a secret key of the account, POST /v1/agent_keys of the payments API issues an agent key."
})

export class Agents extends Context.Service<Agents, {
  /** Opens a sandbox and issues its agent key. Not idempotent: the token is shown once. */
  readonly signUp: (request: AgentSignupRequest) => Effect.Effect<SandboxSignupResponse>
  /** Cuts a key from the caller's own. */
  readonly cut: (caller: ToolCaller, request: CutAgentKeyRequest) => Effect.Effect<AgentKeyIssued, Forbidden | ValidationError | InvalidState | VersionConflict>
}>()("@svc/tools/Agents") {
  static readonly layer = Layer.effect(Agents, Effect.gen(function*() {
    const accounts = yield* ToolAccounts
    const keys = yield* AgentKeys
    const { tools_url } = yield* Site

    return Agents.of({
      signUp: Effect.fn("Agents.signUp")(function*({ agent_name, contact = null }: AgentSignupRequest) {
        const name = agent_name ?? "Agent"
        const account = yield* accounts.openSandbox(name, contact)
        // Whoever is interrupted between the two leaves an empty sandbox, and signs up again.
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
      cut: Effect.fn("Agents.cut")(function*({ account, credential }: ToolCaller, request: CutAgentKeyRequest) {
        if (credential.kind !== "agent_key") return yield* forAgents
        return issuedOf(yield* keys.issue(account, { ...request, parent_id: AgentKeyId.make(credential.id) }))
      })
    })
  }))
}
