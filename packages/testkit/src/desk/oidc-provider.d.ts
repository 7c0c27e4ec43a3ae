/** What the tests use of oidc-provider, which brings no types. */
declare module "oidc-provider" {
  import type { RequestListener } from "node:http"

  export interface Account {
    readonly accountId: string
    readonly claims: () => Readonly<Record<string, unknown>>
  }
  export default class Provider {
    constructor(issuer: string, configuration: Readonly<Record<string, unknown>>)
    callback(): RequestListener
  }
}
