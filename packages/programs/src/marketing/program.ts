/** How people come to the product: what is said to them, which steps they take, what they are asked, sent and shown. */
import type { ProgramMaker } from "../program.ts"
import { abTestPlan } from "./ab-test-plan.ts"
import { campaignBrief } from "./campaign-brief.ts"
import { croPlaybook } from "./cro-playbook.ts"
import { funnelMap } from "./funnel-map.ts"
import { sequencePack } from "./sequence-pack.ts"

export const marketing: ProgramMaker = {
  name: "marketing",
  artifacts: [
    { path: "campaign-brief.md", make: campaignBrief },
    { path: "funnel-map.md", make: funnelMap },
    { path: "sequence-pack.md", make: sequencePack },
    { path: "cro-playbook.md", make: croPlaybook },
    { path: "ab-test-plan.md", make: abTestPlan }
  ]
}
