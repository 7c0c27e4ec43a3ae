/** Members of manifests that Maven Central and Packagist show. */
export const LISTED: ReadonlySet<string> = new Set(["description", "keywords", "homepage"])
