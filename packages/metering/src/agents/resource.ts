/** What agents that look after themselves bring to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import { answersOfCallers } from "../access/authorization.ts"
import * as http from "./http.ts"
import { Agents } from "./service.ts"

export const agents = { ...nothing, services: Agents.layer, routes: Layer.provide(http.layer, answersOfCallers) }
