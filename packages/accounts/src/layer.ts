/** The services of this package, wired. What remains to be given is the database and randomness. */
import { Layer } from "effect"
import { AccountRepository } from "./accounts/repository.ts"
import { Accounts } from "./accounts/service.ts"
import { KnownKeys } from "./api-keys/known-keys.ts"
import { ApiKeyRepository } from "./api-keys/repository.ts"
import { ApiKeys } from "./api-keys/service.ts"

/** `Accounts` and `ApiKeys` for handlers and the command line, `KnownKeys` for the authorization. */
export const layer = Accounts.layer.pipe(
  Layer.provideMerge(ApiKeys.layer),
  Layer.provideMerge(KnownKeys.layer),
  Layer.provide([AccountRepository.layer, ApiKeyRepository.layer])
)
