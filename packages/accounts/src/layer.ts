/** What this package brings: who the merchants are, and with which keys they call. */
import { and } from "@svc/kernel/parts/part"
import { pipe } from "effect"
import { accounts as accountsPart } from "./accounts/resource.ts"
import { agentKeys } from "./agent-keys/resource.ts"
import { apiKeys } from "./api-keys/resource.ts"
import { attentionNotices } from "./attention-notices/resource.ts"
import { attention } from "./attention/resource.ts"
import { auditLog } from "./audit-log/resource.ts"
import { identities } from "./identities/resource.ts"
import { legalEntities } from "./legal-entities/resource.ts"
import { passkeys } from "./passkeys/resource.ts"
import { people } from "./people/resource.ts"
import { sessions } from "./sessions/resource.ts"
import { testClocks } from "./test-clocks/resource.ts"
import { toolCallers } from "./tool-callers/resource.ts"

export const accounts = pipe(
  apiKeys,
  and(accountsPart),
  and(legalEntities),
  and(testClocks),
  and(agentKeys),
  and(toolCallers),
  and(auditLog),
  and(people),
  and(sessions),
  and(attention),
  and(attentionNotices),
  and(identities),
  and(passkeys)
)
