/** How the tool server is reached from outside. */
import { Context } from "effect"

/** Without a slash at its end. */
export class ToolsUrl extends Context.Service<ToolsUrl, string>()("@svc/tools/ToolsUrl") {}
