/** The routes of this package. The client imports this file, and no implementation. */
import * as HttpApi from "effect/http-api/HttpApi"
import { AccountsGroup, OperatorAccountsGroup } from "./accounts/api.ts"
import { AgentKeysGroup } from "./agent-keys/api.ts"
import { ApiKeysGroup } from "./api-keys/api.ts"
import { AttentionGroup } from "./attention/api.ts"
import { AuditLogGroup } from "./audit-log/api.ts"
import { LegalEntitiesGroup, OperatorLegalEntitiesGroup } from "./legal-entities/api.ts"
import { OperatorPeopleGroup, PeopleGroup } from "./people/api.ts"
import { OperatorPersonSessionsGroup, PersonSessionsGroup } from "./sessions/api.ts"
import { TestClocksGroup } from "./test-clocks/api.ts"

export const contract = HttpApi.make("svc")
  .add(AccountsGroup)
  .add(ApiKeysGroup)
  .add(AgentKeysGroup)
  .add(LegalEntitiesGroup)
  .add(TestClocksGroup)
  .add(AuditLogGroup)
  .add(PeopleGroup)
  .add(PersonSessionsGroup)
  .add(AttentionGroup)
  .add(OperatorAccountsGroup)
  .add(OperatorLegalEntitiesGroup)
  .add(OperatorPeopleGroup)
  .add(OperatorPersonSessionsGroup)
