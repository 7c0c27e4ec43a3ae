/** What pages say of themselves to those who find, show and share them. */
import type { ProgramMaker } from "../program.ts"
import { contentAudit } from "./content-audit.ts"
import { metaTagAudit } from "./meta-tag-audit.ts"
import { routePriorityMap } from "./route-priority-map.ts"
import { schemaRecommendations } from "./schema-recommendations.ts"
import { seoHeadTags } from "./seo-head-tags.ts"
import { seoRules } from "./seo-rules.ts"

export const seo: ProgramMaker = {
  name: "seo",
  artifacts: [
    { path: "seo-rules.md", make: seoRules },
    { path: "schema-recommendations.json", make: schemaRecommendations },
    { path: "route-priority-map.md", make: routePriorityMap },
    { path: "content-audit.md", make: contentAudit },
    { path: "meta-tag-audit.json", make: metaTagAudit },
    { path: "seo-head-tags.html", make: seoHeadTags }
  ]
}
