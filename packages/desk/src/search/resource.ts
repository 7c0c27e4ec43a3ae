/** What the search brings to the service. */
import { nothing } from "@svc/kernel/parts/part"
import { Layer } from "effect"
import * as http from "./http.ts"
import { SearchRepository } from "./repository.ts"
import { Search } from "./service.ts"

export const search = { ...nothing, services: Layer.provide(Search.layer, SearchRepository.layer), routes: http.layer }
