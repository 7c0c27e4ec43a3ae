/** The routes of this package. The client imports this file, and no implementation. */
import * as HttpApi from "effect/http-api/HttpApi"
import { MismatchesGroup } from "./mismatches/api.ts"
import { ReportsGroup } from "./reports/api.ts"

export const contract = HttpApi.make("svc").add(ReportsGroup).add(MismatchesGroup)
