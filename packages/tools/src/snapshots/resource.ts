/** What the routes of snapshots bring to the service. The snapshots themselves are in the stores. */
import { nothing } from "@svc/kernel/parts/part"
import * as http from "./http.ts"

export const snapshots = { ...nothing, routes: http.layer }
