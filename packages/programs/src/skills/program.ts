/** What an agent must know before it works here, and what one look does not show. */
import type { ProgramMaker } from "../program.ts"
import { agents } from "./agents.ts"
import { claude } from "./claude.ts"
import { cursor } from "./cursor.ts"
import { modelCascade } from "./model-cascade.ts"
import { policyPack } from "./policy-pack.ts"
import { workflowPack } from "./workflow-pack.ts"

export const skills: ProgramMaker = {
  name: "skills",
  artifacts: [
    { path: "AGENTS.md", make: agents },
    { path: "CLAUDE.md", make: claude },
    { path: ".cursorrules", make: cursor },
    { path: "workflow-pack.md", make: workflowPack },
    { path: "policy-pack.md", make: policyPack },
    { path: "model-cascade.md", make: modelCascade }
  ]
}
