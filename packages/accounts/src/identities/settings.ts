/** The identity provider of this installation: `OIDC_ISSUER`, `OIDC_CLIENT_ID` and `OIDC_CLIENT_SECRET`, all or none. */
import { Reference } from "@svc/kernel/values/reference"
import { Config, Redacted, Schema } from "effect"

export interface ProviderFacts {
  /** The issuer, as its tokens name it. */
  readonly issuer: string
  readonly client_id: string
  readonly client_secret: Redacted.Redacted<string>
}

/** Undefined where people sign in with passkeys alone. */
export class ProviderSettings
  extends Reference<ProviderFacts | undefined>("@svc/accounts/ProviderSettings", { defaultValue: () => undefined })
{}

const LOCAL = new Set(["localhost", "127.0.0.1", "[::1]"])

const isIssuer = (text: string): boolean => {
  const url = URL.parse(text)
  return url !== null && url.search === "" && url.hash === "" &&
    (url.protocol === "https:" || (url.protocol === "http:" && LOCAL.has(url.hostname)))
}

const names = ["OIDC_ISSUER", "OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"] as const

const Settings = Schema.Struct({
  OIDC_ISSUER: Schema.optionalKey(Schema.String.check(Schema.makeFilter((text) =>
    text === "" || isIssuer(text)
      ? undefined
      : "must be the issuer of an OpenID Connect provider, such as https://accounts.example.com, by https unless it runs on this machine. Correct it, or leave it unset."
  ))),
  OIDC_CLIENT_ID: Schema.optionalKey(Schema.String),
  OIDC_CLIENT_SECRET: Schema.optionalKey(Schema.String)
}).check(Schema.makeFilter((settings) => {
  const [unset, ...others] = names.filter((name) => (settings[name] ?? "") === "")
  return unset === undefined || others.length === names.length - 1
    ? undefined
    : {
      path: [unset],
      issue: `is unset, and ${names.find((name) => (settings[name] ?? "") !== "")} is not. Set all of ${names.join(", ")}, or none.`
    }
}))

const unset: typeof Settings.Type = {}

export const OpenIdSettings: Config.Config<ProviderFacts | undefined> = Config.schema(Settings).pipe(
  Config.withDefault(unset),
  Config.map(({ OIDC_CLIENT_ID = "", OIDC_CLIENT_SECRET = "", OIDC_ISSUER = "" }) =>
    OIDC_ISSUER === ""
      ? undefined
      : { issuer: OIDC_ISSUER, client_id: OIDC_CLIENT_ID, client_secret: Redacted.make(OIDC_CLIENT_SECRET) }
  )
)
