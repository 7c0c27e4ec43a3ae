/** The routes of this package on the tool server. A resource joins with a line here, and a line in `layer.ts`. */
import * as HttpApi from "effect/http-api/HttpApi"
import { ToolAccountsGroup } from "./accounts/api.ts"
import { AgentsGroup } from "./agents/api.ts"
import { FeedbackGroup } from "./feedback/api.ts"
import { GithubTokensGroup } from "./github-tokens/api.ts"

export const contract = HttpApi.make("tools").add(ToolAccountsGroup).add(GithubTokensGroup).add(AgentsGroup).add(FeedbackGroup)
