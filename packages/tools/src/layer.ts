/** What this package brings: the tools, the gate before them, and the doors that lead there. */
import { Layer } from "effect"
import * as catalog from "./catalog/index.ts"
import * as gate from "./gate/gate.ts"
import * as mcp from "./mcp/http.ts"

/** The routes of the tool server. */
export const doors = mcp.layer

/** What they need. */
export const services = gate.layer.pipe(Layer.provideMerge(catalog.layer))
