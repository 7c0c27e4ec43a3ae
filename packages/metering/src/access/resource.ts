/** What recognising callers brings to the routes of the tool server. */
import { nothing } from "@svc/kernel/parts/part"
import * as authorization from "./authorization.ts"

export const access = { ...nothing, routes: authorization.layer }
