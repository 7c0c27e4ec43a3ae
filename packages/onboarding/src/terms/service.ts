/** The terms, and the verbs of an acceptance. */
import type { AccountFacts } from "@svc/accounts/access/model"
import { Idempotency } from "@svc/kernel/resource/idempotency"
import { keyedVerbs, type Work } from "@svc/kernel/resource/keyed-verbs"
import { verbsOf } from "@svc/kernel/resource/verbs"
import { makeId, nextId } from "@svc/kernel/values/ids"
import { now, realNow } from "@svc/kernel/values/time"
import { Context, Effect, Layer } from "effect"
import { readFileSync } from "node:fs"
import { type AcceptTermsRequest, type Terms as PresentTerms, TERMS_VERSION, termsAcceptanceFilters, termsAcceptances } from "./model.ts"
import { TermsRepository } from "./repository.ts"
import * as rules from "./rules.ts"

const current: PresentTerms = { version: TERMS_VERSION, text: readFileSync(new URL("./terms.md", import.meta.url), "utf8") }

/** A request to accept the terms, and the key or the person who sends it. */
export interface Accepting extends AcceptTermsRequest {
  readonly by: string
}

export class Terms extends Context.Service<Terms>()("@svc/onboarding/Terms", {
  make: Effect.gen(function*() {
    const repository = yield* TermsRepository
    const name = "terms acceptance"
    const { answer, get, list, repeat } = yield* verbsOf(termsAcceptances, { name, prefix: "ta", filters: termsAcceptanceFilters })
    const verbs = keyedVerbs<AccountFacts, never, never>(yield* Idempotency, { name, get: () => Effect.die(`no verb changes a ${name}`) })

    const accept = Effect.fnUntraced(function*(work: Work<AccountFacts, undefined, Accepting>) {
      const { account: { id: account }, at, payload: { by, version } } = work
      yield* Effect.fromResult(rules.checkVersion(version, TERMS_VERSION))
      const existing = yield* repository.ofVersion(account, version)
      if (existing !== undefined) return yield* repeat(work, existing, at)
      const id = makeId("ta", at.epochMilliseconds)
      const accepted = { id, account, at, terms_version: version, accepted_by: by, accepted_at: yield* realNow }
      return yield* answer(work, rules.acceptance(accepted), {}, 201)
    })

    return {
      current,
      get,
      list,
      accept: verbs.making("Terms.accept", accept),
      /** What one account accepted, another has accepted, too: the live account of a sandbox. Within the caller's transaction. */
      carry: Effect.fn("Terms.carry")(function*(from: string, to: string) {
        const at = yield* now
        const carried = yield* Effect.forEach(
          yield* repository.all(from),
          ({ accepted_at, accepted_by, terms_version }) =>
            Effect.map(nextId("ta"), (id) => rules.acceptance({ id, account: to, at, terms_version, accepted_by, accepted_at }))
        )
        yield* repository.insert(to, carried)
      })
    }
  })
}) {
  static readonly layer = Layer.effect(Terms, Terms.make).pipe(Layer.provide(TermsRepository.layer))
}
