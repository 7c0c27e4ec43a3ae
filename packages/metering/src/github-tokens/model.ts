/** The token with which private repositories of an account are read. */
import { Schema } from "effect"

export const StoreGithubTokenRequest = Schema.Struct({
  token: Schema.String.check(
    Schema.isPattern(/^[A-Za-z0-9_]{20,255}$/u, { message: "must be a token of GitHub: 20 to 255 letters, digits and underscores" })
  ).annotate({ description: "A token of GitHub that may read the contents of the repositories, such as github_pat_…. It is never shown" })
}).annotate({ identifier: "StoreGithubTokenRequest", examples: [{ token: "github_pat_11EXAMPLE00000000000" }] })
export type StoreGithubTokenRequest = typeof StoreGithubTokenRequest.Type
