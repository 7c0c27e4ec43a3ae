/** What this server is called, and where it is reached: every absolute URL that it writes comes from here. */
import { Context } from "effect"

export class Site extends Context.Service<Site, {
  readonly service: string
  readonly title: string
  readonly version: string
  /** The revision of the tool protocol that a caller who names none speaks, and all that are spoken. */
  readonly protocol_version: string
  readonly protocol_versions: ReadonlyArray<string>
  /** Without a slash at the end. */
  readonly tools_url: string
  readonly api_url: string
  /** Where people reach the operator; null where none is set. */
  readonly contact_email: string | null
}>()("@svc/tool-kit/Site") {}

/**
 * A path of this server as the outside asks for it. A proxy may serve the tool server below a path of its own, such as `/tools`, and takes
 * that path away before it passes a request on. Without the origin, because a client may reach the server by another name.
 */
export const publicPath = ({ tools_url }: Pick<Site["Service"], "tools_url">, path: string): string =>
  `${new URL(tools_url).pathname.replace(/\/$/u, "")}${path}`
