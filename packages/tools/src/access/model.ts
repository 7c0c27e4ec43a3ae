/** Who asks a route of the tool server. */
import type { ToolCaller } from "@svc/accounts/access/model"
import { Context } from "effect"

export class CurrentCaller extends Context.Service<CurrentCaller, ToolCaller>()("@svc/tools/CurrentCaller") {}
