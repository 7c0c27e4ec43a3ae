/** What can be done with an account's token for GitHub: keep it, use it, remove it. No answer shows it. */
import { now } from "@svc/kernel/values/time"
import { Keyring } from "@svc/platform/encryption/keyring"
import { Context, Effect, Layer, Redacted } from "effect"
import { GithubTokenRepository } from "./repository.ts"

export class GithubTokens extends Context.Service<GithubTokens>()("@svc/metering/GithubTokens", {
  make: Effect.gen(function*() {
    const keyring = yield* Keyring
    const repository = yield* GithubTokenRepository
    return {
      /** Takes the place of the token before it. */
      store: Effect.fn("GithubTokens.store")(function*(account: string, token: string) {
        yield* repository.put(account, keyring.seal(token, account), yield* now)
      }),
      remove: Effect.fn("GithubTokens.remove")((account: string) => Effect.asVoid(repository.remove(account))),
      /** For whoever reads the account's repositories; undefined where there is none. */
      find: Effect.fn("GithubTokens.find")(function*(account: string) {
        const sealed = yield* repository.find(account)
        return sealed === undefined ? undefined : Redacted.make(yield* Effect.orDie(keyring.open(sealed, account)))
      })
    }
  })
}) {
  static readonly layer = Layer.effect(GithubTokens, GithubTokens.make)
}
