/** What people bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import * as http from "./http.ts"
import { migrations } from "./migrations.ts"
import { People } from "./service.ts"

export const people = { ...nothing, services: People.layer, routes: http.layer, migrations }
