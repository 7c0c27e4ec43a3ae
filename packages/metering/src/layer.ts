/** What this package brings: who calls the tools, and what a call costs them. */
import { and } from "@svc/kernel/parts/part"
import { pipe } from "effect"
import { access } from "./access/resource.ts"
import { accountPlans } from "./account-plans/resource.ts"
import { toolAccounts } from "./accounts/resource.ts"
import { agents } from "./agents/resource.ts"
import { emailQuota } from "./email-quota/resource.ts"
import { feedback } from "./feedback/resource.ts"
import { githubTokens } from "./github-tokens/resource.ts"
import { pagePool } from "./page-pool/resource.ts"
import { referrals } from "./referrals/resource.ts"
import { toolCalls } from "./tool-calls/resource.ts"

export const metering = pipe(
  access,
  and(toolAccounts),
  and(agents),
  and(toolCalls),
  and(accountPlans),
  and(referrals),
  and(feedback),
  and(emailQuota),
  and(pagePool),
  and(githubTokens)
)
