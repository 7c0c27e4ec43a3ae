/** The first start makes one sandbox merchant, so that the printed command works when pasted. */
import { AccountId } from "@svc/accounts/accounts/model"
import { Accounts } from "@svc/accounts/accounts/service"
import { KnownKeys } from "@svc/accounts/api-keys/known-keys"
import { fromJsonText } from "@svc/kernel/values/json-codec"
import { WebhookEndpoints } from "@svc/webhooks/endpoints/service"
import { Effect, FileSystem, Option, Path, Redacted, Schema } from "effect"
import type { ServerConfig } from "./config.ts"
import { Credentials } from "./credentials.ts"

const CredentialsFile = fromJsonText(Credentials)

const read = Effect.fnUntraced(function*(file: string) {
  const fs = yield* FileSystem.FileSystem
  return yield* fs.readFileString(file).pipe(
    Effect.flatMap(Schema.decodeEffect(CredentialsFile)),
    Effect.option
  )
})

const write = Effect.fnUntraced(function*(file: string, credentials: Credentials) {
  const fs = yield* FileSystem.FileSystem
  const draft = `${file}.new`
  yield* fs.writeFileString(draft, `${JSON.stringify(credentials, null, 2)}\n`, { mode: 0o600 })
  yield* fs.rename(draft, file)
})

const makeMerchant = Effect.fnUntraced(function*(config: ServerConfig) {
  const accounts = yield* Accounts
  const endpoints = yield* WebhookEndpoints
  const { account, key } = yield* accounts.create({ name: "Sandbox merchant", sandbox: true })
  // Where webhooks may not go to this machine, the merchant starts without an endpoint.
  yield* Effect.option(endpoints.put(account, { url: config.webhookUrl }))
  return { account_id: account.id, secret_key: Redacted.value(key.secret) }
})

/** Uses the merchant of `credentials.json` while its key opens this database, else makes a new one. */
export const seed = Effect.fn("seed")(function*(config: ServerConfig, urls: { readonly base_url: string; readonly tools_url: string }) {
  const path = yield* Path.Path
  const fs = yield* FileSystem.FileSystem
  const keys = yield* KnownKeys
  const file = path.join(config.dataDir, "credentials.json")
  // Before anything is made: with a database elsewhere, nothing else has made the folder.
  yield* fs.makeDirectory(config.dataDir, { recursive: true })
  const storedCredentials = yield* read(file)
  const usable = Option.isSome(storedCredentials) && (yield* keys.find(storedCredentials.value.secret_key)) !== undefined
  const merchant = usable ? storedCredentials.value : yield* makeMerchant(config)
  // As it is now: the merchant may have moved its endpoint or changed the secret since.
  const endpoint = Option.getOrUndefined(yield* Effect.option((yield* WebhookEndpoints).get(merchant.account_id)))
  const credentials: Credentials = {
    account_id: AccountId.make(merchant.account_id),
    secret_key: merchant.secret_key,
    webhook_secret: endpoint === undefined ? "" : Redacted.value(endpoint.secret),
    ...urls
  }
  yield* write(file, credentials)
  return { credentials, file, webhookUrl: endpoint?.url }
})
