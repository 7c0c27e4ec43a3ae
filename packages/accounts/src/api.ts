/** What this package promises. The SDK imports this and no implementation. */
import * as HttpApi from "effect/http-api/HttpApi"
import { AccountsGroup, OperatorAccountsGroup } from "./accounts/api.ts"
import { AgentKeysGroup } from "./agent-keys/api.ts"
import { AuditLogGroup } from "./audit-log/api.ts"
import { ApiKeysGroup } from "./api-keys/api.ts"
import { LegalEntitiesGroup, OperatorLegalEntitiesGroup } from "./legal-entities/api.ts"
import { TestClocksGroup } from "./test-clocks/api.ts"

export const contract = HttpApi.make("svc")
  .add(AccountsGroup)
  .add(ApiKeysGroup)
  .add(AgentKeysGroup)
  .add(LegalEntitiesGroup)
  .add(TestClocksGroup)
  .add(AuditLogGroup)
  .add(OperatorAccountsGroup)
  .add(OperatorLegalEntitiesGroup)
