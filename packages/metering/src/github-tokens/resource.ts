/** What tokens for GitHub bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { GithubTokenRepository } from "./repository.ts"
import { GithubTokens } from "./service.ts"

export const githubTokens = {
  ...nothing,
  services: GithubTokens.layer.pipe(Layer.provide(GithubTokenRepository.layer)),
  routes: http.layer,
  migrations
}
