/** What storms and kills need beside a database. */
import * as NodeFileSystem from "@effect/platform-node/NodeFileSystem"
import { Layer } from "effect"
import { FetchHttpClient } from "effect/http"
import * as inside from "./inside.ts"

/** Needs a `DatabaseConfig`. */
export const layer = Layer.mergeAll(inside.layer, FetchHttpClient.layer, NodeFileSystem.layer)
