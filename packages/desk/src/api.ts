/** The routes of this package. The client imports this file, and no implementation. */
import * as HttpApi from "effect/http-api/HttpApi"
import { AssistantGroup } from "./assistant/api.ts"
import { SearchGroup } from "./search/api.ts"

export const contract = HttpApi.make("svc").add(AssistantGroup).add(SearchGroup)
