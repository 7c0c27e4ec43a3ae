/** Hosts with their labels in reverse, such as `com.example.www`, so that a site and all below it stand together. */

const hostOf = (url: string): string | undefined => {
  const parsed = URL.parse(url)
  return parsed === null || !/^https?:$/.test(parsed.protocol) || parsed.hostname === "" ? undefined : parsed.hostname
}

const reversed = (host: string): string => host.replace(/\.$/, "").split(".").toReversed().join(".")

/** Undefined for what is no http or https URL. */
export const siteOf = (url: string): string | undefined => {
  const host = hostOf(url)
  return host === undefined ? undefined : reversed(host)
}

/** The same of a filter, which is a host or a URL. */
export const siteAsked = (site: string): string | undefined => site.includes("://") ? siteOf(site) : siteOf(`https://${site}`)
