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
