/** The site at an address. */
import { Site } from "@svc/tool-kit/services/site"
import { Layer } from "effect"
import { SERVER } from "../mcp/methods.ts"
import { allRevisions, REVISION } from "../mcp/revisions.ts"

export interface Addresses {
  readonly tools_url: string
  readonly api_url: string
  readonly contact_email?: string | undefined
}

const withoutSlash = (url: string): string => url.replace(/\/$/u, "")

export const layer = ({ api_url, contact_email, tools_url }: Addresses) =>
  Layer.succeed(Site, {
    service: SERVER.name,
    title: SERVER.title,
    version: SERVER.version,
    protocol_version: REVISION,
    protocol_versions: allRevisions,
    tools_url: withoutSlash(tools_url),
    api_url: withoutSlash(api_url),
    contact_email: contact_email ?? null
  })
